import SwitchboardKeypad
import SwitchboardTextNormalization
import Testing

/// Returns the keys of each word of a text.
private func keys(_ text: String) -> [[String]] {
    FoldedText(text).words.map { keypadSpellings(of: $0).map { String(decoding: $0.digits, as: UTF8.self) } }
}

/// Returns `true` if keys are prefixes of words of a text, in order.
private func isFound(_ text: String, byInitials query: String) -> Bool {
    func rest(_ query: Substring, _ words: ArraySlice<[String]>) -> Bool {
        if query.isEmpty { return true }
        guard let first = words.first else { return false }
        for spelling in first {
            var length = 0
            for (one, other) in zip(spelling, query) {
                guard one == other else { break }
                length += 1
                if rest(query.dropFirst(length), words.dropFirst()) { return true }
            }
        }
        return rest(query, words.dropFirst())
    }
    return rest(query[...], keys(text)[...])
}

@Suite("Keys of words")
struct KeypadSpellingTests {
    @Test(
        "A word has keys by the layout of its alphabet, and in Latin",
        arguments: [
            ("Jogo", ["5646"]),
            ("Felix", ["33549"]),
            ("Jacob", ["52262"]),
            ("Müller", ["685537", "6835537"]),
            ("Łukasz", ["585279"]),
            ("Straße", ["7872773"]),
            ("Ærø", ["2376", "23763"]),
            ("3M", ["36"]),
            ("Boeing747", ["263464747"]),
            ("A10", ["210"]),
            ("абвгдежзийклмнопрстуфхцчшщъыьэюя", ["22223333444455556666777788889999"]),
            ("ґєії", ["2344"]),
            ("ёй", ["34"]),
            ("αβγδεζηθικλμνξοπρστυφχψω", ["222333444555666777888999"]),
            ("אבגדהוזחטיכלמנסעפצקרשת", ["3332226665554499988777"]),
            ("بتةثاسشصضدذرزجحخنهويفقكلمطظعغ", ["22223444455556667777888889999"]),
            ("أحمد", ["3685", "24633"]),
            ("شلوم", ["4878"]),
            ("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", ["222233334444555566667777888899999"]),
            ("अइए", ["223"]),
            ("कचटतपयसह", ["45678999"]),
            ("मोहन", ["8397", "66426"]),
            ("गीता", ["4272", "43382"]),
            // The signs of key 1 are left out.
            ("कृष्ण", ["4296", "5747462"]),
            ("सिंह", ["929", "74644"]),
            ("王", ["9264"]),
            ("김", ["546", "446"]),
            ("とうきょう", ["86596", "8685968"]),
            ("Τζ", ["83", "89"]),
        ])
    func digits(source: String, expected: [String]) {
        let found = keys(source).first ?? []
        for digits in expected { #expect(found.contains(digits), "\(source): \(digits) is not in \(found)") }
        #expect(found.first == expected.first)
    }

    @Test("Serbian has its own layout in addition to the common one")
    func serbian() {
        #expect(keys("Ђоковић").first?.prefix(2) == ["3545247", "3656842"])
        #expect(keys("Мышь").first?.contains("5988") == false)
    }

    @Test("Each letter has one key")
    func onePerLetter() throws {
        for word in FoldedText("Straße Юрий Щукин محمد Gökçe 김민수 王小明 Αύγουστος тcm").words {
            let spellings = keypadSpellings(of: word)
            #expect(!spellings.isEmpty)
            for keys in spellings {
                #expect(keys.digits.count == word.spellings[keys.spelling].letters.count)
                #expect(keys.digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 })
            }
        }
    }

    @Test("Each letter of a mixed word uses its own layout; tracks repeat keys")
    func mixed() {
        #expect(keys("тcm").first == ["626", "626", "826"])
        let spellings = keypadSpellings(of: FoldedText("Жуков").words[0])
        #expect(Set(spellings.map(\.digits)).count < spellings.count - 1)
    }

    @Test(
        "Names are found by initials",
        arguments: [
            ("Rio Grande", "74647"),
            ("Carmen Luz Diaz", "253"),
            ("Carmen Luz Diaz", "23429"),
            ("Ana Anabel Smith", "26223"),
            ("Mary Ann Lee", "6279533"),
            ("Юрий Жуков", "4874494"),
            ("Anne-Marie", "2663627"),
            ("Łukasz Müller", "58527968"),
            ("O'Connor", "6266"),
            ("김민수", "567"),
            ("王小明", "996"),
            ("Иван Smith", "487"),
        ])
    func initials(source: String, query: String) {
        #expect(isFound(source, byInitials: query))
    }

    @Test(
        "Text is converted to keys",
        arguments: [
            ("Rio Grande", "7460472633"),
            ("O'Connor", "61266667"),
            ("Smith, John", "76484105646"),
            ("Anne-Marie", "2663162743"),
            ("Жуков", "36452"),
            ("王明", "92646464"),
            ("", ""),
            ("👍", ""),
            ("Hello!", "43556"),
            ("hello world", "43556096753"),
            ("Ärger", "27437"),
        ])
    func textToKeys(source: String, expected: String) {
        #expect(SwitchboardKeypad.digits(of: source) == expected)
    }

    @Test("A word contains keys in the middle: 2262 in Jacob")
    func infix() {
        #expect(keys("Jacob")[0].contains { $0.hasSuffix("2262") })
    }
}

@Suite("Layouts")
struct KeypadLayoutTests {
    @Test("No letter is on two keys, except in Serbian")
    func agree() {
        var seen: [UInt16: UInt8] = [:]
        for layout in KeypadLayout.all where layout != .serbian {
            for (letter, key) in layout.keys {
                #expect(seen[letter, default: key] == key, "\(layout.name)")
                seen[letter] = key
            }
        }
    }

