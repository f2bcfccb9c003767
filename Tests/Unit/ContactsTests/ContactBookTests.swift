import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization
import Testing

@testable import SwitchboardContacts

/// Returns a book in memory with a fixed clock.
func emptyBook(region: String? = "TR") throws -> ContactBook {
    ContactBook(storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: region) {
        Date(timeIntervalSince1970: 1_700_000_000)
    }
}

@Suite("Contact book")
struct ContactBookTests {
    static func contact(_ name: String, phones: [String] = [], emails: [String] = []) -> Contact {
        var contact = Contact()
        contact.setWholeName(name)
        contact.phones = phones.map { Phone(typed: $0, region: "TR") }
        contact.emails = emails.map { Email(typed: $0) }
        return contact
    }

    @Test("rejects fields and contacts that are too long, and keeps those of an earlier version")
    func limits() throws {
        let book = try emptyBook()
        let long = String(repeating: "a", count: 1 << 10)
        let id = try book.add(Self.contact(long)).id
        #expect(throws: ContactBookError.tooLong(field: "name", limit: 1 << 10)) {
            try book.add(Self.contact(long + "a"))
        }
        #expect(throws: ContactBookError.tooLong(field: "note", limit: 64 << 10)) {
            try book.edit(id) { $0.note = String(repeating: "a", count: 64 << 10 + 1) }
        }
        #expect(throws: ContactBookError.tooLong(field: "contact", limit: 1 << 20)) {
            try book.edit(id) { $0.otherProperties = (0..<600).map { "X-\($0):" + long + long } }
        }
        // Parts of a name that are not too long can make one that is.
        #expect(throws: ContactBookError.tooLong(field: "name", limit: 1 << 10)) {
            try book.edit(id) { ($0.name.given, $0.name.family) = (long, "b") }
        }
        #expect(throws: ContactBookError.tooLong(field: "source identifier", limit: 1 << 10)) {
            try book.edit(id) { $0.sourceUID = long + "a" }
        }
        #expect(try book.contact(id).note.isEmpty)
        try book.edit(id) { $0.photo = ContactPhoto(Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 3 << 20))) }
        try book.storage.write { db in
            try db.execute(sql: "UPDATE contact SET note = ?", arguments: [String(repeating: "b", count: 1 << 20)])
        }
        #expect(try book.edit(id) { $0.title = "Engineer" }.title == "Engineer")
    }

    @Test(
        "finds the first names of a list and of favorites without reading all contacts",
        arguments: [("1", "contact_on_sortKey"), ("isFavourite", "contact_on_favourite")])
    func readsListsInOrder(condition: String, index: String) throws {
        let book = try emptyBook()
        let plan = try book.storage.read { db in
            let sql = "EXPLAIN QUERY PLAN SELECT key FROM contact WHERE \(condition) ORDER BY sortKey, key LIMIT 20"
            return try Row.fetchAll(db, sql: sql).map { try $0.value(3) as String }
        }
        #expect(plan.count == 1 && plan[0].contains(index), "\(plan)")
    }

    @Test("rejects a text with U+0000, at which SQLite would end it, also in a contact that is too large")
    func nulTexts() throws {
        let book = try emptyBook()
        let id = try book.add(Self.contact("Ana")).id
        try book.storage.write { db in
            try db.execute(sql: "UPDATE contact SET note = ?", arguments: [String(repeating: "b", count: 1 << 20)])
        }
        let before = try book.contact(id)
        let changes: [(field: String, member: String, change: (inout Contact) -> Void)] = [
            ("name", "name", { $0.name.given = "A\0b" }), ("nickname", "nickname", { $0.nickname = "\0" }),
            ("birthday", "birthday", { $0.birthday = "1990\0" }), ("note", "note", { $0.note = "keep\0lost" }),
            ("phone", "phones", { $0.phones = [Phone(label: "home\0", number: PhoneNumber("1"))] }),
            ("email", "emails", { $0.emails = [Email(address: "a@b\0")] }),
            ("address", "addresses", { $0.addresses = [PostalAddress(typed: "Rua\0 Nova 3")] }),
            ("url", "urls", { $0.urls = [WebAddress(url: "https://example.org\0")] }),
            ("group", "groups", { $0.groups = ["a\0"] }), ("source identifier", "uid", { $0.sourceUID = "u\0" }),
            ("other property", "otherProperties", { $0.otherProperties = ["X-A:b\0"] }),
        ]
        for (field, member, change) in changes {
            let error = #expect(throws: ContactBookError.self, "\(field)") { try book.edit(id) { change(&$0) } }
            #expect(error == .nulText(field: field) && error?.details.field == member)
            var new = Self.contact("Bo")
            change(&new)
            #expect(throws: ContactBookError.nulText(field: field)) { try book.add(new) }
        }
        #expect(try book.contact(id) == before && book.count() == 1)
    }

    @Test("rejects lists with too many entries, before it compares them")
    func longLists() throws {
        let book = try emptyBook()
        let numbers = (0..<200_000).map { "+90 532 \($0)" }
        let most = Array(numbers.prefix(Contact.largestList))
        let id = try book.add(Self.contact("Ana", emails: most.map { "a\($0.filter(\.isNumber))@example.org" })).id
        #expect(throws: ContactBookError.tooMany(field: "phone", limit: 1_000)) {
            var contact = Contact(name: PersonName(given: "Bo"))
            contact.phones = numbers.map {
                Phone(number: PhoneNumber(text: $0, e164: nil, nationalNumber: $0, trunkNumber: nil))
            }
            try book.add(contact)
        }
        let changes: [(field: String, change: @Sendable (inout Contact) throws -> Void)] = [
            ("emails", { $0.emails.append(Email(address: "b@example.org")) }),
            ("urls", { $0.urls = numbers.map { WebAddress(url: $0) } }), ("groups", { $0.groups = numbers }),
            ("addresses", { $0.addresses = numbers.map { PostalAddress(street: $0) } }),
            ("relatedNames", { try $0.set(.relatedNames, toTyped: numbers) }),
        ]
        for (field, change) in changes {
            let error = #expect(throws: ContactBookError.self) { try book.edit(id, change) }
            #expect(error?.code == "tooMany" && error?.details.field == field, "\(field): \(String(describing: error))")
        }
        #expect(try book.contact(id).emails.count == 1_000)
    }

    @Test("rejects a merge that would make a contact too large")
    func largeMerges() throws {
        let book = try emptyBook()
        let ids = try ["a", "b"].map { letter in
            var contact = Self.contact("Ana " + letter)
            contact.note = String(repeating: letter, count: Contact.largestNote)
            return try book.add(contact).id
        }
        #expect(throws: ContactBookError.tooLong(field: "note", limit: 64 << 10)) { try book.merge(ids) }
        #expect(try book.list().count == 2)
    }

    @Test("lists favourites only")
    func favourites() throws {
        let book = try emptyBook()
        for name in ["Ana", "Bo", "Cy"] { try book.add(Self.contact(name)) }
        let list = try book.list()
        try book.setFavourite(list[1].id)
        #expect(try book.list(favourites: true).map(\.displayName) == ["Bo"])
        #expect(try book.list(favourites: true, offset: 1).isEmpty)
    }

    private static let heifPicture: [UInt8] = {
        func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
            let content = Array(content.joined())
            return [0, 0, 0, UInt8(content.count + 8)] + Array(type.utf8) + content
        }
        let tile = box("ispe", [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0])
        let image = box("ispe", [0, 0, 0, 0, 0, 0, 15, 192, 0, 0, 11, 208])
        return box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0], box("iprp", box("ipco", tile, image)))
    }()

    @Test(
        "reads the size of a picture from its header",
        arguments: [
            (
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0, 0, 0, 0, 7],
                256, 7
            ),
            (Array("GIF89a".utf8) + [3, 1, 2, 0], 259, 2),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8, 0, 9, 1, 4], 260, 9),
            (
                Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [
                    10, 0, 0, 0, 0, 0, 0, 0, 9, 1, 0, 4, 0, 0,
                ], 266, 5
            ),
            // Bitmaps of OS/2 and of Windows, the latter from the top.
            (Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [12, 0, 0, 0, 3, 1, 2, 0], 259, 2),
            (
                Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [
                    40, 0, 0, 0, 0, 1, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF,
                ], 256, 2
            ),
            (
                Array("II*".utf8) + [0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 4, 1, 0, 0] + [
                    1, 1, 4, 0, 1, 0, 0, 0, 9, 0, 1, 0,
                ], 260, 65_545
            ),
            (
                [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 2, 1, 0, 0, 3, 0, 0, 0, 1, 1, 4, 0, 0] + [
                    1, 1, 0, 4, 0, 0, 0, 1, 0, 1, 0, 9,
                ], 260, 65_545
            ),
            // A tile, and the image of which it is a part.
            (heifPicture, 4_032, 3_024),
        ] as [([UInt8], Int, Int)])
    func pictureSize(bytes: [UInt8], width: Int, height: Int) throws {
        let size = try #require(PictureSize.read(from: Data(bytes)))
        #expect(size == (width, height))
        for count in 0..<bytes.count { _ = PictureSize.read(from: Data(bytes.prefix(count))) }
    }

    @Test("rejects a picture without a size, and names an imported photo that is none")
    func damagedPicture() throws {
        for bytes in [[0xFF, 0xD8, 0xFF, 0xE0] + Array("junk".utf8), Array("GIF89a".utf8) + [0, 0, 1, 0]] {
            #expect(throws: ContactBookError.self) { try ContactPhoto(picture: Data(bytes)) }
        }
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8).base64EncodedString()
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nPHOTO;ENCODING=b;TYPE=SVG+XML:\(svg)\r\nEND:VCARD\r\n"
        let book = try emptyBook()
        let report = try book.importContacts(from: [.bytes(Array(card.utf8), name: "a.vcf")])
        #expect(report.notes.map(\.reason) == ["a photo of type image/svg+xml is kept, but cannot be displayed"])
        #expect(try book.photo(of: try #require(try book.list().first).id)?.data?.count == 41)
    }

    @Test("rejects a picture of too many pixels", arguments: [[0, 0, 0xEA, 0x60], [0xFF, 0xFF, 0xFF, 0xFF]])
    func tooManyPixels(side: [UInt8]) {
        let bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 73, 72, 68, 82] + side + side
        #expect(throws: ContactBookError.self) { try ContactPhoto(picture: Data(bytes)) }
    }

    @Test("stores and reads back a contact")
    func roundTrip() throws {
        let book = try emptyBook()
        let stored = try book.add(ExportTests.full)
        #expect(stored.id.utf8.count == 12)
        #expect(stored.createdAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(differences(try book.contact(stored.id), stored) == [])
        var expected = ExportTests.full
        expected.id = stored.id
        expected.createdAt = stored.createdAt
        expected.modifiedAt = stored.modifiedAt
        #expect(differences(stored, expected) == [])
        #expect(try book.count() == 1)
        var listed = try #require(try book.list().first)
        #expect(listed.photo == ContactPhoto(mediaType: "image/jpeg", size: 303))
        listed.photo = stored.photo
        #expect(listed == stored)
    }

    @Test("stores duplicate numbers and addresses once")
    func repeats() throws {
        let book = try emptyBook()
        let stored = try book.add(
            Self.contact(
                "Ana", phones: ["0532 123 45 67", "work:+90 532 123 45 67", "05321234567"],
                emails: ["a@example.org", "A@Example.org"]))
        #expect(stored.phones.map(\.number.text) == ["0532 123 45 67"])
        #expect(stored.phones.map(\.label) == ["work"])
        #expect(stored.emails.count == 1)
    }

    @Test("an edit composes the name and keeps identifier and creation time")
    func editing() throws {
        let book = try emptyBook()
        let stored = try book.add(ExportTests.full)
        let edited = try book.edit(stored.id) { contact in
            contact.name.given = "Ann"
            contact.id = "other"
            contact.createdAt = nil
            contact.phones.removeLast()
        }
        #expect(edited.displayName == "Dr. Ann Ruth O'Connor; Smith PhD")
        #expect(edited.id == stored.id)
        #expect(edited.createdAt == stored.createdAt)
        #expect(try book.contact(stored.id) == edited)
        #expect(throws: ContactBookError.nameless) { try book.edit(stored.id) { $0 = Contact() } }
        #expect(try book.contact(stored.id) == edited)
    }

    @Test("records favourites and calls")
    func favouritesAndCalls() throws {
        let book = try emptyBook()
        let id = try book.add(Self.contact("Ana")).id
        #expect(try book.setFavourite(id).isFavourite)
        #expect(try book.setFavourite(id, to: false).isFavourite == false)
        _ = try book.recordCall(id)
        let called = try book.recordCall(id)
        #expect(called.callCount == 2)
        #expect(called.lastCalledAt == Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test("an unknown identifier is an error and changes nothing")
    func unknown() throws {
        let book = try emptyBook()
        let id = try book.add(Self.contact("Ana")).id
        let missing = ContactBookError.notFound(id: "nobody")
        #expect(throws: missing) { try book.contact("nobody") }
        #expect(throws: missing) { try book.edit("nobody") { $0.note = "x" } }
        #expect(throws: missing) { try book.setFavourite("nobody") }
        #expect(throws: missing) { try book.recordCall("nobody") }
        #expect(throws: missing) { try book.remove([id, "nobody"]) }
        #expect(try book.count() == 1)
        try book.remove([id, id])
        #expect(try book.count() == 0)
        #expect(throws: ContactBookError.nameless) { try book.add(Contact()) }
        var twin = Self.contact("Ana")
        twin.id = "same"
        _ = try book.add(twin)
        #expect(throws: ContactBookError.duplicateID("same")) { try book.add(twin) }
    }

    @Test("every change increments the generation, and nothing else does")
    func generations() throws {
        let book = try emptyBook()
        var generations = [try book.storage.generation(of: ContactBook.module)]
        func record() throws { generations.append(try book.storage.generation(of: ContactBook.module)) }
        let id = try book.add(Self.contact("Ana")).id
        try record()
        try book.edit(id) { $0.note = "x" }
        try record()
        try book.setFavourite(id)
        try record()
        try book.recordCall(id)
        try record()
        try book.remove([id])
        try record()
        #expect(Set(generations).count == 6)
        #expect(generations == generations.sorted())
        let last = generations.last
        _ = try book.list()
        _ = try? book.remove(["nobody"])
        try record()
        #expect(generations.last == last)
    }

    @Test("sorts names without their prefix, and refuses a name of spaces")
    func prefixes() throws {
        let book = try emptyBook()
        for name in ["Dr. Anna Zeta", "Sr. José Alba", "Bea Kim", "Dr. Dre"] {
            var contact = Contact()
            contact.setWholeName(name)
            try book.add(contact)
        }
        #expect(try book.list().map(\.displayName) == ["Dr. Anna Zeta", "Bea Kim", "Dr. Dre", "Sr. José Alba"])
        #expect(throws: ContactBookError.nameless) { try book.add(Contact(formattedName: "   ")) }
    }

    @Test("lists contacts by folded name, in pages")
    func order() throws {
        let book = try emptyBook()
        for name in ["Öztürk", "zoe", "Ana", "Łukasz", "ÁBEL", "Oscar"] { try book.add(Self.contact(name)) }
        let names = try book.list().map(\.displayName)
        #expect(names == ["ÁBEL", "Ana", "Łukasz", "Oscar", "Öztürk", "zoe"])
        #expect(try book.list(limit: 2, offset: 1).map(\.displayName) == ["Ana", "Łukasz"])
        #expect(try book.list(limit: 0).isEmpty)
    }

    @Test("sorts contacts by folded names and by times, those without a name last")
    func sortOrders() throws {
        let clock = Mutex(Date(timeIntervalSince1970: 0))
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil) {
            clock.withLock { time in
                time += 1
                return time
            }
        }
        for (given, family, organization) in [
            ("zoe", "Álvarez", ""), ("Ana", "beta", "Acme"), ("Mono", "", "ärzte"), ("Ana", "Alba", "Acme"),
        ] {
            var contact = Contact(name: PersonName(given: given, family: family))
            contact.organization = organization
            try book.add(contact)
        }
        func names(_ order: ContactSortOrder, limit: Int? = nil, offset: Int = 0) throws -> [String] {
            try book.list(sortedBy: order, limit: limit, offset: offset).map(\.displayName)
        }
        #expect(try names(.name) == ["Ana Alba", "Ana beta", "Mono", "zoe Álvarez"])
        #expect(try names(.given) == names(.name))
        #expect(try names(.family) == ["Ana Alba", "zoe Álvarez", "Ana beta", "Mono"])
        #expect(try names(.organization) == ["Ana Alba", "Ana beta", "Mono", "zoe Álvarez"])
        #expect(try names(.created) == ["Ana Alba", "Mono", "Ana beta", "zoe Álvarez"])
        #expect(try names(.family, limit: 2, offset: 1) == ["zoe Álvarez", "Ana beta"])
        #expect(try names(.family, limit: 0).isEmpty && names(.family, offset: 9).isEmpty)
        let first = try #require(try book.list(sortedBy: .created, offset: 3).first)
        try book.edit(first.id) { $0.nickname = "Z" }
        #expect(try names(.changed, limit: 1) == ["zoe Álvarez"])
    }

    @Test("stores the search record of each contact")
    func searchRecords() throws {
        let book = try emptyBook()
        _ = try book.add(Self.contact("Nobody"))
        var contact = Self.contact(
            "Carmen Luz Diaz", phones: ["0532 123 45 67"], emails: ["c@example.org", "d@example.org"])
        contact.nickname = "Meme"
        contact.note = "met in Wien"
        let id = try book.add(contact).id
        try book.storage.read { db in
            let key = try ContactFetching.key(of: id, in: db)
            let source = ContactSource(storage: book.storage)
            let texts = try #require(try source.texts(of: source.people([key], in: db), in: db)[key])
            #expect(texts.indices.map(texts.key(of:)) == ["name", "nickname", "emails.0", "emails.1", "note"])
            #expect(texts.indices.map(texts.isName) == [true, true, false, false, false])
            #expect(texts.numbers == [["+905321234567", "5321234567", "05321234567"]])
            let data = PersonTexts.serialized(contact.texts)
            for length in 0..<data.count { _ = PersonTexts(data.prefix(length), of: ContactField.self) }
        }
    }

    @Test("fetches contacts with many keys")
    func manyKeys() throws {
        let book = try emptyBook()
        for number in 0..<1_200 {
            try book.add(Self.contact("Person \(number)", phones: ["0532 \(1_000_000 + number)"]))
        }
        try book.storage.read { db in
            for count in [0, 1, 10, 16, 17, 500, 501, 1_200, 1_500] {
                let contacts = try ContactFetching.contacts(
                    Array(1...Int64(max(count, 1))).prefix(count).map { $0 }, in: db)
                #expect(contacts.count == min(count, 1_200))
                #expect(contacts.values.allSatisfy { $0.phones.count == 1 })
            }
        }
    }
}
