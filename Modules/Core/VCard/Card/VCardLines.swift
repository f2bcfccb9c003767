/// Builds the content lines of a vCard or an iCalendar object, each terminated by CR LF.
public struct VCardLines: Sendable {
    /// The maximum length of a line in octets without its line break (RFC 6350, section 3.2; RFC 5545, section 3.1).
    public static let longestLine = 75

    /// The lines added so far.
    public private(set) var text = ""

    private let isFolded: Bool

    /// Creates an empty builder.
    ///
    /// - Parameter isFolded: `true` to fold long lines. Many readers of QR codes cannot unfold them.
    public init(isFolded: Bool = true) {
        self.isFolded = isFolded
    }

    /// Adds a line, folding it to at most ``longestLine`` octets without splitting a scalar.
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
