/// Texts as notify-send and the notification service take them.
enum NotificationText {
    /// The summary, which is one line and never markup.
    static func summary(_ text: String) -> String { oneLine(text.withoutZeros) }

    /// The body. notify-send understands backslashes as C does, and the service may understand markup.
    static func body(_ text: String, hasMarkup: Bool) -> String {
        var result = ""
        for scalar in text.withoutZeros.unicodeScalars {
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
