import Foundation
import Testing

@testable import SwitchboardContacts
@testable import SwitchboardContactSync

@Suite("Groups and photographs in a followed folder")
struct FolderGroupTests {
    @Test("groups are written into the line that has them, and a photograph stays")
    func groups() throws {
        let bench = try FolderBench()
        let old = FolderBench.card(
            "a", "Ana Smith", "CATEGORIES:Family,Sailing", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==", "X-A:b")
        try bench.write("a.vcf", old)
        try bench.link()
        let ana = try bench.contact("Ana Smith")
        #expect(ana.groups == ["Family", "Sailing"])
        #expect(ana.photo != nil)
        try bench.book.edit(ana.id) { $0.groups = ["Family", "Work"] }
        try bench.sync()
        #expect(try bench.read("a.vcf") == old.replacingOccurrences(of: "Sailing", with: "Work"))
        try bench.book.edit(ana.id) { $0.photo = nil }
        try bench.sync()
        #expect(try !bench.read("a.vcf").contains("PHOTO"))
        try bench.expectPeace()
    }

    @Test("what a card says for a program's own use stays in it whatever is changed here, and is in the book")
    func smallPrint() throws {
        let bench = try FolderBench()
        let old = FolderBench.card(
            "a", "Ana Smith", "TEL;X-EVOLUTION-UI-SLOT=1;TYPE=CELL:+90 532 123 45 67", "NOTE:old",
            "PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&6&6;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==")
        try bench.write("a.vcf", old)
        try bench.link()
        let ana = try bench.contact("Ana Smith")
        #expect(ana.phones.first?.parameters == ";X-EVOLUTION-UI-SLOT=1")
        try bench.book.edit(ana.id) { $0.note = "new" }
        try bench.sync()
        #expect(try bench.read("a.vcf") == old.replacingOccurrences(of: "NOTE:old", with: "NOTE:new"))
        // Both sides at once.
        try bench.write("a.vcf", old.replacingOccurrences(of: "NOTE:old", with: "NOTE:new\r\nTITLE:Mate"))
        try bench.book.edit(ana.id) { $0.nickname = "Annie" }
        try bench.sync()
        let both = try bench.contact("Ana Smith")
        #expect((both.title, both.nickname) == ("Mate", "Annie"))
        #expect(both.phones.first?.parameters == ";X-EVOLUTION-UI-SLOT=1")
        #expect(both.photo?.parameters == ";X-ABCROP-RECTANGLE=ABClipRect_1&0&0&6&6")
        #expect(try bench.read("a.vcf").contains("X-EVOLUTION-UI-SLOT=1"))
        try bench.expectPeace()
    }
}
