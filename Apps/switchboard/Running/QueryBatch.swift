import ArgumentParser
import Foundation
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
            throw SwitchboardError.usage(
                "nothing to search for; give \(name), or read queries from standard input with --batch")
        }
        return words.map(NormalizedArguments.asTyped).joined(separator: " ")
    }
}

extension Session {
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
}

/// Reads standard input line by line, in bounded memory.
private struct LineInput {
    /// A line without its terminator.
    enum Line {
        case text(String)
        /// A line that is too long or not UTF-8: its printable beginning and the error.
        case malformed(String, SwitchboardError)
    }

    /// The maximum length of a line in bytes.
    static let maximumLength = 1 << 16

    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private let willWait: () throws -> Void

    /// - Parameter willWait: Called before reading blocks, for example to flush the output.
    init(willWait: @escaping () throws -> Void) {
        self.willWait = willWait
    }

    /// Returns the next line, or `nil` at the end of the input.
    mutating func next() throws -> Line? {
        var start = position
        var isTooLong = false
        while true {
            if let end = buffer[start...].firstIndex(of: 0x0A) {
                defer { position = end + 1 }
                return isTooLong ? tooLong(buffer[position..<position]) : line(buffer[position..<end])
            }
            if isAtEnd {
                let rest = buffer[position...]
                position = buffer.endIndex
                if isTooLong { return tooLong([]) }
                return rest.isEmpty ? nil : line(rest)
            }
            if buffer.count - position > Self.maximumLength {
                isTooLong = true
                position = buffer.endIndex
            }
            buffer.removeFirst(position)
            position = 0
            start = buffer.count
            try fill()
        }
    }

    private func line(_ bytes: ArraySlice<UInt8>) -> Line {
        if bytes.count > Self.maximumLength { return tooLong(bytes) }
        let bytes = bytes.last == 0x0D ? bytes.dropLast() : bytes
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return malformed(bytes, "the line is not UTF-8")
        }
        return .text(text)
    }

    private func tooLong(_ bytes: ArraySlice<UInt8>) -> Line {
        malformed(bytes.prefix(100), "the line is longer than \(Self.maximumLength) bytes")
    }

    private func malformed(_ bytes: ArraySlice<UInt8>, _ message: String) -> Line {
        .malformed(
            String(decoding: bytes, as: UTF8.self),
            SwitchboardError(code: "malformedInput", message: message, status: .malformed))
    }

    private mutating func fill() throws {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Safe: the call fills one descriptor before it returns.
        if unsafe poll(&input, 1, 0) == 0 { try willWait() }
        let piece = try StandardStreams.read(STDIN_FILENO, upTo: 1 << 16, name: "standard input", file: "-")
        isAtEnd = piece.isEmpty
        buffer += piece
    }
}
