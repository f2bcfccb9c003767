import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardStorage
import Testing

@Suite("What is learnt from typing")
struct KeypadLearningTests {
    let learning: KeypadLearning

    init() throws {
        learning = KeypadLearning(storage: try Storage.inMemory(migrations: [KeypadLearning.migrations]))
    }

    private func end(_ text: String, after previous: String? = nil, chosen: Bool = false) throws {
        let keys = try #require(wordKeys(of: text))
        try learning.record(
            [EndedWord(text: text, keys: keys, previous: previous, wasChosen: chosen)], language: "en")
    }

    private func words(_ keys: String, language: String = "en") throws -> [String] {
        try learning.words(for: Array(keys.utf8), language: language).map(\.text)
    }

    private func words(_ keys: String, after previous: String) throws -> [String] {
        try learning.words(for: Array(keys.utf8), after: previous, language: "en").map(\.text)
    }

    @Test("Nothing is known at first, and what is taken as offered is nothing to be learnt")
    func empty() throws {
        #expect(try words("3673").isEmpty)
        try end("fore")
        #expect(try words("3673").isEmpty)
    }

    @Test("One choice is enough, also against a word that was used often")
    func firstChoice() throws {
        try end("ford", chosen: true)
        for _ in 0..<9 { try end("ford") }
        #expect(try words("3673") == ["ford"])
        try end("dose", chosen: true)
        #expect(try words("3673") == ["dose", "ford"])
    }

    @Test("After its first choice a word counts by its uses, and of equal ones the later comes first")
    func laterChoices() throws {
        try end("ford", chosen: true)
        try end("dose", chosen: true)
        try end("ford", chosen: true)
        #expect(try words("3673") == ["ford", "dose"])
        for _ in 0..<5 { try end("ford") }
        try end("dose", chosen: true)
        #expect(try words("3673") == ["ford", "dose"])
        for _ in 0..<5 { try end("dose", chosen: true) }
        #expect(try words("3673") == ["dose", "ford"])
    }

    @Test("Words that go on come after those that are whole; an apostrophe is where the 1 is")
    func completions() throws {
        try end("felix", chosen: true)
        try end("fel", chosen: true)
        try end("fel", chosen: true)
        try end("don't", chosen: true)
        #expect(try words("33549") == ["felix"])
        #expect(try words("3354") == ["felix"])
        #expect(try words("335") == ["fel", "felix"])
        #expect(try words("3668") == ["don't"])
        #expect(try words("36618") == ["don't"])
        #expect(try words("36681").isEmpty)
        #expect(try words("336").isEmpty)
    }

    @Test("What followed a word is known by that word, a choice before what was merely taken")
    func following() throws {
        try end("fore", after: "the")
        try end("fore", after: "the")
        #expect(try words("3673", after: "the") == ["fore"])
        #expect(try words("3673", after: "a").isEmpty)
        try end("ford", after: "the", chosen: true)
        #expect(try words("3673", after: "the") == ["ford", "fore"])
        #expect(try learning.suggestions(after: "the", language: "en").map(\.text) == ["ford", "fore"])
        #expect(try learning.suggestions(after: "the", language: "es").isEmpty)
    }

    @Test("Each language learns by itself")
    func languages() throws {
        try end("ford", chosen: true)
        #expect(try words("3673", language: "es").isEmpty)
        #expect(try learning.words(language: "en") == ["ford"])
    }

    @Test("While it is off nothing is learnt, but words can be added")
    func off() throws {
        #expect(try learning.isOn())
        try learning.setOn(false)
        #expect(try !learning.isOn())
        try end("ford", after: "the", chosen: true)
        #expect(try words("3673").isEmpty)
        try learning.add("zyxel", language: "en")
        #expect(try words("99935") == ["zyxel"])
        try learning.setOn(true)
        try end("ford", chosen: true)
        #expect(try words("3673") == ["ford"])
    }

    @Test("What is forgotten is gone, with what it stood beside; what was never learnt is an error")
    func forgetting() throws {
        try end("ford", after: "the", chosen: true)
        try end("car", after: "ford")
        try learning.forget("ford", language: "en")
        #expect(try words("3673").isEmpty)
        #expect(try words("3673", after: "the").isEmpty)
        #expect(try learning.suggestions(after: "ford", language: "en").isEmpty)
        #expect(throws: KeypadLearningError.notLearnt("ford")) { try learning.forget("ford", language: "en") }
        try end("ford", chosen: true)
        try learning.forgetAll()
        #expect(try words("3673").isEmpty)
    }

    @Test("Only a word that keys type can be added", arguments: ["", " ", "two words", "١٢", "!?", "mp0", "🙂"])
    func noWords(word: String) throws {
        #expect(throws: KeypadLearningError.notAWord(word)) { try learning.add(word, language: "en") }
    }

    @Test("What followed is forgotten when many words have come since")
    func memory() throws {
        let learning = KeypadLearning(
            storage: try Storage.inMemory(migrations: [KeypadLearning.migrations]), memory: 10)
        func type(_ word: String, after previous: String) throws {
            let keys = try #require(wordKeys(of: word))
            try learning.record(
                [EndedWord(text: word, keys: keys, previous: previous, wasChosen: false)], language: "en")
        }
        try type("old", after: "the")
        for _ in 0..<10 { try type("new", after: "a") }
        #expect(try learning.suggestions(after: "the", language: "en").map(\.text) == ["old"])
        try type("new", after: "a")
        #expect(try learning.suggestions(after: "the", language: "en").isEmpty)
    }

    @Test("It survives: another opening of the same file knows it")
    func survival() throws {
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
