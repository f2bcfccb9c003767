import Foundation
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders

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
        case .newContact: fields = Form.contactFields(Contact(), isNew: true)
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

    private static func contactFields(_ contact: Contact, isNew: Bool = false) -> [Field] {
        func labeled(_ label: String, _ text: String) -> String { label.isEmpty ? text : label + ":" + text }
        let phones = contact.phones.map { labeled($0.label, $0.number.text) } + [""]
        let emails = contact.emails.map { labeled($0.label, $0.address) } + [""]
        let pages = contact.urls.map { labeled($0.label, $0.url) } + [""]
        func texts(_ place: ContactTextField.Place) -> [(String, String)] {
            ContactTextField.all.filter { $0.place == place }.map { (label(of: $0), contact[$0]) }
        }
        let lists =
            phones.map { ("Phone", $0) } + emails.map { ("E-mail", $0) }
            + addresses(of: contact).map { ("Address", $0) }
            + pages.map { ("Page", $0) } + (contact.groups + [""]).map { ("Group", $0) }
        // The note, which may be long, follows the others.
        let end = texts(.afterLists).filter { $0.0 != label(of: .note) } + [(label(of: .note), contact.note)]
        let rare =
            isNew
            ? []
            : texts(.rarely)
                + ContactListField.all.flatMap { list in
                    (contact[list].map(\.text) + [""]).map { (label(of: list.label), $0) }
                }
        return ([("Name", contact.fullName)] + texts(.withName) + lists + end + rare).map { Field($0.0, $0.1) }
    }

    private static func label(of field: ContactTextField) -> String { label(of: field.label) }

    private static func label(of name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// Returns the postal addresses as typed, and an empty one; none if an address has a part that cannot be typed
    /// here.
    private static func addresses(of contact: Contact) -> [String] {
        let typed = contact.addresses.map { address in
            let parts = [address.street, address.locality, address.region, address.postalCode, address.country]
            return (address.label.isEmpty ? "" : address.label + ":") + parts.joined(separator: ";")
        }
        let isFaithful = zip(typed, contact.addresses).allSatisfy { PostalAddress(typed: $0).isSame(as: $1) }
        return isFaithful ? typed + [""] : []
    }

    /// The labels of fields with any number of values.
    private static let lists = Set(
        ["Phone", "E-mail", "Address", "Page", "Group"] + ContactListField.all.map { label(of: $0.label) })

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

    /// Returns what was understood of a changed field, such as `4 March 1975`; nil if that needs no words.
    func echo(of field: Field, region: String?) -> String? {
        guard let text = field.change, !text.isEmpty else { return nil }
        switch field.label {
        case "Birthday":
            var contact = Contact()
            guard contact.setBirthday(typed: text, region: region) else { return "not a date yet" }
            return contact.birthdayInWords
        case "Phone":
            let number = Phone(typed: text, region: region).number
            let isLong = number.nationalNumber.count >= 6 && !number.text.contains { "*#".contains($0) }
            return isLong && number.e164 == nil ? "no country code" : nil
        default: return nil
        }
    }

    /// The text before the cursor.
    var before: String { fields.indices.contains(selected) ? fields[selected].field.before : "" }

    fileprivate mutating func replaceBefore(_ text: String) { change { $0.replaceBefore(text) } }

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
        made.name = change("Name")
        for field in ContactTextField.all where field.place != .none { made[field] = change(Form.label(of: field)) }
        (made.phones, made.emails, made.addresses) = (list("Phone"), list("E-mail"), list("Address"))
        (made.urls, made.groups) = (list("Page"), list("Group"))
        for field in ContactListField.all { made.lists[field] = list(Form.label(of: field.label)) }
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
    /// The text that was last deleted at once, for Ctrl-Y.
    private var killed = ""

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

    fileprivate mutating func replaceBefore(_ text: String) {
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
        case .control("u"): (killed, before) = (before.isEmpty ? killed : before, "")
        case .control("k"): (killed, after) = (after.isEmpty ? killed : after, "")
        case .control("w"):
            let line = before
            while before.last == " " { before.removeLast() }
            while let last = before.last, last != " " { before.removeLast() }
            if before != line { killed = String(line.dropFirst(before.count)) }
        case .control("y"): insert(killed)
        // A word is a run of letters and digits, as in readline.
        case .wordLeft: after = before.removeLastWord() + after
        case .wordRight: before += after.removeFirstWord()
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

extension Interface {
    /// Handles a key in a form, first as keypad typing, then as an editing key.
    mutating func handle(_ key: Key, _ form: Form) -> [Request] {
        if form.isSubmitted {
            heldKeys.append(key)
            return []
        }
        if let requests = handleKeypadTyping(key, form) { return requests }
        if keyTable.command(of: key) == .keypadTyping { return toggleKeypadTyping() }
        // Words from a canceled form must not be learned.
        if key == .escape { discardKeypadSession() }
        return endKeypadSession() + fill(in: form, key)
    }

    private mutating func fill(in form: Form, _ key: Key) -> [Request] {
        var form = form
        switch key {
        case .escape:
            overlays.removeLast()
            if form.isChanged {
                undoStack.append(.form(form))
                inform("not saved; \(keyName(of: .undo)) reopens the form")
            }
            return []
        case .enter where form.selected + 1 >= form.fields.count, .control("s"):
            guard form.isChanged else {
                overlays.removeLast()
                inform("nothing changed")
                return []
            }
            form.isSubmitted = true
            overlays[overlays.count - 1] = .form(form)
            inform("saving…")
            return [.perform(form.edit)]
        case .enter: form.move(by: 1)
        default: if let distance = key.distance(tab: true) { form.move(by: distance) } else { form.edit(key) }
        }
        overlays[overlays.count - 1] = .form(form)
        return []
    }

    mutating func handle(_ key: Key, _ prompt: Overlay.Prompt) -> [Request] {
        var prompt = prompt
        if prompt.isCompleting && key != .escape || prompt.isSubmitted {
            heldKeys.append(key)
            return []
        }
        switch key {
        case .escape:
            heldKeys = []
            overlays.removeLast()
            return []
        case .enter:
            let text = prompt.field.text
            guard !text.isEmpty else {
                inform("type a value, or press Esc to cancel")
                return []
            }
            return send(text, prompt)
        case .tab, .down:
            guard prompt.kind.isPath else { return [] }
            if prompt.completions.isEmpty {
                prompt.isCompleting = true
                overlays[overlays.count - 1] = .prompt(prompt)
                return [.completePath(prompt.field.text)]
            }
            prompt.selectCompletion(1)
        case .backTab, .up: prompt.selectCompletion(-1)
        default:
            if prompt.field.edit(key) { (prompt.completions, prompt.selectedCompletion) = ([], nil) }
        }
        overlays[overlays.count - 1] = .prompt(prompt)
        return []
    }

    private mutating func send(_ text: String, _ prompt: Overlay.Prompt) -> [Request] {
        let request: Request
        switch prompt.kind {
        case .scan:
            inform("reading \(text)…")
            request = .scan(text)
        case .location: request = .setLocation(text)
        case .importContacts:
            inform("reading \(text)…")
            request = .importContacts(text)
        case .region(let path):
            inform("reading \(path)…")
            request = .importContacts(path, region: text)
        case .exportContacts:
            let marked = markedContacts.map(\.object)
            request = .exportContacts(text, group: group, ids: marked.isEmpty ? nil : marked)
        case .remind(let ids):
            do throws(RemindersError) {
                let time = try ReminderTime(typed: text)
                request = .perform(bulk(ids.map { .remind($0, time) }))
            } catch {
                warn(error.message)
                return []
            }
        }
        var prompt = prompt
        prompt.isSubmitted = true
        overlays[overlays.count - 1] = .prompt(prompt)
        return [request]
    }

    // MARK: - Reminders

    mutating func handle(_ key: Key, reminders listing: Listing) -> [Request] {
        var listing = listing
        switch key {
        case .escape, .left:
            overlays.removeLast()
            return []
        case .home: listing.move(by: -listing.rows.count)
        case .end: listing.move(by: listing.rows.count)
        case .character("?"): return perform(.help)
        default:
            guard let command = keyTable.command(of: key),
                [.open, .contacted, .remove, .undo].contains(command)
            else {
                listing.move(by: key.distance(page: 10) ?? 0)
                break
            }
            if command == .undo { return perform(.undo) }
            guard case .reminder(let reminder)? = listing.row?.content else { return [] }
            if command == .open { return [.reload(DeepLink(kind: .prospect, id: reminder.subject), opens: true)] }
            if command == .contacted { return [.perform(.setContacted(reminder.subject, to: true, reminder: nil))] }
            guard reminder.state == .pending else {
                warn("\(reminder.title) is already \(reminder.state.rawValue)")
                return []
            }
            return [.perform(.cancelReminder(reminder.subject))]
        }
        overlays[overlays.count - 1] = .reminders(listing)
        return []
    }
}

// Words are looked up on another thread. Later keys of the form wait until the word arrives, so fast typing followed by
// Tab puts the word into the right field.

extension Interface {
    /// Turns keypad typing on or off.
    mutating func toggleKeypadTyping() -> [Request] {
        isKeypadTyping.toggle()
        inform(
            isKeypadTyping
                ? "keypad typing on: 2–9 type words in forms; F9 turns it off" : "keypad typing off; F9 turns it on")
        return endKeypadSession()
    }

    /// Handles a key of keypad typing in a form.
    ///
    /// - Returns: nil if the key is not part of keypad typing.
    mutating func handleKeypadTyping(_ key: Key, _ form: Form) -> [Request]? {
        if let keypadSession, keypadSession.isWaiting {
            if key == .escape {
                discardKeypadSession()
                return nil
            }
            heldKeys.append(key)
            return []
        }
        guard isKeypadTyping, form.takesWords, let entryKey = entryKey(key) else { return nil }
        if keypadSession == nil {
            lastKeypadSession += 1
            let update = KeypadUpdate(session: lastKeypadSession, text: "")
            keypadSession = KeypadSession(before: form.before, lastUpdate: update)
        }
        keypadSession?.isWaiting = true
        return [.pressKeypad(entryKey, session: lastKeypadSession)]
    }

    private func entryKey(_ key: Key) -> EntryKey? {
        switch key {
        case .character(" "): return .space
        case .character(let character):
            // Only Backspace deletes; < types itself.
            let entryKey = EntryKey(character)
            return entryKey == .delete ? nil : entryKey
        case .backspace, .control("h"): return keypadSession?.lastUpdate.text.isEmpty ?? true ? nil : .delete
        default: return nil
        }
    }

    /// Applies an update, then handles the keys that waited for it.
    mutating func apply(_ update: KeypadUpdate) -> [Request] {
        guard let keypadSession, keypadSession.lastUpdate.session == update.session,
            case .form(var form)? = overlays.last
        else { return [] }
        form.replaceBefore(keypadSession.before + update.text)
        overlays[overlays.count - 1] = .form(form)
        self.keypadSession?.lastUpdate = update
        self.keypadSession?.isWaiting = false
        if let failure = update.failure { warn(failure) }
        return handleHeldKeys()
    }

    /// Ends the session and learns its last word.
    mutating func endKeypadSession() -> [Request] {
        defer { keypadSession = nil }
        return keypadSession.map { [.pressKeypad(nil, session: $0.lastUpdate.session)] } ?? []
    }

    /// Ends the session without learning its last word.
    mutating func discardKeypadSession() {
        keypadSession = nil
        heldKeys = []
    }
}

extension Overlay.Prompt {
    /// Inserts the common prefix of the completions, and lists them if there are several.
    mutating func complete(with completions: [String]) {
        guard let first = completions.first else { return }
        var common = first
        for completion in completions.dropFirst() { common = common.commonPrefix(with: completion) }
        if common.count > field.text.count { field.text = common }
        self.completions = completions.count > 1 ? completions : []
        selectedCompletion = nil
    }

    mutating func selectCompletion(_ distance: Int) {
        guard !completions.isEmpty else { return }
        let next = selectedCompletion.map { $0 + distance } ?? (distance > 0 ? 0 : completions.count - 1)
        let index = (next % completions.count + completions.count) % completions.count
        selectedCompletion = index
        field.text = completions[index]
    }
}
