@_exported public import SwitchboardErrors

/// A syntax error in JSON, with its offset in bytes.
public struct JSONSyntaxError: CodedError {
    /// The problem, as shown to users.
    public let reason: String
    /// The offset of the problem in the text, in bytes.
    public let offset: Int

    /// The code, the category and the message.
    public var details: ErrorDetails { ErrorDetails("malformedInput", .malformed, reason) }
}

/// A parser of JSON (RFC 8259) that keeps the offsets of members and elements.
///
/// The strict form accepts exactly one value. The lenient form reads JSON as it occurs in web pages: it tolerates
/// comments, the marks that hide scripts, superfluous commas, line breaks and unknown escapes in strings, `undefined`
/// and `NaN`, several values, and text after them.
///
/// - Complexity: O(*n*). Arrays and objects may be nested 64 levels deep.
public struct JSONParser {
    /// The maximum nesting depth of arrays and objects.
    public static let maximumDepth = 64

    private let bytes: [UInt8]
    private let isLenient: Bool
    private var position = 0
    /// The number of values that may still be parsed.
    private var valuesLeft: Int

    /// Parses a text that contains a single value.
    public static func value(of bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes: bytes, isLenient: false, valuesLeft: .max)
        parser.skipSpace()
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.fault("expected the end, found \(parser.found)") }
        return value
    }

    /// Parses the objects and arrays at the beginning of a text leniently. Returns at least one.
    ///
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - limit: The maximum number of values, nested ones included.
    /// - Returns: The values, and the number of values including nested ones.
    public static func lenientValues(
        of bytes: [UInt8], limit: Int
    ) throws(JSONSyntaxError) -> (values: [JSONValue], count: Int) {
        var parser = JSONParser(bytes: bytes, isLenient: true, valuesLeft: limit)
        var values: [JSONValue] = []
        repeat {
            parser.skipSpace()
            guard parser.next == UInt8(ascii: "{") || parser.next == UInt8(ascii: "[") else {
                // Text after a complete value is ignored.
                if !values.isEmpty { break }
                throw parser.fault(bytes.isEmpty ? "the script is empty" : "expected { or [")
            }
            values.append(try parser.value(depth: 0))
        } while parser.position < bytes.count
        return (values, limit - parser.valuesLeft)
    }

    private func fault(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var found: String {
        guard let next else { return "the end" }
        guard next >= 0x20 else { return "a control character" }
        let end = min(position + 4, bytes.count)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        return text.unicodeScalars.first.map { "“\($0)”" } ?? "the end"
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < JSONParser.maximumDepth else {
            throw fault(
                "lists and objects are nested more than \(JSONParser.maximumDepth) levels deep; use fewer levels")
        }
        guard valuesLeft > 0 else { throw fault("there are too many values") }
        valuesLeft -= 1
        guard let next else { throw fault("expected a value, found the end") }
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case _ where isLenient: return try lenientWord()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw fault("expected a value, found \(found)")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> [JSONValue.Member] {
        position += 1
        var members: [JSONValue.Member] = []
        if closes(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("expected a member name in quotes, found \(found)") }
            let offset = position
            let name = try string()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw fault("expected “:”, found \(found)") }
            position += 1
            skipSpace()
            members.append(JSONValue.Member(name, try value(depth: depth + 1), offset: offset))
            if try ends(UInt8(ascii: "}")) { return members }
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue.Element] {
        position += 1
        var elements: [JSONValue.Element] = []
        if closes(UInt8(ascii: "]")) { return elements }
        while true {
            skipSpace()
            let offset = position
            elements.append(JSONValue.Element(try value(depth: depth + 1), offset: offset))
            if try ends(UInt8(ascii: "]")) { return elements }
        }
    }

    /// Consumes the closing bracket if it is next.
    private mutating func closes(_ bracket: UInt8) -> Bool {
        skipSpace()
        guard next == bracket else { return false }
        position += 1
        return true
    }

    /// Consumes a comma, or the closing bracket; returns `true` at the latter.
    private mutating func ends(_ bracket: UInt8) throws(JSONSyntaxError) -> Bool {
        if closes(bracket) { return true }
        guard next == UInt8(ascii: ",") else {
            throw fault("expected “,” or “\(Character(Unicode.Scalar(bracket)))”, found \(found)")
        }
        position += 1
        guard isLenient else { return false }
        skipSpace()
        while next == UInt8(ascii: ",") {
            position += 1
            skipSpace()
        }
        return closes(bracket)
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for byte in text.utf8 {
            guard next == byte else { throw fault("expected “\(text)”, found \(found)") }
            position += 1
        }
        return value
    }

    private mutating func lenientWord() throws(JSONSyntaxError) -> JSONValue {
        let end = bytes[position...].firstIndex { " \t\r\n,:]}[{\"/".utf8.contains($0) } ?? bytes.count
        let word = String(decoding: bytes[position..<end].prefix(64), as: UTF8.self)
        let value: JSONValue? =
            switch word {
            case "true": .bool(true)
            case "false": .bool(false)
            case "null", "undefined", "NaN": .null
            default: Double(word).flatMap { $0.isFinite ? .number($0) : nil }
            }
        guard let value else { throw fault("expected a value, found \(found)") }
        position = end
        return value
    }

    // MARK: - Numbers

    private mutating func digits() throws(JSONSyntaxError) {
        guard let first = next, (0x30...0x39).contains(first) else { throw fault("expected a digit, found \(found)") }
        while let digit = next, (0x30...0x39).contains(digit) { position += 1 }
    }

    private mutating func number() throws(JSONSyntaxError) -> Double {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONSyntaxError(reason: "the number is out of range", offset: start)
        }
        return value
    }

    // MARK: - Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        let opening = position
        position += 1
        var text = ""
        var plain = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let last = try decoded(plain..<position)
                position += 1
                return text.isEmpty ? last : text + last
            case UInt8(ascii: "\\"):
                text += try decoded(plain..<position)
                text.unicodeScalars.append(try escape())
                plain = position
            case ..<0x20 where !isLenient:
                throw fault("unescaped control character in a string; escape it as \\u000A")
            default: position += 1
            }
        }
        throw JSONSyntaxError(reason: "the string is not closed; add a quote", offset: opening)
    }

    private func decoded(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
        let part = bytes[range]
        if isLenient { return String(decoding: part, as: UTF8.self) }
        guard let text = String(validating: part, as: UTF8.self) else {
            throw JSONSyntaxError(reason: "the string is not UTF-8; convert the input", offset: range.lowerBound)
        }
        return text
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let kind = next else { return "\u{FFFD}" }
        position += 1
        switch kind {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return isLenient ? " " : "\u{8}"
        case UInt8(ascii: "f"): return isLenient ? " " : "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            if let scalar = try escapedScalar() { return scalar }
            if isLenient { return "\u{FFFD}" }
            throw JSONSyntaxError(reason: "unpaired surrogate; write both halves", offset: start)
        case _ where isLenient:
            // The escaped character itself, which may have several bytes.
            position -= 1
            let length = kind < 0x80 ? 1 : kind < 0xE0 ? 2 : kind < 0xF0 ? 3 : 4
            let end = min(position + length, bytes.count)
            let text = String(decoding: bytes[position..<end], as: UTF8.self)
            position = end
            return text.unicodeScalars.first ?? "\u{FFFD}"
        default: throw JSONSyntaxError(reason: "unknown escape sequence", offset: start)
        }
    }

    /// Parses the one or two code units after `\u`. Returns `nil` for an unpaired surrogate.
    private mutating func escapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar? {
        guard let high = try codeUnit() else { return nil }
        guard UTF16.isLeadSurrogate(high) else { return Unicode.Scalar(high) }
        let afterHigh = position
        guard next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            return nil
        }
        position += 2
        guard let low = try codeUnit(), UTF16.isTrailSurrogate(low) else {
            position = afterHigh
            return nil
        }
        return Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    }

    /// Parses four hexadecimal digits. The lenient form returns `nil` if there are fewer, and consumes nothing.
    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16? {
        let start = position
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                if isLenient {
                    position = start
                    return nil
                }
                throw fault("expected four hexadecimal digits, found \(found)")
            }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }

    // MARK: - White space

    private mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case _ where isLenient && (byte < 0x20 || byte == UInt8(ascii: ";")): position += 1
            case _ where isLenient && skipMark(): continue
            default: return
            }
        }
    }

    /// Skips a comment, or one of the marks that hide scripts from old browsers and XML parsers.
    private mutating func skipMark() -> Bool {
        guard let mark = Self.marks.first(where: { bytes[position...].starts(with: $0) }) else { return false }
        position += mark.count
        guard mark == Self.comment else { return true }
        while position < bytes.count {
            if bytes[position...].starts(with: "*/".utf8) {
                position += 2
                return true
            }
            position += 1
        }
        return true
    }

    private static let comment = Array("/*".utf8)
    /// The marks to skip. For a comment to the end of the line, only the `//` is skipped, since content often follows
    /// it.
    private static let marks: [[UInt8]] = [
        Array("<![CDATA[".utf8), Array("]]>".utf8), Array("<!--".utf8), Array("-->".utf8), Array("//".utf8), comment,
        [0xEF, 0xBB, 0xBF], [0xC2, 0xA0],
    ]
}

