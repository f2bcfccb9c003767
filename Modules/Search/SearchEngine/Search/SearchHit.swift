/// A document that matches, with how and where.
public struct SearchHit: Sendable, Hashable {
    /// The document's number: its place in the order of rank.
    public var document: Int
    /// The caller's identifier.
    public var id: Int64
    /// Which tier found it.
    public var tier: Int
    /// The tier's field.
    public var field: Int
    /// Its kind of match.
    public var kind: MatchKind
    /// How many edits away, 0 but for typos; a wrong first letter adds a half.
    public var edits: Double
    /// Orders hits of one tier before their rank does: nearer ones have less.
    public var penalty: Int
    /// What matched, in order of field, value and word.
    public var matches: [WordMatch]
    /// Which combination of the query's alternatives it matches.
    var expansion = 0
}
