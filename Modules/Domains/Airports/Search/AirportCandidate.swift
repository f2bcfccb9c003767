import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

/// A subject found by the search, with its score.
///
/// A plain value without references, because a search compares hundreds of candidates for ten rows. The state that all
/// candidates of one index search share is in a ``SearchContext``.
struct AirportCandidate {
    var subject: SearchSubject
    var match: ResultMatch
    /// The hit in the index; nil if the candidate was found without the index.
    var hit: CompactHit?
    var field: Int
    /// The evidence of the match.
    var evidence: AirportEvidence {
        didSet { score = AirportLikelihood(evidence: evidence).bits }
    }
    /// The sum of the evidence, in bits; larger is better.
    private(set) var score: Double
    /// The number of the context in the ``SearchSession``.
    var context: Int
    /// `true` if all letters of the query are Latin.
    var isLatinQuery: Bool
    /// `true` if the query has several words.
    var hasGaps: Bool
    /// `true` for a subject of the index of airports that are not popular.
    var isUncommon: Bool

    init(
        _ subject: SearchSubject, _ match: ResultMatch, _ hit: CompactHit?, field: Int, _ evidence: AirportEvidence,
        context: Int, _ query: AirportQuery, isUncommon: Bool
    ) {
        self.subject = subject
        self.match = match
        self.hit = hit
        self.field = field
        self.evidence = evidence
        score = AirportLikelihood(evidence: evidence).bits
        self.context = context
        isLatinQuery = query.isLatin
        hasGaps = query.hasGaps
        self.isUncommon = isUncommon
    }

    var nameClass: NameClass { evidence.nameClass }

    var use: Double { evidence.use }

    /// `true` for a whole name or the prefix of a main name, which makes a search for typos unnecessary.
    var isStrong: Bool {
        switch (match, nameClass) {
        case (.code, _), (.exact, .main), (.exact, .own), (.exact, .colloquial), (.prefix, .main): true
        // A matching transliteration is weak evidence; a name as it is written is strong.
        case (.exact, .foreign): field != SearchField.romanized
        case (.prefix, .foreign): !isLatinQuery
        default: false
        }
    }

    /// `true` for a transliteration, initials, a later word of a name, the prefix of an additional name, the prefix of
    /// an airport that is not popular, and an additional name of a rarely used airport.
    var isWeak: Bool {
        if field == SearchField.romanized || match == .initials { return true }
        if match == .prefix, isUncommon { return true }
        return switch nameClass {
        case .tail, .words: !hasGaps
        case .own, .colloquial, .foreign, .place: match != .exact || use < AirportCandidate.wellKnown
        case .main, .code, .country: false
        }
    }

    /// The bits from which an additional name is well known, as for Heathrow and Mumbai.
    private static let wellKnown = 16.0

    var edits: Double { hit?.edits ?? 0 }

    /// `true` for the prefix of a main name with at most one typo.
    var isGoodTypo: Bool { nameClass == .main && (hit?.edits ?? 2) <= 1 }
}

struct AirportCandidateList {
    /// The candidates, best first, each subject once.
    var candidates: [AirportCandidate] = []
    /// `true` if there are no further candidates.
    var isComplete = true
    /// The score above which no candidate is missing.
    var floor = -Double.infinity

    mutating func add(_ other: AirportCandidateList) {
        if candidates.isEmpty { candidates = other.candidates } else { candidates += other.candidates }
        isComplete = isComplete && other.isComplete
        floor = max(floor, other.floor)
    }

    /// The list sorted by score, with the best candidate of each subject.
    var ordered: AirportCandidateList {
        guard candidates.count > 1 else { return self }
        var order = candidates.indices.map { (score: candidates[$0].score, position: $0) }
        order.sort { $0.score == $1.score ? $0.position < $1.position : $0.score > $1.score }
        var seen = SubjectSet(capacity: order.count)
        var result: [AirportCandidate] = []
        result.reserveCapacity(order.count)
        for (_, position) in order where seen.insert(candidates[position].subject) {
            result.append(candidates[position])
        }
        return AirportCandidateList(candidates: result, isComplete: isComplete, floor: floor)
    }
}

