import KeypadInput
import LookupEngine
import TextFolding

/// The lanes of the contact index, and what of a contact stands in each.
///
/// What goes in and what comes out must agree on every ordinal: the index names matches by field, word and spelling,
/// and the highlighter turns them back into letters of the contact. Both therefore ask the same function,
/// ``fields(of:lane:)``.
enum ContactLane: Int, CaseIterable {
    /// Names as keys: display name, nickname, phonetic name, organisation. (The family name first is the same words
    /// in another order.)
    case keypadNames
    /// The readings of every number.
    case numbers
    /// The same texts as letters.
    case names
    /// What else is said about somebody: e-mail addresses, notes.
    case details

    var options: LaneOptions {
        switch self {
        case .keypadNames, .names, .details: [.runs, .starts, .infix, .typos]
        case .numbers: [.runs, .infixByRecord]
        }
    }
}

/// A field of a contact in a lane: where it comes from, and its words.
struct LaneField {
    /// What the field is made of.
    enum Source: Equatable {
        /// An entry of the contact's tokens, by position.
        case text(Int)
        /// One of its numbers, by position.
        case number(Int)
    }

    struct Word {
        /// The position of the word in the folded text.
        var word: Int
        /// The letters of each spelling.
        var spellings: [[UInt16]]
        /// For each spelling, which of the folded word's it is.
        var origins: [Int]
        /// How many spellings are searched inside.
        var infixSpellings = Int.max
    }

    var source: Source
    var words: [Word]
}

extension ContactLane {
    /// The fields of a contact in this lane, in order.
    func fields(_ tokens: ContactTokens, _ numbers: [PhoneNumber]) -> [LaneField] {
        switch self {
        case .keypadNames:
            return texts(tokens) { $0.isName }.compactMap { entry, text in
                field(entry, text) { word in
                    let keys = keypadSpellings(of: word)
                    return (keys.map { $0.digits.map(UInt16.init) }, keys.map(\.spelling))
                }
            }
        case .names:
            return texts(tokens) { $0.isName }.compactMap { field($0, $1, ContactLane.letters) }
        case .numbers:
            return numbers.indices.compactMap { ContactLane.number(numbers[$0], $0) }
        case .details:
            return texts(tokens) { !$0.isName }.compactMap { field($0, $1, ContactLane.letters) }
        }
    }

    private func texts(
        _ tokens: ContactTokens, where isWanted: (ContactTokens.Field) -> Bool
    ) -> [(Int, FoldedText)] {
        tokens.entries.indices.filter { isWanted(tokens.entries[$0].field) }.map { ($0, tokens.entries[$0].text) }
    }

    private func field(
        _ entry: Int, _ text: FoldedText, _ spellings: (FoldedWord) -> ([[UInt16]], [Int])
    ) -> LaneField? {
        var words: [LaneField.Word] = []
        for (number, word) in text.words.enumerated() {
            let (letters, origins) = spellings(word)
            if letters.isEmpty { continue }
            words.append(LaneField.Word(word: number, spellings: letters, origins: origins))
        }
        return words.isEmpty ? nil : LaneField(source: .text(entry), words: words)
    }

    private static func letters(of word: FoldedWord) -> ([[UInt16]], [Int]) {
        (word.spellings.map(\.letters), Array(word.spellings.indices))
    }

    /// One word whose spellings are the ways to write the number; the inside of the international digits alone is
    /// searched.
    private static func number(_ number: PhoneNumber, _ position: Int) -> LaneField? {
        let readings = PhoneReading.all(of: number)
        guard !readings.isEmpty else { return nil }
        let word = LaneField.Word(
            word: 0, spellings: readings.map { Array($0.letters.utf16) }, origins: Array(readings.indices),
            infixSpellings: 1)
        return LaneField(source: .number(position), words: [word])
    }
}

extension ContactTokens.Field {
    /// Whether the field says who somebody is, rather than something about them.
    var isName: Bool {
        switch self {
        case .displayName, .nickname, .phoneticName, .organization: true
        case .email, .note: false
        }
    }
}

/// A way to write a number, for the index: international with its `+` first (the one that is searched inside), then
/// national, then with the trunk prefix. Other ways to type a number are made of these by ``SearchPlan``.
struct PhoneReading {
    var letters: String

    static func all(of number: PhoneNumber) -> [PhoneReading] {
        number.searchReadings.map { PhoneReading(letters: $0) }
    }
}
