/// What a person typed, as words in order, each with its alternatives (müller: muller, mueller).
public struct SearchQuery: Sendable, Hashable {
    /// At most this many combinations of alternatives are tried.
    public static let maxExpansions = 8
    /// The words; a keypad query without a typed gap is one word.
    public var words: [[[UInt16]]]

    /// A query of words with their alternatives; empty alternatives are ignored.
    public init(words: [[[UInt16]]]) {
        self.words = words.map { $0.filter { !$0.isEmpty } }.filter { !$0.isEmpty }
    }

    /// A query of plain words, each UTF-16 code unit a letter.
    public init(_ words: [String]) { self.init(words: words.map { [Array($0.utf16)] }) }
}
