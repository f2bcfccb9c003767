/// A keyboard layout: the character of each key, for recovering text typed with the wrong layout.
///
/// A layout consists of four rows of keys, from the key under Escape to the one beside the right Shift, without and
/// with Shift. The same position in two layouts is the same physical key. The tables are those of xkeyboard-config 2.35
/// (Debian's xkb-data); each names its layout and variant. A space marks a key that writes nothing by itself, such as a
/// dead accent. If two keys write the same letter, the one in the lower row counts.
public struct KeyboardLayout: Hashable, Sendable {
    /// The language, with a variant if a language has several layouts: `ru`, `bg-phonetic`.
    public let id: String

    let plain: [Unicode.Scalar]
    let shifted: [Unicode.Scalar]
    /// The position of each letter: its key, less the number of all keys if it needs Shift.
    private let positions: [Unicode.Scalar: Int]

    private init(_ id: String, _ plain: [String], _ shifted: [String]) {
        self.id = id
        self.plain = plain.flatMap { Array($0.unicodeScalars) }
        self.shifted = shifted.flatMap { Array($0.unicodeScalars) }
        var positions: [Unicode.Scalar: Int] = [:]
        for (key, letter) in self.shifted.enumerated() { positions[letter] = key - self.shifted.count }
        for (key, letter) in self.plain.enumerated() { positions[letter] = key }
        self.positions = positions
    }

    /// Returns the key that writes a letter, and whether it needs Shift.
    func key(of letter: Unicode.Scalar) -> (key: Int, isShifted: Bool)? {
        guard let position = positions[letter] else { return nil }
        return position < 0 ? (position + shifted.count, true) : (position, false)
    }

    /// English, QWERTY (`us`).
    public static let english = all[0]

    /// Returns the layout with an `id`.
    public static func named(_ id: String) -> KeyboardLayout? {
        all.first { $0.id == id }
    }

