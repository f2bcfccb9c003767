import SwitchboardKeypad
import SwitchboardKeypadWords
import SwitchboardTestSupport
import Testing

@Suite("Text entry")
struct TextEntryTests {
    private func entry(_ keys: String, _ language: String = "en") throws -> TextEntry<WordList> {
        var entry = TextEntry(words: try #require(KeypadWords.list(for: language)))
        for key in try EntryKey.keys(keys) { try entry.press(key) }
        return entry
    }

    private func text(_ keys: String, _ language: String = "en") throws -> String {
        var entry = try entry(keys, language)
        return try entry.text
    }

    @Test(
        "Keys are converted to text",
        arguments: [
            // Words and spaces.
            ("", ""), ("843", "the"), ("843 0 2255", "the ball"), ("84306", "the m"), ("00", "  "), ("8430", "the "),
            // NEXT, with wraparound.
            ("3673*", "dose"), ("3673**", "dope"), ("33549*", "Felix's"), ("3673*0 63", "dose of"),
            // The whole word may change with each key.
            ("3", "d"), ("33", "de"), ("335", "Del"), ("3354", "deli"), ("33549", "Felix"),
            // Case, before and after a word.
            ("#843", "The"), ("843#", "The"), ("##843", "THE"), ("843##", "THE"), ("###843", "the"), ("#843#", "THE"),
            ("8#43", "The"), ("843#0 63", "The of"), ("#0 63", " Of"), ("843#0#63", "The Of"),
            // Punctuation: a full stop after a word, then NEXT; an apostrophe between letters.
            ("43556 1", "hello."), ("43556 1 0", "hello. "), ("43556 1*", "hello,"), ("43556 1**0", "hello? "),
            ("1", "."), ("1*", "\""), ("43556 1 1*", "hello.\""), ("43556 1*1*", "hello,\""), ("111", "..."),
            ("43556 11", "hello.."), ("36618", "don't"), ("5 1 328", "l'eat"),
            ("43556 1#", "hello."), ("43556 1 0 #43", "hello. He"), ("43556 1#43", "hello.He"), ("1#843", ".The"),
            // Multi-tap.
            ("/44*444", "hi"), ("/44*444/0", "hi "), ("/222", "c"), ("/2222", "à"), ("/22 33 0", "be "),
            ("#/44*444", "Hi"),
            ("/999*99*9*3*555", "yxwdl"), ("843/44", "h"), ("/441", "h."), ("//", ""), ("/*", ""), ("/*44", "h"),
            // Deletion.
            ("843<", "th"), ("843<<<", ""), ("8430<", "the"), ("<", ""), ("/44*444<", "h"), ("/44<", ""),
            ("43556 1<", "hello"),
            ("1<", ""), ("843 0<<", "th"), ("36618<", "don"), ("3673*<3", "ford"),
            // Keys without an effect.
            ("*", ""), ("**", ""), ("0*", " "), ("#", ""),
        ] as [(String, String)])
    func keys(keys: String, expected: String) throws {
        #expect(try text(keys) == expected)
    }

    @Test("Every key counts as a keystroke, spaces do not")
    func keystrokes() throws {
        #expect(try entry("84 3  0 63*").keystrokes == 7)
        #expect(try entry("#*</").keystrokes == 4)
        #expect(try entry("").keystrokes == 0)
    }

    @Test("NEXT cycles through all candidates")
    func walking() throws {
        var entry = try entry("3673")
        let candidates = try entry.candidates
        #expect(candidates.starts(with: ["ford", "dose"]))
        for candidate in candidates {
            #expect(try entry.text == candidate)
            try entry.press(.next)
        }
        #expect(try entry.text == candidates[0])
    }

    @Test(
        "On the way to a frequent word its prefix is shown, not a rare word",
        arguments: [("8", "t"), ("84", "th"), ("843", "the"), ("9", "w"), ("2", "a"), ("4", "I")])
    func intermediateStages(keys: String, shown: String) throws {
        var entry = try entry(keys)
        #expect(try entry.text == shown)
        let candidates = try entry.candidates
        #expect(Set(candidates).count == candidates.count)
        // Rare words of the keys are next, and committed as they are shown.
        if keys == "84" {
            #expect(candidates.prefix(2) == ["th", "uh"])
            #expect(try text("84*0") == "uh ")
            #expect(candidates.contains("the"))
        }
    }

    @Test(
        "A suggestion is taken with one key, and the next letter begins a word",
        arguments: [
            ("63 0*", "of the"), ("63 0* 843", "of the the"), ("63 0* 0 843", "of the the"), ("63 0**", "of a"),
            ("63 0*#", "of The"), ("63 0* 1", "of the."), ("63 0* < 2", "of a"), ("63 1 0*", "of. "),
            // A longer word is a suggestion, too; words of the same keys continue.
            ("66764*", "morning"), ("66764* 63", "morning of"), ("66764* 0 63", "morning of"), ("66764* 1", "morning."),
            ("3673*7", "doses"),
        ])
    func suggestions(keys: String, expected: String) throws {
        #expect(try text(keys) == expected)
    }

    @Test("Keys without a complete word show a prefix")
    func prefixes() throws {
        #expect(try text("335492") == "Felixa")
        #expect(try text("9675394") == "worldwi")
        var unknown = try entry("9999999999")
        #expect(try unknown.text.count == 10)
        try unknown.press(.space)
        #expect(unknown.takeCommittedWords().isEmpty)
    }

    @Test("Words are committed with the previous word of the sentence")
    func committed() throws {
        var entry = try entry("3673*")
        #expect(entry.takeCommittedWords().isEmpty)
        for key in try EntryKey.keys("0 63 1 0 843 0") { try entry.press(key) }
        let keys = { (text: String) in Array(text.utf8) }
        #expect(
            entry.takeCommittedWords() == [
                CommittedWord(text: "dose", keys: keys("3673"), wasChosen: true),
                CommittedWord(text: "of", keys: keys("63"), previous: "dose", wasChosen: false),
                // After a full stop.
                CommittedWord(text: "the", keys: keys("843"), wasChosen: false),
            ])
        #expect(entry.takeCommittedWords().isEmpty)
        for key in try EntryKey.keys("#/99*9 1 84") { try entry.press(key) }
        #expect(
            entry.takeCommittedWords() == [
                CommittedWord(text: "xw", keys: keys("99"), previous: "the", wasChosen: true)
            ])
    }

    @Test("Continuations of a chosen prefix come first")
    func chosenPrefixes() throws {
        #expect(try text("2273***") == "card")
        #expect(try text("22737") == "cases")
        #expect(try text("2273***7") == "cards")
        #expect(try text("2273***7*") == "card's")
    }

    @Test(
        "Case mapping depends on the language",
        arguments: [
            ("tr", "istanbul", "İstanbul", "İSTANBUL"), ("tr", "ılık", "Ilık", "ILIK"),
            ("en", "istanbul", "Istanbul", "ISTANBUL"),
            ("el", "καλή", "Καλή", "ΚΑΛΗ"), ("de", "straße", "Straße", "STRASSE"), ("ru", "ёлка", "Ёлка", "ЁЛКА"),
            ("en", "", "", ""),
        ])
    func cases(language: String, word: String, capital: String, capitals: String) {
        #expect(LetterCase.asWritten.applied(to: word, language: language) == word)
        #expect(LetterCase.capital.applied(to: word, language: language) == capital)
        #expect(LetterCase.capitals.applied(to: word, language: language) == capitals)
    }

    @Test(
        "Words have keys",
        arguments: [
            ("the", "843"), ("don't", "3668"), ("Łukasz", "585279"), ("Müller", "685537"), ("привет", "564236"),
            ("και", "524"),
        ])
    func keysOfWords(word: String, keys: String) {
        #expect(wordKeys(of: word) == Array(keys.utf8))
        #expect(wordKeys(of: "two words") == nil)
        #expect(wordKeys(of: "") == nil)
    }

    @Test("Invalid keys are errors with their position", arguments: [("84x", 3), ("é", 1), ("8 4 -", 5), ("٣🙂", 2)])
    func invalidKeys(text: String, position: Int) throws {
        let character = try #require(text.dropFirst(position - 1).first)
        #expect(throws: EntryKeyError.notAKey(character, position: position)) { try EntryKey.keys(text) }
    }

    @Test("Digits of other scripts are keys")
    func otherDigits() throws {
        #expect(try EntryKey.keys("٨٤٣").map(\.symbol) == ["8", "4", "3"])
    }

    @Test(
        "Random keys never trap, and the state is consistent", arguments: ["en", "tr", "ru", "de", "fr", "el"])
    func anyKeys(language: String) throws {
        var random = SplitMix(seed: UInt64(language.utf8.first ?? 1))
        let keys = Array("222334455566677778889999001**##/<<1")
        for round in 0..<60 {
            var entry = TextEntry(words: try #require(KeypadWords.list(for: language)))
            let length = round == 0 ? 400 : 40
            for _ in 0..<length {
                let key = try #require(EntryKey(keys.randomElement(using: &random) ?? "2"))
                try entry.press(key)
                if Bool.random(using: &random) {
                    let text = try entry.text
                    #expect(text.hasSuffix(try entry.unfinished))
                    let candidates = try entry.candidates
                    if let choice = entry.choice { #expect(candidates.indices.contains(choice)) }
                }
            }
            #expect(entry.keystrokes == length)
            try entry.finish()
            #expect(try entry.unfinished.isEmpty)
        }
    }

    @Test("Very long sequences of keys are accepted")
    func longSequences() throws {
        var entry = TextEntry(words: try #require(KeypadWords.list(for: "en")))
        for _ in 0..<20_000 { try entry.press(.letter(UInt8(ascii: "9"))) }
        #expect(try entry.text.count == 20_000)
        try entry.press(.space)
        #expect(try entry.text.count == 20_001)
    }
}
