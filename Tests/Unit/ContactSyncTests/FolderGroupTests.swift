import Foundation
import GRDB
import SwitchboardStorage
import Testing

@testable import SwitchboardContactSync
@testable import SwitchboardContacts

@Suite("Groups and photos in a linked folder")
struct FolderGroupTests {
    @Test("groups are written to their existing line, and the photo stays")
    func groups() throws {
        let fixture = try FolderFixture()
        let old = FolderFixture.card(
            "a", "Ana Smith", "CATEGORIES:Family,Sailing", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==", "X-A:b")
        try fixture.write("a.vcf", old)
        try fixture.link()
        let ana = try fixture.contact("Ana Smith")
        #expect(ana.groups == ["Family", "Sailing"])
        #expect(ana.photo != nil)
        try fixture.book.edit(ana.id) { $0.groups = ["Family", "Work"] }
        try fixture.sync()
        #expect(try fixture.read("a.vcf") == old.replacingOccurrences(of: "Sailing", with: "Work"))
        try fixture.book.edit(ana.id) { $0.photo = nil }
        try fixture.sync()
        #expect(try !fixture.read("a.vcf").contains("PHOTO"))
        try fixture.expectInSync()
    }

    @Test("a group card is a group and no contact, and lists who joins and leaves")
    func groupCards() throws {
        let fixture = try FolderFixture()
        let list = FolderFixture.card(
            "g", "Crew", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:a", "X-ODD:1")
        let ana = FolderFixture.card("a", "Ana Smith", "X-A:b")
        try fixture.write("a.vcf", ana)
        try fixture.write("b.vcf", FolderFixture.card("b", "Ben Oak"))
        try fixture.write("g.vcf", list)
        try fixture.link()
        #expect(try fixture.displayNames() == ["Ana Smith", "Ben Oak"])
        #expect(try fixture.contact("Ana Smith").groups == ["Crew"])
        try fixture.expectInSync()
        #expect(try fixture.read("a.vcf") == ana)
        #expect(try fixture.read("g.vcf") == list)
        try fixture.book.edit(fixture.contact("Ana Smith").id) { $0.groups = [] }
        try fixture.book.edit(fixture.contact("Ben Oak").id) { $0.groups = ["Crew"] }
        try fixture.sync()
        let changed = list.replacing(":urn:uuid:a\r\n", with: ":urn:uuid:b\r\n")
        #expect(try fixture.read("g.vcf") == changed)
        try fixture.expectInSync()
        // Changed on both sides: the members of both stay.
        try fixture.book.edit(fixture.contact("Ben Oak").id) { $0.groups = [] }
        try fixture.book.edit(fixture.contact("Ben Oak").id) { $0.groups = ["Crew"] }
        try fixture.write("g.vcf", list)
        try fixture.sync()
        #expect(try fixture.contact("Ana Smith").groups == ["Crew"])
        #expect(try fixture.contact("Ben Oak").groups == ["Crew"])
        #expect(try fixture.read("g.vcf").contains("uuid:a\r\n"))
        #expect(try fixture.read("g.vcf").contains("uuid:b\r\n"))
        try fixture.expectInSync()
        #expect(try fixture.book.folders().map(\.contacts) == [2])
        try fixture.delete("g.vcf")
        try fixture.sync()
        #expect(try fixture.book.list().map(\.groups) == [[], []])
        #expect(try fixture.names() == ["a.vcf", "b.vcf"])
        try fixture.expectInSync()
    }

    @Test("groups stay when their folder is no longer followed, and nothing follows its cards")
    func unlinked() throws {
        let fixture = try FolderFixture()
        try fixture.write("a.vcf", FolderFixture.card("a", "Ana Smith"))
        try fixture.write("g.vcf", FolderFixture.card("g", "Crew", "KIND:group", "MEMBER:urn:uuid:a"))
        try fixture.link()
        try fixture.book.unlink(fixture.path)
        #expect(try fixture.contact("Ana Smith").groups == ["Crew"])
        let cards = "SELECT count(*) FROM contact_group_card JOIN contact_group_member USING (card)"
        #expect(try fixture.book.storage.read { try Int.fetchOne($0, sql: cards) } == 0)
    }

    @Test("private parameters of other programs survive a change and a merge")
    func parameters() throws {
        let fixture = try FolderFixture()
        let old = FolderFixture.card(
            "a", "Ana Smith", "TEL;X-EVOLUTION-UI-SLOT=1;TYPE=CELL:+90 532 123 45 67", "NOTE:old",
            "PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&6&6;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==")
        try fixture.write("a.vcf", old)
        try fixture.link()
        let ana = try fixture.contact("Ana Smith")
        #expect(ana.phones.first?.parameters == ";X-EVOLUTION-UI-SLOT=1")
        try fixture.book.edit(ana.id) { $0.note = "new" }
        try fixture.sync()
        #expect(try fixture.read("a.vcf") == old.replacingOccurrences(of: "NOTE:old", with: "NOTE:new"))
        // Changes on both sides.
        try fixture.write("a.vcf", old.replacingOccurrences(of: "NOTE:old", with: "NOTE:new\r\nTITLE:Mate"))
        try fixture.book.edit(ana.id) { $0.nickname = "Annie" }
        try fixture.sync()
        let both = try fixture.contact("Ana Smith")
        #expect((both.title, both.nickname) == ("Mate", "Annie"))
        #expect(both.phones.first?.parameters == ";X-EVOLUTION-UI-SLOT=1")
        #expect(both.photo?.parameters == ";X-ABCROP-RECTANGLE=ABClipRect_1&0&0&6&6")
        #expect(try fixture.read("a.vcf").contains("X-EVOLUTION-UI-SLOT=1"))
        try fixture.expectInSync()
    }
}
