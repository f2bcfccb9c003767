/// The lines of an iCalendar file, folded at 75 octets and terminated by CR LF (RFC 5545, section 3.1).
struct CalendarLines {
    private(set) var text = ""

    mutating func add(_ line: String) {
        var length = 0
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if length + width > 75 {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += width
        }
        text += "\r\n"
    }

    /// Returns a value of type TEXT (RFC 5545, section 3.3.11).
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ",", ";": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
