import Foundation

/// A contact's name as typed: its words in lower case, with diacritics, symbols and emoji.
///
/// "Mom ❤️" and "Mom 🐝", "Hoà" and "Hoá", "C++" and "C#" are different names; "ANA  LIMA" and "Ana Lima" are one.
/// Without a full name, the nickname or the organization is used instead.
struct NameAsTyped: Hashable {
    /// The words in order; empty without a name. Swift compares them by canonical equivalence.
    let words: [String]

    /// The words in order, separated by spaces.
    var text: String { words.joined(separator: " ") }

    init(_ contact: Contact) {
        let whole = [contact.fullName, contact.nickname, contact.organization].first { !$0.isEmpty } ?? ""
        let words = NameAsTyped.words(of: whole)
        guard whole.contains(","), whole == contact.fullName else {
            self.words = words
            return
        }
        // "Lima, Ana" is the sorting form of "Ana Lima".
        let composed = NameAsTyped.words(of: contact.name.composed)
        let isSortingForm = NameAsTyped.withoutPunctuation(words).sorted() == composed.sorted()
        self.words = isSortingForm ? composed : words
    }

    init(_ name: String) { words = NameAsTyped.words(of: name) }

    private static func words(of name: String) -> [String] {
        name.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    }

    private static func withoutPunctuation(_ words: [String]) -> [String] {
        words.map { word in
            let stripped = word.trimmingCharacters(in: [",", "."])
            return stripped.isEmpty ? word : stripped
        }
    }

    /// Returns `true` if another name contains this one: each word is a word of the other name or the initial of one,
    /// such as "J. Smith" and "Smith, John" beside "John A. Smith".
    func isContained(in other: NameAsTyped) -> Bool {
        let (mine, theirs) = (NameAsTyped.withoutPunctuation(words), NameAsTyped.withoutPunctuation(other.words))
        return NameAsTyped.isContained(mine, in: theirs)
    }

    /// Returns `true` if each word is one of the others or the initial of one, at least one is a whole word, and no
    /// other word consists of symbols: "Mom" is not contained in "Mom ❤️".
    static func isContained(_ words: [String], in others: [String]) -> Bool {
        var rest = others
        var wholeWords = 0
        for word in words {
            // A Han character or a hangul syllable is a word, not an initial.
            let isLetter = word.unicodeScalars.count == 1 && word.utf8.count < 3
            if let index = rest.firstIndex(of: word) {
                rest.remove(at: index)
                if !isLetter { wholeWords += 1 }
            } else if isLetter, let index = rest.firstIndex(where: { $0.hasPrefix(word) }) {
                rest.remove(at: index)
            } else {
                return false
            }
        }
        return wholeWords > 0 && rest.allSatisfy { $0.contains { $0.isLetter || $0.isNumber } }
    }
}
