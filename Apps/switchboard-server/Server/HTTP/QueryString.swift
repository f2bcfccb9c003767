/// The parameters after the question mark of an address, decoded strictly.
///
/// `application/x-www-form-urlencoded` as browsers write it (WHATWG URL, section 5): `+` is a space, `%` and two hexadecimal digits a
/// byte of UTF-8. What is no UTF-8 or no such escape is refused instead of guessed.
struct QueryString: Sendable {
    private let pairs: [(name: String, value: String)]

    /// Reads the text after the question mark; nil has no parameters.
    ///
    /// - Throws: a ``Problem`` for bad escapes.
    init(_ text: String?) throws(Problem) {
        var pairs: [(name: String, value: String)] = []
        for piece in (text ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0], plusIsSpace: true),
                let value = halves.count > 1 ? Self.decoded(halves[1], plusIsSpace: true) : ""
            else { throw .badRequest("the parameters of the address are not well-formed UTF-8") }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The value of a parameter; of several the last one.
    subscript(_ name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// A piece of an address without its escapes; nil if it is not well-formed.
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
