import Foundation
import SwitchboardContacts
import SwitchboardStorage
import Testing
import SwitchboardVCard

@testable import SwitchboardContactSync

@Suite("Following a folder")
struct FolderSyncTests {
    private typealias Bench = FolderBench

    @Test("nothing is read or written without consent")
    func consent() throws {
        let bench = try FolderBench(isGranted: false)
        #expect(throws: StorageError.self) { try bench.book.link(bench.path) }
        try bench.book.storage.setStatus(.authorized, of: .contacts)
        let folder = try bench.book.link(bench.path)
        try bench.book.storage.setStatus(.denied, of: .contacts)
        #expect(throws: StorageError.self) { try bench.book.sync(folder) }
    }

    @Test("cards come in, once, and changes of them")
    func readingIn() throws {
        let bench = try FolderBench()
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TEL:0532 123 45 67"))
        try bench.write("b.VCF", Bench.card("b", "Bo Jones"))
        #expect(try bench.link().counts == "added 2")
        let ana = try bench.contact("Ana Smith")
        #expect(ana.phones.map(\.number.e164) == ["+905321234567"])
        try bench.book.recordCall(ana.id)
        try bench.expectPeace()

        try bench.write("a.vcf", Bench.card("a", "Ana Miller", "TEL:0532 123 45 67", "ORG:Initech"))
        #expect(try bench.sync().counts == "updated 1, unchanged 1")
        let changed = try bench.contact("Ana Miller")
        // The calls are this book's own.
        #expect((changed.id, changed.callCount, changed.organization) == (ana.id, 1, "Initech"))
        try bench.delete("b.VCF")
        #expect(try bench.sync().counts == "removed 1, unchanged 1")
        #expect(try bench.displayNames() == ["Ana Miller"])
        try bench.expectPeace()
    }

    @Test("a file of another name is the same contact")
    func renaming() throws {
        let bench = try FolderBench()
        try bench.write("a.vcf", Bench.card("a", "Ana Smith"))
        try bench.write("b.vcf", "BEGIN:VCARD\nVERSION:4.0\nFN:Bo Jones\nEND:VCARD\n")
        try bench.link()
        let ids = try bench.book.list().map(\.id)
        for name in ["a", "b"] {
            try FileManager.default.moveItem(atPath: "\(bench.path)/\(name).vcf", toPath: "\(bench.path)/\(name)2.vcf")
        }
        try bench.write("a2.vcf", Bench.card("a", "Ana Smith", "TITLE:Captain"))
        #expect(try bench.sync().counts == "updated 1, unchanged 1")
        #expect(try bench.book.list().map(\.id) == ids)
        try bench.expectPeace()
    }

    @Test("changes made here are written into the same files, and undoing them, too")
    func writingOut() throws {
        let bench = try FolderBench()
        let ana = Bench.card("a", "Ana Smith", "X-KEPT;A=b:c", "TITLE:Mate")
        let bo = Bench.card("b", "Bo Jones", "X-KEPT:d", "EMAIL:bo@example.org")
        try bench.write("a.vcf", ana)
        try bench.write("b.vcf", bo)
        try bench.link()
        let ids = (ana: try bench.contact("Ana Smith").id, bo: try bench.contact("Bo Jones").id)

        try bench.book.edit(ids.ana) { $0.title = "Captain" }
        #expect(try bench.sync().counts == "unchanged 2, written 1")
        #expect(try bench.read("a.vcf") == ana.replacingOccurrences(of: "Mate", with: "Captain"))
        try bench.book.setFavourite(ids.ana)
        try bench.sync()
        #expect(try bench.read("a.vcf").contains("X-SWITCHBOARD-FAVOURITE:1"))
        try bench.book.setFavourite(ids.ana, false)
        try bench.book.edit(ids.ana) { $0.title = "Mate" }
        try bench.sync()
        #expect(try bench.read("a.vcf") == ana)

        // A merge and its undoing are byte for byte what was.
        try bench.book.merge([ids.ana, ids.bo])
        #expect(try bench.sync().counts.hasSuffix("written 1, deleted 1"))
        #expect(try bench.names() == ["a.vcf"])
        #expect(try bench.read("a.vcf").contains("bo@example.org"))
        try bench.expectPeace()
        try bench.book.undoMerge(ids.ana)
        #expect(try bench.sync().counts.hasSuffix("written 2"))
        #expect(try bench.read("a.vcf") == ana)
        #expect(try bench.read("b.vcf") == bo)

        // Removing and putting back, as the terminal's undo does it.
        let removed = try bench.book.contact(ids.bo)
        try bench.book.remove([ids.bo])
        #expect(try bench.sync().counts == "unchanged 2, deleted 1")
        try bench.book.add(removed)
        #expect(try bench.sync().counts == "unchanged 1, written 1")
        #expect(try bench.read("b.vcf") == bo)
        try bench.expectPeace()
        #expect(try bench.names() == ["a.vcf", "b.vcf"])
    }

