import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects

/// A form for a contact, a prospect or the user's badge.
public struct Form: Sendable {
    /// The object that the form edits.
    enum Subject: Sendable {
        case newContact
        case contact(Contact)
        case newProspect
        case prospect(Prospect)
        case me(MyDetails)
    }

    struct Field: Sendable {
        var label: String
        var field: TextField
        let original: String

        init(_ label: String, _ text: String = "") {
            self.label = label
            field = TextField(text)
            original = text
        }

        /// The text if it differs from the original.
        var change: String? { field.text == original ? nil : field.text }
    }

    let subject: Subject
    var fields: [Field]
    var selected = 0

    var title: String {
        switch subject {
        case .newContact: "New contact"
        case .contact(let contact): contact.displayName
        case .newProspect: "New prospect"
        case .prospect(let prospect): prospect.displayName
        case .me: "My badge"
        }
    }

    /// True if any field was changed.
    var isChanged: Bool { fields.contains { $0.change != nil } }

    init(_ subject: Subject) {
        self.subject = subject
        switch subject {
        case .newContact: fields = Form.contactFields(Contact())
        case .contact(let contact): fields = Form.contactFields(contact)
        case .newProspect: fields = Form.prospectFields(Prospect())
        case .prospect(let prospect): fields = Form.prospectFields(prospect)
        case .me(let me):
            fields = [
                Field("Name", me.name), Field("E-mail", me.email), Field("Phone", me.phone),
                Field("Organisation", me.organization), Field("Title", me.title), Field("Page", me.url),
            ]
        }
    }

    private static func contactFields(_ contact: Contact) -> [Field] {
        func labelled(_ label: String, _ text: String) -> String { label.isEmpty ? text : label + ":" + text }
        let phones = contact.phones.map { labelled($0.label, $0.number.text) } + [""]
        let emails = contact.emails.map { labelled($0.label, $0.address) } + [""]
        return [Field("Name", contact.fullName), Field("Nickname", contact.nickname)]
            + [Field("Organisation", contact.organization)] + phones.map { Field("Phone", $0) }
            + emails.map { Field("E-mail", $0) } + [Field("Note", contact.note)]
    }

    private static func prospectFields(_ prospect: Prospect) -> [Field] {
        [
            Field("Name", prospect.name), Field("E-mail", prospect.email), Field("Phone", prospect.phone),
            Field("Organisation", prospect.organization), Field("Met", prospect.met), Field("Note", prospect.note),
        ]
    }

    // MARK: - Editing

    /// Selects another field, wrapping around at the ends.
    mutating func move(by distance: Int) {
        guard !fields.isEmpty else { return }
        selected = ((selected + distance) % fields.count + fields.count) % fields.count
    }

    /// Edits the selected field.
    ///
    /// Typing into the last phone number or e-mail address adds an empty field for another one.
    mutating func edit(_ key: Key) {
        guard fields.indices.contains(selected), fields[selected].field.edit(key) else { return }
        makeRoom()
    }

    /// True if keypad typing applies to the selected field; in phone numbers digits stay digits.
    var takesWords: Bool { fields.indices.contains(selected) && fields[selected].label != "Phone" }

    /// The text before the cursor.
    var before: String { fields.indices.contains(selected) ? fields[selected].field.before : "" }

    /// Replaces the text before the cursor.
    mutating func replaceBefore(_ text: String) {
        guard fields.indices.contains(selected) else { return }
        fields[selected].field.replaceBefore(text)
        makeRoom()
    }

    mutating func insert(_ text: String) {
        guard fields.indices.contains(selected) else { return }
        fields[selected].field.insert(text)
        makeRoom()
    }

    private mutating func makeRoom() {
        switch subject {
        case .newContact, .contact: break
        default: return
        }
        let label = fields[selected].label
        guard label == "Phone" || label == "E-mail", !fields[selected].field.isEmpty,
            fields.lastIndex(where: { $0.label == label }) == selected
        else { return }
        fields.insert(Field(label), at: selected + 1)
    }

    // MARK: - Result

    private func change(_ label: String) -> String? { fields.first { $0.label == label }?.change }

    private func list(_ label: String) -> [String]? {
        let all = fields.filter { $0.label == label }
        return all.contains { $0.change != nil } ? all.map(\.field.text).filter { !$0.isEmpty } : nil
    }

    /// The edit that saves the form.
    var edit: EditCommand {
        switch subject {
        case .newContact: .addContact(contactChange)
        case .contact(let contact): .editContact(contact.id, contactChange)
        case .newProspect: .addProspect(prospectChange)
        case .prospect(let prospect): .editProspect(prospect.id, prospectChange)
        case .me(let me):
            .setMe(
                MyDetails(
                    name: change("Name") ?? me.name, email: change("E-mail") ?? me.email,
                    phone: change("Phone") ?? me.phone, organization: change("Organisation") ?? me.organization,
                    title: change("Title") ?? me.title, url: change("Page") ?? me.url))
        }
    }

    private var contactChange: ContactChange {
        var made = ContactChange()
        (made.name, made.nickname, made.organization) = (change("Name"), change("Nickname"), change("Organisation"))
        (made.phones, made.emails, made.note) = (list("Phone"), list("E-mail"), change("Note"))
        return made
    }

    private var prospectChange: ProspectChange {
        var made = ProspectChange()
        (made.name, made.email, made.phone) = (change("Name"), change("E-mail"), change("Phone"))
        (made.organization, made.met, made.note) = (change("Organisation"), change("Met"), change("Note"))
        return made
    }
}
