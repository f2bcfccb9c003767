import ArgumentParser
import SwitchboardKit

/// The option of every search command to answer many queries in one go.
struct BatchOptions: ParsableArguments {
    @Flag(help: "Read queries from standard input, a line each, and answer each with one line of JSON.")
    var batch = false

    /// The one query of the command's words; nil with `--batch`.
    ///
    /// - Throws: a fault if there are both or neither.
    func query(_ words: [String], named name: String) throws -> String? {
        try BatchOptions.query(words, isBatch: batch, named: name)
    }

    /// The one query of a command's words; nil if queries are read from standard input.
    ///
    /// - Throws: a fault if there are both or neither.
    static func query(_ words: [String], isBatch: Bool, named name: String) throws -> String? {
        if isBatch {
            guard words.isEmpty else {
                throw Fault.usage("--batch reads queries from standard input; leave \(name) out")
            }
            return nil
        }
        guard let first = words.first else {
            throw Fault.usage("missing \(name); give it, or --batch to read it from standard input")
        }
        return words.dropFirst().reduce(ArgumentOrder.asTyped(first)) { $0 + " " + ArgumentOrder.asTyped($1) }
    }
}

extension Session {
    /// Adds to an answer what a server has.
    typealias Completion = (SearchResponse) throws -> CompletedResponse

    /// Answers each line of standard input with one line of JSON, in order, and shows the answers whenever input pauses.
    ///
    /// - Parameter answer: the answer to a query; an error that it throws is the answer to that query.
    /// - Returns: ``ExitStatus/malformed`` if some could not be answered.
    func answerBatch(_ answer: (String) throws -> some Encodable) throws -> ExitStatus {
        var lines = LineInput(willWait: output.flush)
        var status = ExitStatus.done
        func refuse(_ query: String, _ error: any Error) throws {
            status = .malformed
            output.write(try OrderedJSON.bytes(FaultResponse(Fault(error), query: query)))
        }
        while let line = try lines.next() {
            switch line {
            case .text(let query):
                do {
                    output.write(try OrderedJSON.bytes(try answer(query)))
                } catch {
                    try refuse(query, error)
                }
            case .malformed(let query, let fault): try refuse(query, fault)
            }
            output.write("\n")
        }
        return status
    }

    /// WordSuffixes a search command: answers its one query, or those of standard input.
    ///
    /// - Parameters:
    ///   - number: the result that was chosen: instead of the answer it is told where that one leads.
    ///   - completion: what adds the rows of a server.
    func search(
        _ query: String?, opening number: Int? = nil, completing completion: Completion? = nil,
        _ answer: (String) throws -> SearchResponse
    ) throws -> ExitStatus {
        func completed(_ answer: SearchResponse) throws -> SearchResponse {
            guard let completion else { return answer }
            let completed = try progress.explaining("Asking the server …") { try completion(answer) }
            tell(ofServer: completed.fault)
            return completed.answer
        }

        guard let query else {
            if number != nil { throw Fault.usage("--open takes one query, not --batch") }
            return try answerBatch { try completed(try answer($0)) }
        }
        let local = try progress.explaining("Making the index that searches use; the next ones will be quick …") {
            try answer(query)
        }
        let found = try completed(local)
        if let number {
            let opened = try switchboard().open(number, of: found)
            try self.answer(opened) { output.write(opened.open + "\n") }
            compact()
            return .done
        }
        try self.answer(found) { show(found.results) }
        diagnostics.detail("\(found.results.count) found in \(found.elapsedMicroseconds) µs")
        if !found.results.isEmpty { return .done }
        diagnostics.note("nothing matches “\(query)”")
        return .nothingFound
    }
}
