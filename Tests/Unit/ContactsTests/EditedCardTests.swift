import Foundation
import SwitchboardErrors
import SwitchboardStorage
import Testing

@testable import SwitchboardContacts

@Suite("A contact as an edited card")
struct EditedCardTests {
    private func book() throws -> ContactBook {
        ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "TR")
    }

    private func full() -> Contact {
        var contact = Contact(name: PersonName(prefix: "Dr.", given: "Zoë", middle: "Mae", family: "Quill"))
        contact.nickname = "Zo, Q"
        contact.department = "Ships; Boats"
        contact.organization = "Harbour, Ltd; North"
        contact.phones = [
            Phone(label: "my boat", number: PhoneNumber("0532 123 45 67", region: "TR"), isPreferred: true),
            Phone(label: "work", number: PhoneNumber("+1 212 555 0100")),
        ]
        contact.emails = [Email(label: "home", address: "zoe@example.org")]
        contact.addresses = [PostalAddress(label: "home", street: "Fő utca 1\nII/3", locality: "Budapest")]
        contact.note = "a long note " + String(repeating: "with many words ", count: 20) + "\nand, lines; too"
        contact.birthday = "--04-15"
        contact.groups = ["Choir"]
        contact.isFavourite = true
        contact.photo = ContactPhoto(Data([0xFF, 0xD8, 0xFF, 7]))
        contact.sourceUID = "u-1"
        contact.otherProperties = ["IMPP;X-LABEL=Jabber:xmpp:zoe@example.org", "no property"]
        return contact
    }

    @Test("An unchanged card changes nothing")
    func unchanged() throws {
        let book = try book()
        var old = try book.contact(book.add(full()).id)
        let card = try book.editableCard(of: old.id)
        #expect(!card.text.contains("PHOTO") && !card.text.contains("UID:") && !card.text.contains("\r"))
        #expect(card.text.hasPrefix("BEGIN:VCARD\nVERSION:3.0\nFN:Dr. Zoë Mae Quill\n"))
        let edited = try book.edit(card, with: card.text)
        old.otherProperties = edited.otherProperties
        #expect(edited == old)
        #expect(Set(edited.otherProperties) == Set(full().otherProperties))
    }

    @Test("A changed line changes its field, and calls in between are kept")
    func changed() throws {
        let book = try book()
        let id = try book.add(full()).id
        let card = try book.editableCard(of: id)
        try book.recordCall(id)
        let text = card.text.replacing("zoe@example.org\n", with: "z@example.org\n").replacing(
            "CATEGORIES:Choir\n", with: "")
        let edited = try book.edit(card, with: text)
        #expect(edited.emails.map(\.address) == ["z@example.org"])
        #expect(edited.groups.isEmpty && edited.callCount == 1)
        #expect(edited.photo?.data == Data([0xFF, 0xD8, 0xFF, 7]) && edited.sourceUID == "u-1")
        #expect(edited.phones.map(\.number) == full().phones.map(\.number))
        #expect(edited.note == full().note)
    }

    @Test("FN and N follow each other, unless both are edited")
    func names() throws {
        let book = try book()
        let id = try book.add(Contact(name: PersonName(given: "Zoë", family: "Quill"))).id
        func edit(_ changes: [(String, String)]) throws -> Contact {
            let card = try book.editableCard(of: id)
            return try book.edit(card, with: changes.reduce(card.text) { $0.replacing($1.0, with: $1.1) })
        }
        var edited = try edit([("FN:Zoë Quill", "FN:Zoë Hart")])
        #expect(edited.name.family == "Hart" && edited.displayName == "Zoë Hart")
        edited = try edit([("N:Hart;Zoë", "N:Hart;Ana")])
        #expect(edited.displayName == "Ana Hart" && edited.formattedName.isEmpty)
        edited = try edit([("FN:Ana Hart", "FN:Captain Ana"), ("N:Hart;Ana", "N:Hart;Anna")])
        #expect(edited.displayName == "Captain Ana" && edited.name.given == "Anna")
        edited = try edit([("FN:Captain Ana", "FN:Admiral Ana")])
        #expect(edited.displayName == "Admiral Ana" && edited.name.family == "Hart")
    }

    @Test("A mistake names its line and changes nothing; a later change is not overwritten")
    func mistakes() throws {
        let book = try book()
        let old = try book.contact(book.add(full()).id)
        let card = try book.editableCard(of: old.id)
        let lines = card.text.split(separator: "\n")
        let email = try #require(lines.firstIndex { $0.hasPrefix("EMAIL") })
        for (text, line) in [
            (card.text.replacing("EMAIL", with: "!"), email + 1), ("", 1), (card.text + card.text, lines.count + 1),
            (card.text.replacing("END:VCARD\n", with: ""), 1),
        ] {
            let error = #expect(throws: MalformedInput.self) { try book.edit(card, with: text) }
            #expect(error?.line == line, "\(error.map(String.init(describing:)) ?? "")")
        }
        #expect(try book.contact(old.id) == old)
        try book.edit(old.id) { $0.nickname = "Zed" }
        #expect(throws: ContactBookError.changedSinceRead(id: old.id)) { try book.edit(card, with: card.text + "\n") }
    }
}
