/// A rule of robots.txt: a path pattern, in which `*` matches any sequence and a final `$` the end.
struct RobotsRule: Sendable {
    /// The literal parts between wildcards; the first is a prefix.
    private let parts: [[UInt8]]
    /// Indicates that the last part must match at the end.
    private let isAnchored: Bool
    let isAllowing: Bool
    /// The length of the pattern in bytes, for precedence.
    let length: Int

    init(pattern: ArraySlice<UInt8>, isAllowing: Bool) {
        self.isAllowing = isAllowing
        var pattern = pattern
        isAnchored = pattern.last == UInt8(ascii: "$")
        if isAnchored { pattern.removeLast() }
        parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map {
            Self.normalized($0[...])
        }
        length = parts.reduce(parts.count - 1) { $0 + $1.count } + (isAnchored ? 1 : 0)
    }

    /// Returns whether a normalized path matches, in linear time.
    func matches(_ path: [UInt8]) -> Bool {
        guard let first = parts.first, path.starts(with: first) else { return false }
        if parts.count == 1 { return !isAnchored || path.count == first.count }
        var position = first.count
        for part in isAnchored ? parts[1..<parts.count - 1] : parts[1...] where !part.isEmpty {
            guard let found = path[position...].firstRange(of: part) else { return false }
            position = found.upperBound
        }
        return !isAnchored || path[position...].reversed().starts(with: parts[parts.count - 1].reversed())
    }

    static func normalized(_ path: String) -> [UInt8] { normalized(Array(path.utf8)[...]) }

    /// Returns the normal form of a path (RFC 9309, 2.2.2): percent-encoded with upper-case digits where necessary,
    /// otherwise literal. Literal stars and dollar signs are encoded too.
    private static func normalized(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            var value = byte
            var isEncoded = false
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.prefix(2).allSatisfy({ $0 != 0x2B && $0 != 0x2D })
            {
                value = decoded
                isEncoded = true
                rest = rest.dropFirst(2)
            }
            let isLetter = (0x61...0x7A).contains(value | 0x20) || (0x30...0x39).contains(value)
            let isUnreserved = isLetter || "-._~".utf8.contains(value)
            let isSpecial = value == UInt8(ascii: "*") || value == UInt8(ascii: "$")
            if isUnreserved || (!isEncoded && !isSpecial && (0x21...0x7E).contains(value)) {
                result.append(value)
            } else {
                result += [0x25, digits[Int(value >> 4)], digits[Int(value & 15)]]
            }
        }
        return result
    }
}
