import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The fields of an index of airports.
enum SearchField {
    /// English, former and colloquial names, codes and countries as wordSuffixes of letters without gaps, a field each.
    static let names = 0
    /// Names in other languages, likewise, as they are written in Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic.
    static let foreign = 1
    /// The same in all other scripts.
    static let far = 2
    /// Names in other scripts as they are written in Latin: without typos, for there are so many that something always is near.
    static let romanized = 3
    static let foreignFields = [foreign, far, romanized]
    /// The distinct words of each subject in all languages, a field each, those of the main names first.
    static let words = 4
    /// The same of English names and surroundings, for words with typos: those of all languages are so many that something always
    /// is near.
    static let englishWords = 5
    /// The main names, word by word, for initials.
    static let initials = 6
    /// The names as keys.
    static let keys = 7
    /// The field of the first of ``languages``.
    static let firstLanguage = 8

    /// The languages with a field of their own in the index of the popular airports.
    static let languages = [
        "ru", "es", "tr", "de", "fr", "it", "pt", "ja", "zh", "ar", "ko", "uk", "pl", "nl", "sv", "cs", "el", "he",
        "hu",
        "fi", "da", "no", "ro", "bg", "sr", "ka", "hy", "fa", "hi", "th", "vi", "id",
    ]

    /// The field of a language, if it has one: that of `pt` for `pt_BR.UTF-8`.
    static func field(of language: String) -> Int? {
        Names.tags(for: language).last.flatMap(languages.firstIndex).map { firstLanguage + $0 }
    }

    /// The language of a field, if it is one of a language.
    static func language(of field: Int) -> String? {
        languages.indices.contains(field - firstLanguage) ? languages[field - firstLanguage] : nil
    }

    /// What each field keeps; only the index of the popular airports has fields of languages and initials.
    static func options(isPopular: Bool) -> [FieldOptions] {
        let own: [FieldOptions] = [
            [.wordSuffixes, .typos], [.wordSuffixes, .typos], [.wordSuffixes, .typos], [.wordSuffixes], [.wordSuffixes],
            [.wordSuffixes, .typos],
            isPopular ? [.wordSuffixes, .starts] : [], [.wordSuffixes, .typos],
        ]
        return own + (isPopular ? languages.map { _ in [.wordSuffixes] } : [])
    }

    /// How many spellings of a name are kept in a field: those that people use come first.
    static func mostSpellings(_ nameClass: NameClass, field: Int) -> Int {
        switch nameClass {
        case .foreign: field == keys ? 2 : 3
        case .place: 2
        default: field == keys ? 2 : language(of: field) != nil ? 4 : 6
        }
    }

    /// How many spellings of a word are kept in the fields of words.
    static let mostWordSpellings = 2

    /// The words of a name, with the Latin spellings that are worth their place.
    ///
    /// Alphabets that only ICU transliterates are found as they are written, so that it is never loaded. Of the airports that are
    /// not popular only Cyrillic names are transliterated: for others nobody does, and English has them in Latin letters anyway.
    static func fold(_ name: String, isPopular: Bool = true) -> [FoldedWord] {
        let transliterates = name.unicodeScalars.allSatisfy {
            $0.value < 0x590
                || isPopular && !(0x700..<0x10A0).contains($0.value) && !(0x1200..<0x1C80).contains($0.value)
        }
        return FoldedText(name, transliterating: transliterates).words
    }

    /// The fields of a class in a field of names: of which name, and its letters.
    ///
    /// What goes into the index and what comes out of it must agree on every ordinal, so both ask this function.
    /// - Parameters:
    ///   - names: the names of the class in the field.
    ///   - only: the number of the one field wanted, if not all.
    static func forEachValue(
        of names: [String], _ nameClass: NameClass, field: Int, only: Int? = nil,
        fold: (String) -> [FoldedWord], _ body: (_ name: String, JoinedName) -> Void
    ) {
        if nameClass != .tail {
            for (number, name) in names.enumerated() where only == nil || only == number {
                body(name, joined(fold(name)[...], nameClass, field: field))
            }
            return
        }
        var number = 0
        for name in names {
            let words = fold(name)
            for start in 1..<max(words.count, 1) {
                if only == nil || only == number { body(name, joined(words[start...], nameClass, field: field)) }
                number += 1
            }
        }
    }

    private static func joined(_ words: ArraySlice<FoldedWord>, _ nameClass: NameClass, field: Int) -> JoinedName {
        let most = mostSpellings(nameClass, field: field)
        switch field {
        case keys: return JoinedName(keysOf: words, most: most)
        case foreign, far, romanized:
            let isLatin = words.allSatisfy { $0.spellings.first?.letters.allSatisfy { $0 < afterLatin } ?? true }
            return JoinedName(words, most: most) { foreignField(of: $0, isLatinName: isLatin) == field }
        default: return JoinedName(words, most: most)
        }
    }

    private static func foreignField(of spelling: [UInt16], isLatinName: Bool) -> Int {
        guard let last = spelling.max(), last < firstFarLetter else { return far }
        return last < afterLatin && !isLatinName ? romanized : foreign
    }

    /// Where Latin letters end.
    static let afterLatin: UInt16 = 0x250

    /// Where the alphabets end that have one field: Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic have some 230 letters, and a
    /// field spells up to 254 letters with one byte each, which finding typos needs.
    static let firstFarLetter: UInt16 = 0x700
}
