/// How a hit matches, best first in itself; the order between fields is the caller's (see ``SearchRequest/tiers``).
public enum MatchKind: UInt8, Sendable, Hashable, CaseIterable {
    /// The query is a whole value.
    case exact
    /// It is the prefix of a run that starts at a word and may cross into the following ones.
    case prefix
    /// It splits into prefixes of different words of a value, in order; words may be skipped.
    case initials
    /// As initials, in any order.
    case words
    /// Its words, written as one, are a prefix: "frank furt".
    case joined
    /// It stands inside a word.
    case infix
    /// It is a prefix but for a few edits, or its words are prefixes but for a few edits each.
    case typo
}
