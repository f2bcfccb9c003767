import Foundation

/// A comparison with a text in the filters of cards and calendars (RFC 6352, section 10.5.4; RFC 4791, section 9.7.5).
struct DAVTextMatch: Sendable, Hashable {
    enum Collation: String {
        case octet = "i;octet"
        case ascii = "i;ascii-casemap"
        case unicode = "i;unicode-casemap"

        func folded(_ text: String) -> [UInt8] {
            switch self {
            case .octet: Array(text.utf8)
            case .ascii: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
            case .unicode:
                Array(text.lowercased().uppercased().lowercased().precomposedStringWithCompatibilityMapping.utf8)
            }
        }
    }

    private enum Kind: String { case equals, contains, startsWith = "starts-with", endsWith = "ends-with" }

    /// Compared as bytes: a letter before a combining accent is a part of the text.
    private let text: [UInt8]
    private let kind: Kind
    private let collation: Collation
    private let isNegated: Bool

    /// Reads a `text-match`.
    ///
    /// - Parameters:
    ///   - standard: The collation without the attribute.
    ///   - condition: The precondition that an unknown collation does not meet.
    init(_ element: DAVElement, collation standard: Collation, elseUnmet condition: DAVName) throws(DAVError) {
        let name = element.attributes["collation"] ?? "default"
        guard let collation = name == "default" ? standard : Collation(rawValue: name) else {
            throw .unmetPrecondition(condition)
        }
        let type = element.attributes["match-type"] ?? Kind.contains.rawValue
        guard let kind = Kind(rawValue: type) else {
            throw .malformedXML(reason: "the match-type “\(type)” is unknown")
        }
        (self.kind, self.collation) = (kind, collation)
        text = collation.folded(element.text)
        isNegated = element.attributes["negate-condition"] == "yes"
    }

    func matches(_ value: String) -> Bool {
        let value = collation.folded(value)
        let isFound =
            switch kind {
            case .equals: value == text
            case .contains: text.isEmpty || value.firstRange(of: text) != nil
            case .startsWith: value.starts(with: text)
            case .endsWith: value.reversed().starts(with: text.reversed())
            }
        return isFound != isNegated
    }
}
