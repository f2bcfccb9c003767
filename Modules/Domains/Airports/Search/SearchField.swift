import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization

enum SearchField {
    /// English, former and colloquial names, codes and countries, joined without gaps, one value each.
    static let names = 0
    /// Foreign names, likewise, in Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic script.
    static let foreign = 1
    /// Foreign names in all other scripts.
    static let otherScripts = 2
    /// Transliterations of names in other scripts. Not searched for typos, because with so many names one is always
    /// close.
    static let romanized = 3
    static let foreignFields = [foreign, otherScripts, romanized]
    /// The distinct words of each subject in all languages, one value each, words of the main names first.
    static let words = 4
    /// The distinct words of English names and surroundings, for typos: among the words of all languages one is always
    /// close.
    static let englishWords = 5
    /// The main names by word, for initials.
    static let initials = 6
    static let keys = 7
    static let firstLanguage = 8

    /// The languages with their own field in the index of popular airports.
    static let languages = [
        "ru", "es", "tr", "de", "fr", "it", "pt", "ja", "zh", "ar", "ko", "uk", "pl", "nl", "sv", "cs", "el", "he",
        "hu", "fi", "da", "no", "ro", "bg", "sr", "ka", "hy", "fa", "hi", "th", "vi", "id",
    ]

    /// Returns the field of a language, if it has one; `pt_BR.UTF-8` uses the field of `pt`.
    static func field(of language: String) -> Int? {
        if language == "en" { return nil }
        return Names.tags(for: language).last.flatMap(languages.firstIndex).map { firstLanguage + $0 }
    }

    static func language(of field: Int) -> String? {
        languages.indices.contains(field - firstLanguage) ? languages[field - firstLanguage] : nil
    }

    /// The fields of places without an airport.
    static let ofPlaces = [names, foreign, otherScripts]

    /// Returns the options of each field. Only the index of popular airports has fields for languages and initials.
    static func options(_ extent: SubjectList.Extent) -> [FieldOptions] {
        if extent == .places { return ofPlaces.map { _ in [.wordSuffixes, .typos] } }
        let isPopular = extent == .popular
        let own: [FieldOptions] = [
            [.wordSuffixes, .typos], [.wordSuffixes, .typos], [.wordSuffixes, .typos], [.wordSuffixes], [.wordSuffixes],
            [.wordSuffixes, .typos],
            isPopular ? [.wordSuffixes, .initials] : [], [.wordSuffixes, .typos],
        ]
        return own + (isPopular ? languages.map { _ in [.wordSuffixes] } : [])
    }

    /// Returns the maximum number of spellings of a name in a field. Common spellings come first.
    private static func maxSpellings(_ nameClass: NameClass, field: Int) -> Int {
        switch nameClass {
        case .foreign: field == keys ? 2 : 3
        case .place: 2
        default: field == keys ? 2 : language(of: field) != nil ? 4 : 6
        }
    }

    static let maxWordSpellings = 2

    /// Returns the folded words of a name, with useful Latin spellings.
    ///
    /// Scripts that require ICU are not transliterated, so that ICU is never loaded. For airports that are not popular,
    /// only Cyrillic names are transliterated: the other names exist in English anyway.
    static func fold(_ name: String, isPopular: Bool = true) -> [FoldedWord] {
        let transliterates = name.unicodeScalars.allSatisfy {
            $0.value < 0x590
                || isPopular && !(0x700..<0x10A0).contains($0.value) && !(0x1200..<0x1C80).contains($0.value)
        }
        return FoldedText(name, transliterating: transliterates).words
    }

    /// Calls `body` with each value of a name class in a field: its name, the words of the name, and the value.
    ///
    /// Indexing and highlighting must agree on the ordinals of values, so both use this function.
    /// - Parameters:
    ///   - names: The names of the class in the field.
    ///   - only: The ordinal of the only value wanted; nil for all.
    static func forEachValue(
        of names: [String], _ nameClass: NameClass, field: Int, only: Int? = nil,
        fold: (String) -> [FoldedWord], _ body: (_ name: String, _ words: [FoldedWord], FieldValue) -> Void
    ) {
        var number = 0
        func add(_ name: String, _ words: [FoldedWord], _ value: () -> FieldValue?) {
            if only == nil || only == number, let value = value() { body(name, words, value) }
            number += 1
        }
        for name in names {
            // A name without initials or tails has one value.
            if field != initials, nameClass != .tail, only != nil, only != number {
                number += 1
                continue
            }
            let words = fold(name)
            if field == initials {
                if words.count > 1 { add(name, words) { FieldValue(text: 0, words: words) } }
            } else if nameClass == .tail {
                for start in 1..<max(words.count, 1) {
                    add(name, words) { joined(words[start...], nameClass, field: field) }
                }
            } else {
                add(name, words) { joined(words[...], nameClass, field: field) }
            }
        }
    }

    private static func joined(_ words: ArraySlice<FoldedWord>, _ nameClass: NameClass, field: Int) -> FieldValue {
        let maxSpellings = maxSpellings(nameClass, field: field)
        switch field {
        case keys: return FieldValue(joining: words, as: .keys, maxSpellings: maxSpellings)
        case foreign, otherScripts, romanized:
            let isLatin = words.allSatisfy { $0.spellings.first?.letters.allSatisfy { $0 < afterLatin } ?? true }
            return FieldValue(joining: words, maxSpellings: maxSpellings) {
                foreignField(of: $0, isLatinName: isLatin) == field
            }
        default: return FieldValue(joining: words, maxSpellings: maxSpellings)
        }
    }

    private static func foreignField(of spelling: [UInt16], isLatinName: Bool) -> Int {
        guard let last = spelling.max(), last < firstOtherScriptLetter else { return otherScripts }
        return last < afterLatin && !isLatinName ? romanized : foreign
    }

    static let afterLatin: UInt16 = 0x250

    /// The first scalar after the alphabets that share a field. Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic
    /// have about 230 letters, and a field encodes up to 254 letters as one byte each, which the search for typos
    /// requires.
    static let firstOtherScriptLetter: UInt16 = 0x700
}
