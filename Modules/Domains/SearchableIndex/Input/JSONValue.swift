/// A JSON value with the offsets of its members and elements, for error messages.
///
/// Foundation's decoders report no offsets and take about 20 µs for a small item, longer than the rest of a put.
enum JSONValue {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Element])
    case object([Member])

    struct Element {
        let value: JSONValue
        /// The offset of the value in the text, in bytes.
        let offset: Int
    }

    struct Member {
        let name: String
        let value: JSONValue
        /// The offset of the name in the text, in bytes.
        let offset: Int
    }

    /// The type with its article, for error messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// A JSON syntax error with its offset in bytes.
struct JSONSyntaxError: Error {
    let reason: String
    let offset: Int
}

/// A parser of a JSON value (RFC 8259). O(*n*).
struct JSONParser {
    /// The maximum nesting depth of arrays and objects.
    static let maximumDepth = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Parses a text that contains a single value.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONParser(bytes: bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.fault("expected the end, found \(reader.found)") }
        return value
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private func fault(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var found: String {
        guard let next else { return "the end" }
        guard next >= 0x20 else { return "a control character" }
        let end = min(position + 4, bytes.count)
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[position..<end]), as: UTF8.self)
        return text.unicodeScalars.first.map { "“\($0)”" } ?? "the end"
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < JSONParser.maximumDepth else {
            throw fault(
                "lists and objects are nested more than \(JSONParser.maximumDepth) levels deep; use fewer levels")
        }
        guard let next else { throw fault("expected a value, found the end") }
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw fault("expected a value, found \(found)")
        }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard next == text.utf8Start[index] else { throw fault("expected “\(text)”, found \(found)") }
            position += 1
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if next == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("expected a member name in quotes, found \(found)") }
            let offset = position
            let name = try string()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw fault("expected “:”, found \(found)") }
            position += 1
            skipSpace()
            members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1), offset: offset))
            skipSpace()
            switch next {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return .object(members)
            default: throw fault("expected “,” or “}”, found \(found)")
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var elements: [JSONValue.Element] = []
        skipSpace()
        if next == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            skipSpace()
            let offset = position
            elements.append(JSONValue.Element(value: try value(depth: depth + 1), offset: offset))
            skipSpace()
            switch next {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(elements)
            default: throw fault("expected “,” or “]”, found \(found)")
            }
        }
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
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONSyntaxError(reason: "the number is out of range", offset: start)
        }
        return value
    }

    // MARK: - Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try text(start..<position)
                position += 1
                return text
            case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
            case ..<0x20: throw fault("unescaped control character in a string; escape it as \\u000A")
            default: position += 1
            }
        }
        throw JSONSyntaxError(reason: "the string is not closed; add a quote", offset: start - 1)
    }

    private func text(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
        let part = UnsafeBufferPointer(rebasing: bytes[range])
        guard let text = String(validating: part, as: UTF8.self) else {
            throw JSONSyntaxError(reason: "the string is not UTF-8; convert the input", offset: range.lowerBound)
        }
        return text
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONSyntaxError) -> String {
        var text = ""
        var plain = start
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += try self.text(plain..<position)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += try self.text(plain..<position)
                text.unicodeScalars.append(try escape())
                plain = position
            case ..<0x20: throw fault("unescaped control character in a string; escape it as \\u000A")
            default: position += 1
            }
        }
        throw JSONSyntaxError(reason: "the string is not closed; add a quote", offset: start - 1)
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        position += 1
        let kind = next
        position += 1
        switch kind {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                let low = try hexadecimal()
                if (0xDC00..<0xE000).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw JSONSyntaxError(reason: "unpaired surrogate; write both halves", offset: start)
            }
            return scalar
        default: throw JSONSyntaxError(reason: "unknown escape sequence", offset: start)
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("expected four hexadecimal digits, found \(found)")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }
}
