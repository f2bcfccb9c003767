import SwitchboardKeypad
import SwitchboardKeypadWords
import SwitchboardTestSupport
import Testing

@Suite("Word lists")
struct WordListTests {
    private func words(_ keys: String, _ language: String = "en", limit: Int = 10) throws -> [String] {
        let list = try #require(KeypadWords.list(for: language))
        return list.candidates(for: Array(keys.utf8), limit: limit).map(\.text)
    }

    @Test("Complete words come by frequency, then longer words by frequency")
    func order() throws {
        #expect(try words("843", limit: 2) == ["the", "tie"])
        #expect(try words("3673").starts(with: ["ford", "dose", "dope", "fore"]))
        #expect(try words("33549") == ["Felix", "Felix's"])
        #expect(try words("43556", limit: 1) == ["hello"])
        let list = try #require(KeypadWords.list(for: "en"))
        let found = list.candidates(for: Array("63".utf8), limit: 0)
        let whole = found.prefix { $0.isWhole }
        #expect(whole.map(\.frequency) == whole.map(\.frequency).sorted(by: >))
        let longer = found.dropFirst(whole.count)
        #expect(!longer.contains { $0.isWhole })
        #expect(longer.map(\.frequency) == longer.map(\.frequency).sorted(by: >))
    }

    @Test(
        "Each language has its words, with marked letters on the key of the letter",
        arguments: [
            ("en", "43556", "hello"), ("es", "626262", "mañana"), ("tr", "73537", "şeker"), ("ru", "564236", "привет"),
            ("de", "787273", "straße"), ("de", "7872773", "straße"), ("de", "4767", "groß"), ("fr", "2687", "cœur"),
            ("fr", "383", "été"), ("pt", "626", "não"), ("it", "737243", "perché"), ("pl", "292", "być"),
            ("uk", "39469", "дякую"), ("el", "524", "και"),
        ])
    func languages(language: String, keys: String, word: String) throws {
        #expect(try words(keys, language, limit: 0).contains(word))
    }

    @Test("Every list opens, and its keys match the layouts", arguments: KeypadWords.languages)
    func layouts(language: KeypadWords.Language) throws {
        let list = try #require(KeypadWords.list(for: language.code))
        #expect(list.language == language.code)
        #expect(list.count > 25_000)
        for first in 2...9 {
            for second in 2...9 {
                let keys = Array("\(first)\(second)".utf8)
                for candidate in list.candidates(for: keys, limit: 12) {
                    let typed = try #require(wordKeys(of: candidate.text), "\(candidate.text)")
                    let hasDouble = candidate.text.contains { "ßœæ".contains($0) }
                    #expect(hasDouble || typed.starts(with: keys), "\(candidate.text)")
                    #expect(hasDouble || candidate.isWhole == (typed == keys), "\(candidate.text)")
                    #expect(candidate.frequency > 0 && candidate.frequency < 0.2)
                }
            }
            let letters = list.letters(on: UInt8(ascii: "0") + UInt8(first))
            #expect(letters.count >= 2 && Set(letters).count == letters.count)
        }
    }

    @Test("Single letters that are not words come last")
    func oneLetter() throws {
        #expect(try words("2").prefix(2) == ["a", "b"])
        #expect(try words("4").first == "I")
        #expect(try words("2", "ru").prefix(3) == ["в", "а", "г"])
        #expect(try words("4", "el").prefix(3) == ["η", "ή", "ι"])
    }

    @Test("The key 1 is an apostrophe and optional")
    func apostrophes() throws {
        #expect(try words("36618") == ["don't"])
        #expect(try words("3668").first == "don't")
        #expect(try words("487").prefix(2) == ["its", "it's"])
        #expect(try words("4817").first == "it's")
        #expect(try !words("4817", limit: 0).contains("its"))
        #expect(try words("9355", limit: 2) == ["well", "we'll"])
        #expect(try words("935", limit: 0).contains("we'll"))
    }

    @Test(
        "Keys without letters match nothing",
        arguments: ["", "1", "11", "0", "80", "08", "143", "8431", "*", "a", "ÿ"])
    func nothing(keys: String) throws {
        #expect(try words(keys, limit: 0).isEmpty)
        let list = try #require(KeypadWords.list(for: "en"))
        #expect(list.candidates(for: [255, 0, 47, 58], limit: 5).isEmpty)
        #expect(list.candidates(for: [UInt8](repeating: 0x32, count: 100_000), limit: 5).isEmpty)
        #expect(list.candidates(for: Array("2".utf8), limit: -1).isEmpty)
    }

