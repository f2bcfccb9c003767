import SwitchboardTextNormalization
import Testing

extension FoldedWord {
    /// Indicates that only an apostrophe or a hyphen separates the word from the previous one.
    fileprivate var followsJoiner: Bool {
        boundary.contains(.joiner) && boundary.isDisjoint(with: [.space, .separator])
    }
}

@Suite("Folding")
struct FoldingTests {
    @Test(
        "Case, accents, presentation forms and letters without a decomposition are folded",
        arguments: [
            ("CAFÉ", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("Nguyễn", "nguyen"),
            ("Đặng", "dang"),
            ("Việt", "viet"),
            ("İSTANBUL", "istanbul"),
            ("Isparta", "isparta"),
            ("ISI", "isi"),
            ("ısı", "isi"),
            ("Łukasz", "lukasz"),
            ("Ðuro", "duro"),
            ("Đuro", "duro"),
            ("Guðrún", "gudrun"),
            ("Øystein", "oystein"),
            ("Æther", "aether"),
            ("Œuvre", "oeuvre"),
            ("Straße", "strasse"),
            ("STRAẞE", "strasse"),
            ("Þór", "thor"),
            ("Ħal", "hal"),
            ("ﬁlm", "film"),
            ("ﬃ", "ffi"),
            ("Ⅳ", "iv"),
            ("x²", "x2"),
            ("ＡＢＣ８", "abc8"),
            ("№5", "no5"),
            ("①", "1"),
            ("Ĳssel", "ijssel"),
            ("ǆ", "dz"),
            ("so\u{AD}ft", "soft"),
            ("a\u{200D}b", "ab"),
            ("\u{200F}ab\u{202C}", "ab"),
            ("Żółw", "zolw"),
            ("Åse", "ase"),
            ("Škoda", "skoda"),
            ("Ağa", "aga"),
            ("٣٤", "34"),
            ("۵", "5"),
            ("ЙОД", "иод"),
            ("Ёлка", "елка"),
            ("ΑΣ", "ασ"),
            ("ς", "σ"),
            ("ΆΈ", "αε"),
            ("ガギ", "かき"),
            ("ｶﾞ", "か"),
            ("שלום", "שלומ"),
            ("שָׁלוֹם", "שלומ"),
            ("أحمد", "احمد"),
            ("إيمان", "ايمان"),
            ("آدم", "ادم"),
            ("ٱلله", "الله"),
            ("مؤمن", "مومن"),
            ("عائشة", "عايشة"),
            ("محـــمد", "محمد"),
            ("مُحَمَّد", "محمد"),
            ("کریم", "كريم"),
            ("موسى", "موسي"),
            ("ﷲ", "الله"),
            // A final consonant is the same key as an initial one.
            ("김", "\u{1100}\u{1175}\u{1106}"),
            ("ㄱ", "\u{1100}"),
            ("Ə", "e"),
            ("ŊŊ", "nn"),
        ] as [(String, String)])
    func folds(source: String, expected: String) {
        #expect(words(source) == [expected])
    }

    @Test(
        "Letters with a two-letter spelling match both",
        arguments: [
            ("Müller", ["muller", "mueller"]),
            ("MU\u{308}LLER", ["muller", "mueller"]),
            ("Jäger", ["jager", "jaeger"]),
            ("Böll", ["boll", "boell"]),
            ("Åse", ["ase", "aase"]),
            ("Øre", ["ore", "oere"]),
            ("Muñoz", ["munoz"]),
            ("Şahin", ["sahin", "shahin"]),
            ("Çetin", ["cetin", "chetin"]),
            ("Čapek", ["capek", "chapek"]),
            ("Škoda", ["skoda", "shkoda"]),
            ("Žižek", ["zizek", "zhizhek"]),
            ("Oğuz", ["oguz", "oghuz"]),
            ("Ionuț", ["ionut", "ionuts"]),
            ("Đoković", ["dokovic", "djokovich"]),
            ("Əliyev", ["eliyev", "aliyev"]),
            ("Gökçe", ["gokce", "goekche", "goekce", "gokche"]),
            ("Smith", ["smith"]),
            ("José", ["jose"]),
        ])
    func twoLetters(source: String, expected: [String]) {
        #expect(spellings(source) == [expected])
        #expect(spellings(source, transliterating: false) == [expected], "in a query too")
    }

    @Test("Arabic ة also matches ه, and an isolated hamza is optional, in texts and queries")
    func looseArabic() {
        #expect(spellings("فاطمة", transliterating: false) == [["فاطمة", "فاطمه"]])
        #expect(spellings("سماء", transliterating: false) == [["سماء", "سما"]])
        #expect(spellings("علي", transliterating: false) == [["علي"]])
        #expect(spellings("فاطمة").first?.prefix(2) == ["فاطمة", "فاطمه"])
    }

    @Test("Vowel signs of Indic and Thai words are kept, tone marks and nukta removed")
    func vowelSigns() {
        #expect(words("राम") == ["राम"])
        #expect(words("ज़") == ["ज"])
        #expect(words("ใจ่") == ["ใจ"])
    }
}

@Suite("Words")
struct WordTests {
    @Test(
        "Text is split into words",
        arguments: [
            ("Rio Grande", ["rio", "grande"]),
            ("O'Connor", ["o", "connor"]),
            ("O’Connor", ["o", "connor"]),
            ("OʼConnor", ["o", "connor"]),
            ("Okʻa", ["ok", "a"]),
            ("d`Artagnan", ["d", "artagnan"]),
            ("Anne-Marie", ["anne", "marie"]),
            ("Anne‑Marie", ["anne", "marie"]),
            ("a.b@c-d.com", ["a", "b", "c", "d", "com"]),
            ("https://x.org/y?z=1", ["https", "x", "org", "y", "z", "1"]),
            ("Boeing747", ["boeing747"]),
            ("2nd", ["2nd"]),
            ("  a\t\nb  ", ["a", "b"]),
            ("", []),
            ("…", []),
            ("👍", []),
            ("👨‍👩‍👧 Ann👍Lee", ["ann", "lee"]),
            ("☎️ 5", ["5"]),
            ("\u{301}", []),
            ("\u{301}\u{301}a", ["a"]),
            ("\0", []),
            ("a\0b", ["a", "b"]),
            ("王小明", ["王", "小", "明"]),
            ("王Smith", ["王", "smith"]),
            ("Smith王", ["smith", "王"]),
            ("בן־גוריון", ["בנ", "גוריונ"]),
            ("ג'ורג'", ["גורג"]),
            ("ג׳ורג׳", ["גורג"]),
            ("צה״ל", ["צהל"]),
            ("ジョン・スミス", ["しょん", "すみす"]),
            ("A_B", ["a", "b"]),
            ("\u{E000}\u{FFFE}\u{378}", []),
        ])
    func splits(source: String, expected: [String]) {
        #expect(words(source) == expected)
    }

