/// The typed words in order, each with its alternatives (müller: muller, mueller).
public struct SearchQuery: Sendable, Hashable {
    /// The maximum number of combinations of alternatives that are searched.
    public static let maxExpansions = 8
    /// The words. A keypad query without a typed space is one word.
    public var words: [[[UInt16]]]

    /// Creates a query from words with their alternatives. Empty alternatives are ignored.
    public init(words: [[[UInt16]]]) {
        self.words = words.map { $0.filter { !$0.isEmpty } }.filter { !$0.isEmpty }
    }

    /// Creates a query from plain words; each UTF-16 code unit is a letter.
    public init(_ words: [String]) { self.init(words: words.map { [Array($0.utf16)] }) }
}
