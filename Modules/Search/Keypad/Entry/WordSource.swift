/// Where text entry gets its words from: a list alone, or one together with what a person has typed before.
public protocol WordSource {
    /// The language, as a code of ISO 639-1.
    var language: String { get }

    /// The words of some keys, those that are spelt whole first.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits from `2` to `9`, and `1` for an apostrophe.
    ///   - previous: the word before, if there is one in the same sentence.
    ///   - limit: how many at most.
    func candidates(for keys: [UInt8], after previous: String?, limit: Int) throws -> [WordCandidate]

    /// What was typed after a word, the most likely first.
    func suggestions(after previous: String, limit: Int) throws -> [WordCandidate]

    /// The letters on a key, in the order in which tapping walks them.
    func letters(on key: UInt8) -> [Character]
}

extension WordList: WordSource {
    /// The words of some keys, whatever came before.
    public func candidates(for keys: [UInt8], after previous: String?, limit: Int) -> [WordCandidate] {
        candidates(for: keys, limit: limit)
    }

    /// None: a list remembers nothing.
    public func suggestions(after previous: String, limit: Int) -> [WordCandidate] { [] }
}

/// The keys that type a word, without those of its apostrophes; nil if there is a letter that no key of a letter types, or no letter
/// at all.
///
/// For example, "don't" is `3668`.
///
/// - Complexity: O(*n*) in the letters.
public func wordKeys(of word: String) -> [UInt8]? {
    guard word.contains(where: \.isLetter),
        !word.contains(where: { $0.isWhitespace || $0.wholeNumberValue == 0 || $0.wholeNumberValue == 1 })
    else { return nil }
    let keys = digits(of: word).utf8.filter { $0 != UInt8(ascii: "1") }
    guard !keys.isEmpty, keys.count <= WordList.longestWord,
        keys.allSatisfy({ (UInt8(ascii: "2")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return keys
}
