public import SwitchboardTextNormalization

/// The keys that spell a word, one digit for each letter of one of its spellings.
public struct KeypadSpelling: Sendable, Hashable {
    /// The keys as ASCII digits: `2`…`9` for letters, and the digits of the word itself. Key *i* types letter *i* of
    /// the spelling; `FoldedSpelling.source(of:)` returns the range to highlight.
    public let digits: [UInt8]

    /// The index in `FoldedWord.spellings`.
    public let spelling: Int
}

/// Returns the keys that spell a word in its own script, in every matching layout, and in Latin.
///
/// The result has tracks like `FoldedWord.spellings`: element *t* is followed by element min(*t*, count − 1) of the
/// next word. A Cyrillic word has two tracks in its own script, by the common layout of Russian, Ukrainian and
/// Bulgarian and by the Serbian one (or the first again if that lacks a letter), followed by the Latin tracks. In a
/// word of mixed alphabets, each letter uses its own layout. Spellings in scripts without a layout (Han, kana, Hangul,
/// …) are omitted; their romanizations remain.
///
/// - Complexity: O(*n*) in the letters of all spellings.
public func keypadSpellings(of word: FoldedWord) -> [KeypadSpelling] {
    var result: [KeypadSpelling] = []
    for (index, spelling) in word.spellings.enumerated() {
        var common: [UInt8] = []
        var serbian: [UInt8] = []
        var isCyrillic = false
        var isSerbian = true
        var isCovered = true
        common.reserveCapacity(spelling.letters.count)
        for letter in spelling.letters {
            guard let key = KeypadLayout.key(for: letter) else {
                isCovered = false
                break
            }
            common.append(key)
            guard letter >= 0x400, letter < 0x530 else { continue }
            if !isCyrillic { serbian = Array(common.dropLast()) }
            isCyrillic = true
            if let key = KeypadLayout.serbianKey(for: letter) { serbian.append(key) } else { isSerbian = false }
        }
        guard isCovered else { continue }
        result.append(KeypadSpelling(digits: common, spelling: index))
        guard isCyrillic else { continue }
        let isComplete = isSerbian && serbian.count == common.count
        result.append(KeypadSpelling(digits: isComplete ? serbian : common, spelling: index))
    }
    while result.count > 1, result[result.count - 1].digits == result[result.count - 2].digits {
        result.removeLast()
    }
    return result
}

/// Returns the keys that type a text: each word in the layout of its script, or in Latin if it has none, `0` between
/// words and `1` for punctuation.
///
/// For example, "Rio Grande" is `7460472633` and "O'Connor" is `61266667`.
///
/// Leading and trailing punctuation and words without keys are omitted.
///
/// - Complexity: O(*n*) in the scalars of the text.
public func digits(of text: String) -> String {
    var result = ""
    for word in FoldedText(text).words {
        guard let keys = keypadSpellings(of: word).first?.digits else { continue }
        if !result.isEmpty {
            if word.precededByPunctuation { result += "1" }
            if word.precededBySpace || word.boundary == .separator { result += "0" }
        }
        result += String(decoding: keys, as: UTF8.self)
    }
    return result
}
