import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard input line by line, in bounded memory.
struct LineInput {
    /// One line, without its end.
    enum Line {
        case text(String)
        /// A line that is longer than any query, or no UTF-8: what can be shown of it, and what is wrong.
        case malformed(String, Fault)
    }

    /// The longest line that is taken for a query, in bytes.
    static let longestLine = 1 << 16

    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private let willWait: () throws -> Void

    /// - Parameter willWait: called before the input makes the program wait, so that what was answered can be shown.
    init(willWait: @escaping () throws -> Void) {
        self.willWait = willWait
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: a fault if standard input cannot be read, and what `willWait` throws.
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
            if buffer.count - position > Self.longestLine {
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
        if bytes.count > Self.longestLine { return tooLong(bytes) }
        let bytes = bytes.last == 0x0D ? bytes.dropLast() : bytes
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .malformed(
                String(decoding: bytes, as: UTF8.self),
                Fault(code: "malformedInput", message: "the line is not UTF-8", status: .malformed))
        }
        return .text(text)
    }

    private func tooLong(_ bytes: ArraySlice<UInt8>) -> Line {
        .malformed(
            String(decoding: bytes.prefix(100), as: UTF8.self),
            Fault(
                code: "malformedInput", message: "the line is longer than \(Self.longestLine) bytes",
                status: .malformed))
    }

    private mutating func fill() throws {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        if poll(&input, 1, 0) == 0 { try willWait() }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let reason = String(cString: strerror(errno))
                throw Fault(
                    code: "inputOutput", message: "cannot read standard input: \(reason)", file: "-",
                    status: .inputOutput)
            }
            isAtEnd = count == 0
            buffer += piece[..<count]
            return
        }
    }
}
