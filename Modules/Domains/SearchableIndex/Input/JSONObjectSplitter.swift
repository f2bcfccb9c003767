import SwitchboardJSON

/// A splitter of a JSON stream into its objects: an array of objects, one object, or JSON lines.
///
/// It checks the text between the objects; `JSONParser` parses the objects. Memory use is bounded by the largest
/// object. O(*n*).
struct JSONObjectSplitter {
    /// The maximum size of an object in bytes.
    static let maximumSize = 64 << 20

    /// The bytes of an object and their position in the input.
    struct Fragment {
        let bytes: [UInt8]
        /// The line, from 1.
        let line: Int
        /// The column, in Unicode scalars from 1.
        let column: Int

        /// Returns the position in the input of an offset in the bytes.
        func location(of offset: Int) -> (line: Int, column: Int) {
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

        /// Parses the object.
        func value() throws(ItemError) -> JSONValue {
            do throws(JSONSyntaxError) {
                return try JSONParser.value(of: bytes)
            } catch {
                throw self.error(error.reason, offset: error.offset)
            }
        }

        func error(_ reason: String, item: String? = nil, attribute: String? = nil, offset: Int) -> ItemError {
            let (line, column) = location(of: offset)
            return ItemError(reason, item: item, attribute: attribute, line: line, column: column)
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
    /// Indicates that a comma must precede the next object of the array.
    private var needsComma = false
    private var isClosed = false

    /// - Parameter read: Returns the next bytes of the input; empty at the end.
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

    private func fault(_ reason: String) -> ItemError { ItemError(reason, line: line, column: column) }

    /// Returns the next object, or `nil` at the end.
    ///
    /// - Throws: An ``ItemError``, and rethrows errors of `read`.
    mutating func next() throws -> Fragment? {
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
                    isClosed ? "unexpected text after the end of the list" : "expected an item as a JSON object")
            }
        }
        if frame == .array && !isClosed { throw fault("the list is not closed; add “]”") }
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

    /// Reads the object at the current position, up to its closing brace.
    private mutating func object() throws -> Fragment {
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
                        let fragment = Fragment(
                            bytes: Array(buffer[position..<offset]), line: startLine, column: startColumn)
                        let end = fragment.location(of: fragment.bytes.count)
                        (line, column) = end
                        position = offset
                        return fragment
                    }
                default: break
                }
            }
            guard buffer.count - position <= JSONObjectSplitter.maximumSize else {
                throw fault("the item is larger than \(JSONObjectSplitter.maximumSize >> 20) MiB")
            }
            let before = position
            if try !fill() {
                // The parser reports the missing end.
                let fragment = Fragment(bytes: Array(buffer[position...]), line: startLine, column: startColumn)
                position = buffer.count
                return fragment
            }
            offset -= before - position
        }
    }
}
