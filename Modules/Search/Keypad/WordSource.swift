import Foundation

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

/// A word that matches a sequence of keys. Its JSON is `{"word", "frequency", "learned"}`.
public struct WordCandidate: Sendable, Hashable, Encodable {
    /// The word.
    public var text: String
    /// The share of the word in running text, from 0 to 1; 0 if unknown.
    public var frequency: Double
    /// `true` if the keys spell the complete word, `false` if they spell a prefix.
    public var isWhole: Bool
    /// Indicates that the word was chosen or added by the user.
    public var isLearned: Bool

    private enum CodingKeys: String, CodingKey { case text = "word", frequency, isLearned = "learned" }

    /// Creates a candidate.
    public init(text: String, frequency: Double = 0, isWhole: Bool, isLearned: Bool = false) {
        self.text = text
        self.frequency = frequency
        self.isWhole = isWhole
        self.isLearned = isLearned
    }

    /// Returns the share in running text for a cost, rounded to the three digits of the source.
    static func frequency(cost: UInt16) -> Double {
        // No word is rarer. The limit keeps the costs of a corrupt list finite.
        let cost = min(Double(cost), 2_000)
        let exact = pow(10, -cost / 100)
        let digits = pow(10, 3 + (cost / 100).rounded(.down))
        return (exact * digits).rounded() / digits
    }
}

extension WordCandidate {
    /// Merges the candidates of several sources without duplicates.
    ///
    /// Complete words come before longer ones. Complete words are ordered by source: following, learned, listed, names.
    /// Longer ones likewise, except that names precede listed words.
    ///
    /// - Parameters:
    ///   - following: Words typed after the previous word, the most likely first.
    ///   - learned: Words chosen or added by the user, the most likely first.
    ///   - listed: Words of the list, the most frequent first.
    ///   - names: Names of contacts, the most likely first.
    ///   - limit: The maximum number of candidates; 0 for all.
    /// - Complexity: O(*n*) in all candidates.
    public static func merged(
        following: [WordCandidate], learned: [WordCandidate], listed: [WordCandidate], names: [WordCandidate],
        limit: Int
    ) -> [WordCandidate] {
        if following.isEmpty, learned.isEmpty, names.isEmpty {
            return limit == 0 ? listed : Array(listed.prefix(limit))
        }
        let whole = [following, learned, listed, names].flatMap { $0.filter(\.isWhole) }
        let longer = [following, learned, names, listed].flatMap { $0.filter { !$0.isWhole } }
        let learnedTexts = Set(learned.map(\.text))
        let frequencies = Dictionary(listed.map { ($0.text, $0.frequency) }) { first, _ in first }
        var seen: Set<String> = []
        var result: [WordCandidate] = []
        for candidate in whole + longer where limit == 0 || result.count < limit {
            guard seen.insert(candidate.text).inserted else { continue }
            var candidate = candidate
            candidate.isLearned = learnedTexts.contains(candidate.text)
            if let frequency = frequencies[candidate.text] { candidate.frequency = frequency }
            result.append(candidate)
        }
        return result
    }
}
