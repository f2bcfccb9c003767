import SwitchboardKeypad
import SwitchboardKeypadWords

func keypadWords() throws {
    if let list = KeypadWords.list(for: "en") {
        var entry = TextEntry(words: list)
        for key in try EntryKey.keys("#8430 3673*") { try entry.press(key) }
        print(try entry.text)  // The dose
    }
}
