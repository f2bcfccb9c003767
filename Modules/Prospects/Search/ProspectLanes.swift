import KeypadInput
import LookupEngine
import TextFolding

/// The lanes of the index of prospects, and what of a prospect stands in each.
///
/// What goes in and what comes out must agree on every ordinal: the index names matches by field, word and spelling, and the
/// highlighter turns them back into letters. Both therefore ask ``fields(_:_:)``.
enum ProspectLane: Int, CaseIterable {
    /// Names as keys: of the person and of the company.
    case keypadNames
    /// The writings of the number.
    case numbers
    /// The same texts as letters.
    case names
    /// What else is said about somebody: e-mail address, where they were met, note.
    case details

    var options: LaneOptions {
        switch self {
        case .keypadNames, .names, .details: [.runs, .starts, .infix, .typos]
        case .numbers: [.runs, .infix]
        }
    }

    /// A field in a lane: where it comes from, and its words.
    struct Field {
        /// What the field is made of.
        enum Source: Equatable {
            /// An entry of the tokens, by position.
            case text(Int)
            /// The phone number.
            case number
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

    /// The fields of a prospect in this lane, in order.
    ///
    /// - Parameter numbers: the writings of the phone number, the international one first.
    func fields(_ tokens: ProspectTokens, _ numbers: [String]) -> [Field] {
        switch self {
        case .keypadNames:
            texts(tokens, names: true) { word in
                let keys = keypadSpellings(of: word)
                return (keys.map { $0.digits.map(UInt16.init) }, keys.map(\.spelling))
            }
        case .names: texts(tokens, names: true, ProspectLane.letters)
        case .details: texts(tokens, names: false, ProspectLane.letters)
        case .numbers:
            // One word in several spellings; only the international digits are searched inside.
            numbers.isEmpty
                ? []
                : [
                    Field(
                        source: .number,
                        words: [
                            Field.Word(
                                word: 0, spellings: numbers.map { Array($0.utf16) }, origins: Array(numbers.indices),
                                infixSpellings: 1)
                        ])
                ]
        }
    }

    private func texts(
        _ tokens: ProspectTokens, names: Bool, _ spellings: (FoldedWord) -> ([[UInt16]], [Int])
    ) -> [Field] {
        tokens.entries.enumerated().compactMap { entry, text in
            guard text.field.isName == names else { return nil }
            let words = text.text.words.enumerated().compactMap { number, word -> Field.Word? in
                let (letters, origins) = spellings(word)
                return letters.isEmpty ? nil : Field.Word(word: number, spellings: letters, origins: origins)
            }
            return words.isEmpty ? nil : Field(source: .text(entry), words: words)
        }
    }

    private static func letters(of word: FoldedWord) -> ([[UInt16]], [Int]) {
        (word.spellings.map(\.letters), Array(word.spellings.indices))
    }
}