    /// All layouts, English first.
    public static let all: [KeyboardLayout] = [
        // English, QWERTY (`us`).
        KeyboardLayout(
            "en", ["`1234567890-=", "qwertyuiop[]", "asdfghjkl;'\\", "zxcvbnm,./"],
            ["~!@#$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:\"|", "ZXCVBNM<>?"]),
        // Russian, ЙЦУКЕН (`ru`).
        KeyboardLayout(
            "ru", ["ё1234567890-=", "йцукенгшщзхъ", "фывапролджэ\\", "ячсмитьбю."],
            ["Ё!\"№;%:?*()_+", "ЙЦУКЕНГШЩЗХЪ", "ФЫВАПРОЛДЖЭ/", "ЯЧСМИТЬБЮ,"]),
        // Ukrainian (`ua`).
        KeyboardLayout(
            "uk", ["'1234567890-=", "йцукенгшщзхї", "фівапролджєґ", "ячсмитьбю."],
            ["ʼ!\"№;%:?*()_+", "ЙЦУКЕНГШЩЗХЇ", "ФІВАПРОЛДЖЄҐ", "ЯЧСМИТЬБЮ,"]),
        // Bulgarian, the state standard BDS 5237 (`bg`).
        KeyboardLayout(
            "bg", ["(1234567890-.", ",уеишщксдзц;", "ьяаожгтнвмч„", "юйъэфхпрлб"],
            [")!?+\"%=:/–№$€", "ыУЕИШЩКСДЗЦ§", "ѝЯАОЖГТНВМЧ“", "ЮЙЪЭФХПРЛБ"]),
        // Bulgarian, phonetic (`bg`, variant `phonetic`).
        KeyboardLayout(
            "bg-phonetic", ["ч1234567890-=", "явертъуиопшщ", "асдфгхйкл;'ю", "зьцжбнм,./"],
            ["Ч!@№$%€§*()–+", "ЯВЕРТЪУИОПШЩ", "АСДФГХЙКЛ:\"Ю", "ЗѝЦЖБНМ„“?"]),
        // Greek (`gr`, variant `simple`).
        KeyboardLayout(
            "el", ["`1234567890-=", ";ςερτυθιοπ[]", "ασδφγηξκλ '\\", "ζχψωβνμ,./"],
            ["~!@#$%^&*()_+", ":ΣΕΡΤΥΘΙΟΠ{}", "ΑΣΔΦΓΗΞΚΛ \"|", "ΖΧΨΩΒΝΜ<>?"]),
        // Hebrew, SI 1452 (`il`).
        KeyboardLayout(
            "he", [";1234567890-=", "/'קראטוןםפ][", "שדגכעיחלךף,\\", "זסבהנמצתץ."],
            ["~!@#$%^&*)(_+", "QWERTYUIOP}{", "ASDFGHJKL:\"|", "ZXCVBNM><?"]),
        // Arabic 101 (`ara`). Keys that write lam and alef together are represented by the ligature.
        KeyboardLayout(
            "ar", ["ذ1234567890-=", "ضصثقفغعهخحجد", "شسيبلاتنمكط\\", "ئءؤر\u{FEFB}ىةوزظ"],
            [
                "\u{0651}!@#$%^&*)(_+", "\u{064E}\u{064B}\u{064F}\u{064C}\u{FEF9}إ`÷×؛<>",
                "\u{0650}\u{064D}][\u{FEF7}أـ،/:\"…", "~\u{0652}}{\u{FEF5}آ',.؟",
            ]),
        // Georgian, QWERTY (`ge`).
        KeyboardLayout(
            "ka", ["„1234567890-=", "ქწერტყუიოპ[]", "ასდფგჰჯკლ;'\\", "ზხცვბნმ,./"],
            ["“!@#$%^&*()_+", "QჭEღთYUIOP{}", "AშDFGHჟKL:\"|", "ძXჩVBNM<>?"]),
        // German, QWERTZ (`de`).
        KeyboardLayout(
            "de", [" 1234567890ß ", "qwertzuiopü+", "asdfghjklöä#", "yxcvbnm,.-"],
            ["°!\"§$%&/()=? ", "QWERTZUIOPÜ*", "ASDFGHJKLÖÄ'", "YXCVBNM;:_"]),
        // French, AZERTY (`fr`).
        KeyboardLayout(
            "fr", ["²&é\"'(-è_çà)=", "azertyuiop $", "qsdfghjklmù*", "wxcvbn,;:!"],
            ["~1234567890°+", "AZERTYUIOP £", "QSDFGHJKLM%µ", "WXCVBN?./§"]),
        // Turkish, Q (`tr`).
        KeyboardLayout(
            "tr", ["\"1234567890*-", "qwertyuıopğü", "asdfghjklşi,", "zxcvbnmöç."],
            ["é!'^+%&/()=?_", "QWERTYUIOPĞÜ", "ASDFGHJKLŞİ;", "ZXCVBNMÖÇ:"]),
        // Belarusian (`by`).
        KeyboardLayout(
            "be", ["ё1234567890-=", "йцукенгшўзх'", "фывапролджэ\\", "ячсмітьбю."],
            ["Ё!\"№;%:?*()_+", "ЙЦУКЕНГШЎЗХ'", "ФЫВАПРОЛДЖЭ/", "ЯЧСМІТЬБЮ,"]),
        // Serbian, Cyrillic (`rs`).
        KeyboardLayout(
            "sr", ["`1234567890'+", "љњертзуиопшђ", "асдфгхјклчћж", "жџцвбнм,.-"],
            ["~!\"#$%&/()=?*", "ЉЊЕРТЗУИОПШЂ", "АСДФГХЈКЛЧЋЖ", "ЖЏЦВБНМ;:_"]),
        // Armenian, phonetic (`am`, variant `phonetic`).
        KeyboardLayout(
            "hy", ["՝էթփձջւևռչճ֊ժ", "քոերտըւիօպխծ", "ասդֆգհյկլ;՛շ", "զղցվբնմ,․/"],
            ["՜ԷԹՓՁՋՒ֏ՌՉՃ―Ժ", "ՔՈԵՐՏԸՒԻՕՊԽԾ", "ԱՍԴՖԳՀՅԿԼ։\"Շ", "ԶՂՑՎԲՆՄ«»՞"]),
    ]
}

extension KeyboardLayout: CustomStringConvertible {
    /// The `id`.
    public var description: String { id }
}
