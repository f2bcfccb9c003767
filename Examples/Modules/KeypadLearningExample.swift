import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage
import SwitchboardTesting

func keypadLearning(_ store: TemporaryStore) throws {
    let file = store.database
    guard let list = KeypadWords.list(for: "en") else { return }
    let storage = try Storage(at: file, migrations: [KeypadLearning.migrations])
    let learning = KeypadLearning(storage: storage)
    var entry = TextEntry(words: PersonalWords(list, learning: { learning }))
    for key in try EntryKey.keys("3673*0") { try entry.press(key) }  // the second word for 3673, then a space
    try learning.record(entry.takeCommittedWords(), language: "en")
    print(try learning.words(for: Array("3673".utf8), language: "en").map(\.text))  // now ranks first
}
