import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

@testable import SwitchboardAirports

@Suite("The wrong keyboard layout")
struct WrongKeyboardTests {
    @Test("every layout has all keys", arguments: KeyboardLayout.all)
    func tables(layout: KeyboardLayout) {
        #expect(layout.plain.count == 47)
        #expect(layout.shifted.count == 47)
        let letters = layout.plain.filter { $0.properties.isAlphabetic }
        #expect(Set(letters).count >= 24)
        #expect(KeyboardLayout.named(layout.id) == layout)
    }

    @Test(
        "the intended text is among the readings",
        arguments: [
            ("vjcrdf", "москва", "ru"), ("Vjcrdf", "Москва", "ru"), ("VJCRDF", "МОСКВА", "ru"),
            ("ghfuf", "прага", "ru"), ("'kbcnf", "элиста", "ru"), (",fre", "баку", "ru"), (";tytdf", "женева", "ru"),
            ("cfyrn-gtnth,ehu", "санкт-петербург", "ru"), ("k.,kzyf", "любляна", "ru"), ("`kf", "ёла", "ru"),
            ("<fre", "Баку", "ru"), ("rb]d", "київ", "uk"), ("kmdsd", "львів", "uk"), ("vbycr", "мінск", "be"),
            ("фтлфкф", "ankara", "en"), ("дщтвщт", "london", "en"), ("туц нщкл", "new york", "en"),
            ("мшуттф", "vienna", "en"), ("сщдщпту", "cologne", "en"), ("зфкшы", "paris", "en"),
            ("Зфкшы", "Paris", "en"),
            ("ифку 12", "bare 12", "en"), ("івк", "sdr", "en"),
            ("auhna", "αθηνα", "el"), ("ρομα", "roma", "en"), (",k tchc", "תל אביב", "he"), ("ךםמגםמ", "london", "en"),
            ("hgrhivm", "القاهرة", "ar"), ("]fd", "دبي", "ar"), ("يعلاشه", "dubai", "en"), ("يعﻻشه", "dubai", "en"),
            ("لاثقمهى", "berlin", "en"), ("hg]hv", "الدار", "ar"), ("b.dpm", "لازيحة", "ar"),
            ("Tbilisi", "თბილისი", "ka"), ("თბილისი", "Tbilisi", "en"),
            ("sofiq", "софия", "bg-phonetic"), ("ld,kd", "варна", "bg"), ("ifbrs", "софия", "bg"),
            ("софия", "sofiq", "en"),
            ("yurich", "zurich", "de"), ("y[rich", "zürich", "de"), ("pqris", "paris", "fr"),
            (";qdrid", "madrid", "fr"), ("adana", "qdqnq", "fr"), ("'zm'r", "izmir", "tr"), (";eh'r", "şehir", "tr"),
            ("jagodina", "јагодина", "sr"),
        ] as [(String, String, String)])
    func meant(typed: String, text: String, layout: String) {
        let readings = WrongKeyboard.readings(of: typed)
        #expect(readings.contains { $0.text == text && $0.meant.id == layout }, "\(readings.map(\.text))")
    }

    @Test("a word survives the translation to another layout and back", arguments: KeyboardLayout.all)
    func thereAndBack(layout: KeyboardLayout) {
        for word in ["london", "ankara", "santiago", "quito", "New York", "jfk", "xian"] {
            for reading in WrongKeyboard.readings(of: word, layouts: [layout]) where reading.typed == .english {
                let back = WrongKeyboard.readings(of: reading.text, layouts: [layout])
                #expect(back.contains { $0.text == word }, "\(word) \(reading.text)")
            }
        }
    }

    @Test("another home layout is supported")
    func home() throws {
        let german = try #require(KeyboardLayout.named("de"))
        let russian = try #require(KeyboardLayout.named("ru"))
        let reading = WrongKeyboard.readings(of: "рфттщмук", home: german, layouts: [russian]).first
        #expect(reading?.text == "hannover")
        #expect(reading?.typed == russian)
        #expect(reading?.meant == german)
        #expect(WrongKeyboard.readings(of: "яюкшср", home: german, layouts: [russian]).first?.text == "y.rich")
        #expect(WrongKeyboard.readings(of: "нхкшср", home: german, layouts: [russian]).first?.text == "zürich")
    }

    @Test(
        "empty text, digits and mixed alphabets have no readings", arguments: ["", " ", "123", "мos日", "東京"])
    func none(typed: String) {
        #expect(WrongKeyboard.readings(of: typed).isEmpty)
    }

    @Test("readings are distinct and differ from the typed text")
    func distinct() {
        let readings = WrongKeyboard.readings(of: "abc def").map(\.text)
        #expect(Set(readings).count == readings.count)
        #expect(!readings.contains("abc def"))
    }

    @Test("The quick check rejects no layout with which a name begins", arguments: KeyboardLayout.all)
    func filter(layout: KeyboardLayout) {
        var random = SplitMix(seed: 5)
        let keys = layout.plain + layout.plain + layout.shifted
        for _ in 0..<60 {
            let length = Int.random(in: 3...9, using: &random)
            let scalars = (0..<length).compactMap { _ in keys.randomElement(using: &random) }
            let typed = String(String.UnicodeScalarView(scalars))
            for reading in WrongKeyboard.readings(of: typed)
            where reading.text.unicodeScalars.allSatisfy(AirportQuery.isOfName) {
                let names = AirportQuery(SearchInput(reading.text)).joined.words.first ?? []
                let layouts = LayoutFilter.layouts(for: typed) { letters, _ in
                    names.contains { $0.starts(with: letters) }
                }
                let other = reading.typed == .english ? reading.meant : reading.typed
                #expect(names.isEmpty || layouts.contains(other), "\(typed) \(reading.text) \(other.id)")
            }
        }
    }
}