    @Test("A language tag may have a territory and any case")
    func tags() {
        for tag in ["pt", "pt_BR", "PT-br", "pt_PT.UTF-8", "pt@euro"] {
            #expect(KeypadWords.list(for: tag)?.language == "pt")
        }
        for tag in ["", "xx", "_", "english", "p"] { #expect(KeypadWords.list(for: tag) == nil) }
        let codes = KeypadWords.languages.map(\.code)
        #expect(codes == ["en", "es", "tr", "ru", "de", "fr", "pt", "it", "pl", "uk", "el"])
    }

    // MARK: - Comparison with a naive search

    /// Returns words of few letters, many of which share their keys.
    private static func randomWords(_ random: inout SplitMix, count: Int) -> [(text: String, cost: UInt16)] {
        var seen: Set<String> = []
        return (0..<count).compactMap { _ in
            let length = Int.random(in: 1...(Bool.random(using: &random) ? 4 : 20), using: &random)
            let text = String((0..<length).map { _ in "aabbcdefmnopqz".randomElement(using: &random) ?? "a" })
            let withMark = Int.random(in: 0..<8, using: &random) == 0 && length > 1
            let word = withMark ? text.prefix(1) + "'" + text.dropFirst() : text[...]
            guard seen.insert(String(word)).inserted else { return nil }
            return (String(word), UInt16.random(in: 100...700, using: &random))
        }
    }

    private static func keys(_ word: String, marks: Bool) -> [UInt8] {
        let row = Array("22233344455566677778889999".utf8)
        return word.utf8.compactMap { letter in
            letter == UInt8(ascii: "'") ? (marks ? UInt8(ascii: "1") : nil) : row[Int(letter) - 0x61]
        }
    }

    @Test("Results equal those of a naive search", arguments: [0, 1, 15, 16, 17, 300, 2_000])
    func reference(count: Int) throws {
        var random = SplitMix(seed: UInt64(count) + 5)
        let words = Self.randomWords(&random, count: count)
        let packed = PackedWords(words)
        let list = try WordList(packed.bytes())
        #expect(list.count == words.count)
        for _ in 0..<300 {
            let length = Int.random(in: 1...5, using: &random)
            let keys = (0..<length).map { index in
                ("2223366667779" + (index > 0 ? "1" : "")).utf8.randomElement(using: &random) ?? 0x32
            }
            let marks = keys.contains(UInt8(ascii: "1"))
            let matching = words.enumerated().filter { Self.keys($0.element.text, marks: marks).starts(with: keys) }
            func ordered(_ found: [(offset: Int, element: (text: String, cost: UInt16))]) -> [UInt16] {
                found.map(\.element.cost).sorted()
            }
            let whole = matching.filter { Self.keys($0.element.text, marks: marks) == keys }
            let longer = matching.filter { Self.keys($0.element.text, marks: marks) != keys }
            for limit in [0, 1, 5, 300] {
                let found = list.candidates(for: keys, limit: limit)
                let costs = Dictionary(uniqueKeysWithValues: words.map { ($0.text, $0.cost) })
                let expected = ordered(whole) + ordered(longer)
                #expect(
                    found.compactMap { costs[$0.text] } == Array(limit == 0 ? expected[...] : expected.prefix(limit)))
                #expect(Set(found.map(\.text)).count == found.count)
                #expect(found.filter(\.isWhole).count == min(whole.count, limit == 0 ? .max : limit))
            }
        }
        packed.withExtendedLifetime()
    }

    @Test("Likely next words rank by their cost after the previous word", arguments: [17, 300, 2_000])
    func likelyWords(count: Int) throws {
        var random = SplitMix(seed: UInt64(count) + 6)
        let words = Self.randomWords(&random, count: count).filter { !$0.text.contains("'") }
        let next = Dictionary(
            uniqueKeysWithValues: words.shuffled(using: &random).prefix(count / 4).map {
                ($0.text, UInt8.random(in: 0...180, using: &random))
            })
        let packed = PackedWords(words, pairs: [words[0].text: next, words[1].text: [words[2].text: 1]])
        let list = try WordList(packed.bytes())
        let costs = Dictionary(uniqueKeysWithValues: words.map { ($0.text, $0.cost) })
        func cost(_ word: String) -> UInt16 {
            min(costs[word] ?? 0, next[word].map { UInt16($0) * 4 } ?? .max)
        }
        for keys in ["2", "26", "6", "62", "7", "66", "226"] {
            let matching = words.map(\.text).filter { Self.keys($0, marks: false).starts(with: Array(keys.utf8)) }
            let whole = matching.filter { $0.count == keys.count }.map(cost).sorted()
            let longer = matching.filter { $0.count > keys.count }.map(cost).sorted()
            for limit in [0, 1, 5, 300] {
                let found = list.candidates(for: Array(keys.utf8), after: words[0].text, limit: limit).map(\.text)
                #expect(found.map(cost) == Array((whole + longer).prefix(limit == 0 ? .max : limit)))
                #expect(Set(found).count == found.count)
            }
        }
        let suggested = list.suggestions(after: words[0].text, limit: 5).map { next[$0.text] ?? 0 }
        #expect(suggested == Array(next.values.sorted().prefix(5)))
        #expect(list.suggestions(after: words[1].text, limit: 5).map(\.text) == [words[2].text])
        #expect(list.suggestions(after: words[3].text, limit: 5).isEmpty)
        packed.withExtendedLifetime()
    }

