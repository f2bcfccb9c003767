public import SwitchboardKeypad

/// A candidate word for keys: `{"word", "frequency", "learned"}`.
public struct KeypadWord: Encodable, Sendable {
    /// The word.
    public let word: String
    /// The share of running text; 0 if the word list does not contain it.
    public let frequency: Double
    /// `true` if the user has chosen or added the word before.
    public let learned: Bool

    /// Creates the word of a candidate.
    public init(_ candidate: WordCandidate) {
        word = candidate.text
        frequency = candidate.frequency
        learned = candidate.isLearned
    }
}

/// The candidate words of keys: `{"results": […]}`, with the query in a batch.
public struct KeypadWordsResponse: Encodable, Sendable {
    /// The query in a batch.
    public var query: String?
    /// The words, best first.
    public let results: [KeypadWord]
}

/// The text that keys type: `{"text", "keystrokes", "candidates"}`, with the query in a batch.
public struct KeypadTextResponse: Encodable, Sendable {
    /// The query in a batch.
    public var query: String?
    /// The text.
    public let text: String
    /// The number of keys pressed.
    public let keystrokes: Int
    /// The alternatives for the last word, or the suggestions for the next one.
    public let candidates: [String]
}

/// The response of a server to keys: the text they type, and the candidate words of the last word.
///
/// `{"keys", "language", "text", "keystrokes", "candidates", "results"}`
public struct KeypadResponse: Encodable, Sendable {
    /// The keys as requested.
    public let keys: String
    /// The language of the words.
    public let language: String
    /// The text.
    public let text: String
    /// The number of keys pressed.
    public let keystrokes: Int
    /// The alternatives for the last word.
    public let candidates: [String]
    /// The candidate words of the last keys, with their frequencies.
    public let results: [KeypadWord]
}
