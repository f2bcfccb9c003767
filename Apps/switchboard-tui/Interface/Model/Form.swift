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
    /// True while the form is being saved; it closes on success.
    var isSubmitted = false

    var title: String {
        switch subject {
        case .newContact: "New contact"
        case .contact(let contact): contact.displayName
        case .newProspect: "New prospect"
        case .prospect(let prospect): prospect.displayName
        case .me: "My badge"
        }
    }

    var isChanged: Bool { fields.contains { $0.change != nil } }

    init(_ subject: Subject) {
        self.subject = subject
        switch subject {
        case .newContact: fields = Form.contactFields(Contact())
        case .contact(let contact): fields = Form.contactFields(contact)
        case .newProspect: fields = Form.prospectFields.map { Field($0.label) }
        case .prospect(let prospect): fields = Form.prospectFields.map { Field($0.label, prospect[keyPath: $0.field]) }
        case .me(let me): fields = Form.badgeFields.map { Field($0.label, me[keyPath: $0.field]) }
        }
    }

    private static var badgeFields: [(label: String, field: WritableKeyPath<MyDetails, String>)] {
        [
            ("Name", \.name), ("E-mail", \.email), ("Phone", \.phone), ("Organisation", \.organization),
            ("Title", \.title), ("Page", \.url),
        ]
    }

    private static var prospectFields:
        [(label: String, field: KeyPath<Prospect, String>, change: WritableKeyPath<ProspectChange, String?>)]
    {
        [
            ("Name", \.name, \.name), ("E-mail", \.email, \.email), ("Phone", \.phone, \.phone),
            ("Organisation", \.organization, \.organization), ("Met", \.met, \.met), ("Note", \.note, \.note),
        ]
    }

    private static func contactFields(_ contact: Contact) -> [Field] {
        func labelled(_ label: String, _ text: String) -> String { label.isEmpty ? text : label + ":" + text }
        let phones = contact.phones.map { labelled($0.label, $0.number.text) } + [""]
        let emails = contact.emails.map { labelled($0.label, $0.address) } + [""]
        let pages = contact.urls.map { labelled($0.label, $0.url) } + [""]
        let start = [
            ("Name", contact.fullName), ("Nickname", contact.nickname), ("Organisation", contact.organization),
        ]
        let lists =
            phones.map { ("Phone", $0) } + emails.map { ("E-mail", $0) }
            + addresses(of: contact).map { ("Address", $0) }
            + pages.map { ("Page", $0) } + (contact.groups + [""]).map { ("Group", $0) }
        let end = [("Title", contact.title), ("Birthday", contact.birthday), ("Note", contact.note)]
        return (start + lists + end).map { Field($0.0, $0.1) }
    }

    /// Returns the postal addresses as typed, and an empty one; none if an address has a part that cannot be typed
    /// here.
    private static func addresses(of contact: Contact) -> [String] {
        let typed = contact.addresses.map { address in
            let parts = [address.street, address.locality, address.region, address.postalCode, address.country]
            return (address.label.isEmpty ? "" : address.label + ":") + parts.joined(separator: ";")
        }
        let isFaithful = zip(typed, contact.addresses).allSatisfy { PostalAddress(typed: $0) == $1 }
        return isFaithful ? typed + [""] : []
    }

    /// The labels of fields with any number of values.
    private static let lists: Set<String> = ["Phone", "E-mail", "Address", "Page", "Group"]

    // MARK: - Editing

    /// Selects another field, wrapping around at the ends.
    mutating func move(by distance: Int) {
        guard !fields.isEmpty else { return }
        selected = ((selected + distance) % fields.count + fields.count) % fields.count
    }

    /// Edits the selected field.
    ///
    /// Typing into the last phone number, address, page or group adds an empty field for another one.
    mutating func edit(_ key: Key) { change { _ = $0.edit(key) } }

    /// True if keypad typing applies to the selected field; in phone numbers and birthdays digits stay digits.
    var takesWords: Bool {
        fields.indices.contains(selected) && !["Phone", "Birthday"].contains(fields[selected].label)
    }

    /// The text before the cursor.
    var before: String { fields.indices.contains(selected) ? fields[selected].field.before : "" }

    mutating func replaceBefore(_ text: String) { change { $0.replaceBefore(text) } }

    mutating func insert(_ text: String) { change { $0.insert(text) } }

    private mutating func change(_ body: (inout TextField) -> Void) {
        guard fields.indices.contains(selected) else { return }
        body(&fields[selected].field)
        switch subject {
        case .newContact, .contact: break
        default: return
        }
        let label = fields[selected].label
        guard Form.lists.contains(label), !fields[selected].field.isEmpty,
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
        case .contact(let contact): .editContact(contact.id, contactChange, since: contact)
        case .newProspect: .addProspect(prospectChange)
        case .prospect(let prospect): .editProspect(prospect.id, prospectChange, since: prospect)
        case .me(let me): .setMe(changed(me), since: me)
        }
    }

    private func changed(_ me: MyDetails) -> MyDetails {
        Form.badgeFields.reduce(into: me) { me, item in
            if let text = change(item.label) { me[keyPath: item.field] = text }
        }
    }

    private var contactChange: ContactChange {
        var made = ContactChange()
        (made.name, made.nickname, made.organization) = (change("Name"), change("Nickname"), change("Organisation"))
        (made.phones, made.emails, made.addresses) = (list("Phone"), list("E-mail"), list("Address"))
        (made.urls, made.groups) = (list("Page"), list("Group"))
        (made.title, made.birthday, made.note) = (change("Title"), change("Birthday"), change("Note"))
        return made
    }

    private var prospectChange: ProspectChange {
        Form.prospectFields.reduce(into: ProspectChange()) { $0[keyPath: $1.change] = change($1.label) }
    }
}

