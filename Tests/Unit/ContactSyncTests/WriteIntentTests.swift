import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardStorage
import Testing

@testable import SwitchboardContactSync

/// A process may be killed between changing files and recording the result.
@Suite("Write intents: a sync killed before it records its result")
struct WriteIntentTests {
    /// A card of a linked folder.
    private static let ana = FolderFixture.card("a", "Ana Smith", "X-KEPT;A=b:c", "TITLE:Mate")

    private func linkedFolder() throws -> (fixture: FolderFixture, id: String) {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", Self.ana)
        try fixture.link()
        return (fixture, try fixture.contact("Ana Smith").id)
    }

    @Test("a contact that is removed after its file was written stays removed")
    func writtenThenRemoved() throws {
        let (fixture, id) = try linkedFolder()
        try fixture.book.edit(id) { $0.title = "Captain" }
        try fixture.syncWithoutRecording()
        #expect(try fixture.read("a.vcf").contains("TITLE:Captain"))
        try fixture.book.remove([id])
        #expect(try fixture.sync().counts.hasSuffix("deleted 1"))
        #expect(try fixture.names() == [])
        #expect(try fixture.displayNames() == [])
        try fixture.expectInSync()
    }

    @Test("another change after the file was written is no conflict")
    func writtenThenChanged() throws {
        let (fixture, id) = try linkedFolder()
        for title in ["Captain", "Admiral"] {
            try fixture.book.edit(id) { $0.title = title }
            if title == "Captain" { try fixture.syncWithoutRecording() }
        }
        let report = try fixture.sync()
        #expect(report.conflicts.isEmpty && report.written == 1)
        #expect(try fixture.read("a.vcf") == Self.ana.replacingOccurrences(of: "Mate", with: "Admiral"))
        #expect(try fixture.book.contact(id).title == "Admiral")
        try fixture.expectInSync()
    }

    @Test("a change by another program after the write counts")
    func changedThere() throws {
        let (fixture, id) = try linkedFolder()
        try fixture.book.edit(id) { $0.title = "Captain" }
        try fixture.syncWithoutRecording()
        try fixture.write("a.vcf", Self.ana.replacingOccurrences(of: "Mate", with: "Cook"))
        try fixture.book.remove([id])
        #expect(try fixture.sync().conflicts.count == 1)
        #expect(try fixture.contact("Ana Smith").title == "Cook")
        try fixture.expectInSync()
    }

    @Test("a new contact that is removed after its file was created stays removed, and so does the file")
    func newContact() throws {
        let (fixture, _) = try linkedFolder()
        let id = try fixture.book.add(FolderFixture.contact("Bo Jones")).id
        try fixture.syncWithoutRecording()
        #expect(try fixture.names().count == 2)
        try fixture.book.remove([id])
        try fixture.sync()
        #expect(try fixture.names() == ["a.vcf"])
        #expect(try fixture.displayNames() == ["Ana Smith"])
        try fixture.expectInSync()
    }

    @Test("a deleted file is restored byte for byte with its contact")
    func deletedThenRestored() throws {
        let (fixture, id) = try linkedFolder()
        let contact = try fixture.book.contact(id)
        try fixture.book.remove([id])
        try fixture.syncWithoutRecording()
        #expect(try fixture.names() == [])
        try fixture.book.add(contact)
        try fixture.sync()
        #expect(try fixture.read("a.vcf") == Self.ana)
        try fixture.expectInSync()
    }

    @Test("an intent that was not carried out changes nothing")
    func intentOnly() throws {
        let (fixture, id) = try linkedFolder()
        let folder = try fixture.book.folder(fixture.path)
        let file = try #require(try fixture.book.storage.read { try FolderStore.find("a.vcf", of: folder.key, in: $0) })
        try fixture.book.storage.write { db in
            var intent = WriteIntent(deleting: Array(Self.ana.utf8), file)
            try intent.save(of: folder.key, in: db)
            intent.name = "never.vcf"
            (intent.contact, intent.removed) = (id, nil)
            try intent.save(of: folder.key, in: db)
        }
        try fixture.expectInSync()
        #expect(try fixture.read("a.vcf") == Self.ana)
        #expect(try fixture.book.storage.read { try WriteIntent.all(of: folder.key, in: $0) }.isEmpty)
    }
}

extension FolderFixture {
    /// Syncs, and fails before the result is recorded, like a killed process.
    fileprivate func syncWithoutRecording(_ location: SourceLocation = #_sourceLocation) throws {
        try book.storage.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER killed BEFORE INSERT ON contact_file
                    WHEN EXISTS (SELECT 1 FROM contact_file_announced) BEGIN SELECT RAISE(ABORT, 'killed'); END
                    """)
        }
        #expect(throws: (any Error).self, sourceLocation: location) { try sync() }
        try book.storage.write { db in try db.execute(sql: "DROP TRIGGER killed") }
    }
}
