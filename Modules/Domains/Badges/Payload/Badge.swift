import SwitchboardVCard

/// What the code on a badge says about the person who wears it.
///
/// What is unknown is empty.
public struct Badge: Hashable, Sendable {
    /// The whole name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number.
    public var phone: String
    /// The company.
    public var organization: String
    /// What they do there.
    public var title: String
    /// A page.
    public var url: String
    /// Anything else, further addresses and numbers among it.
    public var note: String

    /// A badge; see the properties.
    public init(
        name: String = "", email: String = "", phone: String = "", organization: String = "", title: String = "",
        url: String = "", note: String = ""
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.organization = organization
        self.title = title
        self.url = url
        self.note = note
    }

    /// Whether it says who somebody is.
    var isNameable: Bool { !name.isEmpty || !email.isEmpty || !phone.isEmpty || !organization.isEmpty }
}

extension Badge {
    /// The badge as a vCard 3.0 (RFC 2426) whose lines are not folded, since few readers of codes unfold them.
    public var vCard: String {
        var lines = VCardLines(isFolded: false)
        func add(_ property: String, _ text: String) {
            if !text.isEmpty { lines.add(property + ":" + VCardText.escaped(text)) }
        }
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:3.0")
        // The last word is taken for the family name; FN has the name as it was given.
        let words = name.split(separator: " ").map(String.init)
        let family = words.count > 1 ? words.last ?? "" : ""
        let given = (words.count > 1 ? words.dropLast() : words[...]).joined(separator: " ")
        lines.add("N:" + [family, given, "", "", ""].map(VCardText.escaped).joined(separator: ";"))
        add("FN", [name, organization, email, phone].first { !$0.isEmpty } ?? "")
        add("ORG", organization)
        add("TITLE", title)
        add("EMAIL", email)
        add("TEL", phone)
        add("URL", url)
        add("NOTE", note)
        lines.add("END:VCARD")
        return lines.text
    }
}
