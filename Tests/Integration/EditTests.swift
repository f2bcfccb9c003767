import Foundation
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import Testing

@Suite("Several edits as one")
struct EditTests {
    let switchboard: Switchboard

    init() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("edits-" + UUID().uuidString).path
        switchboard = Switchboard(Settings(database: folder + "/people.sqlite", region: "GB"))
    }

    private func add(_ name: String, groups: [String] = []) throws -> Contact {
        var contact = Contact(name: PersonName(given: name))
        contact.groups = groups
        return try switchboard.contacts.add(contact)
    }

    @Test("If one of several edits fails, none is kept")
    func rollback() throws {
        let ada = try add("Ada")
        #expect(throws: ContactBookError.notFound(id: "nobody")) {
            try switchboard.perform(
                .all([.setFavourite(ada.id, to: true), .removeContact(ada.id), .removeContact("nobody")]))
        }
        let kept = try switchboard.contacts.contact(ada.id)
        #expect(!kept.isFavourite)
    }

    @Test("Undoing several edits reverts them in the opposite order, and again repeats them")
    func undo() throws {
        let (ada, bea) = (try add("Ada"), try add("Bea"))
        let edit = EditCommand.all([.setFavourite(ada.id, to: true), .removeContact(ada.id), .removeContact(bea.id)])
        let done = try switchboard.perform(edit)
        #expect(done.message == "Ada is a favourite, and 2 more")
        #expect(try switchboard.contacts.count() == 0)
        let undone = try switchboard.perform(#require(done.undo))
        #expect(try switchboard.contacts.list().map(\.isFavourite) == [false, false])
        _ = try switchboard.perform(#require(undone.undo))
        #expect(try switchboard.contacts.count() == 0)
    }

    @Test("A merge is an edit that can be undone and repeated")
    func merging() throws {
        let (ada, bea) = (try add("Ada"), try add("Bea"))
        let merged = try switchboard.perform(.mergeContacts([ada.id, bea.id]))
        #expect(merged.message == "2 contacts merged into Ada" && merged.link?.id == ada.id)
        let restored = try switchboard.perform(#require(merged.undo))
        #expect(try switchboard.contacts.count() == 2)
        _ = try switchboard.perform(#require(restored.undo))
        #expect(try switchboard.contacts.list().map(\.id) == [ada.id])
    }

    @Test("A search in a group finds its members only, by text and keypad, up to the limit")
    func groups() throws {
        for (name, groups) in [("Ada", ["Friends"]), ("Adam", []), ("Adana", ["friends"]), ("Bea", ["Friends"])] {
            _ = try add(name, groups: groups)
        }
        func names(_ input: SearchInput, limit: Int = 10) throws -> [String] {
            try switchboard.searchContacts(input, group: "Friends", limit: limit).results.map(\.title)
        }
        #expect(try names(SearchInput("ada")) == ["Ada", "Adana"])
        #expect(try names(SearchInput("ada"), limit: 1) == ["Ada"])
        #expect(try names(SearchInput(keys: "232")) == ["Ada", "Bea", "Adana"])
        #expect(try Set(names(SearchInput(""))) == ["Ada", "Adana", "Bea"])
    }

    @Test("Named contacts are exported, and no others")
    func exporting() throws {
        let (ada, _) = (try add("Ada"), try add("Bea"))
        for format in ExportFormat.allCases {
            var text = ""
            #expect(try switchboard.contacts.export(format, only: [ada.id]) { text += $0 } == 1)
            #expect(text.contains("Ada") && !text.contains("Bea"))
        }
    }
}
