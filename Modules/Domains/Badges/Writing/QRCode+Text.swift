// A character shows two modules, one above the other, because characters are about twice as high as wide.

extension QRCode {
    /// A style for drawing a code with characters.
    public enum TextStyle: Sendable {
        /// Black on white with terminal escape sequences (ISO 6429, 256 colors), independent of the terminal's colors.
        case blackOnWhite
        /// Without escape sequences, for light text on a dark background: draws the light modules.
        case lightOnDark
        /// Without escape sequences, for dark text on a light background: draws the dark modules.
        case darkOnLight
    }

    /// The number of columns and rows of ``text(_:)``.
    public var textSize: (columns: Int, rows: Int) {
        let side = size + 2 * QRCode.quietZone
        return (side, (side + 1) / 2)
    }

    /// Returns the code in half blocks with its quiet zone. A line shows two rows of modules.
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
