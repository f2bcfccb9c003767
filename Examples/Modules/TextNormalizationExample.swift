import SwitchboardTextNormalization

func textFolding() throws {
    let text = FoldedText("Юрий Жуков")
    for word in text.words {
        print(word.spellings.map { String(decoding: $0.letters, as: UTF16.self) })
    }
}
