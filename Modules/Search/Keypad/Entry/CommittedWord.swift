/// A word that the user has accepted by continuing after it.
public struct CommittedWord: Sendable, Hashable {
    /// The word as listed or spelled, before a change of case.
    public var text: String
    /// The keys of the word as ASCII digits, without keys for apostrophes.
    public var keys: [UInt8]
    /// The previous word of the same sentence.
    public var previous: String?
    /// `true` if the word was chosen with NEXT or spelled, `false` if it was accepted as offered.
    public var wasChosen: Bool

    /// Creates a committed word.
    public init(text: String, keys: [UInt8], previous: String? = nil, wasChosen: Bool) {
        self.text = text
        self.keys = keys
        self.previous = previous
        self.wasChosen = wasChosen
    }
}
