/// How a row of an answer matches, in the words of the front ends' contract. The kinds of match of the engine are
/// seven of them; the rest are made by what stands above it.
public enum ResultMatch: String, Sendable, Hashable, Codable, CaseIterable {
    /// The whole name, number or value.
    case exact
    /// Its prefix, or that of a word and the words after it.
    case prefix
    /// Prefixes of several words, in order.
    case initials
    /// Words in any order, or words joined or split.
    case words
    /// Inside a word or number.
    case infix
    /// But for a typo.
    case typo
    /// Typed with another keyboard layout on.
    case layout
    /// A code, such as an airport's.
    case code
    /// Not it, but near it.
    case nearby

    /// The word for an engine's kind of match.
    public init(_ kind: MatchKind) {
        switch kind {
        case .exact: self = .exact
        case .prefix: self = .prefix
        case .initials: self = .initials
        case .words, .joined: self = .words
        case .infix: self = .infix
        case .typo: self = .typo
        }
    }

    /// The order across kinds of things: smaller is better. A code counts as exact, a layout as a prefix.
    public var quality: Int {
        switch self {
        case .exact, .code: 0
        case .prefix, .layout: 1
        case .initials: 2
        case .words: 3
        case .infix: 4
        case .typo: 5
        case .nearby: 6
        }
    }
}
