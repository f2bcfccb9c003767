import SwitchboardVCard

/// Escaping for notify-send and the notification service.
enum NotificationText {
    /// Returns the summary, a single line without markup.
    static func summary(_ text: String) -> String {
        let scalars = text.removingNulls.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns the body. notify-send interprets backslash escapes, and the service may interpret markup.
    static func body(_ text: String, hasMarkup: Bool) -> String {
        var result = ""
        for scalar in text.removingNulls.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "&" where hasMarkup: result += "&amp;"
            case "<" where hasMarkup: result += "&lt;"
            case ">" where hasMarkup: result += "&gt;"
            case "\n": result += "\n"
            case _ where scalar.properties.generalCategory == .control: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
