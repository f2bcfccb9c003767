import SwitchboardVCard

extension Contact {
    /// The name of a contact without a name, nickname, organization, e-mail address and number: its handle in a
    /// messenger, or else the first text that it has; empty for an empty contact.
    var fallbackName: String {
        let properties = otherProperties.compactMap { try? VCardProperty(unfolded: $0) }
        let texts =
            properties.compactMap(Contact.handle) + urls.map(\.url)
            + addresses.map { $0.components.filter { !$0.isEmpty }.joined(separator: ", ") } + [title, note, birthday]
            + properties.map(\.text)
        let text = texts.lazy.map { Contact.line(of: $0) }.first { !$0.isEmpty }
        return text ?? groups.first ?? ""
    }

    /// Returns the first line of a text without white space around it, of at most 100 characters.
    private static func line(of text: String) -> String {
        let text = text.trimmingWhitespace
        return String(text.prefix { !$0.isNewline }.prefix(100)).trimmingWhitespace
    }

    private static func handle(_ property: VCardProperty) -> String? {
        var (name, text) = (property.name, property.text)
        // KDE writes names that are not allowed: X-messaging/xmpp-All.
        if name == VCardProperty.unreadLine, let colon = text.firstIndex(of: ":") {
            name = text[..<colon].uppercased()
            text = String(text[text.index(after: colon)...])
        }
        switch name {
        case "IMPP":
            // xmpp:ana@example.org
            return text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? text
        case "TEL": return text
        default: return handles.contains { name.hasPrefix($0) } ? text : nil
        }
    }

    private static let handles = [
        "X-MESSAGING", "X-SKYPE", "X-JABBER", "X-AIM", "X-ICQ", "X-MSN", "X-YAHOO", "X-GTALK", "X-GOOGLE-TALK",
        "X-GADUGADU", "X-GROUPWISE", "X-QQ", "X-TWITTER", "X-TELEGRAM", "X-MATRIX", "X-SIP", "X-SOCIALPROFILE",
    ]
}
