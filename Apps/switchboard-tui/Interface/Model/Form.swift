import SwitchboardContacts
import SwitchboardProspects
import SwitchboardKit

/// Fields that are filled in.
public struct Form: Sendable {
    /// What they are of.
    enum Subject: Sendable {
        case newContact
        case contact(Contact)
        case newProspect
        case prospect(Prospect)
        case me(MyDetails)
    }

    /// A field.
    struct Field: Sendable {
        var label: String
        var field: TextField
        let original: String

        init(_ label: String, _ text: String = "") {
            self.label = label
            field = TextField(text)
            original = text
        }

        /// The text if it was changed.
        var change: String? { field.text == original ? nil : field.text }
    }

    let subject: Subject
    var fields: [Field]
    var chosen = 0

    /// What stands above it.
    var title: String {
        switch subject {
        case .newContact: "New contact"
        case .contact(let contact): contact.displayName
        case .newProspect: "New prospect"
        case .prospect(let prospect): prospect.displayName
        case .me: "My badge"
        }
    }

    /// Whether anything was typed.
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

    // MARK: - Filling in

    /// Goes to another field; behind the last one comes the first.
    mutating func move(by distance: Int) {
        guard !fields.isEmpty else { return }
        chosen = ((chosen + distance) % fields.count + fields.count) % fields.count
    }

    /// What a key of editing does in the chosen field. A number or address typed into the last field of its kind makes room for another.
    mutating func edit(_ key: Key) {
        guard fields.indices.contains(chosen), fields[chosen].field.edit(key) else { return }
        makeRoom()
    }

    /// Whether words are typed in the chosen field: in numbers digits are digits.
    var takesWords: Bool { fields.indices.contains(chosen) && fields[chosen].label != "Phone" }

    /// What stands before the cursor.
    var before: String { fields.indices.contains(chosen) ? fields[chosen].field.before : "" }

    /// Puts a text in the place of what stands before the cursor.
    mutating func replaceBefore(_ text: String) {
        guard fields.indices.contains(chosen) else { return }
        fields[chosen].field.replaceBefore(text)
        makeRoom()
    }

    mutating func insert(_ text: String) {
        guard fields.indices.contains(chosen) else { return }
        fields[chosen].field.insert(text)
        makeRoom()
    }

    private mutating func makeRoom() {
        switch subject {
        case .newContact, .contact: break
        default: return
        }
        let label = fields[chosen].label
        guard label == "Phone" || label == "E-mail", !fields[chosen].field.isEmpty,
            fields.lastIndex(where: { $0.label == label }) == chosen
        else { return }
        fields.insert(Field(label), at: chosen + 1)
    }

    // MARK: - What was said

    private func change(_ label: String) -> String? { fields.first { $0.label == label }?.change }

    private func list(_ label: String) -> [String]? {
        let all = fields.filter { $0.label == label }
        return all.contains { $0.change != nil } ? all.map(\.field.text).filter { !$0.isEmpty } : nil
    }

    /// The edit that it stands for.
    var edit: Edit {
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