/// A value that encodes as a JSON object and lists its members once, for ``OrderedJSON`` and for every other encoder.
///
/// ``OrderedJSON`` writes the members straight into its text, which takes a tenth of the time of `Encodable`.
public protocol JSONObjectEncodable: Encodable {
    /// Adds the members of the object, in order.
    func encode(to members: inout JSONMembers) throws
}

extension JSONObjectEncodable {
    /// Encodes the members of the object.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONWriterEncoder {
            return try encoder.writer.encodeMembers(of: self, depth: encoder.depth)
        }
        var members = JSONMembers(encoder.container(keyedBy: JSONKey.self))
        try encode(to: &members)
    }
}

/// The members of a JSON object that is being encoded.
public struct JSONMembers: ~Copyable {
    /// The JSON text so far; unused with another encoder.
    var bytes = JSONBuffer()
    /// `true` if the object or array at the end of the text has no members or elements yet.
    private(set) var isEmpty = true
    /// The container of another encoder.
    private var container: KeyedEncodingContainer<JSONKey>?
    /// `true` if there is no other encoder.
    private let isText: Bool

    init(_ container: KeyedEncodingContainer<JSONKey>) {
        self.container = container
        isText = false
    }

    /// Creates the members of an object that was opened at the end of a text.
    init(isEmpty: Bool) {
        self.isEmpty = isEmpty
        isText = true
    }