    @Test("Every layout names its source and uses the keys 2 to 9")
    func complete() {
        for layout in KeypadLayout.all {
            #expect(!layout.source.isEmpty && !layout.name.isEmpty)
            #expect(Set(layout.keys.values) == Set(UInt8(ascii: "2")...UInt8(ascii: "9")), "\(layout.name)")
        }
    }
}

@Suite("Keypad queries")
struct KeypadQueryTests {
    @Test(
        "Digits of any script are parsed, separators skipped",
        arguments: [
            ("5646", "5646"),
            ("", ""),
            ("279 533", "279533"),
            ("(030) 12-34.56", "030123456"),
            ("+49 30", "4930"),
            ("(+49)", "49"),
            ("٠١٢٣", "0123"),
            ("۴۵۶", "456"),
            ("７８９", "789"),
            ("०१", "01"),
            ("+", ""),
            (" 5\u{202C}6\u{A0}7\u{2011}8", "5678"),
            ("+49 (0)30 901820", "4930901820"), ("tel:+49301234567", "49301234567"), ("tel:*100%23", "100"),
            ("030/901820", "030901820"), ("<+4930901820>", "4930901820"), ("+49 30 901820,", "4930901820"),
            ("+1 650 253 0000 ext. 4321", "16502530000"), ("305.555.0167 x22", "3055550167"),
            ("+4930555012,,1#", "4930555012"), ("12345678,1", "12345678"), ("*100#", "100"), ("##21#", "21"),
        ])
    func parsed(source: String, expected: String) throws {
        let query = try KeypadQuery(parsing: source)
        #expect(String(decoding: query.keys, as: UTF8.self) == expected)
    }

    @Test("A query that begins with 0 or + prefers numbers")
    func numbersFirst() throws {
        #expect(try KeypadQuery(parsing: "+49").isInternational)
        #expect(try KeypadQuery(parsing: " (+49").prefersNumbers)
        #expect(try KeypadQuery(parsing: "030").prefersNumbers)
        #expect(try !KeypadQuery(parsing: "30").prefersNumbers)
        #expect(try !KeypadQuery(parsing: "").prefersNumbers)
    }

    @Test(
        "Other characters are errors with their position",
        arguments: [
            ("56a6", "a", 3),
            ("x", "x", 1),
            ("5 +6", "+", 3),
            ("++4", "+", 2),
            ("12👍", "👍", 3),
            ("é1", "é", 1),
            ("5²", "²", 2),
            ("*", "*", 1),
            ("56a/1", "a", 3),
            ("#", "#", 1),
            ("٣ж", "ж", 2),
            ("1\u{301}", "1\u{301}", 1),
            ("\0", "\0", 1),
        ] as [(String, Character, Int)])
    func refused(source: String, character: Character, position: Int) throws {
        let error = #expect(throws: KeypadQueryError.self) { _ = try KeypadQuery(parsing: source) }
        #expect(error == .notAKey(character, position: position))
        #expect(error?.description.contains("position \(position)") == true)
    }
}
