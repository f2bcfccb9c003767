/// One step of a search: a kind of match in one field. Earlier tiers' hits come first.
public struct SearchTier: Sendable, Hashable {
    /// The field searched.
    public var field: Int
    /// The kind of match.
    public var kind: MatchKind
    /// Which of the request's queries is asked.
    public var query: Int
    /// For ``MatchKind/words`` and ``MatchKind/typo``: words may stand in different values, and a word of the query
    /// is not split further.
    public var acrossValues: Bool
    /// Across values: more fields that the words may stand in.
    public var otherFields: [Int]
    /// For ``MatchKind/typo``.
    public var typos: Fuzziness

    /// A tier; see the properties.
    public init(
        field: Int, kind: MatchKind, query: Int = 0, acrossValues: Bool = false, otherFields: [Int] = [],
        typos: Fuzziness = .text
    ) {
        self.field = field
        self.kind = kind
        self.query = query
        self.acrossValues = acrossValues
        self.otherFields = otherFields
        self.typos = typos
    }
}