    @Test("The previous word decides between words of the same keys")
    func context() throws {
        let list = try #require(KeypadWords.list(for: "en"))
        func first(_ keys: String, after previous: String?) -> String? {
            list.candidates(for: Array(keys.utf8), after: previous, limit: 1).first?.text
        }
        #expect(first("4663", after: nil) == "good")
        #expect(first("4663", after: "going") == "home")
        #expect(first("4663", after: "Going") == "home")
        #expect(first("4663", after: "unlistedword") == "good")
        #expect(list.suggestions(after: "of", limit: 1).map(\.text) == ["the"])
        #expect(try #require(KeypadWords.list(for: "es")).suggestions(after: "de", limit: 3).isEmpty)
    }

    @Test(
        "English names, and words that exist only in capitals, are in capitals",
        arguments: [
            ("566366", "London"), ("33549", "Felix"), ("666329", "Monday"), ("4", "I"), ("416", "I'm"),
            ("4155", "I'll"),
            ("222", "BBC"), ("872", "USA"), ("3645474", "English"),
            // Also words in lower case.
            ("629", "may"), ("2455", "bill"), ("6275", "mark"), ("27696", "brown"), ("3673", "ford"),
        ]) func capitals(keys: String, word: String) throws
    {
        #expect(try words(keys).contains(word))
        #expect(
            try !words(keys, limit: 0).contains(word.prefix(1).lowercased() + word.dropFirst())
                || word == word.lowercased())
    }

    @Test("Corrupt lists never trap")
    func damage() throws {
        var random = SplitMix(seed: 9)
        let words = Self.randomWords(&random, count: 200)
        let next = Dictionary(uniqueKeysWithValues: words.map { ($0.text, UInt8($0.cost / 4)) })
        let packed = PackedWords(words, pairs: [words[3].text: next, words[5].text: next])
        let sound = packed.bytes().count
        for length in stride(from: 0, to: sound, by: 7) {
            #expect(throws: WordListError.self) { try WordList(packed.bytes(length)) }
        }
        for _ in 0..<400 {
            let place = Int.random(in: 0..<sound, using: &random)
            let old = packed.memory[place]
            packed.memory[place] = UInt8.random(in: 0...255, using: &random)
            defer { packed.memory[place] = old }
            guard let list = try? WordList(packed.bytes()) else { continue }
            for keys in ["2", "26", "6666", "2612", "999999"] {
                _ = list.candidates(for: Array(keys.utf8), limit: 0)
                _ = list.candidates(for: Array(keys.utf8), limit: 3)
                _ = list.candidates(for: Array(keys.utf8), after: words[3].text, limit: 3)
            }
            _ = list.suggestions(after: words[5].text, limit: 50)
            _ = list.letters(on: 0x32)
        }
    }

    @Test(
        "A word after an elided one is found by the key of the apostrophe",
        arguments: [
            ("fr", "51328", "l'eau"), ("fr", "3168845", "d'outil"), ("fr", "78145", "qu'il"),
            ("it", "5122782", "l'acqua"), ("it", "335512783", "dell'arte"),
        ]) func elided(language: String, keys: String, word: String) throws
    {
        let list = try #require(KeypadWords.list(for: language))
        let texts = list.candidates(for: Array(keys.utf8), limit: 10).map(\.text)
        #expect(texts.contains(word), "\(keys): \(texts)")
        #expect(list.candidates(for: Array(keys.utf8), limit: 1).count == 1)
    }

    @Test("Only French and Italian elide, and only before a vowel") func notElided() throws {
        let english = try #require(KeypadWords.list(for: "en"))
        #expect(!english.candidates(for: Array("51328".utf8), limit: 20).contains { $0.text.hasPrefix("l'") })
        let french = try #require(KeypadWords.list(for: "fr"))
        #expect(!french.candidates(for: Array("512483".utf8), limit: 0).contains { $0.text.hasPrefix("l'b") })
        #expect(french.candidates(for: Array("51328".utf8), limit: 0).first?.text == "l'eau")
        #expect(french.candidates(for: Array("51".utf8), limit: 3).allSatisfy { !$0.text.contains("''") })
    }
}

extension PackedWords {
    /// Keeps the memory alive up to this call.
    fileprivate func withExtendedLifetime() { Swift.withExtendedLifetime(self) {} }
}
