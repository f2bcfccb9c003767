import ContactBook
public import KeypadInput
import KeypadLearning

/// The words of a language together with what one person has typed, and with the names of their contacts.
///
/// What cannot be there costs nothing: without a database only the list is asked.
public struct PersonalWords: WordSource {
    private let list: WordList
    private let switchboard: Switchboard

    init(_ list: WordList, of switchboard: Switchboard) {
        self.list = list
        self.switchboard = switchboard
    }

    /// The language of the list.
    public var language: String { list.language }

    /// The letters on a key.
    public func letters(on key: UInt8) -> [Character] { list.letters(on: key) }

    /// The words of some keys: what followed the word before, what was learnt, what the list has, names.
    ///
    /// - Throws: `StorageError`.
    public func candidates(for keys: [UInt8], after previous: String?, limit: Int) throws -> [WordCandidate] {
        let listed = list.candidates(for: keys, limit: limit)
        guard switchboard.hasDatabase else { return listed }
        let learning = try switchboard.keypadLearning
        let few = limit == 0 ? Int.max : limit
        let learned = try learning.words(for: keys, language: language, limit: few).map(withFrequency)
        let following =
            try previous.map { try learning.words(for: keys, after: $0, language: language, limit: few) } ?? []
        return WordCandidate.merged(
            following: following.map(withFrequency), learned: learned, listed: listed, names: try names(for: keys),
            limit: few)
    }

    /// What was typed after a word.
    ///
    /// - Throws: `StorageError`.
    public func suggestions(after previous: String, limit: Int) throws -> [WordCandidate] {
        guard switchboard.hasDatabase else { return [] }
        return try switchboard.keypadLearning.suggestions(after: previous, language: language, limit: limit)
    }

    /// A word with the frequency that the list has for it, if it does.
    private func withFrequency(_ candidate: WordCandidate) -> WordCandidate {
        guard let keys = wordKeys(of: candidate.text) else { return candidate }
        var candidate = candidate
        let known = list.candidates(for: keys, limit: 30).first { $0.text == candidate.text && $0.isWhole }
        candidate.frequency = known?.frequency ?? 0
        return candidate
    }

    // MARK: - Names

    /// How many contacts are asked for their names.
    private static let people = 20

    /// The names of contacts that begin with some keys, of the most used contacts first.
    private func names(for keys: [UInt8]) throws -> [WordCandidate] {
        let letters = keys.filter { $0 != UInt8(ascii: "1") }
        // One key begins the names of a good part of all people.
        guard letters.count > 1, letters.count <= WordList.longestWord else { return [] }
        let query = try KeypadQuery(parsing: String(decoding: letters, as: UTF8.self))
        var names: [WordCandidate] = []
        for hit in try switchboard.contactSearch.dial(query, limit: Self.people) {
            let contact = hit.contact
            let name = contact.name
            let fields = [name.given, name.middle, name.family, contact.nickname, contact.displayName]
            for word in fields.flatMap({ $0.split(whereSeparator: \.isWhitespace) }).map(String.init) {
                guard let typed = wordKeys(of: word), typed.starts(with: letters),
                    letters.count == keys.count || digits(of: word).utf8.starts(with: keys)
                else { continue }
                names.append(WordCandidate(text: word, isWhole: typed == letters))
            }
        }
        return names
    }
}
