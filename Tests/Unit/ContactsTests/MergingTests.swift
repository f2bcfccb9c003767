import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTestSupport
import Synchronization
import Testing

@testable import SwitchboardContacts
@testable import SwitchboardStorage

@Suite("Merging contacts")
struct MergingTests {
    /// A clock that advances by a second with each call.
    private final class Clock: Sendable {
        let time = Mutex(1_700_000_000.25)

        func next() -> Date {
            pass(days: 1 / 86_400)
            return Date(timeIntervalSince1970: time.withLock { $0 })
        }

        func pass(days: Double) { time.withLock { $0 += days * 86_400 } }
    }

    private let clock = Clock()
    private let book: ContactBook

    init() throws {
        let clock = clock
        book = ContactBook(storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: "TR") {
            clock.next()
        }
    }

    @Test("a removed contact is restored exactly, for thirty days")
    func restoring() throws {
        let ids = try (1...3).map { try book.add(Contact(name: PersonName(splitting: "Ana Lee \($0)"))).id }
        try book.recordCall(ids[0])
        try book.merge([ids[0], ids[1]])
        let before = try everything()
        try book.remove([ids[0], ids[2]])
        #expect(try book.count() == 0)
        #expect(throws: ContactBookError.notRemoved(id: "nobody")) { try book.restore([ids[0], "nobody"]) }
        #expect(try book.count() == 0)
        #expect(try book.restore([ids[0], ids[2]]).map(\.id) == [ids[0], ids[2]])
        #expect(try everything() == before)
        #expect(throws: ContactBookError.duplicateID(ids[0])) { try book.restore([ids[0]]) }

        try book.remove([ids[2]])
        clock.pass(days: 31)
        try book.remove([ids[0]])
        #expect(throws: ContactBookError.notRemoved(id: ids[2])) { try book.restore([ids[2]]) }
        try book.restore([ids[0]])
    }

