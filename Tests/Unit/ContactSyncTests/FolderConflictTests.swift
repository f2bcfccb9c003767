import Foundation
import SwitchboardContacts
import Testing

@testable import SwitchboardContactSync

@Suite("Three-way merge of a linked folder")
struct FolderConflictTests {
    /// A card, the changes of both sides, and the expected merge.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let lines: [String]
        let theirs: [String]
        var newName = "Ana Smith"
        let ours: @Sendable (inout Contact) -> Void
        let conflicts: [String]
        /// Text that the merged card contains and excludes.
        let contains: [String]
        var excludes: [String] = []

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "different properties", lines: ["TITLE:Mate", "TEL:0532 123 45 67"],
            theirs: ["TITLE:Captain", "TEL:0532 123 45 67"],
            ours: { $0.emails = [Email(address: "ana@example.org")] }, conflicts: [],
            contains: ["TITLE:Captain", "0532 123 45 67", "ana@example.org"], excludes: ["Mate"]),
        Case(
            name: "the same change of a property", lines: ["TITLE:Mate"], theirs: ["TITLE:Captain"],
            ours: { $0.title = "Captain" }, conflicts: [], contains: ["TITLE:Captain"], excludes: ["X-OTHER"]),
        Case(
            name: "different changes of a property", lines: ["TITLE:Mate"], theirs: ["TITLE:Captain"],
            ours: { $0.title = "Cook" }, conflicts: ["title"], contains: ["\r\nTITLE:Captain", "X-OTHER-TITLE:Cook"],
            excludes: ["Mate"]),
        Case(
            name: "notes", lines: ["NOTE:a"], theirs: ["NOTE:b"], ours: { $0.note = "c" }, conflicts: ["note"],
            contains: ["NOTE:b\\n\\nc"]),
        Case(
            name: "a number added on each side", lines: ["TEL:0532 123 45 67"],
            theirs: ["TEL:0532 123 45 67", "TEL:0532 000 00 01"],
            ours: { $0.phones.append(Phone(typed: "0532 000 00 02", region: "TR")) }, conflicts: [],
            contains: ["0532 123 45 67", "0532 000 00 01", "0532 000 00 02"]),
        Case(
            name: "a number changed differently", lines: ["TEL:0532 123 45 67"], theirs: ["TEL:0532 000 00 01"],
            ours: { $0.phones = [Phone(typed: "0532 000 00 02", region: "TR")] }, conflicts: ["phones"],
            contains: ["0532 000 00 01", "0532 000 00 02"], excludes: ["123 45 67"]),
        Case(
            name: "a number's label changed differently", lines: ["TEL:0532 123 45 67"],
            theirs: ["TEL;TYPE=HOME:0532 123 45 67"], ours: { $0.phones[0].label = "Boat" }, conflicts: ["phones"],
            contains: ["TEL;TYPE=HOME:0532 123 45 67", "Boat"]),
        Case(
            name: "a number removed there, another added here", lines: ["TEL:0532 123 45 67"], theirs: [],
            ours: { $0.phones.append(Phone(typed: "0532 000 00 02", region: "TR")) }, conflicts: [],
            contains: ["0532 000 00 02"], excludes: ["123 45 67"]),
        Case(
            name: "a property removed here, kept there", lines: ["TITLE:Mate", "ORG:Ship"],
            theirs: ["TITLE:Mate", "ORG:Boat"],
            ours: { $0.title = "" }, conflicts: [], contains: ["ORG:Boat"], excludes: ["Mate", "Ship"]),
        Case(
            name: "a property removed here, changed there", lines: ["TITLE:Mate"], theirs: ["TITLE:Captain"],
            ours: { $0.title = "" }, conflicts: [], contains: ["TITLE:Captain"]),
        Case(
            name: "the name", lines: [], theirs: [], newName: "Ana Miller",
            ours: { $0.setWholeName("Ana Jones") }, conflicts: ["name"],
            contains: ["\r\nFN:Ana Miller", "X-OTHER-NAME:Ana Jones"]),
        Case(
            name: "the name, changed on one side", lines: [], theirs: [], newName: "Ana Miller",
            ours: { $0.isFavourite = true }, conflicts: [],
            contains: ["\r\nFN:Ana Miller", "X-SWITCHBOARD-FAVOURITE:1"],
            excludes: ["X-OTHER"]),
        Case(
            name: "unknown properties", lines: ["X-A:1", "X-B:1"], theirs: ["X-A:2", "X-B:1", "X-C:3"],
            ours: { $0.title = "Captain" }, conflicts: [], contains: ["X-A:2", "X-B:1", "X-C:3", "TITLE:Captain"],
            excludes: ["X-A:1"]),
    ]

    @Test("merges both sides without losing a value", arguments: cases)
    func merges(_ example: Case) throws {
        let fixture = try FolderFixture()
        func card(_ name: String, _ lines: [String]) -> String {
            FolderFixture.card("a", name).replacingOccurrences(
                of: "END:VCARD", with: (lines + ["END:VCARD"]).joined(separator: "\r\n"))
        }
        try fixture.write("a.vcf", card("Ana Smith", example.lines))
        try fixture.link()
        let id = try fixture.contact("Ana Smith").id
        try fixture.book.edit(id, example.ours)
        try fixture.write("a.vcf", card(example.newName, example.theirs))
        let report = try fixture.sync()
        #expect(report.conflicts.flatMap(\.fields) == example.conflicts)
        #expect(report.conflicts.allSatisfy { $0.id == id && $0.file.hasSuffix("/cards/a.vcf") })
        let text = try fixture.read("a.vcf")
        for part in example.contains { #expect(text.contains(part), "\(text)") }
        for part in example.excludes { #expect(!text.contains(part), "\(text)") }
        let file = try CardFile(Array(text.utf8), region: "TR")
        #expect(Set(file.canonical.properties) == Set(CanonicalCard(try fixture.book.contact(id)).properties))
        try fixture.expectInSync()
        #expect(try fixture.read("a.vcf") == text)
    }

    @Test("a change wins over a removal on either side and is reported")
    func removals() throws {
        let fixture = try FolderFixture()
        for name in ["a", "b", "c"] { try fixture.write(name + ".vcf", FolderFixture.card(name, "\(name) Smith")) }
        try fixture.link()
        let a = try fixture.contact("a Smith")
        try fixture.book.edit(a.id) { $0.title = "Captain" }
        try fixture.delete("a.vcf")
        let b = try fixture.contact("b Smith")
        try fixture.book.remove([b.id])
        try fixture.write("b.vcf", FolderFixture.card("b", "b Smith", "TITLE:Mate"))
        try fixture.book.remove([try fixture.contact("c Smith").id])
        try fixture.delete("c.vcf")
        let report = try fixture.sync()
        #expect(
            Set(report.conflicts.map { "\($0.name): \($0.fields)" })
                == ["a Smith: [\"removed there\"]", "b Smith: [\"removed here\"]"])
        #expect(try fixture.read("a.vcf").contains("TITLE:Captain"))
        #expect(try fixture.read("a.vcf").contains("UID:a\r\n"))
        #expect(try fixture.book.contact(b.id).title == "Mate")
        #expect(try fixture.names() == ["a.vcf", "b.vcf"])
        #expect(try fixture.book.count() == 2)
        try fixture.expectInSync()
    }

    @Test("merges random changes without losing a value")
    func randomChanges() throws {
        var numbers = SystemRandomNumberGenerator()
        let values = ["", "one", "two", "three, four; five"]
        for _ in 0..<60 {
            let fixture = try FolderFixture()
            func random() -> [String] {
                ["TITLE", "ORG", "NOTE", "NICKNAME", "EMAIL", "X-A", "URL"].compactMap { name in
                    let value = values.randomElement(using: &numbers) ?? ""
                    return value.isEmpty ? nil : "\(name):" + value.replacingOccurrences(of: ", four; five", with: "")
                }
            }
            func card(_ lines: [String]) -> String {
                FolderFixture.card("a", "Ana Smith").replacingOccurrences(
                    of: "END:VCARD", with: (lines + ["END:VCARD"]).joined(separator: "\r\n"))
            }
            let (base, theirs, ours) = (card(random()), card(random()), card(random()))
            try fixture.write("a.vcf", base)
            try fixture.link()
            let id = try fixture.contact("Ana Smith").id
            let mine = try CardFile(Array(ours.utf8), region: "TR").contact
            try fixture.book.edit(id) { $0 = mine.continuing($0) }
            try fixture.write("a.vcf", theirs)
            try fixture.sync()
            let text = try fixture.read("a.vcf")
            let known = base.components(separatedBy: "\r\n")
            for line in theirs.components(separatedBy: "\r\n") + ours.components(separatedBy: "\r\n")
            where !known.contains(line) {
                let value = line.split(separator: ":").last ?? ""
                #expect(text.contains(value), "\(line) is lost from \(base) \(theirs) \(ours): \(text)")
            }
            try fixture.expectInSync()
        }
    }
}