    @Test("who is added gets a file named for the identifier, who was there before only if that is wanted")
    func newcomers() throws {
        let bench = try FolderBench()
        let before = try bench.book.add(FolderBench.contact("Ana Smith", phones: ["0532 123 45 67"]))
        try bench.link()
        #expect(try bench.names() == [])
        let new = try bench.book.add(FolderBench.contact("Bo Jones", emails: ["bo@example.org"]))
        var strange = FolderBench.contact("Çağla Öz")
        strange.sourceUID = "../x/\u{1F600}"
        let odd = try bench.book.add(strange)
        #expect(try bench.sync().counts == "written 2")
        #expect(try Set(bench.names()) == ["\(new.id).vcf", "\(odd.id).vcf"])
        #expect(try bench.read("\(new.id).vcf").contains("\r\nUID:\(new.id)\r\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: "\(bench.path)/\(new.id).vcf")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try bench.expectPeace()
        // A change of the new file changes the same contact.
        try bench.write("\(new.id).vcf", Bench.card(new.id, "Bo Jones", "EMAIL:bo@example.com"))
        #expect(try bench.sync().counts == "updated 1, unchanged 1")
        #expect(try bench.book.contact(new.id).emails.map(\.address) == ["bo@example.com"])

        try bench.link(LinkOptions(takesExisting: true))
        #expect(try bench.names().contains("\(before.id).vcf"))
        try bench.expectPeace()
        #expect(try bench.book.count() == 3)
    }

    @Test("who is here already is joined with the file, which gets what only the book knew")
    func joining() throws {
        let bench = try FolderBench()
        var ana = FolderBench.contact("Ana Smith", phones: ["0532 123 45 67"], emails: ["ana@example.org"])
        ana.title = "Mate"
        let stored = try bench.book.add(ana)
        try bench.book.recordCall(stored.id)
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TEL:+905321234567", "TITLE:Captain"))
        let report = try bench.link()
        #expect(report.counts == "updated 1, written 1, conflicts 1")
        #expect(report.conflicts.first?.fields == ["title"])
        let joined = try bench.book.contact(stored.id)
        #expect(try bench.book.count() == 1)
        #expect((joined.title, joined.sourceUID, joined.callCount) == ("Captain", "a", 1))
        let text = try bench.read("a.vcf")
        #expect(text.contains("UID:a\r\n") && text.contains("ana@example.org") && text.contains("Mate"))
        try bench.expectPeace()
    }

