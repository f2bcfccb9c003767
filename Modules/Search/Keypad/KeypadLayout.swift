/// Which letters are on which key of a telephone, for one alphabet.
///
/// Letters are folded ones (small, without marks), as in `SwitchboardTextNormalization/FoldedSpelling/letters`.
public struct KeypadLayout: Sendable, Hashable {
    /// The alphabet or language.
    public let name: String

    /// The standard or other source, and what was not taken from it.
    public let source: String

    /// The letters of the keys 2 to 9, and those that join them in second place, with spaces between the keys.
    private let letters: String
    private let also: String

    /// Makes a layout from the letters of the keys 2 to 9, and letters which join them in second place.
    init(_ name: String, source: String, letters: String, also: String = "") {
        self.name = name
        self.source = source
        self.letters = letters
        self.also = also
    }

    /// Letter to key, as an ASCII digit from `2` to `9`.
    public var keys: [UInt16: UInt8] {
        var keys: [UInt16: UInt8] = [:]
        forEachLetter { keys[$0] = $1 }
        return keys
    }

    /// Calls `body` with each letter and its key. A letter that comes twice stands on the key of the last time.
    func forEachLetter(_ body: (_ letter: UInt16, _ key: UInt8) -> Void) {
        for row in [also, letters] {
            var key = UInt8(ascii: "2")
            for letter in row.utf16 {
                if letter == 0x20 { key += 1 } else { body(letter, key) }
            }
        }
    }

    /// The key for a letter or digit by the layouts that never contradict each other: every one but the Serbian.
    static func key(for letter: UInt16) -> UInt8? {
        if letter < 0x80 {
            switch letter {
            case 0x61...0x7A: return latinKeys[Int(letter - 0x61)]
            case 0x30...0x39: return UInt8(truncatingIfNeeded: letter)
            default: return nil
            }
        }
        return agreeing[letter]
    }

    /// The key for a letter by the Serbian layout, which contradicts the Russian.
    static func serbianKey(for letter: UInt16) -> UInt8? { serbianKeys[letter] }

    private static let latinKeys = Array("22233344455566677778889999".utf8)

    private static let agreeing = KeyTable(all.filter { $0.name != serbian.name })
    private static let serbianKeys = KeyTable([serbian])
}

extension KeypadLayout {
    /// Every layout, all of them in force at the same time.
    public static let all: [KeypadLayout] = [
        latin, russian, ukrainian, bulgarian, serbian, greek, hebrew, arabic, georgian,
    ]

    /// Latin letters.
    public static let latin = KeypadLayout(
        "Latin", source: "ITU-T E.161, option 1", letters: "abc def ghi jkl mno pqrs tuv wxyz")

    /// Russian; also the letters that Kazakh, Tatar, Tajik and others add, beside the letters they come from.
    public static let russian = KeypadLayout(
        "Russian",
        source: "ETSI ES 202 130 as quoted in this project's contract; added letters of other languages by analogy",
        letters: "абвг дежзё ийкл мноп рсту фхцч шщъы ьэюя",
        also: "әғ ђѕҗҙ іјљқҡҝ њңҥө ұүҫ ћһҳџҷҹѳ  ѣѵ")

    /// Ukrainian.
    public static let ukrainian = KeypadLayout(
        "Ukrainian", source: "ETSI ES 202 130 as quoted in this project's contract",
        letters: "абвгґ деєжз иіїйкл мноп рсту фхцч шщ ьюя")

    /// Bulgarian.
    public static let bulgarian = KeypadLayout(
        "Bulgarian", source: "ETSI ES 202 130 as quoted in this project's contract",
        letters: "абвг дежз ийкл мноп рсту фхцч шщъ ьюя")

    /// Serbian Cyrillic, which follows the Latin letters of the same sounds.
    public static let serbian = KeypadLayout(
        "Serbian",
        source: "the Serbian definition of the open-source Traditional T9 keyboard; not checked against a standard",
        letters: "абцчћ дефђ гхи јклљ мнњо прс тув шџзж")

    /// Greek.
    public static let greek = KeypadLayout(
        "Greek", source: "ETSI ES 202 130 as quoted in this project's contract",
        letters: "αβγ δεζ ηθι κλμ νξο πρσς τυφ χψω")

    /// Hebrew; the final forms are folded away.
    public static let hebrew = KeypadLayout(
        "Hebrew", source: "ETSI ES 202 130 as quoted in this project's contract",
        letters: "דהו אבג מנ יכל זחט רשת צק סעפ")

    /// Arabic; the letters that Persian and Urdu add stand beside those they come from.
    public static let arabic = KeypadLayout(
        "Arabic",
        source: "ETSI ES 202 130 as quoted in this project's contract; Persian letters as in the Persian definition of "
            + "the Traditional T9 keyboard, Urdu ones by analogy",
        letters: "بتةث اء سشصض دذرز جحخ نهوي فقكلم طظعغ",
        also: "پٹ   ژڈڑ چ  گڤڭ ")

    /// Georgian, four letters a key in the order of the alphabet.
    public static let georgian = KeypadLayout(
        "Georgian",
        source: "the alphabet in order, four letters a key; no standard could be consulted",
        letters: "აბგდ ევზთ იკლმ ნოპჟ რსტუ ფქღყ შჩცძ წჭხჯჰ")
}
