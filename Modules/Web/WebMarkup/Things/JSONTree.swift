/// JSON as pages have it, in a flat list: a container holds the numbers of its members.
///
/// A parser of its own, since a strict one reads much less of the web. It tolerates comments, CDATA marks, commas
/// before a
/// closing bracket, line breaks inside strings, and anything behind the value; it does not recurse; and its errors have
/// lines.
struct JSONTree {
    enum Node {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([Int])
        case object([(key: String, value: Int)])
    }

    /// What makes a text no JSON.
    struct Fault: Error {
        /// From 0.
        let line: Int
        let reason: String
    }

    /// More levels are refused; what describes things has ten.
    static let deepest = 64
    /// More values on one page are refused.
    static let mostNodes = 500_000

    private(set) var nodes: [Node] = []
    /// The values that stand one behind the other; usually one.
    private(set) var roots: [Int] = []

    private let bytes: [UInt8]
    private var place = 0

    /// Reads a text of at most `limit` values.
    init(_ bytes: [UInt8], limit: Int = mostNodes) throws(Fault) {
        self.bytes = bytes
        repeat {
            skipWrapping()
            guard let first = peek, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
                // What stands behind a whole value does not matter.
                if roots.isEmpty { throw fault(bytes.isEmpty ? "the script is empty" : "expected { or [") }
                return
            }
            roots.append(try readValue(limit: limit))
        } while place < bytes.count
    }

    // MARK: - Values

    /// A container that is not closed yet.
    private struct Frame {
        let isObject: Bool
        var members: [Int] = []
        /// As many as members, and one more while a value is awaited; none in a list.
        var keys: [String] = []

        var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

        var node: Node {
            isObject ? .object(zip(keys, members).map { (key: $0, value: $1) }) : .list(members)
        }
    }

    private mutating func readValue(limit: Int) throws(Fault) -> Int {
        var frames: [Frame] = []
        while true {
            skipWrapping()
            guard nodes.count < limit else { throw fault("more than \(limit) values") }
            guard let byte = peek else { throw fault("the text ends inside a value") }
            var finished: Node?
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard frames.count < Self.deepest else { throw fault("more than \(Self.deepest) levels of brackets") }
                place += 1
                frames.append(Frame(isObject: byte == UInt8(ascii: "{")))
                finished = try closedOrKey(&frames)
            case UInt8(ascii: "\""): finished = .text(try readString())
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"):
                throw fault("expected a value before \(String(UnicodeScalar(byte)))")
            default: finished = try readWord()
            }
            // A finished value goes into its container, which may be finished with it.
            while let node = finished {
                nodes.append(node)
                let number = nodes.count - 1
                guard !frames.isEmpty else { return number }
                frames[frames.count - 1].members.append(number)
                finished = try commaOrClosed(&frames)
            }
        }
    }

    /// Behind an opening bracket or a comma: the finished container if it is closed here, else its next key is read.
    private mutating func closedOrKey(_ frames: inout [Frame]) throws(Fault) -> Node? {
        skipWrapping()
        guard let frame = frames.last else { return nil }
        if peek == frame.closing { return close(&frames) }
        guard frame.isObject else { return nil }
        guard peek == UInt8(ascii: "\"") else { throw fault("expected a name in quotes or }") }
        let key = try readString()
        skipWrapping()
        guard peek == UInt8(ascii: ":") else { throw fault("expected : behind “\(key.prefix(40))”") }
        place += 1
        frames[frames.count - 1].keys.append(key)
        return nil
    }

    private mutating func commaOrClosed(_ frames: inout [Frame]) throws(Fault) -> Node? {
        skipWrapping()
        if let closing = frames.last?.closing, peek == closing { return close(&frames) }
        guard peek == UInt8(ascii: ",") else {
            throw fault(peek == nil ? "the text ends inside brackets" : "expected , or a closing bracket")
        }
        while peek == UInt8(ascii: ",") {
            place += 1
            skipWrapping()
        }
        return try closedOrKey(&frames)
    }

    private mutating func close(_ frames: inout [Frame]) -> Node? {
        place += 1
        return frames.popLast()?.node
    }

    private mutating func readWord() throws(Fault) -> Node {
        let word = bytes[place...].prefix { !" \t\r\n,:]}[{\"/".utf8.contains($0) }
        let start = place
        place += word.count
        switch String(decoding: word.prefix(64), as: UTF8.self) {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null", "undefined", "NaN": return .null
        case let text:
            if let number = Double(text), number.isFinite { return .number(number) }
            place = start
            throw fault("expected a value")
        }
    }

    private mutating func readString() throws(Fault) -> String {
        var result: [UInt8] = []
        let start = place
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard place < bytes.count else { break }
                let escaped = bytes[place]
                place += 1
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
        place = start
        throw fault("a string has no end")
    }

    /// The scalar behind `\u`, of two units if it takes them.
    private mutating func readScalar() -> Unicode.Scalar {
        guard let first = readUnit() else { return "\u{FFFD}" }
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        let before = place
        guard UTF16.isLeadSurrogate(first), bytes[place...].starts(with: Array("\\u".utf8)) else { return "\u{FFFD}" }
        place += 2
        guard let second = readUnit(), UTF16.isTrailSurrogate(second) else {
            place = before
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func readUnit() -> UInt16? {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ isASCIIHexDigit($0) }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        place += 4
        return unit
    }

    // MARK: - Places

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ reason: String) -> Fault {
        Fault(line: bytes.prefix(place).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }, reason: reason)
    }

    /// Skips blanks, comments of scripts, and the marks by which a script is hidden from old browsers and from XML.
    private mutating func skipWrapping() {
        while let byte = peek {
            if byte <= 0x20 || byte == UInt8(ascii: ";") {
                place += 1
            } else if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "]")
                || byte == 0xEF
                || byte == UInt8(ascii: "-") || byte == 0xC2
            {
                guard let mark = Self.marks.first(where: { bytes[place...].starts(with: $0) }) else { return }
                place += mark.count
                if mark == Self.comment { skip(past: Array("*/".utf8)) }
            } else {
                return
            }
        }
    }

    private mutating func skip(past end: [UInt8]) {
        while place < bytes.count {
            if bytes[place...].starts(with: end) {
                place += end.count
                return
            }
            place += 1
        }
    }

    private static let comment = Array("/*".utf8)
    /// The line of a comment behind `//` is not skipped: what is hidden so stands on the same line often enough.
    private static let marks: [[UInt8]] = [
        Array("<![CDATA[".utf8), Array("]]>".utf8), Array("<!--".utf8), Array("-->".utf8), Array("//".utf8), comment,
        [0xEF, 0xBB, 0xBF], [0xC2, 0xA0],
    ]
}

private func isASCIIHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
}
