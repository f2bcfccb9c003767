import SwitchboardTextNormalization

extension FoldedSpelling {
    var text: String { String(decoding: letters, as: UTF16.self) }
}

/// Returns the spellings of each word of a text.
func spellings(_ text: String, transliterating: Bool = true) -> [[String]] {
    FoldedText(text, transliterating: transliterating).words.map { $0.spellings.map(\.text) }
}

/// Returns the folded words of a text in their own script.
func words(_ text: String) -> [String] {
    spellings(text, transliterating: false).map { $0.first ?? "" }
}

/// Returns the spellings of a text without gaps, by track.
func joinedSpellings(_ text: String) -> Set<String> {
    let words = FoldedText(text).words
    let tracks = words.map(\.spellings.count).max() ?? 0
    return Set(
        (0..<tracks).map { track in
            words.map { $0.spellings[min(track, $0.spellings.count - 1)].text }.joined()
        })
}
