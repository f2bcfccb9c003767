/// A word of which it is certain that it was meant, because the text goes on behind it.
public struct EndedWord: Sendable, Hashable {
    /// The word as the list has it, or as it was spelt, before its case was changed.
    public var text: String
    /// The keys that type it, without those of apostrophes, as ASCII digits.
    public var keys: [UInt8]
    /// The word before it in the same sentence.
    public var previous: String?
    /// Whether it was chosen with NEXT, or spelt letter by letter, rather than taken as it was offered.
    public var wasChosen: Bool

    /// A word; see the properties.
    public init(text: String, keys: [UInt8], previous: String? = nil, wasChosen: Bool) {
        self.text = text
        self.keys = keys
        self.previous = previous
        self.wasChosen = wasChosen
    }
}
