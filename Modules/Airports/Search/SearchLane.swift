import LookupEngine
import TextFolding

/// The lanes of an index of airports.
enum SearchLane {
    /// Names as runs of letters without gaps, a field each; records of all classes but ``NameClass/words``.
    static let names = 0
    /// The distinct words of each subject in all languages, a field each, those of the main names first.
    static let words = 1
    /// The same of main and colloquial names and English surroundings, for words with typos: those of all languages are so many
    /// that something always is near.
    static let englishWords = 2
    /// The main names, word by word, for initials.
    static let initials = 3
    /// The names as keys.
    static let keys = 4
    /// The lane of the first of ``languages``.
    static let firstLanguage = 5

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
        let own: [LaneOptions] = [
            [.runs, .typos], [.runs, .starts], [.runs, .starts, .typos], [.runs, .starts], [.runs, .typos],
        ]
        return own + (withLanguages ? languages.map { _ in [.runs] } : [])
    }

    /// How many spellings of a name are kept in a lane: those that people use come first.
    static func mostSpellings(_ nameClass: NameClass, lane: Int) -> Int {
        switch nameClass {
        case .foreign: lane == keys ? 2 : 3
        case .place: 2
        default: lane == keys ? 2 : 6
        }
    }

    /// How many spellings of a word are kept in the lanes of words.
    static let mostWordSpellings = 2

    /// The words of a name, without loading ICU for alphabets that only it transliterates: those are found as they are written.
    static func fold(_ name: String) -> [FoldedWord] {
        let needsICU = name.unicodeScalars.contains {
            (0x700..<0x10A0).contains($0.value) || (0x1200..<0x1C80).contains($0.value)
        }
        return FoldedText(name, transliterating: !needsICU).words
    }

    /// The fields of a class in a lane of names: of which name, and its letters.
    ///
    /// What goes into the index and what comes out of it must agree on every ordinal, so both ask this function.
    /// - Parameter only: the number of the one field wanted, if not all.
    static func forEachField(
        of names: SubjectNames, _ nameClass: NameClass, lane: Int, only: Int? = nil,
        fold: (String) -> [FoldedWord], _ body: (_ name: String, JoinedName) -> Void
    ) {
        let all = names.names(nameClass, language: language(of: lane))
        if nameClass != .tail {
            for (number, name) in all.enumerated() where only == nil || only == number {
                body(name, joined(fold(name)[...], nameClass, lane: lane))
            }
            return
        }
        var number = 0
        for name in all {
            let words = fold(name)
            for start in 1..<max(words.count, 1) {
                if only == nil || only == number { body(name, joined(words[start...], nameClass, lane: lane)) }
                number += 1
            }
        }
    }

    private static func joined(_ words: ArraySlice<FoldedWord>, _ nameClass: NameClass, lane: Int) -> JoinedName {
        let most = mostSpellings(nameClass, lane: lane)
        return lane == keys ? JoinedName(keysOf: words, most: most) : JoinedName(words, most: most)
    }
}
