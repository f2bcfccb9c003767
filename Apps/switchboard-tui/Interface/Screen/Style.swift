/// The appearance of a cell.
public struct Style: Hashable, Sendable {
    /// The attributes, available with and without colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold text.
        public static let bold = Attributes(rawValue: 1)
        /// Faint text.
        public static let dim = Attributes(rawValue: 2)
        /// Exchanged foreground and background.
        public static let reverse = Attributes(rawValue: 4)
        /// Underlined text.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The role of a cell, shown as a colour if the terminal has colours.
    public enum Tone: Int, CaseIterable, Hashable, Sendable {
        case plain, faint, match, star, accent, good, warning, marker
        /// Black on white, for QR codes.
        case code
    }

    /// The attributes.
    public var attributes: Attributes
    /// The role.
    public var tone: Tone

    /// Creates a style.
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

    /// The style on the selected row.
    var highlighted: Style { Style(tone, attributes.subtracting(.dim).union(.reverse)) }
}
