/// Escaping for notify-send and the notification service.
enum NotificationText {
    /// Returns the summary, a single line without markup.
    static func summary(_ text: String) -> String { oneLine(text.withoutNULs) }

    /// Returns the body. notify-send interprets backslash escapes, and the service may interpret markup.
    static func body(_ text: String, hasMarkup: Bool) -> String {
        var result = ""
        for scalar in text.withoutNULs.unicodeScalars {
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

    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
