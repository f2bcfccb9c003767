import SwitchboardErrors

/// A reader of the objects in a stream of JSON: those of a list, of a list in an object such as `{"results": […]}`, or
/// one after another, as in JSON lines.
///
/// It finds the ends of the objects but does not parse them. Memory use is bounded by the largest object.
///
/// - Complexity: O(*n*).
package struct JSONRecordReader {
    private static let deepestList = 8
    private static let pieceLength = 1 << 16

    /// A list that is being read.
    private struct List {
        /// `true` for the list of an object, whose rest follows.
        let isMember: Bool
        var needsComma = false
    }

    private let read: () throws -> [UInt8]?
    private let listName: String?
    private let maximumSize: Int
    private let expected: String
    private var buffer: [UInt8] = []
    private var position = 0
    private var place = TextPlace()
    private var lists: [List] = []
    private var hasBegun = false
    private var isAtEnd = false

    /// Creates a reader of a stream.
    ///
    /// - Parameters:
    ///   - expected: The kind of object with its article, for errors.
    ///   - listName: The name of the member that has the objects as a list, if they may be in an object.
    ///   - maximumSize: The maximum number of bytes of an object.
    ///   - read: Returns the next bytes; empty or nil at the end.
    package init(
        of expected: String, in listName: String? = nil, upTo maximumSize: Int,
        reading read: @escaping () throws -> [UInt8]?
    ) {
        self.read = read
        self.expected = expected
        self.listName = listName
        self.maximumSize = maximumSize
    }

    /// Returns the next object; nil at the end, and after an error behind which no object can be found.
    ///
    /// - Throws: `MalformedInput` if there is anything else between the objects, or an object is too large. The errors of
    ///   the stream.
    package mutating func next() throws -> JSONRecord? {
        if !hasBegun { try skipByteOrderMark() }
        if position >= Self.pieceLength {
            buffer.removeFirst(position)
            position = 0
        }
        while let byte = try peekPastSpace() {
            if let list = lists.last {
                if byte == UInt8(ascii: "]") {
                    advance()
                    lists.removeLast()
                    if list.isMember { try skipRest(of: ObjectScanner(depth: 1), from: position) }
                    continue
                }
                if list.needsComma {
                    guard byte == UInt8(ascii: ",") else {
                        throw failure("expected a comma or “]” after \(expected)")
                    }
                    advance()
                    lists[lists.count - 1].needsComma = false
                    if try peekPastSpace() == UInt8(ascii: "]") {
                        throw fault("expected \(expected) after the comma")
                    }
                    continue
                }
                lists[lists.count - 1].needsComma = true
            }
            switch byte {
            case UInt8(ascii: "[") where lists.count < Self.deepestList:
                advance()
                lists.append(List(isMember: false))
            case UInt8(ascii: "{"): if let object = try object() { return object }
            default: throw failure("expected \(expected) as a JSON object")
            }
        }
        if lists.isEmpty { return nil }
        throw failure("the list is not closed; add “]”")
    }

    // MARK: - Bytes

    private mutating func fill() throws -> Bool {
        if isAtEnd { return false }
        guard let more = try read(), !more.isEmpty else {
            isAtEnd = true
            return false
        }
        buffer += more
        return true
    }

    private mutating func peekPastSpace() throws -> UInt8? {
        while true {
            while position < buffer.count {
                guard [0x20, 0x0A, 0x0D, 0x09].contains(buffer[position]) else { return buffer[position] }
                advance()
            }
            if try !fill() { return nil }
        }
    }

    private mutating func advance() {
        place.advance(buffer[position])
        position += 1
    }

    private mutating func skipByteOrderMark() throws {
        hasBegun = true
        while buffer.count < 3 { if try !fill() { return } }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Returns an error at the current position.
    private func fault(_ reason: String) -> MalformedInput {
        MalformedInput(line: place.line, column: place.column, reason: reason)
    }

    /// Ends the iteration and returns an error at the current position.
    private mutating func failure(_ reason: String) -> MalformedInput {
        (buffer, position, lists, isAtEnd) = ([], 0, [], true)
        return fault(reason)
    }

    // MARK: - Objects

    /// Returns the object at the position; nil if it has the list, to whose first element the position then moves.
    ///
    /// An object that is not closed ends at the end of the stream. The parser reports that.
    private mutating func object() throws -> JSONRecord? {
        var scanner = ObjectScanner(listName: lists.count < Self.deepestList ? listName : nil)
        var offset = position
        while true {
            switch scanner.scan(buffer, from: &offset) {
            case .end: return record(upTo: offset)
            case .list:
                while position < offset { advance() }
                lists.append(List(isMember: true))
                return nil
            case nil: break
            }
            guard buffer.count - position <= maximumSize else {
                let error = fault("\(expected) has at most \(maximumSize >> 20) MiB")
                try skipRest(of: scanner, from: offset)
                throw error
            }
            if try !fill() {
                // Reports only that the object is not closed, not also its lists.
                lists = []
                return record(upTo: buffer.count)
            }
        }
    }

    private mutating func record(upTo end: Int) -> JSONRecord {
        let record = JSONRecord(bytes: Array(buffer[position..<end]), place: place)
        place = record.place(of: record.bytes.count)
        position = end
        return record
    }

    /// Skips the rest of an object, of which a scanner has read the bytes before an offset.
    private mutating func skipRest(of scanner: ObjectScanner, from offset: Int) throws {
        var (scanner, offset) = (scanner, offset)
        scanner.listName = nil
        while scanner.scan(buffer, from: &offset) == nil {
            while position < offset { advance() }
            (buffer, position, offset) = ([], 0, 0)
            if try !fill() { throw failure("the object is not closed; add “}”") }
        }
        while position < offset { advance() }
    }
}

/// Finds the end of an object, or its list of a name, in pieces of text.
private struct ObjectScanner {
    enum Found {
        case end, list
    }

    /// What precedes a list that is searched.
    private enum Prefix {
        case nothing, name, colon
    }

    /// The name of the list that is searched, if any.
    var listName: [UInt8]?
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// The bytes of the member name so far, as far as they can be the list's name.
    private var name: [UInt8] = []
    private var prefix = Prefix.nothing

    init(listName: String? = nil, depth: Int = 0) {
        self.listName = listName.map { Array($0.utf8) }
        self.depth = depth
    }

    /// Moves the offset past the end of the object or the bracket of its list; to the end of the bytes if they have
    /// neither, which returns nil.
    mutating func scan(_ bytes: [UInt8], from offset: inout Int) -> Found? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    prefix = depth == 1 && name == listName ? .name : .nothing
                    continue
                }
                if let listName, depth == 1, name.count <= listName.count { name.append(byte) }
                continue
            }
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: continue
            case UInt8(ascii: ":") where prefix == .name:
                prefix = .colon
                continue
            case UInt8(ascii: "\""):
                isInText = true
                name = []
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if prefix == .colon, byte == UInt8(ascii: "[") { return .list }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return .end }
            default: break
            }
            prefix = .nothing
        }
        return nil
    }
}

/// A position in a text.
package struct TextPlace: Equatable, Sendable {
    package private(set) var line = 1
    /// The column, in Unicode scalars from 1.
    package private(set) var column = 1

    package init() {}

    package mutating func advance(_ byte: UInt8) {
        if byte == 0x0A {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }
}

/// An unparsed object of JSON, with its place in the input.
package struct JSONRecord: Sendable {
    package let bytes: [UInt8]
    package let place: TextPlace

    package init(bytes: [UInt8], place: TextPlace = TextPlace()) {
        self.bytes = bytes
        self.place = place
    }

    /// Returns the place in the input of an offset in the bytes.
    package func place(of offset: Int) -> TextPlace {
        bytes.prefix(max(offset, 0)).reduce(into: place) { $0.advance($1) }
    }

    /// Parses the object.
    ///
    /// - Throws: `MalformedInput` with line and column.
    package func value() throws(MalformedInput) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.value(of: bytes)
        } catch {
            let place = place(of: error.offset)
            throw MalformedInput(line: place.line, column: place.column, reason: error.reason)
        }
    }
}
