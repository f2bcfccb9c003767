/// How output for people is dressed: in colour on a terminal, plain everywhere else.
///
/// `NO_COLOR` (no-color.org), `--no-color` and `TERM=dumb` make it plain.
struct Style {
    /// What a piece of text is, rather than how it looks.
    enum Tone {
        case plain
        /// What the row is about.
        case strong
        /// What is only there to be looked up.
        case faint
        /// What matched.
        case match
        /// A favourite's star.
        case star
    }

    /// Whether a person looks at it.
    let isTerminal: Bool
    /// Whether colours may be set.
    let isColoured: Bool

    /// The environment variables that say how.
    static let variables = ["NO_COLOR", "TERM"]

    init(isTerminal: Bool, variables: [String: String], isPlain: Bool) {
        self.isTerminal = isTerminal
        let refuses = variables["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColoured = isTerminal && !isPlain && !refuses && variables["TERM"] != "dumb"
    }

    func dressed(_ text: String, _ tone: Tone) -> String {
        guard isColoured, !text.isEmpty, tone != .plain else { return text }
        return code(tone) + text + "\u{1B}[0m"
    }

    private func code(_ tone: Tone) -> String {
        switch tone {
        case .plain: ""
        case .strong: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        case .match: "\u{1B}[1;4;36m"
        case .star: "\u{1B}[33m"
        }
    }
}
