@_exported public import SwitchboardErrors

/// An error adding or deleting learned words.
public enum KeypadLearningError: CodedError, Hashable {
    /// A text that is not a single word with keys.
    case notAWord(String)
    /// A word that has not been learned.
    case notLearned(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notAWord(let text):
            .init(
                "notAWord", .usage,
                "cannot type “\(text)” with the keys; use a single word of letters, such as Łukasz or o'clock")
        case .notLearned(let word):
            .init(
                "notFound", .notFound,
                "“\(word)” has not been learned in this language; check the spelling and the language")
        }
    }
}
