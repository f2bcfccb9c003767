public import SwitchboardKeypad

/// A word that keys may mean: `{"word", "frequency", "learned"}`.
public struct KeypadWord: Encodable, Sendable {
    /// The word.
    public let word: String
    /// Its share in running text; 0 if the list does not have it.
    public let frequency: Double
    /// Whether it was chosen or added before.
    public let learned: Bool

    /// The shape of a candidate.
    public init(_ candidate: WordCandidate) {
        word = candidate.text
        frequency = candidate.frequency
        learned = candidate.isLearned
    }
}

/// The words of some keys: `{"results": […]}`, with the query in a batch.
public struct KeypadWordsResponse: Encodable, Sendable {
    /// What was asked, where many are answered.
    public var query: String?
    /// The words, best first.
    public let results: [KeypadWord]
}

/// What keys type: `{"text", "keystrokes", "candidates"}`, with the query in a batch.
public struct KeypadTextResponse: Encodable, Sendable {
    /// What was asked, where many are answered.
    public var query: String?
    /// The text.
    public let text: String
    /// How many keys were pressed.
    public let keystrokes: Int
    /// What could stand in place of the last word, or could come next.
    public let candidates: [String]
}

/// What a server answers about keys: the text they type, and the words of its last word.
///
/// `{"keys", "language", "text", "keystrokes", "candidates", "results"}`
public struct KeypadResponse: Encodable, Sendable {
    /// The keys as they were asked for.
    public let keys: String
    /// The language of the words.
    public let language: String
    /// The text.
    public let text: String
    /// How many keys were pressed.
    public let keystrokes: Int
    /// What could stand in place of the last word.
    public let candidates: [String]
    /// The words of the keys of the last word, with their frequencies.
    public let results: [KeypadWord]
}
