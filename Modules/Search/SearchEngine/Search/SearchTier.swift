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
    /// For ``MatchKind/prefix``: `true` if the last typed word must be complete, too.
    public var wholeWords: Bool
    /// The edits allowed for ``MatchKind/typo``.
    public var typos: Fuzziness
    /// For ``MatchKind/typo``: `true` if a typed word matches letters of one word only, as in a note, where a slip
    /// across two words is an accident.
    public var withinWords: Bool
    /// For ``MatchKind/typo``: `true` to find likely slips only, in values that are typed from their first word on,
    /// with the right first letter and without an extra letter.
    public var onlyLikelySlips: Bool
    /// For ``MatchKind/initials`` and ``MatchKind/words``: the splits of the query to try.
    public var splits: Splits
    /// For ``MatchKind/typo``: the rules by which words sound alike. The tier then finds other spellings, not slips.
    public var soundAlikes: SpellingRules?
    /// `true` if the tier is searched only when the tiers before it have found nothing.
    public var isFallback: Bool

    /// Creates a tier; see the properties.
    public init(
        field: Int, kind: MatchKind, query: Int = 0, acrossValues: Bool = false, otherFields: [Int] = [],
        wholeWords: Bool = false, typos: Fuzziness = .text, withinWords: Bool = false, onlyLikelySlips: Bool = false,
        splits: Splits = .all,
        soundAlikes: SpellingRules? = nil, isFallback: Bool = false
    ) {
        self.field = field
        self.kind = kind
        self.query = query
        self.acrossValues = acrossValues
        self.otherFields = otherFields
        self.wholeWords = wholeWords
        self.typos = typos
        self.withinWords = withinWords
        self.onlyLikelySlips = onlyLikelySlips
        self.splits = splits
        self.soundAlikes = soundAlikes
        self.isFallback = isFallback
    }
}

extension SearchTier {
    /// The splits of a query into pieces, each the prefix of a word.
    public enum Splits: Sendable, Hashable {
        /// All splits.
        case all
        /// The splits that few documents match by accident, however long the query: at most two pieces of several
        /// letters, or one and up to three single letters.
        case likely

        /// Returns the cost of a piece. A piece of several letters counts as three single letters.
        @inline(__always)
        static func cost(ofLength length: Int) -> Int { length == 1 ? 1 : 3 }

        /// The maximum sum of the costs of all pieces, or nil.
        var maxCost: Int? { self == .all ? nil : 6 }
    }
}
