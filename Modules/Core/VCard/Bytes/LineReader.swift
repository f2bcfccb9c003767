/// Reads the physical lines of a stream, ended by LF, CR LF, CR or the CR CR LF of a double conversion.
///
/// Holds one line and one chunk of the stream in memory and reads each byte once.
public struct LineReader {
    private let stream: ByteStream
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The number of the last line read, from 1; 0 before the first.
    public private(set) var lineNumber = 0

    /// Creates a reader of a stream.
    public init(_ stream: ByteStream) {
        self.stream = stream
    }

    /// Returns the first byte of the next line (its line break if the line is empty), or nil at the end of the stream.
    public mutating func peek() throws -> UInt8? {
        while position >= buffer.count {
            guard try refill() else { return nil }
        }
        return buffer[position]
    }

    /// Returns up to `count` bytes of the next line or lines that have been read from the stream.
    mutating func buffered(_ count: Int) throws -> ArraySlice<UInt8> {
        _ = try peek()
        return buffer[min(position, buffer.count)...].prefix(count)
    }

    /// Appends the next line without its line break to `line`.
    ///
    /// - Parameters:
    ///   - line: The buffer to append to.
    ///   - dropped: The number of bytes to drop at the beginning of the line.
    ///   - limit: The maximum size of `line`; the excess is read and dropped.
    /// - Returns: `false` at the end of the stream.
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
                line.append(contentsOf: buffer[from..<(from + taken)])
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
        let bytes = buffer.span
        var index = start
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        return index
    }

    /// Consumes the rest of a line break that began with CR.
    private mutating func skipLineFeed() throws {
        guard let byte = try peek() else { return }
        if byte == 0x0A {
            position += 1
        } else if byte == 0x0D {
            // The second byte may be in the next chunk.
            if position + 1 == buffer.count, !isAtEnd {
                if let chunk = try stream.next() {
                    buffer = [byte] + chunk
                    position = 0
                } else {
                    isAtEnd = true
                }
            }
            if position + 1 < buffer.count, buffer[position + 1] == 0x0A { position += 2 }
        }
    }

    /// Replaces an exhausted buffer with the next chunk. Returns `false` at the end.
    private mutating func refill() throws -> Bool {
        guard !isAtEnd else { return false }
        guard let chunk = try stream.next() else {
            isAtEnd = true
            return false
        }
        buffer = chunk
        position = 0
        return true
    }
}