    @Test("what is no card, or a broken one, keeps the others from nothing")
    func leftOut() throws {
        let bench = try FolderBench()
        try bench.write("good.vcf", Bench.card("g", "Ana Smith"))
        try bench.write(".hidden.vcf", Bench.card("h", "Hidden One"))
        try bench.write("x.vcf.tmp", Bench.card("t", "Temporary One"))
        try bench.write("readme.txt", "text")
        try bench.write("empty.vcf", "")
        try bench.write("broken.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Bo\nno colon\nEND:VCARD\n")
        try bench.write("two.vcf", Bench.card("1", "One One") + Bench.card("2", "Two Two"))
        try FileManager.default.createDirectory(atPath: "\(bench.path)/folder.vcf", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(bench.path)/lost.vcf", withDestinationPath: "nowhere")
        #expect(mkfifo("\(bench.path)/pipe.vcf", 0o600) == 0)
        let report = try bench.link()
        #expect(report.added == 1)
        let skipped = report.skipped.map { "\($0.file.split(separator: "/").last ?? ""):\($0.line ?? 0)" }.sorted()
        #expect(skipped == ["broken.vcf:4", "empty.vcf:1", "lost.vcf:0", "pipe.vcf:0", "two.vcf:7"])
        #expect(try bench.displayNames() == ["Ana Smith"])
        // A broken file is never written over, and whoever it was stays.
        let ana = try bench.contact("Ana Smith")
        try bench.write("good.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ana Smi")
        try bench.book.edit(ana.id) { $0.title = "Captain" }
        #expect(try bench.sync().skipped.count == 6)
        #expect(try bench.read("good.vcf").hasSuffix("Smi"))
        #expect(try bench.displayNames() == ["Ana Smith"])
        try bench.write("good.vcf", Bench.card("g", "Ana Smith"))
        try bench.sync()
        #expect(try bench.read("good.vcf").contains("TITLE:Captain"))
    }

    @Test("a link is followed, stays a link, and going away removes nobody")
    func links() throws {
        let bench = try FolderBench()
        try FileManager.default.createDirectory(atPath: bench.root + "/else", withIntermediateDirectories: false)
        try bench.write("a.vcf", Bench.card("a", "Ana Smith"), in: bench.root + "/else")
        try FileManager.default.createSymbolicLink(atPath: bench.path + "/a.vcf", withDestinationPath: "../else/a.vcf")
        try FileManager.default.createSymbolicLink(atPath: bench.root + "/alias", withDestinationPath: "cards")
        #expect(try bench.link().counts == "added 1")
        // The folder under another name is the same one.
        #expect(try bench.book.link(bench.root + "/alias").path == bench.book.folder(bench.path).path)
        #expect(try bench.book.folders().count == 1)
        try bench.book.edit(try bench.contact("Ana Smith").id) { $0.title = "Captain" }
        #expect(try bench.sync().written == 1)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bench.path + "/a.vcf") == "../else/a.vcf")
        #expect(try String(contentsOfFile: bench.root + "/else/a.vcf", encoding: .utf8).contains("TITLE:Captain"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.root + "/else") == ["a.vcf"])
        try FileManager.default.moveItem(atPath: bench.root + "/else", toPath: bench.root + "/gone")
        #expect(try bench.sync().counts == "skipped 1")
        #expect(try bench.book.count() == 1)
    }

    @Test("a folder that is away or all at once empty removes nobody")
    func vanishing() throws {
        let bench = try FolderBench()
        for name in ["a", "b", "c"] { try bench.write(name + ".vcf", Bench.card(name, "\(name) Smith")) }
        try bench.link()
        try FileManager.default.moveItem(atPath: bench.path, toPath: bench.root + "/away")
        #expect(throws: ContactBookError.missingFolder(path: try bench.book.folder(bench.path).path)) {
            try bench.sync()
        }
        try FileManager.default.createDirectory(atPath: bench.path, withIntermediateDirectories: false)
        #expect(throws: ContactBookError.folderEmptied(path: try bench.book.folder(bench.path).path, count: 3)) {
            try bench.sync()
        }
        #expect(try bench.book.count() == 3)
        try FileManager.default.removeItem(atPath: bench.path)
        try FileManager.default.moveItem(atPath: bench.root + "/away", toPath: bench.path)
        try bench.expectPeace()
        for name in ["a", "b", "c"] { try bench.delete(name + ".vcf") }
        #expect(try bench.sync(SyncOptions(believesEmpty: true)).counts == "removed 3")
    }

    @Test("two folders are two address books, and new people go to the first")
    func twoFolders() throws {
        let bench = try FolderBench()
        let other = bench.root + "/work"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TEL:0532 123 45 67"))
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TEL:0532 123 45 67"), in: other)
        try bench.link()
        let work = try bench.book.link(other)
        #expect(try bench.book.sync(work).counts == "added 1")
        #expect(try bench.book.folders().map(\.takesNew) == [true, false])
        #expect(try bench.book.count() == 2)
        let new = try bench.book.add(FolderBench.contact("Bo Jones"))
        #expect(try bench.sync().written == 1)
        #expect(try bench.book.sync(work).written == 0)
        // The other one can be chosen to take them.
        try bench.book.link(other, options: LinkOptions(takesNew: true))
        #expect(try bench.book.folders().map(\.takesNew) == [false, true])
        // Who was in a folder that is followed no longer is nobody new to the other one.
        try bench.book.unlink(bench.path)
        #expect(try bench.book.sync(work).written == 0)
        #expect(try bench.book.count() == 3)
        #expect(throws: ContactBookError.self) { try bench.book.unlink(bench.path) }
        // Linked again, they are who they were.
        #expect(try bench.link().counts == "unchanged 2")
        #expect(try bench.book.contact(new.id).displayName == "Bo Jones")
        try bench.book.unlink(bench.path, removingContacts: true)
        #expect(try bench.book.count() == 1)
        #expect(try bench.names().count == 2)
        #expect(throws: ContactBookError.self) { try bench.book.link(bench.root) }
    }

    @Test("a change right after a reading, of the same size and time in the same file, is seen")
    func youngFiles() throws {
        let bench = try FolderBench()
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TITLE:one"))
        try bench.link()
        let path = bench.path + "/a.vcf"
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(Bench.card("a", "Ana Smith", "TITLE:two").utf8))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: time as Any], ofItemAtPath: path)
        #expect(try bench.sync().counts == "updated 1")
        #expect(try bench.contact("Ana Smith").title == "two")
    }

    @Test("a sync that has nothing to do leaves the generation, and files that were only touched")
    func quiet() throws {
        let bench = try FolderBench()
        try bench.write("a.vcf", Bench.card("a", "Ana Smith"))
        try bench.link()
        let generation = try bench.book.storage.generation(of: ContactBook.module)
        try bench.write("a.vcf", Bench.card("a", "Ana Smith"))
        try bench.expectPeace()
        #expect(try bench.book.storage.generation(of: ContactBook.module) == generation)
    }

    @Test("what another program has left in the middle is removed, what is another's is not")
    func leftovers() throws {
        let bench = try FolderBench()
        try bench.write(".switchboard-0123456789ab.tmp", "half")
        try bench.write(".other.tmp", "half")
        try bench.link()
        #expect(try bench.names() == [".other.tmp"])
    }

    @Test("without a region numbers that are known stay what they were")
    func region() throws {
        let bench = try FolderBench()
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TEL:0532 123 45 67"))
        try bench.link()
        let abroad = ContactBook(storage: bench.book.storage, region: nil)
        try bench.write("a.vcf", Bench.card("a", "Ana Smith", "TEL:0532 123 45 67", "TITLE:Captain"))
        #expect(try abroad.sync(try abroad.folder(bench.path)).counts == "updated 1")
        #expect(try bench.contact("Ana Smith").phones.map(\.number.e164) == ["+905321234567"])
    }
}
