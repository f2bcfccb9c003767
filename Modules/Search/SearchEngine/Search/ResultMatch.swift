/// The kind of match of a result row, as shown by front ends. The engine finds the kinds from ``exact`` to ``typo``;
/// the others come from higher layers.
public enum ResultMatch: String, Sendable, Hashable, Codable, CaseIterable {
    /// The whole name, number or value.
    case exact
    /// A prefix of it, or of its words from any word on.
    case prefix
    /// Prefixes of several words, in order.
    case initials
    /// Words in any order, or words joined or split.
    case words
    /// Inside a word or number.
    case infix
    /// With a typo.
    case typo
    /// Typed with the wrong keyboard layout.
    case layout
    /// A code, such as an airport's.
    case code
    /// Something near the match.
    case nearby

    /// Creates the kind of a row from the engine's kind of match.
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

    /// `true` for a typo, a match inside a word, and something near the match.
    public var isWeak: Bool { quality > ResultMatch.words.quality }

    /// The order across kinds of objects; smaller is better. A code ranks as exact, a layout as a prefix.
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
