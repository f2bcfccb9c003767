import Foundation
import SwitchboardJSON

/// The query parameters of a URL, decoded strictly.
///
/// The format is `application/x-www-form-urlencoded` (WHATWG URL, section 5): `+` is a space, and `%` with two
/// hexadecimal digits is a byte of UTF-8. Invalid UTF-8 and malformed escapes are rejected.
struct QueryString: Sendable {
    private var pairs: [(name: String, value: String)] = []

    init() {}

    init(_ text: String) throws(Problem) {
        for piece in text.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0]), let value = halves.count > 1 ? Self.decoded(halves[1]) : "" else {
                throw .badRequest("the query parameters are not valid UTF-8")
            }
            // Databases truncate text at U+0000, so “news%00” would be the domain “news”.
            if value.utf8.contains(0) { throw .badParameter("\(name): \(ErrorDetails.nulReason)") }
            pairs.append((name, value))
        }
    }

    /// The value of a parameter; the last one if it is repeated.
    subscript(_ name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// The names of the parameters.
    var names: [String] { pairs.map(\.name) }

    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        return text.replacing("+", with: " ").removingPercentEncoding
    }
}