    @Test("Boundaries between words are recorded")
    func boundaries() {
        let words = FoldedText("Mr. O'Connor-Smith, John a — b").words
        #expect(words.map(\.followsJoiner) == [false, false, true, true, false, false, false])
        #expect(words.map(\.precededByPunctuation) == [false, true, true, true, true, false, true])
        #expect(words.map(\.precededBySpace) == [false, true, false, false, true, true, true])
        #expect(FoldedText("'ere").words.first?.followsJoiner == false)
        #expect(FoldedText("王明").words.last?.boundary == [])
    }

    @Test("Words joined by an apostrophe or a hyphen also match as one")
    func joined() {
        #expect(joinedSpellings("O'Connor") == ["oconnor"])
        #expect(joinedSpellings("Anne-Marie") == ["annemarie"])
    }
}

@Suite("Queries")
struct QueryTests {
    @Test("A query is not romanized but has two-letter spellings")
    func alternatives() {
        #expect(FoldedQuery("müller").words.map { $0.spellings.map(\.text) } == [["muller", "mueller"]])
        #expect(FoldedQuery("Юрий").words.map { $0.spellings.map(\.text) } == [["юрии"]])
        #expect(FoldedQuery("王明").words.map { $0.spellings.map(\.text) } == [["王"], ["明"]])
        #expect(FoldedQuery("สมชาย").words.map(\.spellings.count) == [1])
        #expect(FoldedQuery("김민수").words.count == 1)
    }

    @Test(
        "A query knows if its last word may be incomplete",
        arguments: [
            ("new y", true), ("new ", false), ("new", true), ("", false), ("o'", false), ("cafe\u{301}", true),
            ("a👍", false),
        ])
    func unfinished(source: String, expected: Bool) {
        #expect(FoldedQuery(source).endsInsideWord == expected)
    }
}
