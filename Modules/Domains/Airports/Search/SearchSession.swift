import SwitchboardSearchEngine

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
    private var searches: [(key: Key, found: CandidateList)] = []

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
    func known(_ key: Key) -> CandidateList? {
        for search in searches where search.key == key { return search.found }
        return nil
    }

    /// Keeps the candidates of a search for later stages.
    func remember(_ found: CandidateList, for key: Key) { searches.append((key, found)) }

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

    func context(of candidate: Candidate) -> SearchContext { contexts[candidate.context] }

    /// Returns the letters that a candidate matches. Computed only for the few that become rows.
    func matches(of candidate: Candidate) -> [WordMatch] {
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
