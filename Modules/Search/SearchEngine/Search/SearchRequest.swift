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

/// What a person typed, as words in order, each with its alternatives (müller: muller, mueller).
public struct SearchQuery: Sendable, Hashable {
    /// At most this many combinations of alternatives are tried.
    public static let maxExpansions = 8
    /// The words; a keypad query without a typed gap is one word.
    public var words: [[[UInt16]]]

    /// A query of words with their alternatives; empty alternatives are ignored.
    public init(words: [[[UInt16]]]) {
        self.words = words.map { $0.filter { !$0.isEmpty } }.filter { !$0.isEmpty }
    }

    /// A query of plain words, each UTF-16 code unit a letter.
    public init(_ words: [String]) { self.init(words: words.map { [Array($0.utf16)] }) }
}

/// How many edits a word of a query may have: none below `one` letters, one from there, two from `two` letters on.
public struct Fuzziness: Sendable, Hashable {
    /// The least number of letters for one edit.
    public var one: Int
    /// The least number of letters for two edits, or nil for never.
    public var two: Int?

    /// An allowance; see the properties.
    public init(one: Int, two: Int?) {
        self.one = one
        self.two = two
    }

    /// Text: one from four letters, two from eight.
    public static let text = Fuzziness(one: 4, two: 8)
    /// Keypad: one from five digits.
    public static let keypad = Fuzziness(one: 5, two: nil)

    /// The edits that a word of so many letters may have.
    public func edits(letters: Int) -> Int {
        if let two, letters >= two { return 2 }
        return letters >= one ? 1 : 0
    }
}

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

/// A search: queries (usually one; several where fields spell differently), the tiers in order, and a limit.
public struct SearchRequest: Sendable {
    /// The queries that tiers refer to.
    public var queries: [SearchQuery]
    /// What is searched, best first.
    public var tiers: [SearchTier]
    /// How many hits at most; 0 is all.
    public var limit: Int
    /// Only documents with these numbers; since numbers follow rank, a prefix of them is "the most popular".
    public var documents: Range<Int>
    /// Documents that are left out, as if they were not there.
    public var excluded = DocumentSet()
    /// Whether hits come with what they match. Whoever shows only some of them may ask for those alone, by ``SearchIndex/matches(of:in:)``.
    public var findsMatches = true
    /// Asked now and then; when it says true the search ends with ``SearchCancelled``.
    public var isCancelled: (@Sendable () -> Bool)?

    /// A search; see the properties.
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
}

/// The search was cancelled by its caller.
public struct SearchCancelled: Error {
    /// A cancellation.
    public init() {}
}

/// A run of letters of one word that the query matched.
public struct WordMatch: Sendable, Hashable {
    /// The field of the value.
    public var field: Int
    /// Which value of the document in the field, from 0, in the order they were added.
    public var value: Int
    /// Which word of the value, from 0.
    public var word: Int
    /// Which spelling of the word, from 0.
    public var spelling: Int
    /// The letters that matched.
    public var letters: Range<Int>

    /// A match; see the properties.
    public init(field: Int = 0, value: Int, word: Int, spelling: Int, letters: Range<Int>) {
        self.field = field
        self.value = value
        self.word = word
        self.spelling = spelling
        self.letters = letters
    }
}

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
