import SwitchboardSearchEngine

/// What was asked, in whole and of an index: all that its hits share.
final class CachedQuery: Sendable {
    /// The list that the subjects' numbers belong to.
    let subjects: SubjectList
    /// What was typed, for highlighting words.
    let query: AirportQuery
    private let lookup: (index: SearchIndex, request: SearchRequest)?

    /// A question to an index; none for what is found without it.
    init(_ query: AirportQuery, _ subjects: SubjectList, _ lookup: (index: SearchIndex, request: SearchRequest)?) {
        self.query = query
        self.subjects = subjects
        self.lookup = lookup
    }

    /// Which letters of which words a hit matches. Few hits become rows, so that only those are asked.
    func matches(of hit: SearchHit) -> [WordMatch] {
        lookup.map { $0.index.matches(of: hit, in: $0.request) } ?? []
    }
}

/// A subject that an index found, with how good the match is.
struct Candidate {
    var subject: SearchSubject
    var nameClass: NameClass
    /// Popularity less penalties; larger is better.
    var score: Double
    var match: ResultMatch
    /// Where it was found; nil for what was found without the index.
    var hit: SearchHit?
    let asked: CachedQuery

    var subjects: SubjectList { asked.subjects }
    var query: AirportQuery { asked.query }
    /// The letters that matched.
    var matches: [WordMatch] { hit.map(asked.matches) ?? [] }

    /// Whether it was found by a whole name or the beginning of a main one, so that typos need not be looked for.
    var isStrong: Bool {
        switch (match, nameClass) {
        case (.code, _), (.exact, .main), (.exact, .own), (.exact, .colloquial), (.prefix, .main): true
        // A transliteration that happens to fit says little; a name as it is written, much.
        case (.exact, .foreign): hit?.field != SearchField.romanized
        case (.prefix, .foreign): !query.isLatin
        default: false
        }
    }

    /// Whether it is the beginning of a main name but for one typo.
    var isGoodTypo: Bool { nameClass == .main && (hit?.edits ?? 2) <= 1 }
}
