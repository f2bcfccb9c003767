/// How a cell of the screen looks.
public struct Style: Hashable, Sendable {
    /// What every terminal can do, with colours or without.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Attributes of some bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heavier letters.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter letters.
        public static let dim = Attributes(rawValue: 2)
        /// Letters and ground exchanged.
        public static let reverse = Attributes(rawValue: 4)
        /// A line below.
        public static let underline = Attributes(rawValue: 8)
    }

    /// What a cell is, which a terminal with colours shows in one.
    public enum Tone: Int, CaseIterable, Hashable, Sendable {
        case plain, faint, match, star, accent, good, warning, found
        /// Black on white, whatever colours the terminal has otherwise.
        case code
    }

    /// Bold and the like.
    public var attributes: Attributes
    /// The colour.
    public var tone: Tone

    /// A style.
    public init(_ tone: Tone = .plain, _ attributes: Attributes = []) {
        self.tone = tone
        self.attributes = attributes
    }

    static let plain = Style()
    static let strong = Style(.plain, .bold)
    static let faint = Style(.faint, .dim)
    static let match = Style(.match, [.bold, .underline])
    static let star = Style(.star)
    static let title = Style(.accent, .bold)
    static let warning = Style(.warning, .bold)
    static let good = Style(.good)
    static let code = Style(.code)

    /// The same on the chosen row.
    var chosen: Style { Style(tone, attributes.subtracting(.dim).union(.reverse)) }
}
