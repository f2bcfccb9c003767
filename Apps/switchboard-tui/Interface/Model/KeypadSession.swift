/// The text of a keypad session after a key press.
public struct KeypadUpdate: Sendable {
    /// The number of the session.
    public var session: Int
    /// The text of the session, including the current word.
    public var text: String
    /// The keys of the current word.
    public var keys: String
    /// The words that the keys can mean, best first.
    public var candidates: [String]
    /// The index of the candidate in the text; nil between words.
    public var choice: Int?
    /// The error, if the key could not be handled completely.
    public var failure: String?

    /// Creates an update.
    public init(
        session: Int, text: String, keys: String = "", candidates: [String] = [], choice: Int? = nil,
        failure: String? = nil
    ) {
        self.session = session
        self.text = text
        self.keys = keys
        self.candidates = candidates
        self.choice = choice
        self.failure = failure
    }
}

/// Keypad typing in one field of a form; words are looked up on another thread.
struct KeypadSession: Sendable {
    /// The text before the cursor when the session began.
    let before: String
    /// The latest update.
    var lastUpdate: KeypadUpdate
    /// True while a key press has no response.
    var isWaiting = false

    init(number: Int, before: String) {
        self.before = before
        lastUpdate = KeypadUpdate(session: number, text: "")
    }
}