    /// Adds a string.
    public mutating func add(_ name: String, _ text: String) throws {
        if begin(name) { bytes.append(json: text) } else { try encode(name, text) }
    }

    /// Adds a string of UTF-8 bytes.
    public mutating func add(_ name: String, _ text: ArraySlice<UInt8>) throws {
        if begin(name) { bytes.append(json: text) } else { try encode(name, String(decoding: text, as: UTF8.self)) }
    }

    /// Adds a number.
    public mutating func add(_ name: String, _ number: Int) throws {
        if begin(name) { bytes.append(json: number) } else { try encode(name, number) }
    }

    /// Adds a number; null if it is not finite.
    public mutating func add(_ name: String, _ number: Double) throws {
        if begin(name) { bytes.append(json: number) } else { try encode(name, number) }
    }

    /// Adds a Boolean value.
    public mutating func add(_ name: String, _ value: Bool) throws {
        if begin(name) { bytes.append(json: value) } else { try encode(name, value) }
    }

    /// Adds an object.
    @inlinable
    public mutating func add(_ name: String, _ object: some JSONObjectEncodable) throws {
        guard begin(name) else { return try encode(name, object) }
        open(UInt8(ascii: "{"))
        try object.encode(to: &self)
        close(UInt8(ascii: "}"))
    }

