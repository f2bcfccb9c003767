import Foundation
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardStorage
import Testing

@Suite("Cards for clients that synchronize with a server")
struct ContactCardsTests {
    private let fixture: FolderFixture
    private let cards: ContactCards
    private var book: ContactBook { fixture.book }

    init() throws {
        fixture = try FolderFixture()
        cards = ContactCards(book: fixture.book)
    }

    private static func card(_ identifier: String, _ name: String, _ lines: String...) -> [UInt8] {
        let start = ["BEGIN:VCARD", "VERSION:4.0", "FN:\(name)", "N:;\(name);;;", "UID:\(identifier)"]
        return Array((start + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
    }

    @discardableResult
    private func write(_ bytes: [UInt8], as name: String) throws -> StoredResource {
        try cards.write(bytes, as: name) { _ in true }.resource
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try #require(try cards.card(name)).bytes, as: UTF8.self)
    }

    private func changes(since token: ChangeToken?, limit: Int = .max) throws -> ResourceChanges {
        try #require(try cards.changes(since: token, limit: limit))
    }

    @Test("a card is kept byte for byte, and its contact is in the book")
    func bytes() throws {
        let card = Self.card(
            "u1", "Ana", "item1.TEL;TYPE=\"cell,voice\":+4930123456", "item1.X-ABLabel:_$!<Mobile>!$_", "NICKNAME:a,b",
            "PHOTO:data:image/jpeg;base64,/9j/4AAQ", "X-ODD;A=\"b;c\":d\\,e", "NOTE:x\r\n  y")
        let stored = try write(card, as: "what ever.vcf")
        let found = try #require(try cards.card("what ever.vcf"))
        #expect(found.bytes == card)
        #expect(found.resource == stored)
        #expect(try book.list().map(\.displayName) == ["Ana"])
        #expect(try cards.list() == [stored])
    }

    @Test("a change made elsewhere changes only the lines that it touches")
    func edit() throws {
        let lines = ["item1.TEL:+4930123456", "item1.X-ABLabel:Boat", "X-ODD;A=\"b;c\":d\\,e", "TITLE:Captain"]
        let card = Self.card("u1", "Ana", lines[0], lines[1], lines[2], lines[3])
        let old = try write(card, as: "a.vcf")
        try book.edit(try #require(try book.list().first).id) { $0.title = "Admiral" }
        let expected = String(decoding: card, as: UTF8.self).replacing("TITLE:Captain", with: "TITLE:Admiral")
        #expect(try text("a.vcf") == expected)
        #expect(try cards.list().map(\.tag) != [old.tag])
    }

    @Test("what a client replaces without knowing its version can be restored, unless nothing of it is lost")
    func replaced() throws {
        func replace(_ lines: String..., keeping: Bool = true) throws {
            let text = (["BEGIN:VCARD", "VERSION:4.0", "UID:u1", "FN:Ana"] + lines + ["END:VCARD", ""])
            let bytes = Array(text.joined(separator: "\r\n").utf8)
            try cards.write(bytes, as: "a.vcf", keepingReplaced: keeping) { _ in true }
        }
        let photo = "PHOTO:data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ=="
        try replace("TEL:+4930123456", "PRODID:one", "item1.URL:https://a.example", "item1.X-ABLabel:Blog", photo)
        let ana = try #require(try book.list().first)
        try replace(
            "TEL:+4930123456", "PRODID:two", "item1.URL:https://a.example", "item1.X-ABLabel:Blog", photo, "NOTE:more")
        try replace("TEL:+4930999999", keeping: false)
        #expect(try book.removed().isEmpty)
        // Changed elsewhere, and then by a client that has not noticed.
        try book.edit(ana.id) { $0.title = "Admiral" }
        try replace("TEL:+4930999999", "NOTE:from a telephone")
        #expect(try book.list().map(\.title) == [""])
        let copy = try #require(try book.removed().first?.contact)
        #expect(try book.restore([copy.id]).map(\.title) == ["Admiral"])
        #expect(try book.list().count == 2)
        #expect(try Set(cards.list().map(\.name)) == ["a.vcf", copy.id + ".vcf"])
        #expect(try text(copy.id + ".vcf").contains("UID:\(copy.id)\r\n"))
        try replace(keeping: true)
        #expect(try book.removed().map(\.contact.note) == ["from a telephone"])
    }

    @Test("a call changes neither the card nor its tag")
    func call() throws {
        let old = try write(Self.card("u1", "Ana"), as: "a.vcf")
        try book.recordCall(try #require(try book.list().first).id)
        #expect(try cards.list() == [old])
    }

    @Test("a contact made elsewhere has a card that stays the same")
    func made() throws {
        let contact = try book.add(Contact(name: PersonName(splitting: "Ana Example")))
        let name = contact.id + ".vcf"
        let first = try text(name)
        #expect(first.contains("UID:\(contact.id)\r\n"))
        #expect(try text(name) == first)
        #expect(try cards.list().map(\.name) == [name])
    }

    @Test("changes have new, changed and removed cards, and a token for what follows")
    func changes() throws {
        try write(Self.card("u1", "Ana"), as: "a.vcf")
        try write(Self.card("u2", "Ben"), as: "b.vcf")
        let first = try changes(since: nil)
        #expect(Set(first.changed.map(\.name)) == ["a.vcf", "b.vcf"])
        #expect(first.removed == [])
        #expect(try changes(since: first.token).changed == [])
        try write(Self.card("u3", "Cem"), as: "c.vcf")
        try cards.remove("a.vcf") { _ in true }
        let second = try changes(since: first.token)
        #expect(second.changed.map(\.name) == ["c.vcf"])
        #expect(second.removed == ["a.vcf"])
        #expect(try changes(since: nil).removed == [])
        #expect(try cards.changes(since: ChangeToken("1-1")) == nil)
    }

    @Test("a first listing in parts has each card once, and reports changes made meanwhile", arguments: [1, 2, 3, 10])
    func parts(limit: Int) throws {
        for number in 1...5 { try write(Self.card("u\(number)", "Ana \(number)"), as: "\(number).vcf") }
        var found: [String] = []
        var token: ChangeToken?
        for part in 0... {
            let changes = try changes(since: token, limit: limit)
            found += changes.changed.map(\.name)
            token = changes.token
            if part == 0 { try write(Self.card("u9", "Eva"), as: "9.vcf") }
            if changes.isComplete { break }
        }
        #expect(Set(found).isSuperset(of: (1...5).map { "\($0).vcf" }))
        #expect(Set(found).count == found.count)
        #expect(try changes(since: token).changed.map(\.name) == ["9.vcf"])
    }

    @Test("a UID belongs to one card")
    func identifiers() throws {
        try write(Self.card("u1", "Ana"), as: "a.vcf")
        #expect(throws: ContactCardsError.uidConflict(name: "a.vcf")) { try write(Self.card("u1", "Ben"), as: "b.vcf") }
        #expect(throws: ContactCardsError.uidConflict(name: "a.vcf")) { try write(Self.card("u2", "Ana"), as: "a.vcf") }
        let contact = try book.add(Contact(name: PersonName(splitting: "Cem")))
        #expect(throws: ContactCardsError.uidConflict(name: contact.id + ".vcf")) {
            try write(Self.card(contact.id, "Cem"), as: "c.vcf")
        }
        try write(Self.card(contact.id, "Cem Two"), as: contact.id + ".vcf")
        #expect(try book.count() == 2)
    }

    @Test("a precondition sees the tag after changes made elsewhere")
    func precondition() throws {
        let old = try write(Self.card("u1", "Ana"), as: "a.vcf")
        try book.edit(try #require(try book.list().first).id) { $0.note = "new" }
        #expect(throws: ContactCardsError.cardChanged("a.vcf")) {
            try cards.write(Self.card("u1", "Ben"), as: "a.vcf") { $0 == old.tag }
        }
        #expect(throws: ContactCardsError.cardChanged("a.vcf")) { try cards.remove("a.vcf") { $0 == old.tag } }
        #expect(try book.list().map(\.displayName) == ["Ana"])
    }

    @Test(
        "what is not one card with a UID is refused and changes nothing",
        arguments: [
            "", "hello", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nN:A;;;;\r\nEND:VCARD\r\n",
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u\r\nEND:VCARD\r\n",
            String(repeating: "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u\r\nFN:A\r\nEND:VCARD\r\n", count: 2),
        ])
    func refused(text: String) throws {
        #expect(throws: ContactCardsError.self) { try write(Array(text.utf8), as: "a.vcf") }
        #expect(try book.count() == 0)
        #expect(try cards.list() == [])
    }

    @Test("a group card is kept and synchronized, and is not a contact")
    func group() throws {
        let token = try cards.token()
        let bytes = Self.card("g1", "Friends", "KIND:group", "MEMBER:urn:uuid:u1")
        try write(bytes, as: "g.vcf")
        #expect(try book.count() == 0)
        #expect(try #require(try cards.card("g.vcf")).bytes == bytes)
        #expect(try changes(since: token).changed.map(\.name) == ["g.vcf"])
        #expect(try book.changes(since: token)?.removed == [])
        try cards.remove("g.vcf") { _ in true }
        #expect(try cards.card("g.vcf") == nil)
        #expect(try changes(since: token).removed == ["g.vcf"])
    }

    @Test("a restored contact gets its card back, and a name can be used again")
    func restored() throws {
        let bytes = Self.card("u1", "Ana", "X-ODD:1")
        try write(bytes, as: "a.vcf")
        let id = try #require(try book.list().first).id
        try cards.remove("a.vcf") { _ in true }
        try book.restore([id])
        #expect(try text("a.vcf") == String(decoding: bytes, as: UTF8.self))
        try cards.remove("a.vcf") { _ in true }
        try write(Self.card("u2", "Ben"), as: "a.vcf")
        #expect(try cards.list().map(\.name) == ["a.vcf"])
        #expect(try book.list().map(\.displayName) == ["Ben"])
    }

    @Test("the changes of contacts have what changed and what was removed")
    func contacts() throws {
        let ana = try book.add(Contact(name: PersonName(splitting: "Ana")))
        let first = try #require(try book.changes(since: nil))
        #expect(first.contacts.map(\.id) == [ana.id])
        let ben = try book.add(Contact(name: PersonName(splitting: "Ben")))
        try book.remove([ana.id])
        let second = try #require(try book.changes(since: first.token))
        #expect(second.contacts.map(\.id) == [ben.id])
        #expect(second.removed == [ana.id])
        #expect(try book.changes(since: ChangeToken("1-1")) == nil)
    }
}
