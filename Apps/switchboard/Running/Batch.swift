import ArgumentParser
import SwitchboardJSON
import SwitchboardKit

struct BatchOptions: ParsableArguments {
    @Flag(help: "Read queries from standard input, one per line, and print one line of JSON for each.")
    var batch = false

    /// Returns the query formed by the words, or `nil` with `--batch`.
    func query(_ words: [String], named name: String) throws -> String? {
        if batch {
            guard words.isEmpty else {
                throw SwitchboardError.usage("--batch reads queries from standard input; omit \(name)")
            }
            return nil
        }
        guard !words.isEmpty else {
            throw SwitchboardError.usage("missing \(name); add it, or read queries from standard input with --batch")
        }
        return words.map(NormalizedArguments.asTyped).joined(separator: " ")
    }
}

/// The option of searches that shows why rows match.
struct ExplainOption: ParsableArguments {
    @Flag(help: "Show why each row matches and what decides about its place.")
    var explain = false
}

extension Session {
    /// A function that adds rows from a server to a response.
    typealias Completion = (SearchResponse) throws -> CompletedResponse

    /// Answers each line of standard input with one line of JSON, in order, and flushes when input pauses.
    ///
    /// - Parameter respond: Returns the response to a query. A thrown error becomes the response to that query.
    /// - Returns: ``ExitStatus/malformed`` if any query failed.
    func runBatch(_ respond: (String) throws -> some Encodable) throws -> ExitStatus {
        var lines = LineInput(willWait: output.flush)
        var status = ExitStatus.done
        func refuse(_ query: String, _ error: any Error) throws {
            status = .malformed
            output.write(try OrderedJSON.bytes(ErrorResponse(SwitchboardError(error), query: query)))
        }
        while let line = try lines.next() {
            switch line {
            case .text(let query):
                do {
                    output.write(try OrderedJSON.bytes(try respond(query)))
                } catch {
                    try refuse(query, error)
                }
            case .malformed(let query, let fault): try refuse(query, fault)
            }
            output.write("\n")
        }
        return status
    }

    /// The maximum number of results to count.
    private static let largestCount = 1_000

    /// Runs a search command for one query, or for the queries on standard input if `query` is `nil`.
    ///
    /// - Parameters:
    ///   - number: The number of the result to open. Its address is printed instead of the results.
    ///   - completion: Adds rows from a server.
    ///   - respond: Returns the response to a query, with up to the given number of results.
    func search(
        _ query: String?, opening number: Int? = nil, completing completion: Completion? = nil,
        _ respond: (String, Int) throws -> SearchResponse
    ) throws -> ExitStatus {
        func completed(_ response: SearchResponse) throws -> SearchResponse {
            var response = response
            if let completion {
                let completed = try progress.explaining("Waiting for the server …") { try completion(response) }
                report(serverError: completed.error)
                response = completed.response
            }
            return isExplaining ? response.explained() : response
        }

        guard let query else {
            if number != nil {
                throw SwitchboardError.usage("--open takes one query and cannot be combined with --batch")
            }
            return try runBatch { try completed(try respond($0, searchLimit)) }
        }
        let local = try progress.explaining("Building the search index; later searches will be fast …") {
            try respond(query, searchLimit)
        }
        let found = try completed(local)
        if let number {
            let opened = try switchboard().open(number, of: found)
            defer { compact() }
            return try self.respond(opened, line: opened.open)
        }
        try self.respond(found) { show(found.results) }
        diagnostics.detail("\(found.results.count) results in \(found.elapsedMicroseconds) µs")
        if found.results.count == searchLimit {
            let most = Self.largestCount
            try noteCut(shown: found.results.count, of: try respond(query, most).results.count, orMore: most)
        }
        if !found.results.isEmpty { return .done }
        diagnostics.note("nothing matches “\(query)”")
        return .nothingFound
    }
}
