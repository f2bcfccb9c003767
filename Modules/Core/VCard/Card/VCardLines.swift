/// The lines of a card (or of a calendar, which is folded alike) in the making, each ended by CR LF.
public struct VCardLines: Sendable {
    /// The longest line before it is folded, in octets without its end (RFC 6350, section 3.2; RFC 5545, section 3.1).
    public static let longestLine = 75

    /// What was added.
    public private(set) var text = ""

    private let isFolded: Bool

    /// No lines yet.
    ///
    /// - Parameter isFolded: whether long lines are folded. A code on a badge has no use for it, and many of the programs that
    ///   read one do not undo it.
    public init(isFolded: Bool = true) {
        self.isFolded = isFolded
    }

    /// Adds a line, folded so that no piece is longer than ``longestLine`` and no character is split.
    public mutating func add(_ line: String) {
        guard isFolded, line.utf8.count > VCardLines.longestLine else {
            text += line
            text += "\r\n"
            return
        }
        var length = 0
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if length + width > VCardLines.longestLine {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += width
        }
        text += "\r\n"
    }
}
