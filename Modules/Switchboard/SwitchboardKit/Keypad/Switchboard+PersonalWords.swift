import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardKeypadLearning

extension Switchboard {
    /// Returns a word list extended by the user's learnt words and the names of their contacts; without a database, the
    /// list alone.
    func personalWords(_ list: WordList) -> PersonalWords {
        PersonalWords(
            list, learning: { self.hasDatabase ? try self.keypadLearning : nil },
            names: { self.hasDatabase ? try self.names(for: $0) : [] })
    }

    /// Returns the names of contacts that begin with keys, those of the most used contacts first.
    private func names(for keys: [UInt8]) throws -> [WordCandidate] {
        let letters = keys.filter { $0 != UInt8(ascii: "1") }
        // One key would match too many names.
        guard letters.count > 1, letters.count <= WordList.longestWord else { return [] }
        let input = try SearchInput(keys: String(decoding: letters, as: UTF8.self))
        var names: [WordCandidate] = []
        // Search no more contacts than can be shown.
        for hit in try contactSearch.search(input, limit: 20).hits {
            let name = hit.person.name
            let fields = [name.given, name.middle, name.family, hit.person.nickname, hit.person.displayName]
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
