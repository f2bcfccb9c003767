public import SwitchboardKeypad

/// A word source that combines a word list with learned words and names.
///
/// For example:
///
/// ```swift
/// var entry = TextEntry(words: PersonalWords(list, learning: { learning }))
/// ```
///
/// Without learned words and names, only the list is searched.
public struct PersonalWords: WordSource {
    /// The word list.
    public let list: WordList

    private let learning: () throws -> KeypadLearning?
    private let names: ([UInt8]) throws -> [WordCandidate]

    /// Creates a word source.
    ///
    /// - Parameters:
    ///   - list: The words of the language.
    ///   - learning: Returns the learned words. Called for each search, since the database may be created while typing.
    ///   - names: Returns the names that begin with the given keys, the most likely first.
    public init(
        _ list: WordList, learning: @escaping () throws -> KeypadLearning?,
        names: @escaping ([UInt8]) throws -> [WordCandidate] = { _ in [] }
    ) {
        self.list = list
        self.learning = learning
        self.names = names
    }

    /// The language code of the list.
    public var language: String { list.language }

    /// Returns the letters on a key in multi-tap order.
    public func letters(on key: UInt8) -> [Character] { list.letters(on: key) }

    /// Returns the words for the given keys, in the order of
    /// `WordCandidate.merged(following:learned:listed:names:limit:)`.
    ///
    /// Words that are not among the first `limit` words of the list have no frequency.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits from `2` to `9`, and `1` for an apostrophe.
    ///   - previous: The previous word.
    ///   - limit: The maximum number of words; 0 for all.
    /// - Throws: `StorageError`.
    public func candidates(for keys: [UInt8], after previous: String?, limit: Int) throws -> [WordCandidate] {
        let listed = list.candidates(for: keys, after: previous, limit: limit)
        let names = try names(keys)
        guard let learning = try learning() else {
            if names.isEmpty { return listed }
            return WordCandidate.merged(following: [], learned: [], listed: listed, names: names, limit: limit)
        }
        let limitOrAll = limit == 0 ? Int.max : limit
        let following =
            try previous.map { try learning.words(for: keys, after: $0, language: language, limit: limitOrAll) } ?? []
        let learned = try learning.words(for: keys, language: language, limit: limitOrAll)
        return WordCandidate.merged(following: following, learned: learned, listed: listed, names: names, limit: limit)
    }

    /// Returns the words typed after another one, then the suggestions of the list.
    public func suggestions(after previous: String, limit: Int) throws -> [WordCandidate] {
        let listed = list.suggestions(after: previous, limit: limit)
        guard let learning = try learning() else { return listed }
        let typed = try learning.suggestions(after: previous, language: language, limit: limit)
        return WordCandidate.merged(following: typed, learned: [], listed: listed, names: [], limit: limit)
    }

    /// Returns a word with its frequency in the list, if it is listed.
    public func withFrequency(_ candidate: WordCandidate) -> WordCandidate {
        guard candidate.frequency == 0, let keys = wordKeys(of: candidate.text) else { return candidate }
        var candidate = candidate
        let known = list.candidates(for: keys, limit: 30).first { $0.isWhole && $0.text == candidate.text }
        candidate.frequency = known?.frequency ?? 0
        return candidate
    }
}
