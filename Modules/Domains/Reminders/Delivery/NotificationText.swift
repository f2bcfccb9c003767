import SwitchboardVCard

/// Escaping for the notification service.
enum NotificationText {
    /// Returns the summary, a single line without markup.
    static func summary(_ text: String) -> String {
        text.removingNulls.replacingScalars { $0.properties.generalCategory == .control ? " " : nil }
    }

    /// Returns the body, which the service may interpret as markup.
    static func body(_ text: String, hasMarkup: Bool) -> String {
        text.removingNulls.replacingScalars { scalar in
            switch scalar {
            case "&" where hasMarkup: "&amp;"
            case "<" where hasMarkup: "&lt;"
            case ">" where hasMarkup: "&gt;"
            case "\n": nil
            case _ where scalar.properties.generalCategory == .control: " "
            default: nil
            }
        }
    }
}
