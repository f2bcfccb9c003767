public import SwitchboardTextNormalization

/// The letters on the keys of a phone, for one alphabet.
///
/// Letters are folded (lower case, without marks), as in `FoldedSpelling.letters`.
public struct KeypadLayout: Sendable, Hashable {
    /// The alphabet or language.
    public let name: String

    /// The standard or other source of the layout, and its exceptions.
    public let source: String

    /// The letters of the keys 2 to 9, separated by spaces.
    let letters: String
    /// Additional letters, in the same format.
    var also = ""

    /// The key of each letter, as an ASCII digit from `2` to `9`.
    public var keys: [UInt16: UInt8] {
        var keys: [UInt16: UInt8] = [:]
        forEachLetter { keys[$0] = $1 }
        return keys
    }

    /// Calls `body` with each letter and its key. The last occurrence of a letter wins.
    fileprivate func forEachLetter(_ body: (_ letter: UInt16, _ key: UInt8) -> Void) {
        for row in [also, letters] {
            var key = UInt8(ascii: "2")
            for letter in row.utf16 {
                if letter == 0x20 { key += 1 } else { body(letter, key) }
            }
        }
    }

    /// Returns the key of a letter or digit in the layouts that agree with each other: all except the Serbian one.
    package static func key(for letter: UInt16) -> UInt8? {
        if letter < 0x80 {
            switch letter {
            case 0x61...0x7A: return latinKeys[Int(letter - 0x61)]
            case 0x30...0x39: return UInt8(truncatingIfNeeded: letter)
            default: return nil
            }
        }
        return agreeing[letter]
    }

    /// Returns the key of a letter in the Serbian layout, which differs from the Russian one.
    fileprivate static func serbianKey(for letter: UInt16) -> UInt8? { serbianKeys[letter] }

    private static let latinKeys = Array("22233344455566677778889999".utf8)

    private static let agreeing = KeyTable(all.filter { $0.name != serbian.name })
    private static let serbianKeys = KeyTable([serbian])
}

extension KeypadLayout {
    private static let standard = "ETSI ES 202 130 as quoted in this project's contract"

    /// All layouts, which apply simultaneously.
    public static let all: [KeypadLayout] = [
        latin, russian, ukrainian, bulgarian, serbian, greek, hebrew, arabic, devanagari, georgian,
    ]

    /// Latin letters.
    public static let latin = KeypadLayout(
        name: "Latin", source: "ITU-T E.161, option 1", letters: "abc def ghi jkl mno pqrs tuv wxyz")

    /// Russian, with the additional letters of Kazakh, Tatar, Tajik and others next to the related letters.
    public static let russian = KeypadLayout(
        name: "Russian",
        source: "ETSI ES 202 130 as quoted in this project's contract; added letters of other languages by analogy",
        letters: "абвг дежзё ийкл мноп рсту фхцч шщъы ьэюя",
        also: "әғ ђѕҗҙ іјљқҡҝ њңҥө ұүҫ ћһҳџҷҹѳ  ѣѵ")

    /// Ukrainian.
    public static let ukrainian = KeypadLayout(
        name: "Ukrainian", source: standard, letters: "абвгґ деєжз иіїйкл мноп рсту фхцч шщ ьюя")

    /// Bulgarian.
    public static let bulgarian = KeypadLayout(
        name: "Bulgarian", source: standard, letters: "абвг дежз ийкл мноп рсту фхцч шщъ ьюя")

    /// Serbian Cyrillic, arranged like the corresponding Latin letters.
    public static let serbian = KeypadLayout(
        name: "Serbian",
        source: "the Serbian definition of the open-source Traditional T9 keyboard; not checked against a standard",
        letters: "абцчћ дефђ гхи јклљ мнњо прс тув шџзж")

    /// Greek.
    public static let greek = KeypadLayout(
        name: "Greek", source: standard, letters: "αβγ δεζ ηθι κλμ νξο πρσς τυφ χψω")

    /// Hebrew, without final forms, which are folded.
    public static let hebrew = KeypadLayout(
        name: "Hebrew", source: standard, letters: "דהו אבג מנ יכל זחט רשת צק סעפ")

    /// Arabic, with the additional letters of Persian and Urdu next to the related letters.
    public static let arabic = KeypadLayout(
        name: "Arabic",
        source: "ETSI ES 202 130 as quoted in this project's contract; Persian letters as in the Persian definition of "
            + "the Traditional T9 keyboard, Urdu ones by analogy",
        letters: "بتةث اء سشصض دذرز جحخ نهوي فقكلم طظعغ",
        also: "پٹ   ژڈڑ چ  گڤڭ ")

