public import SwitchboardKeypad

/// The words of a language together with what one person has typed, and with names.
///
/// For example:
///
/// ```swift
/// var entry = TextEntry(words: PersonalWords(list, learning: { learning }))
/// ```
///
/// What is not there costs nothing: where nobody has learnt anything and nobody knows names only the list is asked.
public struct PersonalWords: WordSource {
    /// The list.
    public let list: WordList

    private let learning: () throws -> KeypadLearning?
    private let names: ([UInt8]) throws -> [WordCandidate]

    /// - Parameters:
    ///   - list: the words of the language.
    ///   - learning: what was learnt; asked each time, since a database may come to be while one types.
    ///   - names: the names that begin with some keys, the likeliest first.
    public init(
        _ list: WordList, learning: @escaping () throws -> KeypadLearning?,
        names: @escaping ([UInt8]) throws -> [WordCandidate] = { _ in [] }
    ) {
        self.list = list
        self.learning = learning
        self.names = names
    }

    /// The language of the list.
    public var language: String { list.language }

    /// The letters on a key.
    public func letters(on key: UInt8) -> [Character] { list.letters(on: key) }

    /// The words of some keys, in the order of `WordCandidate.merged(following:learned:listed:names:limit:)`. Those that the
    /// list would not offer among as many have no frequency.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits from `2` to `9`, and `1` for an apostrophe.
    ///   - previous: the word before, if there is one.
    ///   - limit: how many at most; 0 for all.
    /// - Throws: `StorageError`.
    public func candidates(for keys: [UInt8], after previous: String?, limit: Int) throws -> [WordCandidate] {
        let listed = list.candidates(for: keys, limit: limit)
        let names = try names(keys)
        guard let learning = try learning() else {
            if names.isEmpty { return listed }
            return WordCandidate.merged(following: [], learned: [], listed: listed, names: names, limit: limit)
        }
        let few = limit == 0 ? Int.max : limit
        let following =
            try previous.map { try learning.words(for: keys, after: $0, language: language, limit: few) } ?? []
        let learned = try learning.words(for: keys, language: language, limit: few)
        return WordCandidate.merged(
            following: following, learned: learned, listed: listed, names: names, limit: limit)
    }

    /// What was typed after a word.
    ///
    /// - Throws: `StorageError`.
    public func suggestions(after previous: String, limit: Int) throws -> [WordCandidate] {
        try learning()?.suggestions(after: previous, language: language, limit: limit) ?? []
    }

    /// A word with the frequency that the list has for it, if it has the word.
    public func withFrequency(_ candidate: WordCandidate) -> WordCandidate {
        guard candidate.frequency == 0, let keys = wordKeys(of: candidate.text) else { return candidate }
        var candidate = candidate
        let known = list.candidates(for: keys, limit: 30).first { $0.isWhole && $0.text == candidate.text }
        candidate.frequency = known?.frequency ?? 0
        return candidate
    }
}
