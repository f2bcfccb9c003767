/// What nine keys have typed since the first of them was pressed in a field.
public struct Typed: Sendable {
    /// The number of the run.
    public var run: Int
    /// The text, with the word under way at its end.
    public var text: String
    /// The keys of that word.
    public var keys: String
    /// What NEXT walks.
    public var candidates: [String]
    /// Which of them stands in the text; nil between words.
    public var choice: Int?
    /// What went wrong, although the key was pressed.
    public var failure: String?

    /// See the properties.
    public init(
        run: Int, text: String, keys: String = "", candidates: [String] = [], choice: Int? = nil,
        failure: String? = nil
    ) {
        self.run = run
        self.text = text
        self.keys = keys
        self.candidates = candidates
        self.choice = choice
        self.failure = failure
    }
}

/// Text under way in a field of a form, typed with nine keys. The words are looked up elsewhere.
struct NineKeyRun: Sendable {
    /// What stood before the cursor when it began.
    let before: String
    /// What its keys have typed so far.
    var typed: Typed
    /// Whether a key was pressed that has not been answered yet.
    var isWaiting = false

    init(number: Int, before: String) {
        self.before = before
        typed = Typed(run: number, text: "")
    }
}