    /// Devanagari: vowels and their signs, then the five classes of consonants, then the others. The signs of key 1 (virama,
    /// anusvara, visarga) are left out like other punctuation.
    public static let devanagari = KeypadLayout(
        name: "Devanagari",
        source:
            "the Hindi keypad of Nokia’s phones, as in the key map that Symbian publishes; ETSI ES 202 130 does not cover "
            + "the script; letters of Sanskrit and Marathi by analogy",
        letters: "अआइईउऊऋािीुूृ एऐऍओऔऑेैॅोौॉ कखगघङ चछजझञ टठडढण तथदधन पफबभम यरलळवशषसह",
        also: "ॠऌॡॄॢॣॲ ऎऒॆॊ"
    )

    /// Georgian, four letters per key in alphabetical order.
    public static let georgian = KeypadLayout(
        name: "Georgian",
        source: "the alphabet in order, four letters a key; no standard could be consulted",
        letters: "აბგდ ევზთ იკლმ ნოპჟ რსტუ ფქღყ შჩცძ წჭხჯჰ")
}

/// The keys of the letters of several layouts. Filling a dictionary would take longer than a single lookup.
private struct KeyTable {
    /// The key of each letter, or 0.
    private var keys = [UInt8](repeating: 0, count: KeyTable.end)

    /// The end of the letters of all layouts, the last of which are Georgian.
    private static let end = 0x1100

    /// Creates a table of several layouts. Where they differ, the first one wins.
    init(_ layouts: [KeypadLayout]) {
        for layout in layouts.reversed() {
            layout.forEachLetter { letter, key in
                if Int(letter) < KeyTable.end { keys[Int(letter)] = key }
            }
        }
    }

    subscript(letter: UInt16) -> UInt8? {
        guard Int(letter) < KeyTable.end, keys[Int(letter)] != 0 else { return nil }
        return keys[Int(letter)]
    }
}

/// The keys that spell a word, one digit for each letter of one of its spellings.
public struct KeypadSpelling: Sendable, Hashable {
    /// The keys as ASCII digits: `2`…`9` for letters, and the digits of the word itself. Key *i* types letter *i* of
    /// the spelling; `FoldedSpelling.source(of:)` returns the range to highlight.
    public let digits: [UInt8]

    /// The index in `FoldedWord.spellings`.
    public let spelling: Int
}

/// Returns the keys that spell a word in its own script, in every matching layout, and in Latin.
///
/// The result has tracks like `FoldedWord.spellings`: element *t* is followed by element min(*t*, count − 1) of the
/// next word. A Cyrillic word has two tracks in its own script, by the common layout of Russian, Ukrainian and
/// Bulgarian and by the Serbian one (or the first again if that lacks a letter), followed by the Latin tracks. In a
/// word of mixed alphabets, each letter uses its own layout. Spellings in scripts without a layout (Han, kana, Hangul,
/// …) are omitted; their romanizations remain.
///
/// - Complexity: O(*n*) in the letters of all spellings.
public func keypadSpellings(of word: FoldedWord) -> [KeypadSpelling] {
    var result: [KeypadSpelling] = []
    for (index, spelling) in word.spellings.enumerated() {
        var common: [UInt8] = []
        var serbian: [UInt8] = []
        var isCyrillic = false
        var isSerbian = true
        var isCovered = true
        common.reserveCapacity(spelling.letters.count)
        for letter in spelling.letters {
            guard let key = KeypadLayout.key(for: letter) else {
                isCovered = false
                break
            }
            common.append(key)
            guard letter >= 0x400, letter < 0x530 else { continue }
            if !isCyrillic { serbian = Array(common.dropLast()) }
            isCyrillic = true
            if let key = KeypadLayout.serbianKey(for: letter) { serbian.append(key) } else { isSerbian = false }
        }
        guard isCovered else { continue }
        result.append(KeypadSpelling(digits: common, spelling: index))
        guard isCyrillic else { continue }
        let isComplete = isSerbian && serbian.count == common.count
        result.append(KeypadSpelling(digits: isComplete ? serbian : common, spelling: index))
    }
    while result.count > 1, result[result.count - 1].digits == result[result.count - 2].digits {
        result.removeLast()
    }
    return result
}

/// Returns the keys that type a text: each word in the layout of its script, or in Latin if it has none, `0` between
/// words and `1` for punctuation.
///
/// For example, "Rio Grande" is `7460472633` and "O'Connor" is `61266667`.
///
/// Leading and trailing punctuation and words without keys are omitted.
///
/// - Complexity: O(*n*) in the scalars of the text.
public func digits(of text: String) -> String {
    var result = ""
    for word in FoldedText(text).words {
        guard let keys = keypadSpellings(of: word).first?.digits else { continue }
        if !result.isEmpty {
            if word.precededByPunctuation { result += "1" }
            if word.precededBySpace || word.boundary == .separator { result += "0" }
        }
        result += String(decoding: keys, as: UTF8.self)
    }
    return result
}
