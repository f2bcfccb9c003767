import SwitchboardSearchEngine

/// The query and search request that all hits of a search share.
final class QueryContext: Sendable {
    let subjects: SubjectList
    /// The parsed query, for highlighting words.
    let query: AirportQuery
    private let search: (index: SearchIndex, request: SearchRequest)?

    /// Creates a context; without a search for candidates that were found without the index.
    init(_ query: AirportQuery, _ subjects: SubjectList, _ search: (index: SearchIndex, request: SearchRequest)?) {
        self.query = query
        self.subjects = subjects
        self.search = search
    }

    /// Returns the letters that a hit matches. Computed only for the few hits that become rows.
    func matches(of hit: SearchHit) -> [WordMatch] {
        search.map { $0.index.matches(of: hit, in: $0.request) } ?? []
    }
}

/// A subject found by the search, with its score.
struct Candidate {
    var subject: SearchSubject
    var nameClass: NameClass
    /// Popularity less penalties; larger is better.
    var score: Double
    var match: ResultMatch
    /// The hit in the index; nil if it was found without the index.
    var hit: SearchHit?
    let context: QueryContext

    var subjects: SubjectList { context.subjects }
    var query: AirportQuery { context.query }
    var matches: [WordMatch] { hit.map(context.matches) ?? [] }

    /// `true` for a whole name or the prefix of a main name, which makes a search for typos unnecessary.
    var isStrong: Bool {
        switch (match, nameClass) {
        case (.code, _), (.exact, .main), (.exact, .own), (.exact, .colloquial), (.prefix, .main): true
        // A matching transliteration is weak evidence; a name as it is written is strong.
        case (.exact, .foreign): hit?.field != SearchField.romanized
        case (.prefix, .foreign): !query.isLatin
        default: false
        }
    }

    /// `true` for a transliteration, initials, the prefix of an additional name or of one from a later word on, the
    /// prefix of an airport that is not popular, and an additional name of one that few people use.
    var isWeak: Bool {
        if hit?.field == SearchField.romanized || match == .initials { return true }
        if match == .prefix, subjects.extent == .others { return true }
        return switch nameClass {
        case .tail, .words: !query.hasGaps
        case .own, .colloquial, .foreign, .place: match != .exact || popularity < Candidate.wellKnown
        case .main, .code, .country: false
        }
    }

    /// The popularity from which an additional name is well known, as those of Heathrow and Mumbai.
    private static let wellKnown = 0.7

    /// The popularity of the subject, regardless of the match; 0 if it was found without the index.
    var popularity: Double {
        hit.map { score - NameSearch.bonus($0, nameClass, letters: query.letterCount) + nameClass.penalty } ?? 0
    }

    /// `true` for the prefix of a main name with at most one typo.
    var isGoodTypo: Bool { nameClass == .main && (hit?.edits ?? 2) <= 1 }
}
