import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization
import Testing

@testable import SwitchboardContacts

@Suite("Undoing an import")
struct ImportUndoTests {
    private static func card(_ lines: String...) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\n" + lines.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
    }

    /// A book whose clock advances by a second with each change.
    private static func book() throws -> ContactBook {
        let seconds = Mutex(1_700_000_000.0)
        return ContactBook(storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: "TR") {
            Date(
                timeIntervalSince1970: seconds.withLock {
                    $0 += 1
                    return $0
                })
        }
    }

    /// All rows of contacts and groups, except for the log of changes.
    private static func content(of book: ContactBook) throws -> [String] {
        let tables = [
            "contact", "contact_phone", "contact_email", "contact_detail", "contact_search", "contact_stranger",
            "contact_merge", "contact_removed",
        ]
        return try book.storage.read { db in
            try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { "\(table) \($0)" }
            }
        }
    }

    private static func source(_ text: String, _ name: String = "a.vcf") -> ImportSource {
        .bytes(Array(text.utf8), name: name)
    }

    @Test("restores the book exactly: added and merged contacts, groups, photos and unresolved members")
    func exact() throws {
        let book = try Self.book()
        let group = Self.card("X-ADDRESSBOOKSERVER-KIND:group", "FN:Choir", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:9")
        _ = try book.importContacts(from: [
            Self.source(
                Self.card("FN:Ana Lima", "TEL:+905321234567", "NOTE:one", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4A==") + group
            )
        ])
        let ana = try #require(try book.list().first)
        try book.setFavourite(ana.id)
        let before = try Self.content(of: book)
        let changed = Self.card("FN:Ana Lima", "TEL:+905321234567", "TEL:+905550000000", "CATEGORIES:Rowing")
        let other = Self.card("FN:Bo", "UID:9", "EMAIL:bo@example.org")
        let more = Self.card("FN:Ana Lima", "TEL:+905550000000", "NOTE:two") + Self.card("FN:Bo", "UID:9", "NOTE:three")
        let newGroup = Self.card("X-ADDRESSBOOKSERVER-KIND:group", "FN:Chess", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:8")
        let report = try book.importContacts(from: [
            Self.source(changed + other), Self.source(more + newGroup, "b.vcf"),
        ])
        #expect(report.added == 1 && report.merged == 4, "\(report)")
        #expect(try book.contact(ana.id).phones.count == 2)
        #expect(try book.groups().map(\.name) == ["Chess", "Choir", "Rowing"])

        // An import of other files is not undone.
        for file in ["a.vcf", "b.vcf", "c.vcf"] {
            #expect(throws: ContactBookError.noImport) { try book.undoImport(of: file) }
        }
        #expect(try book.contact(ana.id).phones.count == 2)
        let undone = try book.undoImport()
        #expect(undone.files == ["a.vcf", "b.vcf"])
        #expect(undone.removed == 1 && undone.restored == 1 && undone.kept.isEmpty && undone.missing == 0)
        #expect(try Self.content(of: book) == before)
        #expect(throws: ContactBookError.noImport) { try book.undoImport() }
        _ = try book.importContacts(from: [Self.source(changed)])
        #expect(try book.undoImport(of: "a.vcf").restored == 1)
        #expect(try Self.content(of: book) == before)
    }

    @Test("a number that is listed under two labels is named in the report")
    func repeated() throws {
        let book = try Self.book()
        let card = Self.card(
            "FN:Ana", "TEL;TYPE=HOME:+90 532 123 45 67", "TEL;TYPE=WORK:0532 123 45 67", "TEL:0532 1234567")
        let report = try book.importContacts(from: [Self.source(card)])
        #expect(report.notes.map(\.reason) == ["“0532 123 45 67” is listed as “home” and as “work”; the first is kept"])
        #expect(try book.list().first?.phones.count == 1)
    }

    @Test("keeps and names what was changed since")
    func changedSince() throws {
        let book = try Self.book()
        _ = try book.importContacts(from: [Self.source(Self.card("FN:Ana", "TEL:100"))])
        let cards =
            Self.card("FN:Ana", "TEL:100", "NOTE:new")
            + ["Bo", "Cem", "Di", "Eva", "Fay"].map { Self.card("FN:\($0)") }.joined()
        #expect(try book.importContacts(from: [Self.source(cards)]).added == 5)
        func id(_ name: String) throws -> String {
            try #require(try book.list().first { $0.displayName == name }?.id)
        }
        try book.edit(id("Ana")) { $0.nickname = "Annie" }
        try book.recordCall(id("Bo"))
        try book.setFavourite(id("Cem"))
        try book.remove([id("Di")])
        let undone = try book.undoImport()
        #expect(undone.kept.map(\.name) == ["Ana", "Bo", "Cem"])
        #expect(undone.removed == 2 && undone.restored == 0 && undone.missing == 1, "\(undone)")
        #expect(try book.list().map(\.displayName) == ["Ana", "Bo", "Cem"])
        #expect(try book.contact(id("Ana")).note == "new")
    }

    @Test("an import that changes nothing leaves the last one to undo; a strict, rejected one too")
    func unchanged() throws {
        let book = try Self.book()
        let ana = Self.source(Self.card("FN:Ana"))
        _ = try book.importContacts(from: [ana])
        _ = try book.importContacts(from: [ana])
        let bad = Self.source(Self.card("FN:Bo") + "BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:C")
        #expect(try book.importContacts(from: [bad], options: ImportOptions(isStrict: true)).added == 0)
        #expect(try book.importContacts(from: [bad], options: ImportOptions(isDryRun: true)).added == 1)
        #expect(try book.undoImport().removed == 1)
        #expect(try book.count() == 0)
    }

    @Test("a dry run reports the same as the import, over several files, and changes nothing")
    func dryRun() throws {
        let book = try Self.book()
        _ = try book.importContacts(from: [Self.source(Self.card("FN:Ana", "TEL:100"))])
        let before = try Self.content(of: book)
        let generation = try book.storage.read { try ContactBook.changes.generation(in: $0) }
        let sources = [
            Self.source(Self.card("FN:Ana", "TEL:100", "NOTE:a") + Self.card("FN:Bo", "TEL:200")),
            Self.source(Self.card("FN:Bo", "TEL:200", "NOTE:b") + "nonsense\r\n", "b.vcf"),
        ]
        let report = try book.importContacts(from: sources, options: ImportOptions(isDryRun: true))
        #expect(report.added == 1 && report.merges.map(\.file) == ["a.vcf", "b.vcf"])
        #expect(try Self.content(of: book) == before)
        #expect(try book.storage.read { try ContactBook.changes.generation(in: $0) } == generation)
        #expect(try book.importContacts(from: sources) == report)
    }

    @Test("a contact that was merged into another since stays merged, and is counted")
    func mergedSince() throws {
        let book = try Self.book()
        let ana = try book.add(ContactBookTests.contact("Ana"))
        _ = try book.importContacts(from: [Self.source(Self.card("FN:Anna", "NOTE:n") + Self.card("FN:Bo"))])
        let anna = try #require(try book.list().first { $0.displayName == "Anna" })
        try book.merge([ana.id, anna.id])
        let undone = try book.undoImport()
        #expect(undone.removed == 1 && undone.missing == 1)
        #expect(try book.contact(ana.id).note == "n")
        try book.undoMerge(ana.id)
        #expect(try book.list().map(\.displayName) == ["Ana", "Anna"])
    }
}
