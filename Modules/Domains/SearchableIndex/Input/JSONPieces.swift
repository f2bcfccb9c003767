/// A stream of JSON objects cut into its objects: one array of them, one object, or one after the other (JSON lines).
///
/// What lies between is checked; what lies inside is left to ``JSONReader``. Memory is bounded by the largest object. O(*n*).
struct JSONPieces {
    /// The most bytes of one object.
    static let longest = 64 << 20

    /// The bytes of one object, and where it begins.
    struct Piece {
        let bytes: [UInt8]
        /// From 1.
        let line: Int
        /// In Unicode scalars, from 1.
        let column: Int

        /// Where an offset in the bytes stands in the input.
        func place(of offset: Int) -> (line: Int, column: Int) {
            var line = line
            var column = column
            for byte in bytes[..<min(max(offset, 0), bytes.count)] {
                if byte == 0x0A {
                    line += 1
                    column = 1
                } else if byte & 0xC0 != 0x80 {
                    column += 1
                }
            }
            return (line, column)
        }
    }

    private enum Frame {
        case unknown, array, stream
    }

    private let read: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var line = 1
    private var column = 1
    private var frame = Frame.unknown
    /// In an array, whether the next object must come after a comma.
    private var needsComma = false
    private var isClosed = false

    /// - Parameter read: the next bytes of the input; none at its end.
    init(read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    private mutating func fill() throws -> Bool {
        if isAtEnd { return false }
        let more = try read()
        if more.isEmpty {
            isAtEnd = true
            return false
        }
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        buffer += more
        return true
    }

    private mutating func peek() throws -> UInt8? {
        while position >= buffer.count { if try !fill() { return nil } }
        return buffer[position]
    }

    private mutating func advance(_ byte: UInt8) {
        position += 1
        if byte == 0x0A {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    private func fault(_ reason: String) -> ItemFault { ItemFault(reason, line: line, column: column) }

    /// The next object; nil at the end.
    ///
    /// - Throws: ``ItemFault``, and what the reading throws.
    mutating func next() throws -> Piece? {
        if line == 1, column == 1, position == 0 { try skipByteOrderMark() }
        while let byte = try peek() {
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: advance(byte)
            case UInt8(ascii: "[") where frame == .unknown:
                frame = .array
                advance(byte)
            case UInt8(ascii: ",") where frame == .array && needsComma && !isClosed:
                needsComma = false
                advance(byte)
                guard try peekPastSpace() == UInt8(ascii: "{") else {
                    throw fault("expected an object after the comma")
                }
            case UInt8(ascii: "]") where frame == .array && !isClosed:
                isClosed = true
                advance(byte)
            case UInt8(ascii: "{") where !isClosed && !needsComma:
                if frame == .unknown { frame = .stream }
                needsComma = frame == .array
                return try object()
            case UInt8(ascii: "{") where needsComma && !isClosed: throw fault("expected a comma between two items")
            default:
                throw fault(
                    isClosed ? "something stands after the end of the list" : "expected an item, an object in braces")
            }
        }
        if frame == .array && !isClosed { throw fault("the list does not end") }
        return nil
    }

    private mutating func peekPastSpace() throws -> UInt8? {
        while let byte = try peek(), [0x20, 0x0A, 0x0D, 0x09].contains(byte) { advance(byte) }
        return try peek()
    }

    private mutating func skipByteOrderMark() throws {
        while buffer.count < 3 { if try !fill() { return } }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The object that begins here, up to its closing brace.
    private mutating func object() throws -> Piece {
        let (startLine, startColumn) = (line, column)
        var offset = position
        var depth = 0
        var isInText = false
        var isEscaped = false
        while true {
            while offset < buffer.count {
                let byte = buffer[offset]
                offset += 1
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInText = false
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 {
                        let piece = Piece(bytes: Array(buffer[position..<offset]), line: startLine, column: startColumn)
                        let end = piece.place(of: piece.bytes.count)
                        (line, column) = end
                        position = offset
                        return piece
                    }
                default: break
                }
            }
            guard buffer.count - position <= JSONPieces.longest else {
                throw fault("the item is larger than \(JSONPieces.longest >> 20) MiB")
            }
            let before = position
            if try !fill() {
                // The reader says where it ends too early.
                let piece = Piece(bytes: Array(buffer[position...]), line: startLine, column: startColumn)
                position = buffer.count
                return piece
            }
            offset -= before - position
        }
    }
}
