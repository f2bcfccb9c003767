import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardStorage
import Testing

@Suite("Keypad learning")
struct KeypadLearningTests {
    let learning: KeypadLearning

    init() throws {
        learning = KeypadLearning(storage: try Storage.inMemory(migrations: [KeypadLearning.migrations]))
    }

    private func record(_ text: String, after previous: String? = nil, chosen: Bool = false) throws {
        let keys = try #require(wordKeys(of: text))
        try learning.record(
            [CommittedWord(text: text, keys: keys, previous: previous, wasChosen: chosen)], language: "en")
    }

    private func words(_ keys: String, language: String = "en") throws -> [String] {
        try learning.words(for: Array(keys.utf8), language: language).map(\.text)
    }

    private func words(_ keys: String, after previous: String) throws -> [String] {
        try learning.words(for: Array(keys.utf8), after: previous, language: "en").map(\.text)
    }

    @Test("Words accepted as offered are not learned")
    func empty() throws {
        #expect(try words("3673").isEmpty)
        try record("fore")
        #expect(try words("3673").isEmpty)
    }

    @Test("One choice ranks a word before a frequently used one")
    func firstChoice() throws {
        try record("ford", chosen: true)
        for _ in 0..<9 { try record("ford") }
        #expect(try words("3673") == ["ford"])
        try record("dose", chosen: true)
        #expect(try words("3673") == ["dose", "ford"])
    }

    @Test("After the first choice words rank by uses, then by the latest use")
    func laterChoices() throws {
        try record("ford", chosen: true)
        try record("dose", chosen: true)
        try record("ford", chosen: true)
        #expect(try words("3673") == ["ford", "dose"])
        for _ in 0..<5 { try record("ford") }
        try record("dose", chosen: true)
        #expect(try words("3673") == ["ford", "dose"])
        for _ in 0..<5 { try record("dose", chosen: true) }
        #expect(try words("3673") == ["dose", "ford"])
    }

    @Test("Complete words come before longer ones, and 1 matches an apostrophe")
    func completions() throws {
        try record("felix", chosen: true)
        try record("fel", chosen: true)
        try record("fel", chosen: true)
        try record("don't", chosen: true)
        #expect(try words("33549") == ["felix"])
        #expect(try words("3354") == ["felix"])
        #expect(try words("335") == ["fel", "felix"])
        #expect(try words("3668") == ["don't"])
        #expect(try words("36618") == ["don't"])
        #expect(try words("36681").isEmpty)
        #expect(try words("336").isEmpty)
    }

    @Test("Pairs rank by the previous word, choices first")
    func following() throws {
        try record("fore", after: "the")
        try record("fore", after: "the")
        #expect(try words("3673", after: "the") == ["fore"])
        #expect(try words("3673", after: "a").isEmpty)
        try record("ford", after: "the", chosen: true)
        #expect(try words("3673", after: "the") == ["ford", "fore"])
        #expect(try learning.suggestions(after: "the", language: "en").map(\.text) == ["ford", "fore"])
        #expect(try learning.suggestions(after: "the", language: "es").isEmpty)
    }

    @Test("Languages are separate")
    func languages() throws {
        try record("ford", chosen: true)
        #expect(try words("3673", language: "es").isEmpty)
        #expect(try learning.words(language: "en") == ["ford"])
    }

    @Test("Nothing is recorded while learning is off, but words can be added")
    func off() throws {
        #expect(try learning.isOn())
        try learning.setOn(false)
        #expect(try !learning.isOn())
        try record("ford", after: "the", chosen: true)
        #expect(try words("3673").isEmpty)
        try learning.add("zyxel", language: "en")
        #expect(try words("99935") == ["zyxel"])
        try learning.setOn(true)
        try record("ford", chosen: true)
        #expect(try words("3673") == ["ford"])
    }

    @Test("A forgotten word is deleted with its pairs; an unknown word is an error")
    func forgetting() throws {
        try record("ford", after: "the", chosen: true)
        try record("car", after: "ford")
        try learning.forget("ford", language: "en")
        #expect(try words("3673").isEmpty)
        #expect(try words("3673", after: "the").isEmpty)
        #expect(try learning.suggestions(after: "ford", language: "en").isEmpty)
        #expect(throws: KeypadLearningError.notLearned("ford")) { try learning.forget("ford", language: "en") }
        try record("ford", chosen: true)
        try learning.forgetAll()
        #expect(try words("3673").isEmpty)
    }

    @Test("Only a word with keys can be added", arguments: ["", " ", "two words", "١٢", "!?", "mp0", "🙂"])
    func noWords(word: String) throws {
        #expect(throws: KeypadLearningError.notAWord(word)) { try learning.add(word, language: "en") }
    }

    @Test("Old pairs are deleted")
    func expiry() throws {
        let learning = KeypadLearning(
            storage: try Storage.inMemory(migrations: [KeypadLearning.migrations]), pairLifetime: 10)
        func type(_ word: String, after previous: String) throws {
            let keys = try #require(wordKeys(of: word))
            try learning.record(
                [CommittedWord(text: word, keys: keys, previous: previous, wasChosen: false)], language: "en")
        }
        try type("old", after: "the")
        for _ in 0..<10 { try type("new", after: "a") }
        #expect(try learning.suggestions(after: "the", language: "en").map(\.text) == ["old"])
        try type("new", after: "a")
        #expect(try learning.suggestions(after: "the", language: "en").isEmpty)
    }

    @Test("Learned words are stored in the file")
    func persistence() throws {
        let path = "/tmp/keypad-learning-\(UInt64.random(in: 0 ... .max)).sqlite"
        let file = try Storage(at: path, migrations: [KeypadLearning.migrations])
        try KeypadLearning(storage: file).add("ford", language: "en")
        file.close()
        let again = try Storage(at: path, migrations: [KeypadLearning.migrations])
        defer { again.close() }
        #expect(
            try KeypadLearning(storage: again).words(for: Array("3673".utf8), language: "en").map(\.text) == ["ford"])
    }
}
