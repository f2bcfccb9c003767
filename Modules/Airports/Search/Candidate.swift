import LookupEngine

/// A subject that an index found, with how good the match is.
struct Candidate {
    var subject: SearchSubject
    /// The list that the subject's number belongs to.
    var subjects: SubjectList
    var nameClass: NameClass
    /// Popularity less penalties; larger is better.
    var score: Double
    var match: AnswerMatch
    /// The lane and letters that matched; nil for what was found without the index.
    var hit: LookupHit?
    /// What was asked, for highlighting words.
    var query: AirportQuery

    /// Whether it was found by a whole name or the beginning of a main one, so that typos need not be looked for.
    var isStrong: Bool {
        switch (match, nameClass) {
        case (.code, _), (.exact, .main), (.exact, .own), (.exact, .colloquial), (.prefix, .main): true
        default: false
        }
    }

    /// Whether it is the beginning of a main name but for one typo.
    var isGoodTypo: Bool { nameClass == .main && (hit?.edits ?? 2) <= 1 }
}
