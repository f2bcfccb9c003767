/// What can go wrong when words are learnt and forgotten.
public enum KeypadLearningError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A text that is no word which keys can type.
    case notAWord(String)
    /// A word that was not learnt.
    case notLearnt(String)

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .notAWord: "notAWord"
        case .notLearnt: "notFound"
        }
    }

    /// One line that says what is wrong and what to do next.
    public var description: String {
        switch self {
        case .notAWord(let text):
            "“\(text)” is no word that keys can type; give one word of letters, such as Łukasz or o'clock"
        case .notLearnt(let word): "“\(word)” was not learnt in this language; --language names another one"
        }
    }
}
