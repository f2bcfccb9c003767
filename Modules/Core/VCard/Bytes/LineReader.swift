/// The physical lines of a stream, whatever ends them: LF, CR LF, CR alone, or CR CR LF, which a file has that was turned from LF
/// to CR LF once too often.
///
/// Holds one line and one piece of the stream at a time. Cost: one pass over the bytes.
public struct LineReader {
    private let stream: ByteStream
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The number of the line that was read last, from 1; 0 before the first.
    public private(set) var lineNumber = 0

    /// A reader of a stream.
    public init(_ stream: ByteStream) {
        self.stream = stream
    }

    /// The first byte of the line to come, nil at the end of the stream; a line end itself where the line is empty.
    public mutating func peek() throws -> UInt8? {
        while position >= buffer.count {
            guard try refill() else { return nil }
        }
        return buffer[position]
    }

    /// Appends the next line without its end to `line`.
    ///
    /// - Parameters:
    ///   - line: what it is appended to.
    ///   - dropped: how many bytes at the beginning of the line are left out.
    ///   - limit: how many bytes `line` may hold; what is more is read and left out.
    /// - Returns: false at the end of the stream.
    public mutating func appendLine(
        to line: inout [UInt8], dropping dropped: Int = 0, limit: Int = .max
    ) throws -> Bool {
        guard try peek() != nil else { return false }
        lineNumber += 1
        var toDrop = dropped
        while true {
            let start = position
            let end = endOfLine(from: start)
            let from = min(start + toDrop, end)
            toDrop -= from - start
            if line.count < limit {
                let taken = min(end - from, limit - line.count)
                buffer.withUnsafeBufferPointer {
                    line.append(contentsOf: UnsafeBufferPointer(rebasing: $0[from..<(from + taken)]))
                }
            }
            if end < buffer.count {
                let isReturn = buffer[end] == 0x0D
                position = end + 1
                if isReturn { try skipLineFeed() }
                return true
            }
            position = end
            guard try refill() else { return true }
        }
    }

    private func endOfLine(from start: Int) -> Int {
        buffer.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
            return index
        }
    }

    /// Takes what still belongs to the line end that has begun with CR.
    private mutating func skipLineFeed() throws {
        guard let byte = try peek() else { return }
        if byte == 0x0A {
            position += 1
        } else if byte == 0x0D {
            // Two bytes are looked at, of which the second may be in the next piece.
            if position + 1 == buffer.count, !isAtEnd {
                if let piece = try stream.next() {
                    buffer = [byte] + piece
                    position = 0
                } else {
                    isAtEnd = true
                }
            }
            if position + 1 < buffer.count, buffer[position + 1] == 0x0A { position += 2 }
        }
    }

    /// Replaces a used-up buffer by the next piece; false at the end.
    private mutating func refill() throws -> Bool {
        guard !isAtEnd else { return false }
        guard let piece = try stream.next() else {
            isAtEnd = true
            return false
        }
        buffer = piece
        position = 0
        return true
    }
}
