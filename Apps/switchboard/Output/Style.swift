/// The style of text output: coloured in a terminal, plain otherwise.
///
/// `NO_COLOR` (no-color.org), `--no-color` and `TERM=dumb` disable colours.
struct Style {
    /// The role of a piece of text.
    enum Tone {
        case plain
        /// The main text of a row.
        case strong
        /// Secondary text such as identifiers.
        case faint
        /// Matched text.
        case match
        /// The star of a favourite.
        case star
    }

    /// `true` if the output is a terminal.
    let isTerminal: Bool
    /// `true` if colours are used.
    let isColoured: Bool

    /// The environment variables that affect the style.
    static let variables = ["NO_COLOR", "TERM"]

    init(isTerminal: Bool, variables: [String: String], isPlain: Bool) {
        self.isTerminal = isTerminal
        let isDisabled = variables["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColoured = isTerminal && !isPlain && !isDisabled && variables["TERM"] != "dumb"
    }

    /// Returns a text with the colour codes of a tone.
    func styled(_ text: String, _ tone: Tone) -> String {
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
