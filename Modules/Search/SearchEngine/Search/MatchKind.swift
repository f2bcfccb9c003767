/// The kind of a match. The cases are in order of quality; the order between fields is defined by
/// ``SearchRequest/tiers``.
public enum MatchKind: UInt8, Sendable, Hashable, CaseIterable {
    /// The query equals a whole value.
    case exact
    /// The query is a prefix of the words from any word of a value on, and may cross from one word into the next.
    case prefix
    /// The query splits into prefixes of different words of a value, in order. Words may be skipped.
    case initials
    /// Like ``initials``, in any order.
    case words
    /// The words of the query, joined, are a prefix: "frank furt".
    case joined
    /// The query occurs inside a word.
    case infix
    /// The query is a prefix with a few edits, or its words are prefixes with a few edits each.
    case typo
}
