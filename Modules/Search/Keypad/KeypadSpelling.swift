public import SwitchboardTextNormalization

/// A word as the keys that spell it, one digit for each letter of one of its spellings.
public struct KeypadSpelling: Sendable, Hashable {
    /// The keys as ASCII digits: `2`…`9` for letters, any digit for a digit in the name. Key *i* types letter *i* of
    /// the spelling, so that `FoldedSpelling/source(of:)` tells what to highlight.
    public let digits: [UInt8]

    /// Which of `FoldedWord/spellings` the keys spell.
    public let spelling: Int

    /// Whether an earlier spelling of the word has the same keys, and this one is there only to keep the tracks of
    /// words aligned. An index of single words skips it.
    public let isRepetition: Bool
}

/// The keys that spell a word, in its own script by every national layout that has its letters, and in Latin.
///
/// The result is in tracks, as `FoldedWord/spellings` is: what comes at *t* goes on with min(*t*, count − 1) in the
/// next word. A Cyrillic word has two tracks of its own script, by the layout that Russian, Ukrainian and Bulgarian
/// agree on and by the Serbian one (or the first again if that lacks a letter), then the Latin ones. Letters of two
/// alphabets in one word go each by its own layout. A spelling with letters on no key (han, kana, hangul and the
/// scripts without a layout) is left out; its Latin ones remain.
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
        append(common, of: index, to: &result)
        if isCyrillic { append(isSerbian && serbian.count == common.count ? serbian : common, of: index, to: &result) }
    }
    while result.count > 1, result[result.count - 1].digits == result[result.count - 2].digits {
        result.removeLast()
    }
    return result
}

private func append(_ digits: [UInt8], of spelling: Int, to result: inout [KeypadSpelling]) {
    let isRepetition = result.contains { $0.digits == digits }
    result.append(KeypadSpelling(digits: digits, spelling: spelling, isRepetition: isRepetition))
}

/// The keys a person would press for a text: each word by the layout of its script (Latin where it has none), `0` for
/// the gap between words, `1` for punctuation inside the text.
///
/// For example, "Rio Grande" is `7460472633` and "O'Connor" is `61266667`.
///
/// Punctuation before the first and after the last word is left out, as are words no key can type.
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
