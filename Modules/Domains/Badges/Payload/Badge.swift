import SwitchboardVCard

/// The contact details in the code on a badge. Unknown fields are empty.
public struct Badge: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number.
    public var phone: String
    /// The company.
    public var organization: String
    /// The job title.
    public var title: String
    /// The address of a web page.
    public var url: String
    /// Anything else, including further addresses and numbers.
    public var note: String

    /// Creates a badge.
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

    var identifiesPerson: Bool { !name.isEmpty || !email.isEmpty || !phone.isEmpty || !organization.isEmpty }

    /// The badge as a vCard 3.0 (RFC 2426). Lines are not folded, because few code readers unfold them.
    public var vCard: String {
        var lines = VCardLines(isFolded: false)
        func add(_ property: String, _ text: String) {
            if !text.isEmpty { lines.add(property + ":" + VCardText.escaped(text)) }
        }
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:3.0")
        // The last word is treated as the family name; FN has the full name.
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