    /// Adds an array of objects.
    @inlinable
    public mutating func add(_ name: String, _ objects: [some JSONObjectEncodable]) throws {
        guard begin(name) else { return try encode(name, objects) }
        open(UInt8(ascii: "["))
        for object in objects {
            separate()
            open(UInt8(ascii: "{"))
            try object.encode(to: &self)
            close(UInt8(ascii: "}"))
        }
        close(UInt8(ascii: "]"))
    }

    /// Adds an array of strings.
    public mutating func add(_ name: String, _ texts: [String]) throws {
        guard begin(name) else { return try encode(name, texts) }
        open(UInt8(ascii: "["))
        for text in texts {
            separate()
            bytes.append(json: text)
        }
        close(UInt8(ascii: "]"))
    }

    /// Adds any other value; `nil` is null.
    public mutating func add(_ name: String, _ value: some Encodable) throws {
        if begin(name) { bytes.append(try OrderedJSON.bytes(value, capacity: 64)) } else { try encode(name, value) }
    }

    /// Adds a string, or null if it is empty.
    public mutating func addOrNull(_ name: String, _ text: String) throws {
        if text.isEmpty { try addNull(name) } else { try add(name, text) }
    }

    /// Adds a string, or null for nil.
    public mutating func add(_ name: String, _ text: String?) throws {
        if let text { try add(name, text) } else { try addNull(name) }
    }

    /// Adds a string unless it is empty.
    public mutating func addUnlessEmpty(_ name: String, _ text: String) throws {
        if !text.isEmpty { try add(name, text) }
    }

    /// Adds an array unless it is empty.
    public mutating func addUnlessEmpty(_ name: String, _ list: [some Encodable]) throws {
        if !list.isEmpty { try add(name, list) }
    }

    /// Adds ranges as `[[start, length]]`, unless there are none.
    public mutating func addUnlessEmpty(_ name: String, _ ranges: [Range<Int>]) throws {
        if ranges.isEmpty { return }
        guard begin(name) else { return try encode(name, ranges.map { [$0.lowerBound, $0.count] }) }
        open(UInt8(ascii: "["))
        for range in ranges {
            separate()
            open(UInt8(ascii: "["))
            bytes.append(json: range.lowerBound)
            bytes.append(UInt8(ascii: ","), UInt8(ascii: " "))
            bytes.append(json: range.count)
            close(UInt8(ascii: "]"))
        }
        close(UInt8(ascii: "]"))
    }

    /// Adds null.
    public mutating func addNull(_ name: String) throws {
        if begin(name) { bytes.append("null") } else { try container?.encodeNil(forKey: JSONKey(name)) }
    }

    /// Encodes a member with another encoder.
    @usableFromInline
    mutating func encode(_ name: String, _ value: some Encodable) throws {
        try container?.encode(value, forKey: JSONKey(name))
    }

    // MARK: - Text

    /// Writes the separator and the name of the next member. Returns `false` with another encoder.
    @usableFromInline
    mutating func begin(_ name: String) -> Bool {
        if !isText { return false }
        separate()
        bytes.append(json: name)
        bytes.append(UInt8(ascii: ":"), UInt8(ascii: " "))
        return true
    }

    /// Writes the separator before the next member or element.
    @usableFromInline
    mutating func separate() {
        if !isEmpty { bytes.append(UInt8(ascii: ","), UInt8(ascii: " ")) }
        isEmpty = false
    }

    /// Opens an object or array with its bracket.
    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        isEmpty = true
    }

    /// Closes an object or array with its bracket.
    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        isEmpty = false
    }
}
