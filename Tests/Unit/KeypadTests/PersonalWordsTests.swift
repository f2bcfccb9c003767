import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage
import Testing

@Suite("Personal words")
struct PersonalWordsTests {
    let learning: KeypadLearning
    let list: WordList

    init() throws {
        learning = KeypadLearning(storage: try Storage.inMemory(migrations: [KeypadLearning.migrations]))
        list = try #require(KeypadWords.list(for: "en"))
    }

    private var words: PersonalWords {
        PersonalWords(
            list, learning: { self.learning },
            names: { keys in
                ["Felix", "Dose", "Deliverance"].compactMap { name in
                    guard let typed = wordKeys(of: name), typed.starts(with: keys) else { return nil }
                    return WordCandidate(text: name, isWhole: typed == keys)
                }
            })
    }

    private func texts(_ keys: String, after previous: String? = nil, limit: Int = 10) throws -> [String] {
        try words.candidates(for: Array(keys.utf8), after: previous, limit: limit).map(\.text)
    }

    /// Types keys and records the committed words.
    private func type(_ keys: String) throws -> String {
        var entry = TextEntry(words: words)
        for key in try EntryKey.keys(keys) {
            try entry.press(key)
            try learning.record(entry.takeCommittedWords(), language: "en")
        }
        return try entry.text
    }

    @Test("Listed words come before names, longer names before longer words")
    func names() throws {
        #expect(try texts("3673").prefix(2) == ["ford", "dose"])
        #expect(try texts("3673").contains("Dose"))
        #expect(try texts("33549") == ["Felix", "Felix's"])
        #expect(try texts("3354").prefix(3) == ["deli", "Felix", "Deliverance"])
        #expect(try texts("33549", limit: 1) == ["Felix"])
    }

    @Test("A chosen word comes first, and first of all after the same previous word")
    func choosing() throws {
        #expect(try type("3673*0") == "dose ")
        #expect(try texts("3673").first == "dose")
        #expect(try type("843 0 3673*0") == "the ford ")
        #expect(try texts("3673", after: "the").prefix(2) == ["ford", "dose"])
        #expect(try type("63 0 3673*0") == "of dose ")
        #expect(try texts("3673", after: "of").first == "dose")
        #expect(try texts("3673", after: "the").first == "ford")
        // Suggestions of the list follow, once each.
        let suggestions = try words.suggestions(after: "the", limit: 5).map(\.text)
        #expect(suggestions.first == "ford")
        #expect(suggestions.count == 5 && Set(suggestions).count == 5)
        #expect(suggestions[1...] == list.suggestions(after: "the", limit: 4).map(\.text)[...])
    }

    @Test("A spelled word is learned, and frequencies come from the list")
    func spelling() throws {
        #expect(try type("/999*99*9*88 0") == "yxwu ")
        #expect(try type("9998") == "yxwu")
        let spelled = try #require(try words.candidates(for: Array("9998".utf8), after: nil, limit: 1).first)
        #expect(spelled.isLearned && words.withFrequency(spelled).frequency == 0)
        #expect(try type("3673*0") == "dose ")
        let chosen = try #require(try words.candidates(for: Array("3673".utf8), after: nil, limit: 1).first)
        #expect(words.withFrequency(chosen).frequency == 1.58e-05)
    }

    @Test("Random keys never trap while learning")
    func anyKeys() throws {
        var random = SystemRandomNumberGenerator()
        let keys = Array("22334455667788990001**##/<<1")
        for _ in 0..<30 {
            let text = String((0..<40).map { _ in keys.randomElement(using: &random) ?? "2" })
            _ = try type(text)
        }
    }
}
