/// The query parameters of an address, decoded strictly.
///
/// The format is `application/x-www-form-urlencoded` (WHATWG URL, section 5): `+` is a space, and `%` with two
/// hexadecimal digits is a byte of UTF-8. Invalid UTF-8 and malformed escapes are rejected.
struct QueryString: Sendable {
    private let pairs: [(name: String, value: String)]

    /// Parses a query string; nil has no parameters.
    ///
    /// - Throws: A ``Problem`` for malformed escapes.
    init(_ text: String?) throws(Problem) {
        var pairs: [(name: String, value: String)] = []
        for piece in (text ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0], plusIsSpace: true),
                let value = halves.count > 1 ? Self.decoded(halves[1], plusIsSpace: true) : ""
            else { throw .badRequest("the query parameters are not valid UTF-8") }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The value of a parameter; the last one if it is repeated.
    subscript(_ name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// Returns percent-decoded text; nil if it is malformed.
    static func decoded(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    return nil
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
