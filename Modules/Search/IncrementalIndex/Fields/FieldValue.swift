public import SwitchboardSearchEngine
public import SwitchboardTextNormalization

/// A value of a document in a field of an index: where it comes from, and its words.
///
/// What goes into an index and what comes out must agree on every ordinal: the index names matches by value, word and spelling, and they
/// are turned back into letters of a text. Both therefore ask for the same values.
public struct FieldValue: Sendable {
    /// What a value is made of.
    public enum Source: Sendable, Hashable {
        /// A text of the document, by position.
        case text(Int)
        /// One of its numbers, by position.
        case number(Int)
    }

    /// A word of a value.
    public struct Word: Sendable {
        /// The position of the word in the folded text.
        public var word: Int
        /// The letters of each spelling.
        public var spellings: [[UInt16]]
        /// For each spelling, which of the folded word's it is.
        public var origins: [Int]
        /// How many spellings are searched inside.
        public var infixSpellings = Int.max
    }

    /// Where the value comes from.
    public var source: Source
    /// Its words, in order.
    public var words: [Word]

    /// A value of one word, such as a number in several writings; the first of them alone is searched inside.
    public init(number position: Int, writings: [String]) {
        source = .number(position)
        words = [
            Word(
                word: 0, spellings: writings.map { Array($0.utf16) }, origins: Array(writings.indices),
                infixSpellings: 1)
        ]
    }

    /// The words of a text; nil if none has letters.
    ///
    /// - Parameters:
    ///   - position: which of the document's texts it is.
    ///   - text: the folded text.
    ///   - spellings: the letters of each spelling of a word, and which of the word's spellings they are.
    public init?(
        text position: Int, _ text: FoldedText,
        spellings: (FoldedWord) -> (letters: [[UInt16]], origins: [Int]) = FieldValue.letters
    ) {
        source = .text(position)
        words = []
        for (number, word) in text.words.enumerated() {
            let (letters, origins) = spellings(word)
            if !letters.isEmpty { words.append(Word(word: number, spellings: letters, origins: origins)) }
        }
        if words.isEmpty { return nil }
    }

    /// The letters of a word as they are typed.
    public static func letters(of word: FoldedWord) -> (letters: [[UInt16]], origins: [Int]) {
        (word.spellings.map(\.letters), Array(word.spellings.indices))
    }
}

extension IndexBuilder {
    /// Adds a value to a field of the document that was begun.
    public mutating func add(_ value: FieldValue, field: Int) {
        beginValue(field: field)
        for word in value.words { addWord(word.spellings, infixSpellings: word.infixSpellings) }
    }
}