/// A set of subjects with a fixed capacity: a hash table with open addressing.
private struct SubjectSet {
    private var slots: [Int64]
    private let mask: Int

    init(capacity: Int) {
        let size = 1 << (Int.bitWidth - (max(capacity, 1) * 2 - 1).leadingZeroBitCount)
        slots = Array(repeating: -1, count: size)
        mask = size - 1
    }

    /// Returns `true` if the subject is new.
    mutating func insert(_ subject: SearchSubject) -> Bool {
        let id = subject.id
        var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while slots[slot] != -1 {
            if slots[slot] == id { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = id
        return true
    }
}

// MARK: - The search that found it

/// The state of one search: scratch memory for its index searches, and the state that their candidates share.
final class SearchSession {
    let language: String
    /// The field of the user's language in the index of popular airports, if there is one.
    let languageField: Int?
    let isCancelled: (@Sendable () -> Bool)?
    /// The hits of the current search in an index.
    var hits: [CompactHit] = []
    private var contexts: [SearchContext] = []
    private var tables: [(subjects: SubjectList, rows: RowTable)] = []
    private var searches: [(key: Key, found: AirportCandidateList)] = []

    /// The key of a search in an index. Stages repeat some searches of earlier stages.
    struct Key: Equatable {
        let index: AirportIndex
        let query: AirportQuery
        let kind: NameSearch.Kind
        let wanted: Int

        static func == (one: Key, other: Key) -> Bool {
            one.kind == other.kind && one.wanted == other.wanted && one.index === other.index
                && one.query === other.query
        }
    }

    init(language: String, isCancelled: (@Sendable () -> Bool)?) {
        self.language = language
        self.isCancelled = isCancelled
        languageField = SearchField.field(of: language)
    }

    /// Returns the candidates of an earlier search.
    func known(_ key: Key) -> AirportCandidateList? {
        for search in searches where search.key == key { return search.found }
        return nil
    }

    /// Keeps the candidates of a search for later stages.
    func remember(_ found: AirportCandidateList, for key: Key) { searches.append((key, found)) }

    /// Adds a context, and returns its number.
    func add(_ context: SearchContext) -> Int {
        contexts.append(context)
        return contexts.count - 1
    }

    /// Returns the rows of a subject in the language of the search.
    func rows(of subject: SearchSubject, in subjects: SubjectList) -> SubjectRows? {
        for table in tables where table.subjects === subjects { return table.rows.rows(of: subject) }
        let rows = subjects.rows(in: language)
        tables.append((subjects, rows))
        return rows.rows(of: subject)
    }

    func context(of candidate: AirportCandidate) -> SearchContext { contexts[candidate.context] }

    /// Returns the letters that a candidate matches. Computed only for the few that become rows.
    func matches(of candidate: AirportCandidate) -> [WordMatch] {
        candidate.hit.map { contexts[candidate.context].matches(of: $0) } ?? []
    }
}

/// The query and the search in an index that several candidates share.
final class SearchContext {
    let subjects: SubjectList
    /// The parsed query, for highlighting words.
    let query: AirportQuery
    private let search: (index: AirportIndex, request: () -> (query: SearchQuery, tiers: [SearchTier]))?

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - index: The index; nil for candidates that were found without one.
    ///   - request: Returns the query and the tiers of the search.
    init(
        _ subjects: SubjectList, _ query: AirportQuery, _ index: AirportIndex? = nil,
        _ request: @escaping () -> (query: SearchQuery, tiers: [SearchTier]) = { (SearchQuery(words: []), []) }
    ) {
        self.subjects = subjects
        self.query = query
        search = index.map { ($0, request) }
    }

    /// Locates the matches of the hits; nil if they were found without an index.
    private lazy var matcher = search.map { index, request in
        let (query, tiers) = request()
        return HitMatcher(index.searchIndex, SearchRequest(queries: [query], tiers: tiers))
    }

    /// Returns the letters that a hit matches.
    func matches(of hit: CompactHit) -> [WordMatch] { matcher?.matches(of: hit) ?? [] }
}