/// A line editor.
public struct TextField: Hashable, Sendable {
    /// The text before the cursor.
    public private(set) var before: String
    /// The text after the cursor.
    public private(set) var after: String

    /// Creates a field with the cursor at the end of a text.
    public init(_ text: String = "") {
        before = text
        after = ""
    }

    /// The whole text.
    public var text: String {
        get { before + after }
        set { (before, after) = (newValue, "") }
    }

    /// True if the text is empty.
    public var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// Inserts a text at the cursor; newlines and tabs become spaces, other control characters are dropped.
    public mutating func insert(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" { before.unicodeScalars.append(" ") }
            if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) { before.unicodeScalars.append(scalar) }
        }
    }

    mutating func replaceBefore(_ text: String) {
        before = ""
        insert(text)
    }

    /// Handles an editing key.
    ///
    /// - Returns: false if the key does not edit.
    public mutating func edit(_ key: Key) -> Bool {
        switch key {
        case .backspace, .control("h"): _ = before.popLast()
        case .delete, .control("d"): _ = after.isEmpty ? nil : after.removeFirst()
        case .left, .control("b"): if let last = before.popLast() { after.insert(last, at: after.startIndex) }
        case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): (before, after) = ("", text)
        case .end, .control("e"): (before, after) = (text, "")
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .control("w"):
            while before.last == " " { before.removeLast() }
            while let last = before.last, last != " " { before.removeLast() }
        // A word is a run of letters and digits, as in readline.
        case .alt("b"), .wordLeft: after = before.removeLastWord() + after
        case .alt("f"), .wordRight: before += after.removeFirstWord()
        case .alt("d"): _ = after.removeFirstWord()
        case .alt("\u{7F}"): _ = before.removeLastWord()
        case .character(let character): insert(String(character))
        default: return false
        }
        return true
    }
}

extension String {
    /// Removes the characters up to the end of the first word, and returns them.
    fileprivate mutating func removeFirstWord() -> String {
        let word = drop { !$0.isLetter && !$0.isNumber }
        let rest = word.drop { $0.isLetter || $0.isNumber }
        defer { self = String(rest) }
        return String(self[..<rest.startIndex])
    }

    /// Removes the characters from the beginning of the last word, and returns them.
    fileprivate mutating func removeLastWord() -> String {
        var rest = self[...]
        while let last = rest.last, !last.isLetter, !last.isNumber { rest.removeLast() }
        while let last = rest.last, last.isLetter || last.isNumber { rest.removeLast() }
        defer { self = String(rest) }
        return String(self[rest.endIndex...])
    }
}
