/// An error adding or deleting learned words.
public enum KeypadLearningError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A text that is not a single word with keys.
    case notAWord(String)
    /// A word that has not been learned.
    case notLearned(String)

    /// A stable code for programs.
    public var code: String {
        switch self {
        case .notAWord: "notAWord"
        case .notLearned: "notFound"
        }
    }

    /// The problem and the remedy, in one line.
    public var description: String {
        switch self {
        case .notAWord(let text):
            "cannot type “\(text)” with the keys; use a single word of letters, such as Łukasz or o'clock"
        case .notLearned(let word):
            "“\(word)” has not been learned in this language; check the spelling and the language"
        }
    }
}
