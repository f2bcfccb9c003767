import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Marked rows and menus")
struct MarkTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let switchboard = scratchSwitchboard()

    /// Performs the requested edits and handles the responses.
    private mutating func perform(_ requests: [Request]) throws {
        for case .perform(let edit, let isUndo) in requests {
            let requests = interface.handle(.edited(try switchboard.perform(edit), isUndo: isUndo))
            try answer(requests)
        }
    }

    /// Responds to a search in Prospects or Contacts with what is stored.
    private mutating func answer(_ requests: [Request]) throws {
        let prospects = try switchboard.prospects.list().map { Row(.result(SearchResult($0))) }
        let contacts = try switchboard.contacts.list().map { contactRow($0) }
        interface.answer(requests, interface.tab == .prospects ? prospects : contacts)
    }

    private mutating func addContacts(_ names: String...) throws -> [Contact] {
        let contacts = try names.map { try switchboard.contacts.add(Contact(name: PersonName(given: $0))) }
        try answer(interface.press(.alt("2")))
        interface.press(.escape)
        return contacts
    }

    @Test("An action applies to all marked rows, and one undo reverts it")
    mutating func prospects() throws {
        for name in ["Ada", "Bea", "Cem"] {
            var change = ProspectChange()
            (change.name, change.email) = (name, name + "@example.org")
            _ = try switchboard.addProspect(change)
        }
        try answer(interface.press(.alt("3")))
        interface.press(.escape, .alt("v"), .down, .alt("v"))
        #expect(interface.lines[2].hasSuffix(", 2 marked"))
        #expect(interface.lines[3].hasPrefix("● · Ada") && interface.lines[4].hasPrefix("  · Bea"))
        try perform(interface.press(.alt(" ")))
        func contacted() throws -> [String] { try switchboard.prospects.list(.contacted).map(\.name) }
        #expect(try contacted() == ["Ada", "Cem"])
        #expect(interface.lines[23] == "Ada was contacted, and 1 more")
        #expect(!interface.lines[2].contains("marked"))
        try perform(interface.press(.alt("u")))
        #expect(try contacted().isEmpty)
        try perform(interface.press(.alt("U")))
        #expect(try contacted() == ["Ada", "Cem"])
        // All of them: those that are not yet contacted.
        try perform(interface.press(.alt("V"), .alt(" ")))
        #expect(try contacted() == ["Ada", "Bea", "Cem"])
    }

    @Test("Marked contacts are removed after one question, and restored by one undo")
    mutating func removing() throws {
        _ = try addContacts("Ada", "Bea", "Cem")
        interface.press(.alt("V"))
        #expect(interface.marked.count == 3)
        interface.press(.alt("v"))
        #expect(interface.marked.count == 2)
        #expect(interface.press(.alt("d")).edits.isEmpty)
        #expect(interface.screen().text.contains("Remove 2 marked rows (Bea, Cem)?"))
        try perform(interface.press(.alt("d")))
        #expect(try switchboard.contacts.list().map(\.displayName) == ["Ada"])
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.count() == 3)
    }

    @Test("Marked contacts become favourites together, and V unmarks them")
    mutating func favourites() throws {
        let contacts = try addContacts("Ada", "Bea")
        _ = try switchboard.contacts.setFavourite(contacts[0].id)
        try answer(interface.handle(.changed([])))
        interface.press(.alt("V"))
        try perform(interface.press(.alt("f")))
        #expect(try switchboard.contacts.list().allSatisfy(\.isFavourite))
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.list().map(\.isFavourite) == [true, false])
        interface.press(.alt("V"), .alt("V"))
        #expect(interface.marked.isEmpty)
        interface.press(.alt("V"))
        // Contacts cannot be reminded of, so nothing happens to any of them.
        #expect(interface.press(.alt("r")).isEmpty)
        #expect(interface.lines[23] == "Ada is not a prospect")
    }

    @Test("Marks survive another search; those of an airport are refused")
    mutating func searching() throws {
        _ = try addContacts("Ada", "Bea")
        interface.press(.alt("v"))
        interface.answer(interface.type("b"), [contactRow("Bea", id: "b")])
        #expect(interface.lines[2].hasSuffix("1 marked"))
        interface.press(.alt("4"))
        interface.answer(interface.press(.escape), [airportRow("BER", "Berlin")])
        interface.press(.escape, .alt("v"))
        #expect(interface.marked.isEmpty)
        #expect(interface.lines[23] == "only contacts and prospects can be marked")
        #expect(interface.unavailabilityReason(for: .merge)?.hasPrefix("mark the contacts to merge with Alt-v") == true)
    }

    @Test("Marked contacts are merged into the first one, and undo restores all")
    mutating func merging() throws {
        let contacts = try addContacts("Ada", "Bea", "Cem")
        interface.press(.down, .alt("v"), .up, .up, .alt("v"), .alt("M"))
        #expect(interface.screen().text.contains("Merge 2 contacts into Bea?"))
        try perform(interface.press(.alt("M")))
        #expect(try switchboard.contacts.list().map(\.id) == [contacts[1].id, contacts[2].id])
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.count() == 3)
    }

    @Test("An import lists what it skipped and merged, and undo takes it back")
    mutating func importing() throws {
        _ = try addContacts("Ada")
        _ = try switchboard.contacts.importContacts(from: [
            .bytes(Array("BEGIN:VCARD\nVERSION:3.0\nFN:Bea\nEND:VCARD\n".utf8), name: "a.vcf")
        ])
        let lines = [MenuEntry(["skipped", "line 3", "the card is truncated"], .nothing)]
        _ = interface.handle(.imported("added 1, merged 0, unchanged 0, skipped 1", lines, isUndoable: true))
        #expect(
            interface.lines[2].contains("Import report") && interface.screen().text.contains("the card is truncated"))
        #expect(interface.press(.enter).isEmpty)
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.list().map(\.displayName) == ["Ada"])
        #expect(!interface.screen().text.contains("Import report"))
    }

    @Test("The country of numbers without one is asked for once, never by typing ahead, and repeats the import")
    mutating func region() throws {
        _ = interface.handle(.imported("added 2, merged 0, unchanged 0", [], isUndoable: true))
        _ = interface.handle(.regionMissing(numbers: 2, path: "a.vcf"))
        // Letters give no answer, and Enter chooses the harmless one.
        #expect(interface.type("gb").isEmpty && interface.screen().text.contains("2 numbers have no country code"))
        #expect(interface.press(.enter).isEmpty && interface.overlays.isEmpty)
        _ = interface.handle(.regionMissing(numbers: 2, path: "a.vcf"))
        #expect(interface.overlays.isEmpty && interface.lines[23].contains("set region in tui.conf"))

        interface.hasAskedForRegion = false
        _ = interface.handle(.regionMissing(numbers: 2, path: "a.vcf"))
        interface.press(.down, .enter)
        interface.type("GB")
        let requests = interface.press(.enter)
        #expect(requests.contains { if case .importContacts("a.vcf", region: "GB") = $0 { true } else { false } })
        _ = interface.handle(.regionSet("GB"))
        _ = interface.handle(.imported("added 2, merged 0, unchanged 0", [], isUndoable: true))
        #expect(interface.overlays.isEmpty && interface.region == "GB")
        // Only the last import can be undone, also after one that changed nothing.
        _ = interface.handle(.imported("added 0, merged 0, unchanged 2", [], isUndoable: false))
        #expect(interface.undoStack.count == 1)
    }

    @Test("A merge is shown before it is confirmed, and different people are not listed again")
    mutating func preview() throws {
        let contacts = try addContacts("Ada", "Adele")
        for id in contacts.map(\.id) {
            try switchboard.contacts.edit(id) { $0.emails = [Email(typed: "ada@example.org")] }
        }
        interface.press(.alt("v"), .alt("v"))
        let ids = contacts.map(\.id)
        let requests = interface.press(.alt("M"))
        #expect(requests.contains { if case .previewMerge(let merged) = $0 { merged == ids } else { false } })
        _ = interface.handle(.mergePreviewed(ids, try switchboard.mergeComparison(ids)))
        // Each field names the contacts that have it.
        #expect(interface.screen().text.contains("e-mail: ada@example.org  [1, 2]"))
        #expect(interface.screen().text.contains("[2]: Adele"))
        #expect(try switchboard.contacts.duplicates().count == 1)
        try perform(interface.press(.down, .enter))
        #expect(try switchboard.contacts.duplicates().isEmpty)
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.duplicates().count == 1)
    }

    @Test("Groups list their contacts, birthdays open one, and duplicates are merged after a question")
    mutating func menus() throws {
        _ = try addContacts("Ada", "Bea")
        #expect(interface.press(.alt("g")).contains { if case .menu(.groups) = $0 { true } else { false } })
        #expect(interface.lines[2].contains("Groups"))
        let groups = [MenuEntry(["All contacts", "2"], .group(nil)), MenuEntry(["Friends", "1"], .group("Friends"))]
        _ = interface.handle(.menuLoaded(.groups, groups))
        interface.press(.down)
        #expect(interface.lines[interface.screen().cursor.row].hasPrefix("Friends"))
        let requests = interface.press(.enter)
        #expect(requests.searches.first?.group == "Friends")
        interface.answer(requests, [contactRow("Ada", id: "a")])
        #expect(interface.lines[2].hasPrefix("contacts in Friends: 1 of 1"))

        interface.press(.escape, .alt("h"))
        _ = interface.handle(
            .menuLoaded(.birthdays, [MenuEntry(["Ada", "2026-12-01", "in 8 days"], .contact(id: "a"))]))
        let opened = interface.press(.enter)
        #expect(opened.contains { if case .reload(let link, true) = $0 { link.id == "a" } else { false } })
        interface.press(.escape)

        interface.press(.alt("D"))
        #expect(interface.press(.enter).isEmpty)
        _ = interface.handle(.menuLoaded(.duplicates, []))
        #expect(interface.screen().text.contains("No duplicates"))
        _ = interface.handle(
            .menuLoaded(
                .duplicates,
                [
                    MenuEntry(
                        ["Ada", "2 contacts"],
                        .merge(
                            ["a", "b"], into: "Ada",
                            people: [
                                MenuEntry(["Ada", "Initech"], .contact(id: "a")),
                                MenuEntry(["Ada L.", "Globex"], .contact(id: "b")),
                            ]))
                ]))
        // Plain keys change nothing: Enter lists the people, and then opens one.
        #expect(interface.press(.enter).isEmpty && interface.lines[2].contains("One person?"))
        #expect(interface.screen().text.contains("Globex"))
        let person = interface.press(.down, .enter)
        #expect(person.contains { if case .reload(let link, true) = $0 { link.id == "b" } else { false } })
        // Alt-M asks there, too, and again after the harmless answer.
        interface.press(.alt("M"))
        #expect(interface.screen().text.contains("Merge 2 contacts") && interface.press(.escape).isEmpty)
        #expect(interface.lines[2].contains("Duplicates"))
        let merged = interface.press(.alt("M"), .down, .down, .enter).edits
        guard case .mergeContacts(["a", "b"])? = merged.first else {
            Issue.record("no merge requested")
            return
        }
    }

    @Test("Removed contacts are listed; Enter restores none, Alt-u restores the selected one")
    mutating func removed() throws {
        let contacts = try addContacts("Ada", "Bea")
        try switchboard.contacts.remove(contacts.map(\.id))
        #expect(interface.press(.alt("z")).contains { if case .menu(.removed) = $0 { true } else { false } })
        let entries = try switchboard.contacts.removed().map {
            MenuEntry([$0.contact.displayName, "today"], .restore(id: $0.contact.id))
        }
        _ = interface.handle(.menuLoaded(.removed, entries))
        #expect(interface.lines[2].contains("Recently removed") && interface.screen().text.contains("Ada"))
        #expect(interface.press(.enter).isEmpty && interface.lines[23] == "Alt-u restores it")
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.count() == 1)
        #expect(interface.lines[23].hasSuffix(" restored"))
    }

    @Test("A merge is named after its result, also if the first contact has no name")
    mutating func mergedName() throws {
        let first = try switchboard.contacts.add(
            {
                var jogo = Contact(); jogo.nickname = "Jogo"; return jogo
            }())
        let second = try switchboard.contacts.add(Contact(name: PersonName(given: "Agnieszka")))
        let ids = [first.id, second.id]
        try answer(interface.press(.alt("2")))
        interface.press(.alt("V"), .alt("M"))
        _ = interface.handle(
            .mergePreviewed(interface.markedContacts.map(\.object), try switchboard.contacts.mergePreview(ids).details))
        let name = try switchboard.contacts.mergePreview(ids).displayName
        #expect(interface.screen().text.contains("Merge 2 contacts into \(name)?"))
    }

    @Test("Alt-o sorts contacts by name, family name, organisation and change, and then by use again")
    mutating func sorting() throws {
        _ = try addContacts("Ada")
        var orders: [ContactSortOrder?] = []
        for _ in 0..<5 {
            let requests = interface.press(.alt("o"))
            orders.append(requests.searches.first?.contactOrder)
            try answer(requests)
            if orders.count == 2 { #expect(interface.lines[2] == "contacts, by family name: 1 of 1") }
        }
        #expect(orders == [.name, .family, .organization, .changed, nil])
        #expect(interface.lines[2] == "contacts: 1 of 1")
    }

    @Test("Export writes the marked contacts, or those of the group, or all")
    mutating func exporting() throws {
        func exports(_ requests: [Request]) -> [(path: String, group: String?, ids: [String]?)] {
            requests.compactMap {
                if case .exportContacts(let path, let group, let ids) = $0 { (path, group, ids) } else { nil }
            }
        }
        let contacts = try addContacts("Ada", "Bea")
        interface.press(.alt("X"))
        #expect(interface.screen().text.contains("Export all contacts"))
        interface.type("all.vcf")
        let all = try #require(exports(interface.press(.enter)).first)
        #expect(all.path == "all.vcf" && all.group == nil && all.ids == nil)
        _ = interface.handle(
            .failed("all.vcf exists; choose another name", of: .exportContacts("all.vcf", group: nil, ids: nil)))
        #expect(interface.screen().text.contains("> all.vcf"))
        interface.press(.escape, .alt("v"), .alt("X"))
        #expect(interface.screen().text.contains("Export 1 marked contacts"))
        interface.type("some.csv")
        #expect(exports(interface.press(.enter)).first?.ids == [contacts[0].id])
        _ = interface.handle(.exported("1 contacts written to some.csv"))
        #expect(interface.overlays.isEmpty)
        #expect(interface.lines[23] == "1 contacts written to some.csv")
    }

    @Test("An edited note is saved, and can be undone")
    mutating func note() throws {
        let contacts = try addContacts("Ada")
        guard case .editNote(let result, "")? = interface.press(.alt("n")).first else {
            Issue.record("no editor requested")
            return
        }
        try perform(interface.handle(.noteEdited(result, "Two\nlines")))
        #expect(try switchboard.contacts.contact(contacts[0].id).note == "Two\nlines")
        try perform(interface.press(.alt("u")))
        #expect(try switchboard.contacts.contact(contacts[0].id).note.isEmpty)
    }

    @Test("A form has the title, birthday, addresses, pages and groups of a contact, and saves them")
    mutating func fields() throws {
        var contact = Contact(name: PersonName(given: "Ada"))
        contact.addresses = [PostalAddress(typed: "home:Rua Nova 3;Porto;;4000-002;Portugal")]
        contact.groups = ["Friends, old", "Work"]
        contact = try switchboard.contacts.add(contact)
        try answer(interface.press(.alt("2")))
        interface.press(.escape, .alt("e"))
        let labels = [
            "Address", "Address", "Page", "Group", "Group", "Group", "Title", "Birthday", "Note", "Phonetic first name",
            "Phonetic last name", "Department", "Pronouns", "Related people", "Profile",
        ]
        guard case .form(let form)? = interface.overlays.last else {
            Issue.record("no form")
            return
        }
        #expect(Array(form.fields.map(\.label).suffix(labels.count)) == labels)
        #expect(form.fields.map(\.field.text).contains("home:Rua Nova 3;Porto;;4000-002;Portugal"))
        // From the profile and the pronouns up to the birthday, the title and the last group.
        interface.press(.up)
        interface.type("mastodon:ada")
        interface.press(.up, .up)
        interface.type("she/her")
        interface.press(.up, .up, .up, .up, .up)
        interface.type("1980-04-15")
        interface.press(.up)
        interface.type("Captain")
        interface.press(.up)
        interface.type("Sailors")
        try perform(interface.press(.control("s")))
        let saved = try switchboard.contacts.contact(contact.id)
        #expect(saved.birthday == "1980-04-15" && saved.title == "Captain" && saved.pronouns == "she/her")
        #expect(saved[.socialProfiles].map(\.text) == ["mastodon:ada"])
        #expect(saved.groups == ["Friends, old", "Work", "Sailors"])
        #expect(saved.addresses == contact.addresses)
    }

    @Test("Addresses that a form cannot show whole are not in it")
    func unusualAddress() {
        var contact = Contact(name: PersonName(given: "Ada"))
        contact.addresses = [PostalAddress(typed: "Rua Nova 3;Porto")]
        contact.addresses[0].box = "PO 12"
        #expect(!Form(.contact(contact)).fields.contains { $0.label == "Address" })
    }
}
