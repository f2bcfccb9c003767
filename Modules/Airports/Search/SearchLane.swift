import LookupEngine
import TextFolding

/// The lanes of an index of airports.
enum SearchLane {
    /// Names as runs of letters without gaps, a field each; records of all classes but ``NameClass/words``.
    static let names = 0
    /// The distinct words of each subject, a field each.
    static let words = 1
    /// The main names, word by word, for initials.
    static let initials = 2
    /// The names as keys.
    static let keys = 3
    /// The lane of the first of ``languages``.
    static let firstLanguage = 4

    /// The languages with a lane of their own in the index of the popular airports.
    static let languages = [
        "ru", "es", "tr", "de", "fr", "it", "pt", "ja", "zh", "ar", "ko", "uk", "pl", "nl", "sv", "cs", "el", "he", "hu",
        "fi", "da", "no", "ro", "bg", "sr", "ka", "hy", "fa", "hi", "th", "vi", "id",
    ]

    /// The lane of a language, if it has one: that of `pt` for `pt_BR.UTF-8`.
    static func lane(of language: String) -> Int? {
        Names.tags(for: language).last.flatMap(languages.firstIndex).map { firstLanguage + $0 }
    }

    /// The language of a lane, if it is one of a language.
    static func language(of lane: Int) -> String? {
        languages.indices.contains(lane - firstLanguage) ? languages[lane - firstLanguage] : nil
    }

    /// What each lane keeps; lanes of languages only `withLanguages`.
    static func options(withLanguages: Bool) -> [LaneOptions] {
        let own: [LaneOptions] = [[.runs, .typos], [.runs, .starts, .typos], [.runs, .starts], [.runs, .typos]]
        return own + (withLanguages ? languages.map { _ in [.runs] } : [])
    }

    /// How many spellings of a name and of a word are kept: all that people use are among the first.
    static let mostSpellings = 6
    static let mostKeySpellings = 3
    static let mostWordSpellings = 3

    /// The fields of a class in a lane of names: of which name, and its letters.
    ///
    /// What goes into the index and what comes out of it must agree on every ordinal, so both ask this function.
    static func forEachField(
        of names: SubjectNames, _ nameClass: NameClass, lane: Int, only: Int? = nil,
        fold: (String) -> [FoldedWord], _ body: (_ name: String, JoinedName) -> Void
    ) {
        let all = names.names(nameClass, language: language(of: lane))
        if let only, nameClass != .tail {
            // Outside of tails a name is a field, so that the others need not be folded.
            guard all.indices.contains(only) else { return }
            let words = fold(all[only])
            if !words.isEmpty { body(all[only], joined(words[...], lane: lane)) }
            return
        }
        for name in all {
            let words = fold(name)
            let starts = nameClass == .tail ? 1..<max(words.count, 1) : 0..<min(words.count, 1)
            for start in starts { body(name, joined(words[start...], lane: lane)) }
        }
    }

    static func joined(_ words: ArraySlice<FoldedWord>, lane: Int) -> JoinedName {
        lane == keys
            ? JoinedName(keysOf: words, most: mostKeySpellings) : JoinedName(words, most: mostSpellings)
    }
}
