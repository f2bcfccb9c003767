/// A source of words for text entry, such as a ``WordList``.
public protocol WordSource {
    /// The ISO 639-1 code of the language.
    var language: String { get }

    /// Returns the words that match the keys, complete words before longer ones.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits from `2` to `9`, and `1` for an apostrophe.
    ///   - previous: The previous word of the same sentence.
    ///   - limit: The maximum number of words.
    func candidates(for keys: [UInt8], after previous: String?, limit: Int) throws -> [WordCandidate]

    /// Returns words that are likely to follow another word, the most likely first.
    func suggestions(after previous: String, limit: Int) throws -> [WordCandidate]

    /// Returns the letters on a key in multi-tap order.
    func letters(on key: UInt8) -> [Character]
}

extension WordList: WordSource {}

/// Returns the keys that type a word, without keys for apostrophes, or nil if the word contains no letters, or letters
/// without a key.
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
