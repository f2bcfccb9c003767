import Foundation
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardVCard
import Testing

@testable import SwitchboardContactSync

@Suite("Folder sync")
struct FolderSyncTests {
    @Test("needs consent")
    func consent() throws {
        let fixture = try FolderFixture(isGranted: false)
        #expect(throws: StorageError.self) { try fixture.book.link(fixture.path) }
        try fixture.book.storage.setStatus(.authorized, of: .contacts)
        let folder = try fixture.book.link(fixture.path)
        try fixture.book.storage.setStatus(.denied, of: .contacts)
        #expect(throws: StorageError.self) { try fixture.book.sync(folder) }
    }

    @Test("imports cards once, and their changes")
    func importing() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TEL:0532 123 45 67"))
        try fixture.write("b.VCF", FolderFixture.card("b", "Bo Jones"))
        #expect(try fixture.link().counts == "added 2")
        let ana = try fixture.contact("Ana Smith")
        #expect(ana.phones.map(\.number.e164) == ["+905321234567"])
        try fixture.book.recordCall(ana.id)
        try fixture.expectInSync()

        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Miller", "TEL:0532 123 45 67", "ORG:Initech"))
        #expect(try fixture.sync().counts == "updated 1, unchanged 1")
        let changed = try fixture.contact("Ana Miller")
        // The call history belongs to the book.
        #expect((changed.id, changed.callCount, changed.organization) == (ana.id, 1, "Initech"))
        try fixture.delete("b.VCF")
        #expect(try fixture.sync().counts == "removed 1, unchanged 1")
        #expect(try fixture.displayNames() == ["Ana Miller"])
        try fixture.expectInSync()
    }

    @Test("a renamed file stays the same contact")
    func renaming() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith"))
        try fixture.write("b.vcf", "BEGIN:VCARD\nVERSION:4.0\nFN:Bo Jones\nEND:VCARD\n")
        try fixture.link()
        let ids = try fixture.book.list().map(\.id)
        for name in ["a", "b"] {
            try FileManager.default.moveItem(
                atPath: "\(fixture.path)/\(name).vcf", toPath: "\(fixture.path)/\(name)2.vcf")
        }
        try fixture.write("a2.vcf", FolderFixture.card("a", "Ana Smith", "TITLE:Captain"))
        #expect(try fixture.sync().counts == "updated 1, unchanged 1")
        #expect(try fixture.book.list().map(\.id) == ids)
        try fixture.expectInSync()
    }

    @Test(
        "removing a code here removes only its line from the file",
        arguments: ["*100#", "100", "#21#", "1-800-GO-FEDEX"])
    func codes(_ removed: String) throws {
        let numbers = ["100", "*100#", "#100#", "##21#", "*#21#", "#21#", "*21*0601234567#", "1-800-GO-FEDEX", "1800"]
        let fixture = try FolderFixture()
        try fixture.write(
            "a.vcf", FolderFixture.card("a", "Ana Smith", numbers.map { "TEL:" + $0 }.joined(separator: "\r\n")))
        try fixture.link()
        let id = try fixture.contact("Ana Smith").id
        #expect(try fixture.book.contact(id).phones.map(\.number.text) == numbers)
        try fixture.book.edit(id) { contact in
            contact.phones.removeAll { $0.number.isSame(as: PhoneNumber(removed, region: "TR")) }
        }
        try fixture.sync()
        let lines = try fixture.read("a.vcf").split(separator: "\r\n").filter { $0.hasPrefix("TEL") }
        #expect(lines.map { String($0.dropFirst(4)) } == numbers.filter { $0 != removed })
        try fixture.expectInSync()
    }

    @Test("cards of a folder are one person each, whatever they share")
    func people() throws {
        let fixture = try FolderFixture()
        for uid in ["a", "b"] {
            try fixture.write("\(uid).vcf", FolderFixture.card(uid, "Ana Smith", "TEL:0532 123 45 67"))
        }
        #expect(try fixture.link().counts == "added 2")
        try fixture.expectInSync()
    }

    @Test("exports changes and their undoing to the same files")
    func exporting() throws {
        let fixture = try FolderFixture()
        let ana = FolderFixture.card("a", "Ana Smith", "X-KEPT;A=b:c", "TITLE:Mate")
        let bo = FolderFixture.card("b", "Bo Jones", "X-KEPT:d", "EMAIL:bo@example.org")
        try fixture.write("a.vcf", ana)
        try fixture.write("b.vcf", bo)
        try fixture.link()
        let ids = (ana: try fixture.contact("Ana Smith").id, bo: try fixture.contact("Bo Jones").id)

        try fixture.book.edit(ids.ana) { $0.title = "Captain" }
        #expect(try fixture.sync().counts == "unchanged 2, written 1")
        #expect(try fixture.read("a.vcf") == ana.replacingOccurrences(of: "Mate", with: "Captain"))
        try fixture.book.setFavourite(ids.ana)
        try fixture.sync()
        #expect(try fixture.read("a.vcf").contains("X-SWITCHBOARD-FAVOURITE:1"))
        try fixture.book.setFavourite(ids.ana, to: false)
        try fixture.book.edit(ids.ana) { $0.title = "Mate" }
        try fixture.sync()
        #expect(try fixture.read("a.vcf") == ana)

        // Undoing a merge restores both files byte for byte.
        try fixture.book.merge([ids.ana, ids.bo])
        #expect(try fixture.sync().counts.hasSuffix("written 1, deleted 1"))
        #expect(try fixture.names() == ["a.vcf"])
        #expect(try fixture.read("a.vcf").contains("bo@example.org"))
        try fixture.expectInSync()
        try fixture.book.undoMerge(ids.ana)
        #expect(try fixture.sync().counts.hasSuffix("written 2"))
        #expect(try fixture.read("a.vcf") == ana)
        #expect(try fixture.read("b.vcf") == bo)

        // Undoing a removal restores the file.
        let removed = try fixture.book.contact(ids.bo)
        try fixture.book.remove([ids.bo])
        #expect(try fixture.sync().counts == "unchanged 2, deleted 1")
        try fixture.book.add(removed)
        #expect(try fixture.sync().counts == "unchanged 1, written 1")
        #expect(try fixture.read("b.vcf") == bo)
        try fixture.expectInSync()
        #expect(try fixture.names() == ["a.vcf", "b.vcf"])
    }

    @Test("new contacts get a file named after the identifier, existing contacts only on request")
    func newContacts() throws {
        let fixture = try FolderFixture()
        let before = try fixture.book.add(FolderFixture.contact("Ana Smith", phones: ["0532 123 45 67"]))
        try fixture.link()
        #expect(try fixture.names() == [])
        let new = try fixture.book.add(FolderFixture.contact("Bo Jones", emails: ["bo@example.org"]))
        var strange = FolderFixture.contact("Çağla Öz")
        strange.sourceUID = "../x/\u{1F600}"
        let odd = try fixture.book.add(strange)
        #expect(try fixture.sync().counts == "written 2")
        #expect(try Set(fixture.names()) == ["\(new.id).vcf", "\(odd.id).vcf"])
        #expect(try fixture.read("\(new.id).vcf").contains("\r\nUID:\(new.id)\r\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: "\(fixture.path)/\(new.id).vcf")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try fixture.expectInSync()
        // The new file belongs to the same contact.
        try fixture.write("\(new.id).vcf", FolderFixture.card(new.id, "Bo Jones", "EMAIL:bo@example.com"))
        #expect(try fixture.sync().counts == "updated 1, unchanged 1")
        #expect(try fixture.book.contact(new.id).emails.map(\.address) == ["bo@example.com"])

        try fixture.link(LinkOptions(takesExisting: true))
        #expect(try fixture.names().contains("\(before.id).vcf"))
        try fixture.expectInSync()
        #expect(try fixture.book.count() == 3)
    }

    @Test("joins a file with an existing contact and adds the book's facts to the file")
    func joining() throws {
        let fixture = try FolderFixture()
        var ana = FolderFixture.contact("Ana Smith", phones: ["0532 123 45 67"], emails: ["ana@example.org"])
        ana.title = "Mate"
        let stored = try fixture.book.add(ana)
        try fixture.book.recordCall(stored.id)
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TEL:+905321234567", "TITLE:Captain"))
        let report = try fixture.link()
        #expect(report.counts == "updated 1, written 1, conflicts 1")
        #expect(report.conflicts.first?.fields == ["title"])
        let joined = try fixture.book.contact(stored.id)
        #expect(try fixture.book.count() == 1)
        #expect((joined.title, joined.sourceUID, joined.callCount) == ("Captain", "a", 1))
        let text = try fixture.read("a.vcf")
        #expect(text.contains("UID:a\r\n") && text.contains("ana@example.org") && text.contains("Mate"))
        try fixture.expectInSync()
    }

    @Test(
        "keeps lines that are not read as they are, and syncs their card",
        arguments: [
            ["X-messaging/irc-All:owenr"], ["ÜBER my:b", "X@a:c"], ["NOTE:a", "", "b"], ["nonsense"],
            ["item1.ADR;GEO=\"geo:6.5,3.3\":;;1 Road;Town;;;", "item1.X-ABADR:ng"],
            ["TITLE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3"], ["BDAY:1980-01-02", "BDAY:1981-02-03"],
            ["ORG:Brook, Fenn & Co., Ltd."], ["N:Roe;;;;"],
        ])
    func oddLines(_ lines: [String]) throws {
        let fixture = try FolderFixture()
        let text = FolderFixture.card("a", "Ana Smith", "TEL:0532 123 45 67", lines.joined(separator: "\r\n")) + "NULL"
        try fixture.write("a.vcf", text)
        #expect(try fixture.link().counts == "added 1")
        let contact = try fixture.contact("Ana Smith")
        try fixture.book.edit(contact.id) { $0.pronouns = "she/her" }
        #expect(try fixture.sync().counts == "unchanged 1, written 1")
        let written = try fixture.read("a.vcf")
        #expect(written.replacing("PRONOUNS:she/her\r\n", with: "") == text)
        try fixture.expectInSync()
    }

    @Test("a name with a line break is replaced as a whole")
    func brokenName() throws {
        let fixture = try FolderFixture()
        let text = FolderFixture.card("a", "Ana Smith", "TEL:112").replacing(
            "FN:Ana Smith", with: "FN:Ana\r\n\r\nSmith")
        try fixture.write("a.vcf", text)
        try fixture.link()
        let contact = try #require(try fixture.book.list().first)
        try fixture.book.edit(contact.id) { $0.setWholeName("Bo Jones") }
        try fixture.sync()
        let written = try fixture.read("a.vcf")
        #expect(written.contains("\r\nFN:Bo Jones\r\n") && !written.contains("Smith"), "\(written)")
        try fixture.expectInSync()
    }

    @Test(
        "Apple's year for an unknown one fits the birthday",
        arguments: [
            ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-09", "--07-11", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-11"),
            ("BDAY;X-APPLE-OMIT-YEAR=1600:1600-05-09", "--07-11", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-11"),
            ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-09", "1980-07-11", "BDAY:1980-07-11"),
            ("BDAY:1980-05-09", "--07-11", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-11"),
            ("BDAY:1604-05-09", "--07-11", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-11"),
        ])
    func omittedYear(_ line: String, _ birthday: String, _ expected: String) throws {
        let fixture = try FolderFixture()
        let text = FolderFixture.card("a", "Ana Smith", line, "TEL:112")
        try fixture.write("a.vcf", text)
        try fixture.link()
        try fixture.book.edit(try fixture.contact("Ana Smith").id) { $0.birthday = birthday }
        try fixture.sync()
        #expect(try fixture.read("a.vcf") == text.replacing(line, with: expected))
        try fixture.expectInSync()
    }

    @Test("Names what is not in the book as it stands in a new or changed file, once")
    func notes() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "X-messaging/irc-All:owenr"))
        try fixture.write(
            "b.vcf",
            FolderFixture.card("b", "Bo Smith", "TEL;TYPE=HOME:0532 123 45 67", "TEL;TYPE=WORK:+90 532 123 45 67"))
        let notes = try fixture.link().changed
        #expect(notes.map { $0.file.suffix(5) + ":\($0.line)" } == ["a.vcf:6", "b.vcf:1"], "\(notes)")
        try #require(notes.count == 2)
        #expect(notes[0].reason.contains("X-UNREAD-LINE"))
        #expect(notes[1].reason.contains("“home” and as “work”"))
        #expect(try fixture.sync().changed.isEmpty)
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Lima", "X-messaging/irc-All:owenr"))
        #expect(try fixture.sync().changed.count == 1)
        try fixture.write("c.vcf", "")
        let file = URL(fileURLWithPath: fixture.path + "/c.vcf")
        try Data("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:J\u{FC}r\r\nEND:VCARD\r\n".unicodeScalars.map { UInt8($0.value) })
            .write(to: file)
        #expect(try fixture.sync().changed.map(\.reason).first?.contains("Windows-1252") == true)
        #expect(try fixture.displayNames().contains("Jür"))
    }

    @Test("skips malformed cards and other files")
    func skipping() throws {
        let fixture = try FolderFixture()
        try fixture.write("good.vcf", FolderFixture.card("g", "Ana Smith"))
        try fixture.write(".hidden.vcf", FolderFixture.card("h", "Hidden One"))
        try fixture.write("x.vcf.tmp", FolderFixture.card("t", "Temporary One"))
        try fixture.write("readme.txt", "text")
        try fixture.write("empty.vcf", "")
        try fixture.write("broken.vcf", "BEGIN:VCARD\nVERSION:9.0\nFN:Bo\nEND:VCARD\n")
        try fixture.write("two.vcf", FolderFixture.card("1", "One One") + FolderFixture.card("2", "Two Two"))
        try FileManager.default.createDirectory(
            atPath: "\(fixture.path)/folder.vcf", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(fixture.path)/lost.vcf", withDestinationPath: "nowhere")
        #expect(mkfifo("\(fixture.path)/pipe.vcf", 0o600) == 0)
        let report = try fixture.link()
        #expect(report.added == 1)
        let skipped = report.skipped.map { "\($0.file.split(separator: "/").last ?? ""):\($0.line ?? 0)" }.sorted()
        #expect(skipped == ["broken.vcf:2", "empty.vcf:1", "lost.vcf:0", "pipe.vcf:0", "two.vcf:7"])
        #expect(try fixture.displayNames() == ["Ana Smith"])
        // A malformed file is never overwritten, and its contact stays.
        let ana = try fixture.contact("Ana Smith")
        try fixture.write("good.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ana Smi")
        try fixture.book.edit(ana.id) { $0.title = "Captain" }
        #expect(try fixture.sync().skipped.count == 6)
        #expect(try fixture.read("good.vcf").hasSuffix("Smi"))
        #expect(try fixture.displayNames() == ["Ana Smith"])
        try fixture.write("good.vcf", FolderFixture.card("g", "Ana Smith"))
        try fixture.sync()
        #expect(try fixture.read("good.vcf").contains("TITLE:Captain"))
    }

    @Test("reports a file that would make a contact too large, and leaves it as it is")
    func largeMerges() throws {
        let fixture = try FolderFixture()
        var ana = FolderFixture.contact("Ana Smith", phones: ["0532 123 45 67"])
        ana.note = String(repeating: "a", count: 40_000)
        try fixture.book.add(ana)
        let note = String(repeating: "b", count: 40_000)
        let card = FolderFixture.card("g", "Ana Smith", "TEL:0532 123 45 67", "NOTE:" + note)
        try fixture.write("ana.vcf", card)
        let report = try fixture.link()
        #expect(report.skipped.map(\.reason) == ["cannot merge with the contact: note: longer than 64 KiB; shorten it"])
        #expect(try fixture.read("ana.vcf") == card)
        #expect(try fixture.contact("Ana Smith").note == ana.note)
    }

    @Test("follows symbolic links, keeps them, and ignores dangling links")
    func links() throws {
        let fixture = try FolderFixture()
        try FileManager.default.createDirectory(atPath: fixture.root + "/else", withIntermediateDirectories: false)
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith"), in: fixture.root + "/else")
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path + "/a.vcf", withDestinationPath: "../else/a.vcf")
        try FileManager.default.createSymbolicLink(atPath: fixture.root + "/alias", withDestinationPath: "cards")
        #expect(try fixture.link().counts == "added 1")
        // Another path of the same folder.
        #expect(try fixture.book.link(fixture.root + "/alias").path == fixture.book.folder(fixture.path).path)
        #expect(try fixture.book.folders().count == 1)
        try fixture.book.edit(try fixture.contact("Ana Smith").id) { $0.title = "Captain" }
        #expect(try fixture.sync().written == 1)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.path + "/a.vcf") == "../else/a.vcf")
        #expect(try String(contentsOfFile: fixture.root + "/else/a.vcf", encoding: .utf8).contains("TITLE:Captain"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.root + "/else") == ["a.vcf"])
        try FileManager.default.moveItem(atPath: fixture.root + "/else", toPath: fixture.root + "/gone")
        #expect(try fixture.sync().counts == "skipped 1")
        #expect(try fixture.book.count() == 1)
    }

    @Test("a missing or emptied folder removes no contact")
    func vanishing() throws {
        let fixture = try FolderFixture()
        for name in ["a", "b", "c"] { try fixture.write(name + ".vcf", FolderFixture.card(name, "\(name) Smith")) }
        try fixture.link()
        try FileManager.default.moveItem(atPath: fixture.path, toPath: fixture.root + "/away")
        #expect(throws: ContactSyncError.missingFolder(path: try fixture.book.folder(fixture.path).path)) {
            try fixture.sync()
        }
        try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: false)
        #expect(throws: ContactSyncError.folderEmptied(path: try fixture.book.folder(fixture.path).path, count: 3)) {
            try fixture.sync()
        }
        #expect(try fixture.book.count() == 3)
        try FileManager.default.removeItem(atPath: fixture.path)
        try FileManager.default.moveItem(atPath: fixture.root + "/away", toPath: fixture.path)
        try fixture.expectInSync()
        for name in ["a", "b", "c"] { try fixture.delete(name + ".vcf") }
        #expect(try fixture.sync(SyncOptions(acceptsEmptyFolder: true)).counts == "removed 3")
    }

    @Test("two folders are two address books; the first one takes new contacts")
    func twoFolders() throws {
        let fixture = try FolderFixture()
        let other = fixture.root + "/work"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TEL:0532 123 45 67"))
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TEL:0532 123 45 67"), in: other)
        try fixture.link()
        let work = try fixture.book.link(other)
        #expect(try fixture.book.sync(work).counts == "added 1")
        #expect(try fixture.book.folders().map(\.takesNew) == [true, false])
        #expect(try fixture.book.count() == 2)
        let new = try fixture.book.add(FolderFixture.contact("Bo Jones"))
        #expect(try fixture.sync().written == 1)
        #expect(try fixture.book.sync(work).written == 0)
        // The second folder can be chosen instead.
        try fixture.book.link(other, options: LinkOptions(takesNew: true))
        #expect(try fixture.book.folders().map(\.takesNew) == [false, true])
        // Contacts of an unlinked folder are not new to the other folder.
        try fixture.book.unlink(fixture.path)
        #expect(try fixture.book.sync(work).written == 0)
        #expect(try fixture.book.count() == 3)
        #expect(throws: ContactSyncError.self) { try fixture.book.unlink(fixture.path) }
        // Linking again finds the same contacts.
        #expect(try fixture.link().counts == "unchanged 2")
        #expect(try fixture.book.contact(new.id).displayName == "Bo Jones")
        try fixture.book.unlink(fixture.path, removingContacts: true)
        #expect(try fixture.book.count() == 1)
        #expect(try fixture.names().count == 2)
        #expect(throws: ContactSyncError.self) { try fixture.book.link(fixture.root) }
    }

    @Test("detects a change right after a sync with the same size, time and inode")
    func recentFiles() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TITLE:one"))
        try fixture.link()
        let path = fixture.path + "/a.vcf"
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(FolderFixture.card("a", "Ana Smith", "TITLE:two").utf8))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: time as Any], ofItemAtPath: path)
        #expect(try fixture.sync().counts == "updated 1")
        #expect(try fixture.contact("Ana Smith").title == "two")
    }

    @Test("a sync without changes keeps the generation, also if files were touched")
    func unchanged() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith"))
        try fixture.link()
        let generation = try fixture.book.storage.generation(of: ContactBook.module)
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith"))
        try fixture.expectInSync()
        #expect(try fixture.book.storage.generation(of: ContactBook.module) == generation)
    }

    @Test("removes staged files of a killed process, but no other temporary files")
    func stagedFiles() throws {
        let fixture = try FolderFixture()
        try fixture.write(".switchboard-0123456789ab.tmp", "half")
        try fixture.write(".other.tmp", "half")
        try fixture.link()
        #expect(try fixture.names() == [".other.tmp"])
    }

    @Test("keeps parsed numbers when syncing without a region")
    func region() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TEL:0532 123 45 67"))
        try fixture.link()
        let abroad = ContactBook(storage: fixture.book.storage, region: nil)
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith", "TEL:0532 123 45 67", "TITLE:Captain"))
        #expect(try abroad.sync(try abroad.folder(fixture.path)).counts == "updated 1")
        #expect(try fixture.contact("Ana Smith").phones.map(\.number.e164) == ["+905321234567"])
    }
}
