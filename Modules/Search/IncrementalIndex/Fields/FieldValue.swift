public import SwitchboardSearchEngine
public import SwitchboardTextNormalization

/// A value of a document in a field of an index: its source and its words.
///
/// The index identifies matches by value, word and spelling. Indexing and highlighting must therefore use the same
/// values in the same order.
public struct FieldValue: Sendable {
    /// The source of a value.
    public enum Source: Sendable, Hashable {
        /// A text of the document, by position.
        case text(Int)
        /// A number of the document, by position.
        case number(Int)
    }

    /// A word of a value.
    public struct Word: Sendable {
        /// The position of the word in the folded text.
        public var position: Int
        /// The letters of each spelling.
        public var spellings: [[UInt16]]
        /// The number of each spelling in the folded word.
        public var origins: [Int]
        /// The number of spellings that can be searched inside.
        public var infixSpellings = Int.max
    }

    /// The source of the value.
    public var source: Source
    /// The words, in order.
    public var words: [Word]

    /// Creates a value of one word, such as a number in several formats. Only the first format can be searched inside.
    public init(number position: Int, formats: [String]) {
        source = .number(position)
        words = [
            Word(
                position: 0, spellings: formats.map { Array($0.utf16) }, origins: Array(formats.indices),
                infixSpellings: 1)
        ]
    }

    /// Creates a value from a text, or returns nil if it has no words with letters.
    ///
    /// - Parameters:
    ///   - position: The position of the text in the document.
    ///   - text: The folded text.
    ///   - spellings: Returns the letters of each spelling of a word, and the number of that spelling in the word.
    public init?(
        text position: Int, _ text: FoldedText,
        spellings: (FoldedWord) -> (letters: [[UInt16]], origins: [Int]) = FieldValue.letters
    ) {
        source = .text(position)
        words = []
        for (number, word) in text.words.enumerated() {
            let (letters, origins) = spellings(word)
            if !letters.isEmpty { words.append(Word(position: number, spellings: letters, origins: origins)) }
        }
        if words.isEmpty { return nil }
    }

    /// The spellings of a word as letters.
    public static func letters(of word: FoldedWord) -> (letters: [[UInt16]], origins: [Int]) {
        (word.spellings.map(\.letters), Array(word.spellings.indices))
    }
}

extension IndexBuilder {
    /// Adds a value to a field of the current document.
    public mutating func add(_ value: FieldValue, field: Int) {
        beginValue(field: field)
        for word in value.words { addWord(word.spellings, infixSpellings: word.infixSpellings) }
    }
}
