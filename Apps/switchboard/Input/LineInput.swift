import Foundation
import SwitchboardKit

/// Reads standard input line by line, in bounded memory.
struct LineInput {
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
    ///
    /// - Throws: An error if standard input cannot be read, and errors of `willWait`.
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
        if poll(&input, 1, 0) == 0 { try willWait() }
        let piece = try StandardStreams.read(STDIN_FILENO, upTo: 1 << 16, name: "standard input", file: "-")
        isAtEnd = piece.isEmpty
        buffer += piece
    }
}
