import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardTestSupport
import Testing

@testable import SwitchboardTerminalInterface

@Suite("An edit keeps what was changed elsewhere")
struct EditConflictTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let switchboard = scratchSwitchboard()

    /// Performs the requested edits and handles the responses.
    @discardableResult
    private mutating func perform(_ requests: [Request]) throws -> [Request] {
        var next: [Request] = []
        for case .perform(let edit, let isUndo) in requests {
            do {
                next += interface.handle(.edited(try switchboard.perform(edit), isUndo: isUndo))
            } catch let conflict as EditConflict {
                next += interface.handle(.conflicted(conflict, edit, isUndo: isUndo))
            }
        }
        return next
    }

    /// Adds a contact and opens its form.
    private mutating func open(_ change: (inout ContactChange) -> Void) throws -> String {
        var all = ContactChange()
        all.name = "Tess Case"
        change(&all)
        let contact = try switchboard.addContact(all)
        interface.go(to: "2", [contactRow(contact)])
        interface.press(.alt("e"))
        return contact.id
    }

    private func edit(_ id: String, _ change: (inout ContactChange) -> Void) throws {
        var all = ContactChange()
        change(&all)
        _ = try switchboard.editContact(id, all)
    }

    /// Selects the first field with a label, from the first field on.
    private mutating func select(_ label: String) {
        guard case .form(let form)? = interface.overlays.last,
            let index = form.fields.firstIndex(where: { $0.label == label })
        else {
            Issue.record("no field \(label)")
            return
        }
        while case .form(let form)? = interface.overlays.last, form.selected != index { interface.press(.down) }
    }

    @Test("A number added elsewhere while the form is open stays, beside the one that the form adds")
    mutating func numbers() throws {
        let id = try open { $0.phones = ["+44 7700 900700"] }
        try edit(id) { $0.addedPhones = ["work:+44 7700 900702"] }
        select("Phone")
        interface.press(.down)
        interface.type("+44 7700 900703")
        try perform(interface.press(.control("s")))
        func numbers() throws -> [String] { try switchboard.contacts.contact(id).phones.map(\.number.text) }
        #expect(try numbers() == ["+44 7700 900700", "+44 7700 900702", "+44 7700 900703"])
        // Undo takes back the edit of the form only, also after another change.
        try edit(id) { $0[.nickname] = "T" }
        try perform(interface.press(.alt("u")))
        #expect(try numbers() == ["+44 7700 900700", "+44 7700 900702"])
        #expect(try switchboard.contacts.contact(id).nickname == "T")
        try perform(interface.press(.alt("U")))
        #expect(try numbers() == ["+44 7700 900700", "+44 7700 900702", "+44 7700 900703"])
    }

    @Test("What the form does not show of a number survives an edit of another one")
    mutating func preferred() throws {
        var contact = Contact(name: PersonName(given: "Tess"))
        contact.phones = ["+44 7700 900700", "+44 7700 900701"].map {
            Phone(label: "work", number: PhoneNumber($0), isPreferred: true)
        }
        contact.emails = [Email(address: "tess@example.org", isPreferred: true)]
        contact = try switchboard.contacts.add(contact)
        interface.go(to: "2", [contactRow(contact)])
        interface.press(.alt("e"))
        select("Phone")
        interface.press(.down, .backspace)
        interface.type("9")
        select("E-mail")
        interface.press(.down)
        interface.type("case@example.org")
        try perform(interface.press(.control("s")))
        let saved = try switchboard.contacts.contact(contact.id)
        #expect(saved.phones.map(\.number.text) == ["+44 7700 900700", "+44 7700 900709"])
        #expect(saved.phones.map(\.isPreferred) == [true, false] && saved.emails.map(\.isPreferred) == [true, false])
    }

    @Test(
        "A field that both changed is asked about; Enter stores nothing and keeps the text of the form",
        arguments: [
            ([.enter], "theirs"), ([.escape], "theirs"), ([.down, .enter], "theirs"), ([.down, .down, .enter], "mine"),
        ]
            as [([Key], String)])
    mutating func conflict(keys: [Key], nickname: String) throws {
        let id = try open { $0[.nickname] = "old" }
        try edit(id) { ($0[.nickname], $0[.organization]) = ("theirs", "Initech") }
        select("Nickname")
        interface.press(.control("u"))
        interface.type("mine")
        select("Title")
        interface.type("Captain")
        try perform(interface.press(.control("s")))
        #expect(interface.screen().text.contains("nickname: mine “mine”, theirs “theirs”"))
        #expect(try switchboard.contacts.contact(id).title.isEmpty)
        try perform(keys.flatMap { interface.press($0) })
        let contact = try switchboard.contacts.contact(id)
        #expect(contact.nickname == nickname && contact.organization == "Initech")
        if keys.count == 1 {
            #expect(contact.title.isEmpty && interface.screen().text.contains("Nickname      mine"))
            // The form is still the same edit: it asks again.
            try perform(interface.press(.control("s")))
            #expect(interface.screen().text.contains("Keep theirs"))
        } else {
            #expect(contact.title == "Captain" && interface.overlays.isEmpty)
            try perform(interface.press(.alt("u")))
            let back = try switchboard.contacts.contact(id)
            #expect(back.nickname == "theirs" && back.title.isEmpty && back.organization == "Initech")
        }
    }

    @Test("An answer does not apply to a later change, which is asked about again")
    mutating func laterConflict() throws {
        let id = try open { $0[.nickname] = "old" }
        try edit(id) { $0[.nickname] = "theirs" }
        select("Nickname")
        interface.type("er")
        try perform(interface.press(.control("s")))
        try edit(id) { $0[.nickname] = "third" }
        try perform(interface.press(.down, .down, .enter))
        #expect(interface.screen().text.contains("theirs “third”"))
        #expect(try switchboard.contacts.contact(id).nickname == "third")
        try perform(interface.press(.down, .down, .enter))
        #expect(try switchboard.contacts.contact(id).nickname == "older")
    }

    @Test("Prospects, my details and notes are merged in the same way")
    mutating func others() throws {
        var change = ProspectChange()
        (change.name, change.phone) = ("Ana", "+44 7700 900700")
        let prospect = try switchboard.addProspect(change).prospect
        interface.go(to: "3", [Row(.result(SearchResult(prospect)))])
        interface.press(.alt("e"))
        change = ProspectChange()
        change.phone = "+44 7700 900701"
        _ = try switchboard.editProspect(prospect.id, change)
        select("Met")
        interface.type("FOSDEM")
        try perform(interface.press(.control("s")))
        var saved = try switchboard.prospects.prospect(prospect.id)
        #expect(saved.phone == "+44 7700 900701" && saved.met == "FOSDEM")
        try perform(interface.press(.alt("u")))
        saved = try switchboard.prospects.prospect(prospect.id)
        #expect(saved.phone == "+44 7700 900701" && saved.met.isEmpty)

        let me = MyDetails(name: "Ada", email: "ada@example.org")
        _ = try switchboard.setMe(me)
        interface.press(.alt("B"))
        _ = interface.handle(.badge(.failed(me, reason: "")))
        _ = try switchboard.setMe(MyDetails(name: "Ada", email: "ada@example.org", phone: "+44 7700 900700"))
        select("Title")
        interface.type("Captain")
        try perform(interface.press(.control("s")))
        #expect(try switchboard.prospects.me()?.phone == "+44 7700 900700")
        #expect(try switchboard.prospects.me()?.title == "Captain")

        // A note is written in an editor, where it may take longest.
        let row = SearchResult(prospect)
        change = ProspectChange()
        change.note = "theirs"
        _ = try switchboard.editProspect(prospect.id, change)
        try perform(interface.handle(.noteEdited(row, "mine")))
        #expect(interface.screen().text.contains("Edit again"))
        guard case .editNote(let again, "mine")? = interface.press(.enter).first else {
            Issue.record("the note is lost")
            return
        }
        #expect(again.id == prospect.id)
        #expect(try switchboard.prospects.prospect(prospect.id).note == "theirs")
    }

    @Test("A number that both replaced is asked about; other elements of a list are merged")
    func replacedNumber() throws {
        func numbers(_ suffixes: [Int]) -> [String] { suffixes.map { "+44 7700 9007\($0)" } }
        var change = ContactChange()
        (change.name, change.phones) = ("Tess Case", numbers([10, 11]))
        let base = try switchboard.addContact(change)
        try edit(base.id) { $0.phones = numbers([10, 12]) }
        change = ContactChange()
        change.phones = numbers([10, 13, 14])
        let edit = EditCommand.editContact(base.id, change, since: base)
        let conflict = try #require(throws: EditConflict.self) { try switchboard.perform(edit) }
        #expect(conflict.fields.map(\.name) == ["phone"])
        #expect(conflict.fields[0].mine.hasSuffix("13") && conflict.fields[0].theirs.hasSuffix("12"))
        #expect(conflict.code == "changedSinceRead")
        for (keepsMine, expected) in [(false, [10, 12, 14]), (true, [10, 13, 14])] {
            try self.edit(base.id) { $0.phones = numbers([10, 12]) }
            _ = try switchboard.perform(edit.answering(EditConflictAnswer(conflict, keepsMine: keepsMine)))
            #expect(try switchboard.contacts.contact(base.id).phones.map(\.number.text) == numbers(expected))
        }
    }

    @Test("Whatever two editors do to a list, no element that only one of them touched is lost or comes back")
    func listLaw() throws {
        var random = SplitMix(seed: 7)
        let book = try switchboard.contacts
        for round in 0..<200 {
            func edited(_ groups: [String], _ name: String) -> [String] {
                var groups = groups.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
                for number in 0..<Int.random(in: 0..<3, using: &random) {
                    groups.insert("\(name)\(number)", at: Int.random(in: 0...groups.count, using: &random))
                }
                return groups
            }
            var base = Contact(name: PersonName(given: "Tess"))
            base.groups = (0..<Int.random(in: 0..<5, using: &random)).map { "old\($0)" }
            base = try book.add(base)
            let (mine, theirs) = (edited(base.groups, "mine"), edited(base.groups, "theirs"))
            try book.edit(base.id) { $0.groups = theirs }
            var change = ContactChange()
            change.groups = mine
            let edit = EditCommand.editContact(base.id, change, since: base)
            var asked: EditConflict?
            do { _ = try switchboard.perform(edit) } catch let conflict as EditConflict {
                asked = conflict
                #expect(try book.contact(base.id).groups == theirs, "round \(round)")
                _ = try switchboard.perform(edit.answering(EditConflictAnswer(conflict, keepsMine: true)))
            }
            let stored = Set(try book.contact(base.id).groups)
            let dropped = Set(asked?.fields.map(\.theirs) ?? [])
            let kept = Set(base.groups).intersection(mine).intersection(theirs)
            let expected = kept.union(mine).subtracting(Set(base.groups).subtracting(theirs))
                .union(Set(theirs).subtracting(base.groups)).subtracting(dropped)
            #expect(stored == expected, "round \(round): \(base.groups), mine \(mine), theirs \(theirs)")
        }
    }
}
