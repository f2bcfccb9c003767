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

/// A reproducible random number generator.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
