import SwitchboardJSON

/// A parser of items from JSON: an array, one object, or JSON lines.
///
/// An item is `{"id": "…", "domain": "…", "expiresAt": "…", "isUpdate": false, "title": "…", …, "custom": {…}}`:
/// identifier, domain and expiration beside the attributes. `uniqueIdentifier`, `domainIdentifier`, `expirationDate`
/// and a nested `attributeSet` are accepted as well. Dates are ISO 8601, data is Base64.
///
/// For example:
///
/// ```swift
/// var reader = ItemReader(Array(text.utf8))
/// while let change = try reader.next() { changes.append(change) }
/// ```
public struct ItemReader {
    private static let maximumSize = 64 << 20

    private enum Frame {
        case unknown, array, stream
    }

    private let read: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var place = TextPlace()
    private var frame = Frame.unknown
    /// Indicates that a comma must precede the next object of the array.
    private var needsComma = false
    private var isClosed = false

    /// Creates a reader of items in memory.
    public init(_ bytes: [UInt8]) {
        self.init { [] }
        buffer = bytes
    }

    /// Creates a reader of a stream. Memory use is bounded by the largest item.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end.
    public init(reading read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// Returns the next item, or `nil` at the end.
    ///
    /// - Throws: An ``ItemError`` with line and column, and rethrows errors of `read`.
    public mutating func next() throws -> ItemChange? { try nextDraft()?.change() }

    // MARK: - Splitting

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
        place.advance(byte)
    }

    private func fault(_ reason: String) -> ItemError {
        ItemError(reason: reason, line: place.line, column: place.column)
    }

    /// Returns the next item unparsed, to be parsed later or on another thread.
    ///
    /// Checks the text between the objects. O(*n*).
    mutating func nextDraft() throws -> ItemDraft? {
        if place == TextPlace(), position == 0 { try skipByteOrderMark() }
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
    private mutating func object() throws -> ItemDraft {
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
                        let draft = ItemDraft(bytes: Array(buffer[position..<offset]), place: place)
                        place = draft.place(of: draft.bytes.count)
                        position = offset
                        return draft
                    }
                default: break
                }
            }
            guard buffer.count - position <= ItemReader.maximumSize else {
                throw fault("the item is larger than \(ItemReader.maximumSize >> 20) MiB")
            }
            let before = position
            if try !fill() {
                // The parser reports the missing end.
                let draft = ItemDraft(bytes: Array(buffer[position...]), place: place)
                position = buffer.count
                return draft
            }
            offset -= before - position
        }
    }
}

struct TextPlace: Equatable {
    private(set) var line = 1
    /// The column, in Unicode scalars from 1.
    private(set) var column = 1

    mutating func advance(_ byte: UInt8) {
        if byte == 0x0A {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }
}

/// An item or activity as unparsed JSON, with its place in the input.
struct ItemDraft: Sendable {
    let bytes: [UInt8]
    var place = TextPlace()

    /// Returns the place in the input of an offset in the bytes.
    func place(of offset: Int) -> TextPlace {
        bytes.prefix(max(offset, 0)).reduce(into: place) { $0.advance($1) }
    }

    /// Parses the object, and returns its members.
    ///
    /// - Parameter expected: The kind of object, for errors.
    func members(of expected: String) throws(ItemError) -> [JSONValue.Member] {
        do throws(JSONSyntaxError) {
            if case .object(let members) = try JSONParser.value(of: bytes) { return members }
        } catch {
            throw self.error(error.reason, offset: error.offset)
        }
        throw error("expected \(expected) as a JSON object", offset: 0)
    }

    func error(_ reason: String, item: String? = nil, attribute: String? = nil, offset: Int) -> ItemError {
        let place = place(of: offset)
        return ItemError(reason: reason, item: item, attribute: attribute, line: place.line, column: place.column)
    }

    func change() throws(ItemError) -> ItemChange {
        let members = try members(of: "an item")
        var builder = ItemChangeBuilder()
        do throws(ItemMemberError) {
            try builder.add(members)
            return try builder.change()
        } catch {
            throw self.error(error.reason, item: builder.id, attribute: error.attribute, offset: error.offset)
        }
    }
}
