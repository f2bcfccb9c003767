import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardStorage
import Testing

@testable import SwitchboardContactSync

/// What is done to files and what is noted of it are two steps, and a process may be killed between them.
@Suite("Following a folder, killed before it is noted what was done")
struct FolderKilledTests {
    private typealias Bench = FolderBench

    /// A folder with one card, in step.
    private static let ana = Bench.card("a", "Ana Smith", "X-KEPT;A=b:c", "TITLE:Mate")

    private func bench() throws -> (bench: FolderBench, id: String) {
        let bench = try FolderBench()
        try bench.write("a.vcf", Self.ana)
        try bench.link()
        return (bench, try bench.contact("Ana Smith").id)
    }

    @Test("whose file was written and who is then removed stays removed")
    func writtenThenRemoved() throws {
        let (bench, id) = try bench()
        try bench.book.edit(id) { $0.title = "Captain" }
        try bench.syncUnnoted()
        #expect(try bench.read("a.vcf").contains("TITLE:Captain"))
        try bench.book.remove([id])
        #expect(try bench.sync().counts.hasSuffix("deleted 1"))
        #expect(try bench.names() == [])
        #expect(try bench.displayNames() == [])
        try bench.expectPeace()
    }

    @Test("whose file was written and who is then changed once more conflicts with nobody")
    func writtenThenChanged() throws {
        let (bench, id) = try bench()
        for title in ["Captain", "Admiral"] {
            try bench.book.edit(id) { $0.title = title }
            if title == "Captain" { try bench.syncUnnoted() }
        }
        let report = try bench.sync()
        #expect(report.conflicts.isEmpty && report.written == 1)
        #expect(try bench.read("a.vcf") == Self.ana.replacingOccurrences(of: "Mate", with: "Admiral"))
        #expect(try bench.book.contact(id).title == "Admiral")
        try bench.expectPeace()
    }

    @Test("a change that somebody else makes of what was written counts")
    func changedThere() throws {
        let (bench, id) = try bench()
        try bench.book.edit(id) { $0.title = "Captain" }
        try bench.syncUnnoted()
        try bench.write("a.vcf", Self.ana.replacingOccurrences(of: "Mate", with: "Cook"))
        try bench.book.remove([id])
        #expect(try bench.sync().conflicts.count == 1)
        #expect(try bench.contact("Ana Smith").title == "Cook")
        try bench.expectPeace()
    }

    @Test("who has got a file and is then removed stays removed, and so does the file")
    func newcomer() throws {
        let (bench, _) = try bench()
        let id = try bench.book.add(FolderBench.contact("Bo Jones")).id
        try bench.syncUnnoted()
        #expect(try bench.names().count == 2)
        try bench.book.remove([id])
        try bench.sync()
        #expect(try bench.names() == ["a.vcf"])
        #expect(try bench.displayNames() == ["Ana Smith"])
        try bench.expectPeace()
    }

    @Test("the bytes of a file that was deleted come back with its contact")
    func deletedThenBack() throws {
        let (bench, id) = try bench()
        let contact = try bench.book.contact(id)
        try bench.book.remove([id])
        try bench.syncUnnoted()
        #expect(try bench.names() == [])
        try bench.book.add(contact)
        try bench.sync()
        #expect(try bench.read("a.vcf") == Self.ana)
        try bench.expectPeace()
    }

    @Test("what was announced and not done changes nothing")
    func announcedOnly() throws {
        let (bench, id) = try bench()
        let folder = try bench.book.folder(bench.path)
        let row = try #require(try bench.book.storage.read { try FolderRows.find("a.vcf", of: folder.key, in: $0) })
        try bench.book.storage.write { db in
            var write = WriteIntent(removing: Array(Self.ana.utf8), row)
            try write.save(of: folder.key, in: db)
            write.name = "never.vcf"
            (write.contact, write.removed) = (id, nil)
            try write.save(of: folder.key, in: db)
        }
        try bench.expectPeace()
        #expect(try bench.read("a.vcf") == Self.ana)
        #expect(try bench.book.storage.read { try WriteIntent.all(of: folder.key, in: $0) }.isEmpty)
    }
}

extension FolderBench {
    /// Brings both together, and fails where what was done to files is to be noted, as if killed there.
    fileprivate func syncUnnoted(_ location: SourceLocation = #_sourceLocation) throws {
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
