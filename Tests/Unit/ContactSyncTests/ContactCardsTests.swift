import Foundation
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardTestSupport
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

    @Test("the cards of many contacts are written, and listed with their bytes")
    func many() throws {
        try write(Self.card("u1", "Ana"), as: "a.vcf")
        let many = (0..<1_050).map { "BEGIN:VCARD\nVERSION:3.0\nFN:Bo \($0)\nEND:VCARD\n" }.joined()
        _ = try book.importContacts(from: [.bytes(Array(many.utf8), name: "many.vcf")])
        try book.edit(try #require(try book.list().first).id) { $0.title = "Captain" }
        var seen: [StoredResource] = []
        try cards.forEach { resource, bytes in
            seen.append(resource)
            #expect(resource == StoredResource(name: resource.name, bytes: bytes, modifiedAt: resource.modifiedAt))
            return true
        }
        #expect(try seen.count == 1_051 && seen == cards.list())
        #expect(try text("a.vcf").contains("TITLE:Captain"))
        for resource in seen.suffix(20) { #expect(try cards.card(resource.name)?.resource == resource) }
        var first: [StoredResource] = []
        try cards.forEach { resource, _ in
            first.append(resource)
            return first.count < 3
        }
        #expect(first == Array(seen.prefix(3)))
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
            _ = try cards.write(bytes, as: "a.vcf", keepingReplaced: keeping) { _ in true }
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

    private func groups(_ name: String) throws -> [String] {
        try #require(try book.list().first { $0.displayName == name }).groups
    }

    @Test("who a group card lists is in the group, in any order of the cards, and no other card changes")
    func members() throws {
        let ana = Self.card("u1", "Ana")
        try write(ana, as: "a.vcf")
        let lists = ["MEMBER:urn:uuid:u1", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u2", "MEMBER:mailto:cleo@example.org"]
        try write(Self.card("g1", "Friends", "KIND:group", lists[0], lists[1], lists[2]), as: "g.vcf")
        let ben = Self.card("u2", "Ben", "CATEGORIES:Sailing")
        try write(ben, as: "b.vcf")
        try write(Self.card("u3", "Cleo", "EMAIL:cleo@example.org"), as: "c.vcf")
        #expect(try groups("Ana") == ["Friends"])
        #expect(try groups("Ben") == ["Sailing", "Friends"])
        #expect(try groups("Cleo") == ["Friends"])
        #expect(try #require(try cards.card("a.vcf")).bytes == ana)
        // A client that writes the card again says nothing about groups.
        try write(Self.card("u1", "Ana", "NOTE:new"), as: "a.vcf")
        #expect(try groups("Ana") == ["Friends"])
        try write(Self.card("g1", "Crew", "KIND:group", lists[1]), as: "g.vcf")
        #expect(try groups("Ana") == [])
        #expect(try groups("Ben") == ["Sailing", "Crew"])
        #expect(try #require(try cards.card("b.vcf")).bytes == ben)
        try cards.remove("g.vcf") { _ in true }
        #expect(try groups("Ben") == ["Sailing"])
        #expect(try book.count() == 3)
    }

    @Test("who joins or leaves a group elsewhere is listed or no longer listed, and other lines stay")
    func memberElsewhere() throws {
        for (version, kind, property) in [
            ("4.0", "KIND:group", "MEMBER"), ("3.0", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER"),
        ] {
            for (identifier, name) in [("u1", "Ana"), ("u2", "Ben")] {
                try write(Self.card(identifier, name), as: name + ".vcf")
            }
            let lines = [
                "X-ODD;A=\"b;c\":d", kind, property + ":urn:uuid:u1", property + ":urn:uuid:unknown", "NOTE:x",
            ]
            let card = String(
                decoding: Self.card("g1", "Friends", lines[0], lines[1], lines[2], lines[3], lines[4]), as: UTF8.self
            ).replacing("VERSION:4.0", with: "VERSION:" + version)
            try write(Array(card.utf8), as: "g.vcf")
            let token = try cards.token()
            let people = Dictionary(uniqueKeysWithValues: try book.list().map { ($0.displayName, $0.id) })
            try book.edit(try #require(people["Ana"])) { $0.groups = [] }
            #expect(try changes(since: token).changed.map(\.name).sorted() == ["Ana.vcf", "g.vcf"])
            #expect(try text("g.vcf") == card.replacing(lines[2] + "\r\n", with: ""))
            try book.edit(try #require(people["Ben"])) { $0.groups = ["Friends"] }
            #expect(
                try text("g.vcf")
                    == card.replacing(lines[2] + "\r\n", with: "").replacing(
                        lines[3], with: lines[3] + "\r\n" + property + ":urn:uuid:u2"))
            #expect(try !text("Ben.vcf").contains("CATEGORIES"))
            // A category that a client takes away ends the membership.
            try write(Self.card("u1", "Ana", "CATEGORIES:Friends"), as: "Ana.vcf")
            #expect(try text("g.vcf").contains("u1"))
            try write(Self.card("u1", "Ana"), as: "Ana.vcf")
            #expect(try groups("Ana") == [])
            #expect(try !text("g.vcf").contains("u1"))
            for card in try cards.list() { try cards.remove(card.name) { _ in true } }
        }
    }

    @Test("a group card is converted to the other version and back")
    func groupVersions() throws {
        let old = String(
            decoding: Self.card("g1", "Friends", "KIND:group", "MEMBER:urn:uuid:u1", "X-ODD:1"), as: UTF8.self)
        let new = old.replacing("VERSION:4.0", with: "VERSION:3.0").replacing("KIND", with: "X-ADDRESSBOOKSERVER-KIND")
            .replacing("MEMBER", with: "X-ADDRESSBOOKSERVER-MEMBER")
        let converted = try #require(ContactCards.converted(Array(old.utf8), to: "3.0"))
        #expect(String(decoding: converted, as: UTF8.self) == new)
        #expect(ContactCards.converted(converted, to: "4.0") == Array(old.utf8))
    }

    @Test("a new group card also lists who is in the group already")
    func existingGroup() throws {
        try write(Self.card("u1", "Ana", "CATEGORIES:Crew"), as: "a.vcf")
        try write(Self.card("u2", "Ben"), as: "b.vcf")
        let card = Self.card("g1", "Crew", "KIND:group", "MEMBER:urn:uuid:u2")
        let stored = try write(card, as: "g.vcf")
        #expect(stored.tag == StoredResource(name: "g.vcf", bytes: card, modifiedAt: stored.modifiedAt).tag)
        #expect(try text("g.vcf").contains("MEMBER:urn:uuid:u2\r\nMEMBER:urn:uuid:u1\r\n"))
        #expect(try groups("Ben") == ["Crew"])
    }

    /// The law of groups: the known members of each group card are the contacts of its group, whatever is done.
    @Test("a group card and the group of contacts stay the same thing", arguments: 1...20)
    func groupLaw(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let names = ["Crew", "Kin"]
        for step in 0..<60 {
            let person = Int.random(in: 0..<6, using: &numbers)
            let name = names[Int.random(in: 0..<2, using: &numbers)]
            let contact = try book.list().first { $0.sourceUID == "u\(person)" }
            switch Int.random(in: 0..<8, using: &numbers) {
            case 0: _ = try? write(Self.card("u\(person)", "P\(person)", "NOTE:\(step)"), as: "p\(person).vcf")
            case 1: _ = try? write(Self.card("u\(person)", "P\(person)", "CATEGORIES:\(name)"), as: "p\(person).vcf")
            case 2: try? cards.remove("p\(person).vcf") { _ in true }
            case 3: if let contact { try book.edit(contact.id) { $0.groups = [name] } }
            case 4: if let contact { try book.edit(contact.id) { $0.groups = [] } }
            case 5:
                let removed = try book.removed().first { $0.contact.displayName == "P\(person)" }
                if contact == nil, let removed { try book.restore([removed.contact.id]) }
            case 6 where try cards.card("g.vcf") != nil && step % 3 == 0: try cards.remove("g.vcf") { _ in true }
            default:
                let members = (0..<6).filter { _ in Bool.random(using: &numbers) }.map { "MEMBER:urn:uuid:u\($0)" }
                let card = Self.card("g", name, "KIND:group", members.joined(separator: "\r\n"))
                try write(
                    Array(String(decoding: card, as: UTF8.self).replacing("\r\n\r\n", with: "\r\n").utf8), as: "g.vcf")
            }
            guard try cards.card("g.vcf") != nil else { continue }
            let card = try text("g.vcf")
            let group = try #require(names.first { card.contains("FN:" + $0) })
            for contact in try book.list() {
                let isListed = card.contains("urn:uuid:\(contact.sourceUID)\r\n")
                #expect(isListed == contact.groups.contains(group), "step \(step): \(contact.displayName)")
            }
        }
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
