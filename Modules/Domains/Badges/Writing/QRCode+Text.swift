// Two modules to a character, one above the other, since characters are about twice as high as wide.

extension QRCode {
    /// How a code is drawn with characters.
    public enum TextStyle: Sendable {
        /// Black on white by escape sequences of the terminal (ISO 6429, 256 colours), whatever colours it has otherwise.
        case blackOnWhite
        /// Without escape sequences, for a terminal of light letters on dark ground: the light modules are drawn.
        case lightOnDark
        /// Without escape sequences, for dark letters on light ground: the dark modules are drawn.
        case darkOnLight
    }

    /// The columns and rows that ``text(_:)`` takes.
    public var textSize: (columns: Int, rows: Int) {
        let side = size + 2 * QRCode.quietZone
        return (side, (side + 1) / 2)
    }

    /// The code in half blocks with its quiet zone, a line for every two rows of modules.
    public func text(_ style: TextStyle) -> String {
        let range = -QRCode.quietZone..<(size + QRCode.quietZone)
        var text = ""
        for y in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            if case .blackOnWhite = style { text += "\u{1B}[38;5;16;48;5;231m" }
            for x in range {
                let (upper, lower) = (isDark(x: x, y: y), isDark(x: x, y: y + 1))
                switch style {
                case .blackOnWhite, .darkOnLight: text += QRCode.block(upper, lower)
                case .lightOnDark: text += QRCode.block(!upper, y + 1 < range.upperBound && !lower)
                }
            }
            if case .blackOnWhite = style { text += "\u{1B}[0m" }
            text += "\n"
        }
        return text
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
