/// A search: queries (usually one; several if fields spell differently), tiers in order, and a limit.
public struct SearchRequest: Sendable {
    /// The queries that tiers refer to.
    public var queries: [SearchQuery]
    /// The steps of the search, best first.
    public var tiers: [SearchTier]
    /// The maximum number of hits; 0 for all.
    public var limit: Int
    /// The document numbers to search. Numbers follow rank, so a prefix of them means "the most popular".
    public var documents: Range<Int>
    /// The documents to ignore.
    public var excluded = DocumentSet()
    /// The weights by which the hits of each group of tiers are ordered; nil for the order of the tiers.
    public var likelihood: Likelihood?
    /// `true` if hits carry match ranges. To locate the matches of a few hits only, use
    /// ``SearchIndex/matches(of:in:)``.
    public var includesMatches = true
    /// Called regularly during the search. If it returns true, the search throws `CancellationError`.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates a search; see the properties.
    public init(
        queries: [SearchQuery], tiers: [SearchTier], limit: Int = 10, documents: Range<Int> = 0..<Int.max,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.queries = queries
        self.tiers = tiers
        self.limit = limit
        self.documents = documents
        self.isCancelled = isCancelled
    }

    /// Returns the search without the tiers after the group of a tier; all tiers for nil.
    package func ending(withGroupOf tier: Int?) -> SearchRequest {
        guard let tier, tiers.indices.contains(tier) else { return self }
        var request = self
        request.tiers = Array(tiers.prefix { $0.group <= tiers[tier].group })
        return request
    }
}

/// The typed words in order, each with its alternatives (müller: muller, mueller).
public struct SearchQuery: Sendable, Hashable {
    /// The maximum number of combinations of alternatives that are searched.
    public static let maxExpansions = 8
    /// The words. A keypad query without a typed space is one word.
    public var words: [[[UInt16]]]

    /// Creates a query from words with their alternatives. Empty alternatives are ignored.
    public init(words: [[[UInt16]]]) {
        self.words = words.map { $0.filter { !$0.isEmpty } }.filter { !$0.isEmpty }
    }

    /// Creates a query from plain words; each UTF-16 code unit is a letter.
    public init(_ words: [String]) { self.init(words: words.map { [Array($0.utf16)] }) }
}

/// One step of a search: a kind of match in one field. Hits of earlier tiers come first.
public struct SearchTier: Sendable, Hashable {
    /// The field to search.
    public var field: Int
    /// The matches to find.
    public var match: Match
    /// The index of the query in the request.
    public var query: Int
    /// `true` if the tier is searched only when the tiers before it have found nothing.
    public var isFallback: Bool
    /// The group of the tier, for a search with a likelihood. All tiers of a group are searched, and their hits are
    /// ordered together. The groups ascend.
    public var group = 0
    /// The likelihood of the tier's reading of the query, in bits.
    public var bits = 0
    /// The field whose first value is the title. What is typed of it counts for every hit.
    public var titleField: Int?
    /// `true` if the tier has its own quota of candidates beside the other tiers of its group.
    public var hasQuota = false

    /// Creates a tier; see the properties.
    public init(field: Int, _ match: Match, query: Int = 0, isFallback: Bool = false) {
        self.field = field
        self.match = match
        self.query = query
        self.isFallback = isFallback
    }

    /// The matches that a tier finds.
    public enum Match: Sendable, Hashable {
        /// Whole values; see ``MatchKind/exact``.
        case exact
        /// Words from any word of a value on; see ``MatchKind/prefix``.
        case prefix
        /// Like ``prefix``, but the last typed word must be complete, too.
        case wholeWords
        /// Prefixes of different words in order; see ``MatchKind/initials``.
        case initials(Splits = .all)
        /// Prefixes of different words in any order; see ``MatchKind/words``.
        case words(Splits = .all)
        /// The typed words, not split further, in any order and in any value of the tier's field and of other fields.
        /// Hits have the kind ``MatchKind/words``.
        case wordsAcrossValues(otherFields: [Int] = [])
        /// The typed words, joined; see ``MatchKind/joined``.
        case joined
        /// Letters inside a word; see ``MatchKind/infix``.
        case infix
        /// Prefixes with a few edits; see ``MatchKind/typo``. If there are other fields, even none, the typed words may
        /// also match in different values, each with its own edits.
        case typo(Fuzziness = .text, Slips = .all, otherFields: [Int]? = nil)
        /// Words with another spelling of the same sound. Hits have the kind ``MatchKind/typo``.
        case soundAlikes(SpellingRules)
    }

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

    /// The slips that count as a typo.
    public enum Slips: Sendable, Hashable {
        /// All slips within the edits.
        case all
        /// Slips in the letters of one word only, as in a note, where a slip across two words is an accident.
        case withinWords
        /// Likely slips: in values that are typed from their first word on, with the right first letter and without an
        /// extra letter.
        case likely
    }
}

extension SearchTier {
    /// The kind of the hits.
    public var kind: MatchKind {
        switch match {
        case .exact: .exact
        case .prefix, .wholeWords: .prefix
        case .initials: .initials
        case .words, .wordsAcrossValues: .words
        case .joined: .joined
        case .infix: .infix
        case .typo, .soundAlikes: .typo
        }
    }

    /// Other fields in which the typed words may match.
    var otherFields: [Int] {
        switch match {
        case .wordsAcrossValues(let otherFields): otherFields
        case .typo(_, _, let otherFields): otherFields ?? []
        default: []
        }
    }
}

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

/// The number of edits allowed in a word of a query: none below `one` letters, one from there on, and two from `two`
/// letters on.
public struct Fuzziness: Sendable, Hashable {
    /// The minimum number of letters for one edit.
    public var one: Int
    /// The minimum number of letters for two edits; nil to never allow two.
    public var two: Int?

    /// Creates a fuzziness; see the properties.
    public init(one: Int, two: Int?) {
        self.one = one
        self.two = two
    }

    /// The fuzziness of text: one edit from four letters, two from eight.
    public static let text = Fuzziness(one: 4, two: 8)
    /// The fuzziness of keypad input: one edit from five digits.
    public static let keypad = Fuzziness(one: 5, two: nil)

    /// Returns the number of edits that a word of this length may have.
    public func edits(letters: Int) -> Int {
        if let two, letters >= two { return 2 }
        return letters >= one ? 1 : 0
    }
}