    @Test("a file from before the primary key of details keeps them, in their order, and those of copied contacts")
    func detailKeys() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func book(_ migrations: ModuleMigrations) throws -> ContactBook {
            let storage = try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [migrations])
            return ContactBook(storage: storage, region: "TR") { [clock] in clock.next() }
        }
        let former = ModuleMigrations(
            module: ContactBook.module,
            ContactBook.migrations.steps.filter { !["12-detail-keys", "13-identities"].contains($0.name) })
        let groups = ["Tea", "Art", "Zen", "Choir"]
        let contacts = ["Ana", "Bob", "Cleo", "Dana"].map { name in
            var contact = Contact(name: PersonName(given: name))
            contact.addresses = [PostalAddress(label: "home", street: "Fő utca 1", locality: name)]
            contact.urls = [WebAddress(label: "work", url: "https://example.org/\(name)")]
            contact.otherProperties = ["X-A:\(name)"]
            contact.groups = groups
            contact.photo = ContactPhoto(Data([0xFF, 0xD8, 0xFF, 7]))
            return contact
        }
        let ids: [String]
        do {
            let book = try book(former)
            ids = try contacts.map { try book.add($0).id }
            try book.storage.write(changing: ContactBook.module) { db in
                // As from "CATEGORIES:Tea,Art,Zen,Choir", except for the last contact.
                try db.execute(
                    sql: """
                        UPDATE contact_detail SET position = 3 WHERE kind = \(DetailKind.group.rawValue)
                            AND contact < (SELECT max(key) FROM contact)
                        """)
            }
            try book.merge([ids[0], ids[1]])
            try book.remove([ids[2]])
        }
        let book = try book(ContactBook.migrations)
        try book.undoMerge(ids[0])
        try book.restore([ids[2]])
        for (id, contact) in zip(ids, contacts) {
            let stored = try book.contact(id)
            #expect(stored.groups == groups && stored.addresses == contact.addresses && stored.urls == contact.urls)
            #expect(stored.otherProperties == contact.otherProperties && stored.photo == contact.photo)
        }
        let places = try book.storage.read { db in
            try String.fetchAll(db, sql: "SELECT group_concat(position) FROM contact_detail GROUP BY contact")
        }
        #expect(places == Array(repeating: "0,1,2,3,4,5,6,7", count: 4))
        #expect(try book.storage.check().isSound)
    }

    @Test("a file from before the identity of codes and names of signs has it, also in copied contacts")
    func identities() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func book(_ migrations: ModuleMigrations) throws -> ContactBook {
            let storage = try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [migrations])
            return ContactBook(storage: storage, region: nil) { [clock] in clock.next() }
        }
        let former = ModuleMigrations(
            module: ContactBook.module, ContactBook.migrations.steps.filter { $0.name != "13-identities" })
        let texts = ["*100#", "+49 30 901820", "+49 30 901820p1#", "1-800-GO-FEDEX"]
        let ids: [String]
        do {
            let book = try book(former)
            ids = try ["❤️", "Bob"].map { name in
                var contact = Contact(name: PersonName(given: name))
                contact.phones = texts.map { Phone(number: PhoneNumber($0)) }
                return try book.add(contact).id
            }
            try book.storage.write(changing: ContactBook.module) { db in
                try db.execute(
                    sql: """
                        UPDATE contact_phone SET identity = coalesce(e164, national);
                        UPDATE contact SET nameKey = '' WHERE given = '❤️';
                        """)
            }
            try book.remove([ids[1]])
        }
        let book = try book(ContactBook.migrations)
        try book.restore([ids[1]])
        let identities = try book.storage.read { db in
            try String.fetchAll(db, sql: "SELECT identity FROM contact_phone ORDER BY contact, position")
        }
        #expect(identities == Array(repeating: texts.map { PhoneNumber($0).identity }, count: 2).flatMap { $0 })
        let names = try book.storage.read { db in
            try String.fetchAll(db, sql: "SELECT nameKey FROM contact ORDER BY key")
        }
        #expect(names == ["❤️", "bob"])
    }

    /// Returns exports of the whole book.
    private func everything() throws -> [String] {
        var pieces: [String] = []
        for format in [ExportFormat.json, .vcard4] { try book.export(format) { pieces.append($0) } }
        return pieces
    }

    @Test("keeps the first contact and all facts of the others")
    func nothingLost() throws {
        var first = ContactBookTests.contact(
            "Bob Smith", phones: ["mobile:0532 123 45 67"], emails: ["bob@example.org"])
        first.organization = "Initech"
        first.title = "Clerk"
        first.note = "likes tea"
        first.otherProperties = ["PHOTO;ENCODING=b;TYPE=JPEG:AAAA"]
        var second = ContactBookTests.contact(
            "Dr. Robert Smith", phones: ["+90 532 123 45 67", "work:0212 555 01 00"],
            emails: ["BOB@example.org", "rs@example.com"])
        second.organization = "Globex; Ltd"
        second.department = "Sales"
        second.title = "Director"
        second.nickname = "Rob"
        second.birthday = "1980-04-15"
        second.note = "met in Bergen"
        second.isFavourite = true
        second.addresses = [PostalAddress(street: "1 Long Lane", locality: "York")]
        second.urls = [WebAddress(url: "https://rs.example")]
        second.sourceUID = "uid-2"
        second.otherProperties = ["PHOTO;ENCODING=b;TYPE=JPEG:BBBB", "X-MOOD:good"]
        let kept = try book.add(first)
        let gone = try book.add(second)
        let third = try book.add(ContactBookTests.contact("Bob Smith", phones: ["0533 000 11 22"]))
        for _ in 0..<2 { try book.recordCall(kept.id) }
        for _ in 0..<3 { try book.recordCall(gone.id) }
        let latest = try book.contact(gone.id).lastCalledAt

        let merged = try book.merge([kept.id, gone.id, third.id])
        #expect(merged.id == kept.id)
        #expect(merged.displayName == "Bob Smith")
        #expect(merged.phones.map(\.number.text) == ["0532 123 45 67", "0212 555 01 00", "0533 000 11 22"])
        #expect(merged.emails.map(\.address) == ["bob@example.org", "rs@example.com"])
        #expect(merged.organization == "Initech")
        #expect(merged.department.isEmpty)
        #expect(merged.title == "Clerk")
        #expect(merged.nickname == "Rob")
        #expect(merged.birthday == "1980-04-15")
        #expect(merged.note == "likes tea\n\nmet in Bergen")
        #expect(merged.isFavourite)
        #expect(merged.addresses == second.addresses)
        #expect(merged.urls == second.urls)
        #expect(merged.callCount == 5)
        #expect(merged.lastCalledAt == latest)
        #expect(merged.createdAt == kept.createdAt)
        #expect(
            Set(merged.otherProperties) == [
                "PHOTO;ENCODING=b;TYPE=JPEG:AAAA", "PHOTO;ENCODING=b;TYPE=JPEG:BBBB", "X-MOOD:good",
                "X-OTHER-NAME:Dr. Robert Smith", "ORG:Globex\\; Ltd;Sales", "TITLE:Director",
            ])
        #expect(merged.sourceUID == "uid-2")
        #expect(try book.count() == 1)
        #expect(try book.contact(kept.id) == merged)
    }

    @Test("a contact without a name takes the next name")
    func nameless() throws {
        let bare = try book.add(ContactBookTests.contact("", phones: ["0532 123 45 67"]))
        let named = try book.add(ContactBookTests.contact("Ana Smith"))
        let merged = try book.merge([bare.id, named.id])
        #expect(merged.name.family == "Smith")
        #expect(merged.otherProperties.isEmpty)
    }

    @Test("an invalid merge changes nothing")
    func refused() throws {
        let ana = try book.add(ContactBookTests.contact("Ana")).id
        let bo = try book.add(ContactBookTests.contact("Bo")).id
        let before = try everything()
        let cases: [([String], ContactBookError)] = [
            ([ana, "nobody"], .notFound(id: "nobody")), (["nobody", ana], .notFound(id: "nobody")),
            ([ana, bo, "nobody"], .notFound(id: "nobody")), ([ana, ana], .mergedWithItself(id: ana)),
            ([ana, bo, ana], .mergedWithItself(id: ana)), ([ana], .nothingToMerge), ([], .nothingToMerge),
        ]
        for (ids, error) in cases {
            #expect(throws: error) { try book.merge(ids) }
            #expect(try everything() == before)
        }
        #expect(throws: ContactBookError.notFound(id: "nobody")) { try book.undoMerge("nobody") }
        #expect(throws: ContactBookError.notMerged(id: ana)) { try book.undoMerge(ana) }
        #expect(try everything() == before)
    }

    @Test("searches find the facts after a merge and after undoing it")
    func searching() throws {
        let search = ContactSearch(book: book)
        let bob = try book.add(ContactBookTests.contact("Bob Smith", phones: ["0532 123 45 67"])).id
        let rob = try book.add(ContactBookTests.contact("Robert Miller", phones: ["0533 765 43 21"])).id
        func found(_ text: String) throws -> [String] { try search.search(SearchInput(text)).hits.map(\.person.id) }
        #expect(try found("5337654321") == [rob])
        try book.merge([bob, rob])
        #expect(try found("5337654321") == [bob])
        #expect(try found("miller") == [bob])
        try book.undoMerge(bob)
        #expect(try found("5337654321") == [rob])
        #expect(try found("miller") == [rob])
        #expect(try found("bob") == [bob])
    }

    @Test("undoes nested merges step by step")
    func nested() throws {
        let ids = try ["Ana", "Bo", "Cem", "Dia"].map { try book.add(ContactBookTests.contact($0)).id }
        var states = [try everything()]
        try book.merge([ids[0], ids[1]])
        states.append(try everything())
        try book.merge([ids[0], ids[2]])
        states.append(try everything())
        // Merges the earlier result into another contact.
        try book.merge([ids[3], ids[0]])
        #expect(try book.count() == 1)
        #expect(try book.undoMerge(ids[3]).map(\.id) == [ids[3], ids[0]])
        #expect(try everything() == states.popLast())
        #expect(try book.undoMerge(ids[0]).map(\.id) == [ids[0], ids[2]])
        #expect(try everything() == states.popLast())
        #expect(try book.undoMerge(ids[0]).map(\.id) == [ids[0], ids[1]])
        #expect(try everything() == states.popLast())
        #expect(throws: ContactBookError.notMerged(id: ids[0])) { try book.undoMerge(ids[0]) }
    }

    @Test("undoing keeps calls and discards other changes only on request")
    func changedSince() throws {
        let ana = try book.add(ContactBookTests.contact("Ana")).id
        let bo = try book.add(ContactBookTests.contact("Bo")).id
        try book.recordCall(ana)
        try book.recordCall(bo)
        try book.merge([ana, bo])
        let called = try book.recordCall(ana)
        try book.undoMerge(ana)
        #expect(try book.contact(ana).callCount == 2)
        #expect(try book.contact(ana).lastCalledAt == called.lastCalledAt)
        #expect(try book.contact(bo).callCount == 1)

        let before = try everything()
        try book.merge([ana, bo])
        try book.edit(ana) { $0.note = "new" }
        #expect(throws: ContactBookError.changedSinceMerge(id: ana)) { try book.undoMerge(ana) }
        #expect(try book.count() == 1)
        try book.undoMerge(ana, discardingChanges: true)
        #expect(try everything() == before)
    }

    @Test("undoing fails without loss if an identifier exists again")
    func thereAgain() throws {
        let ana = try book.add(ContactBookTests.contact("Ana")).id
        let bo = try book.add(ContactBookTests.contact("Bo")).id
        try book.merge([ana, bo])
        var other = ContactBookTests.contact("Another")
        other.id = bo
        try book.add(other)
        let before = try everything()
        #expect(throws: ContactBookError.thereAgain(id: bo)) { try book.undoMerge(ana) }
        #expect(try everything() == before)
        try book.remove([bo])
        try book.undoMerge(ana)
        #expect(try book.contact(bo).displayName == "Bo")
    }

    @Test("forgets merges after thirty days or with the removal of the contact")
    func forgetting() throws {
        func merges() throws -> Int? {
            try book.storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM contact_merge") }
        }
        let ids = try (0..<6).map { try book.add(ContactBookTests.contact("Person \($0)")).id }
        try book.merge([ids[0], ids[1]])
        clock.pass(days: 29)
        try book.merge([ids[2], ids[3]])
        #expect(try merges() == 2)
        clock.pass(days: 2)
        try book.merge([ids[4], ids[5]])
        #expect(try merges() == 2)
        #expect(throws: ContactBookError.notMerged(id: ids[0])) { try book.undoMerge(ids[0]) }
        try book.remove([ids[2]])
        #expect(try merges() == 1)
        try book.undoMerge(ids[4])
        #expect(try merges() == 0)
    }

    @Test("undoing restores random contacts exactly", arguments: 0..<12)
    func random(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        func pick<T>(_ values: [T]) -> T { values[Int(numbers.next() % UInt64(values.count))] }
        func some(_ values: [String]) -> [String] { values.filter { _ in numbers.next() % 2 == 0 } }
        for _ in 0..<30 {
            var contact = ContactBookTests.contact(
                pick(["Ana Smith", "Dr. Ana Smith", "A. Smith", "", "Ümit\u{1}Öz", "山田太郎"]),
                phones: some(["0532 123 45 67", "work:+90 532 123 45 67", "12", "home:+1 212 555 0100 ext. 7"]),
                emails: some(["a@example.org", "home:A@EXAMPLE.org", "b@example.org"]))
            contact.organization = pick(["", "Initech", "Globex; Ltd, Bergen\nsecond line"])
            contact.department = pick(["", "Sales; North"])
            contact.title = pick(["", "Clerk"])
            contact.nickname = pick(["", "Nan", "Nan, Anni"])
            contact.birthday = pick(["", "--04-15", "1980-04-15"])
            contact.note = pick(["", "tea", "tea and milk", "\r\n\ttabs"])
            contact.isFavourite = pick([true, false])
            contact.callCount = pick([0, 3, .max])
            contact.lastCalledAt = pick([nil, Date(timeIntervalSince1970: 1.1), .distantFuture])
            contact.sourceUID = pick(["", "uid-1"])
            contact.otherProperties = some(["X-A:1", "PHOTO;ENCODING=b;TYPE=JPEG:QUJD", "ORG:Initech"])
            contact.addresses = pick([
                [], [PostalAddress(label: "home", street: "1, Long; Lane\nrear", locality: "York")],
            ])
            contact.urls = pick([[], [WebAddress(label: "blog", url: "https://ana.example/?a=1;b")]])
            if contact.isNameable { try book.add(contact) }
        }
        var merges: [(id: String, before: [String])] = []
        while merges.count < 12, try book.count() > 4 {
            let ids = try book.list().map(\.id)
            let chosen = Array(Set((0..<(2 + merges.count % 3)).map { _ in pick(ids) })).sorted()
            guard chosen.count > 1, let first = chosen.first else { continue }
            merges.append((first, try everything()))
            let originals = try chosen.map { try book.contact($0) }
            let merged = try book.merge(chosen)
            for contact in originals {
                #expect(Set(contact.emails.map(\.identity)).isSubset(of: merged.emails.map(\.identity)))
                #expect(
                    contact.phones.allSatisfy { phone in
                        merged.phones.contains { $0.number.isSame(as: phone.number) }
                    })
                #expect(contact.note.isEmpty || merged.note.contains(contact.note))
                #expect(Set(contact.otherProperties).isSubset(of: merged.otherProperties))
            }
        }
        for merge in merges.reversed() {
            try book.undoMerge(merge.id)
            #expect(try everything() == merge.before)
        }
        #expect(try book.storage.check().isSound)
    }
}
