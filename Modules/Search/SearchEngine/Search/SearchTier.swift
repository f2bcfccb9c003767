/// One step of a search: a kind of match in one field. Hits of earlier tiers come first.
public struct SearchTier: Sendable, Hashable {
    /// The field to search.
    public var field: Int
    /// The kind of match.
    public var kind: MatchKind
    /// The index of the query in the request.
    public var query: Int
    /// For ``MatchKind/words`` and ``MatchKind/typo``: `true` if the typed words may match in different values. They
    /// are not split further.
    public var acrossValues: Bool
    /// Other fields in which the words may match, if ``acrossValues`` is true.
    public var otherFields: [Int]
    /// The edits allowed for ``MatchKind/typo``.
    public var typos: Fuzziness

    /// Creates a tier; see the properties.
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
