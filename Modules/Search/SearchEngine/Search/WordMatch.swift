/// A range of letters of one word that the query matched.
public struct WordMatch: Sendable, Hashable {
    /// The field of the value.
    public var field: Int
    /// The number of the value in the document's field, from 0, in the order in which they were added.
    public var value: Int
    /// The number of the word in the value, from 0.
    public var word: Int
    /// The number of the spelling of the word, from 0.
    public var spelling: Int
    /// The matched letters.
    public var letters: Range<Int>
}
