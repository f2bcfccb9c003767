/// A run of letters of one word that the query matched.
public struct WordMatch: Sendable, Hashable {
    /// The field of the value.
    public var field: Int
    /// Which value of the document in the field, from 0, in the order they were added.
    public var value: Int
    /// Which word of the value, from 0.
    public var word: Int
    /// Which spelling of the word, from 0.
    public var spelling: Int
    /// The letters that matched.
    public var letters: Range<Int>

    /// A match; see the properties.
    public init(field: Int = 0, value: Int, word: Int, spelling: Int, letters: Range<Int>) {
        self.field = field
        self.value = value
        self.word = word
        self.spelling = spelling
        self.letters = letters
    }
}
