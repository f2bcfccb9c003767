/// JSON in a flat list of nodes: a container holds the indices of its members.
///
/// A lenient parser for pages: it tolerates comments, CDATA marks, trailing commas, line breaks in strings, and text
/// after the value. It does not recurse, and its errors have line numbers.
struct JSONTree {
    enum Node {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([Int])
        case object([(key: String, value: Int)])
    }

    /// A syntax error.
    struct SyntaxError: Error {
        /// The line, from 0.
        let line: Int
        let reason: String
    }

    /// The maximum nesting depth; linked data typically has ten levels.
    static let maximumDepth = 64
    /// The maximum number of values on a page.
    static let maximumNodes = 500_000

    private(set) var nodes: [Node] = []
    /// The top-level values, usually one.
    private(set) var roots: [Int] = []

    private let bytes: [UInt8]
    private var position = 0

    /// Parses a text of at most `limit` values.
    init(_ bytes: [UInt8], limit: Int = maximumNodes) throws(SyntaxError) {
        self.bytes = bytes
        repeat {
            skipWrapping()
            guard let first = peek, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
                // Text after a complete value is ignored.
                if roots.isEmpty { throw syntaxError(bytes.isEmpty ? "the script is empty" : "expected { or [") }
                return
            }
            roots.append(try readValue(limit: limit))
        } while position < bytes.count
    }

    // MARK: - Values

    /// An open container.
    private struct Frame {
        let isObject: Bool
        var members: [Int] = []
        /// The keys of an object; one more than members while a value is expected.
        var keys: [String] = []

        var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

        var node: Node {
            isObject ? .object(zip(keys, members).map { (key: $0, value: $1) }) : .list(members)
        }
    }

    private mutating func readValue(limit: Int) throws(SyntaxError) -> Int {
        var frames: [Frame] = []
        while true {
            skipWrapping()
            guard nodes.count < limit else { throw syntaxError("it has more than \(limit) values") }
            guard let byte = peek else { throw syntaxError("the end of a value is missing") }
            var finished: Node?
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard frames.count < Self.maximumDepth else {
                    throw syntaxError("it is nested more than \(Self.maximumDepth) levels deep")
                }
                position += 1
                frames.append(Frame(isObject: byte == UInt8(ascii: "{")))
                finished = try closedOrKey(&frames)
            case UInt8(ascii: "\""): finished = .text(try readString())
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"):
                throw syntaxError("expected a value before \(String(UnicodeScalar(byte)))")
            default: finished = try readWord()
            }
            // Add the finished value to its container, which may be finished too.
            while let node = finished {
                nodes.append(node)
                let number = nodes.count - 1
                guard !frames.isEmpty else { return number }
                frames[frames.count - 1].members.append(number)
                finished = try commaOrClosed(&frames)
            }
        }
    }

    /// Reads the next key, or closes the container; called after an opening bracket or comma.
    private mutating func closedOrKey(_ frames: inout [Frame]) throws(SyntaxError) -> Node? {
        skipWrapping()
        guard let frame = frames.last else { return nil }
        if peek == frame.closing { return close(&frames) }
        guard frame.isObject else { return nil }
        guard peek == UInt8(ascii: "\"") else { throw syntaxError("expected a name in quotes or }") }
        let key = try readString()
        skipWrapping()
        guard peek == UInt8(ascii: ":") else { throw syntaxError("expected : after “\(key.prefix(40))”") }
        position += 1
        frames[frames.count - 1].keys.append(key)
        return nil
    }

    private mutating func commaOrClosed(_ frames: inout [Frame]) throws(SyntaxError) -> Node? {
        skipWrapping()
        if let closing = frames.last?.closing, peek == closing { return close(&frames) }
        guard peek == UInt8(ascii: ",") else {
            throw syntaxError(peek == nil ? "a closing bracket is missing" : "expected , or a closing bracket")
        }
        while peek == UInt8(ascii: ",") {
            position += 1
            skipWrapping()
        }
        return try closedOrKey(&frames)
    }

    private mutating func close(_ frames: inout [Frame]) -> Node? {
        position += 1
        return frames.popLast()?.node
    }

    private mutating func readWord() throws(SyntaxError) -> Node {
        let word = bytes[position...].prefix { !" \t\r\n,:]}[{\"/".utf8.contains($0) }
        let start = position
        position += word.count
        switch String(decoding: word.prefix(64), as: UTF8.self) {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null", "undefined", "NaN": return .null
        case let text:
            if let number = Double(text), number.isFinite { return .number(number) }
            position = start
            throw syntaxError("expected a value")
        }
    }

    private mutating func readString() throws(SyntaxError) -> String {
        var result: [UInt8] = []
        let start = position
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard position < bytes.count else { break }
                let escaped = bytes[position]
                position += 1
                switch escaped {
                case UInt8(ascii: "n"): result.append(0x0A)
                case UInt8(ascii: "t"): result.append(0x09)
                case UInt8(ascii: "r"): result.append(0x0D)
                case UInt8(ascii: "b"), UInt8(ascii: "f"): result.append(0x20)
                case UInt8(ascii: "u"): result += Array(String(Character(readScalar())).utf8)
                default: result.append(escaped)
                }
            default: result.append(byte)
            }
        }
        position = start
        throw syntaxError("the closing quote of a string is missing")
    }

    /// Reads the scalar after `\u`, from one or two code units.
    private mutating func readScalar() -> Unicode.Scalar {
        guard let first = readUnit() else { return "\u{FFFD}" }
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        let before = position
        guard UTF16.isLeadSurrogate(first), bytes[position...].starts(with: Array("\\u".utf8)) else {
            return "\u{FFFD}"
        }
        position += 2
        guard let second = readUnit(), UTF16.isTrailSurrogate(second) else {
            position = before
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func readUnit() -> UInt16? {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ isASCIIHexDigit($0) }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        position += 4
        return unit
    }

    // MARK: - Scanning

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func syntaxError(_ reason: String) -> SyntaxError {
        SyntaxError(line: bytes.prefix(position).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }, reason: reason)
    }

    /// Skips white space, comments, and the markers that hide scripts from old browsers and XML parsers.
    private mutating func skipWrapping() {
        while let byte = peek {
            if byte <= 0x20 || byte == UInt8(ascii: ";") {
                position += 1
            } else if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "]")
                || byte == 0xEF
                || byte == UInt8(ascii: "-") || byte == 0xC2
            {
                guard let mark = Self.marks.first(where: { bytes[position...].starts(with: $0) }) else { return }
                position += mark.count
                if mark == Self.comment { skip(past: Array("*/".utf8)) }
            } else {
                return
            }
        }
    }

    private mutating func skip(past end: [UInt8]) {
        while position < bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return
            }
            position += 1
        }
    }

    private static let comment = Array("/*".utf8)
    /// The markers to skip. Only the `//` itself is skipped, since content often follows on the same line.
    private static let marks: [[UInt8]] = [
        Array("<![CDATA[".utf8), Array("]]>".utf8), Array("<!--".utf8), Array("-->".utf8), Array("//".utf8), comment,
        [0xEF, 0xBB, 0xBF], [0xC2, 0xA0],
    ]
}

private func isASCIIHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
}
