import Foundation
import Testing

@testable import ContactBook

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
}
