import Foundation
import SwitchboardContacts
import Testing

@testable import SwitchboardContactSync

@Suite("Changes on both sides of a followed folder")
struct FolderConflictTests {
    /// A card, what both sides make of it, and what is in the end in both.
    struct Case: CustomTestStringConvertible, Sendable {
        let what: String
        let lines: [String]
        let theirs: [String]
        var name = "Ana Smith"
        let ours: @Sendable (inout Contact) -> Void
        let conflicts: [String]
        /// What the card says afterwards, and what it does not.
        let says: [String]
        var saysNot: [String] = []

        var testDescription: String { what }
    }

    static let cases: [Case] = [
        Case(
            what: "different facts", lines: ["TITLE:Mate", "TEL:0532 123 45 67"],
            theirs: ["TITLE:Captain", "TEL:0532 123 45 67"],
            ours: { $0.emails = [Email(address: "ana@example.org")] }, conflicts: [],
            says: ["TITLE:Captain", "0532 123 45 67", "ana@example.org"], saysNot: ["Mate"]),
        Case(
            what: "the same fact in the same way", lines: ["TITLE:Mate"], theirs: ["TITLE:Captain"],
            ours: { $0.title = "Captain" }, conflicts: [], says: ["TITLE:Captain"], saysNot: ["X-OTHER"]),
        Case(
            what: "the same fact differently", lines: ["TITLE:Mate"], theirs: ["TITLE:Captain"],
            ours: { $0.title = "Cook" }, conflicts: ["title"], says: ["\r\nTITLE:Captain", "X-OTHER-TITLE:Cook"],
            saysNot: ["Mate"]),
        Case(
            what: "notes", lines: ["NOTE:a"], theirs: ["NOTE:b"], ours: { $0.note = "c" }, conflicts: ["note"],
            says: ["NOTE:b\\n\\nc"]),
        Case(
            what: "a number more on each side", lines: ["TEL:0532 123 45 67"],
            theirs: ["TEL:0532 123 45 67", "TEL:0532 000 00 01"],
            ours: { $0.phones.append(Phone(typed: "0532 000 00 02", region: "TR")) }, conflicts: [],
            says: ["0532 123 45 67", "0532 000 00 01", "0532 000 00 02"]),
        Case(
            what: "a number changed differently", lines: ["TEL:0532 123 45 67"], theirs: ["TEL:0532 000 00 01"],
            ours: { $0.phones = [Phone(typed: "0532 000 00 02", region: "TR")] }, conflicts: ["phones"],
            says: ["0532 000 00 01", "0532 000 00 02"], saysNot: ["123 45 67"]),
        Case(
            what: "a number's label changed differently", lines: ["TEL:0532 123 45 67"],
            theirs: ["TEL;TYPE=HOME:0532 123 45 67"], ours: { $0.phones[0].label = "Boat" }, conflicts: ["phones"],
            says: ["TEL;TYPE=HOME:0532 123 45 67", "Boat"]),
        Case(
            what: "removed there, another one added here", lines: ["TEL:0532 123 45 67"], theirs: [],
            ours: { $0.phones.append(Phone(typed: "0532 000 00 02", region: "TR")) }, conflicts: [],
            says: ["0532 000 00 02"], saysNot: ["123 45 67"]),
        Case(
            what: "removed here, kept there", lines: ["TITLE:Mate", "ORG:Ship"], theirs: ["TITLE:Mate", "ORG:Boat"],
            ours: { $0.title = "" }, conflicts: [], says: ["ORG:Boat"], saysNot: ["Mate", "Ship"]),
        Case(
            what: "removed here, changed there", lines: ["TITLE:Mate"], theirs: ["TITLE:Captain"],
            ours: { $0.title = "" }, conflicts: [], says: ["TITLE:Captain"]),
        Case(
            what: "the name", lines: [], theirs: [], name: "Ana Miller",
            ours: { $0.setWholeName("Ana Jones") }, conflicts: ["name"],
            says: ["\r\nFN:Ana Miller", "X-OTHER-NAME:Ana Jones"]),
        Case(
            what: "the name on one side", lines: [], theirs: [], name: "Ana Miller",
            ours: { $0.isFavourite = true }, conflicts: [], says: ["\r\nFN:Ana Miller", "X-SWITCHBOARD-FAVOURITE:1"],
            saysNot: ["X-OTHER"]),
        Case(
            what: "properties that nobody knows", lines: ["X-A:1", "X-B:1"], theirs: ["X-A:2", "X-B:1", "X-C:3"],
            ours: { $0.title = "Captain" }, conflicts: [], says: ["X-A:2", "X-B:1", "X-C:3", "TITLE:Captain"],
            saysNot: ["X-A:1"]),
    ]

    @Test("both sides say the same in the end, and nothing is lost", arguments: cases)
    func together(_ example: Case) throws {
        let bench = try FolderBench()
        func card(_ name: String, _ lines: [String]) -> String {
            FolderBench.card("a", name).replacingOccurrences(
                of: "END:VCARD", with: (lines + ["END:VCARD"]).joined(separator: "\r\n"))
        }
        try bench.write("a.vcf", card("Ana Smith", example.lines))
        try bench.link()
        let id = try bench.contact("Ana Smith").id
        try bench.book.edit(id, example.ours)
        try bench.write("a.vcf", card(example.name, example.theirs))
        let report = try bench.sync()
        #expect(report.conflicts.flatMap(\.fields) == example.conflicts)
        #expect(report.conflicts.allSatisfy { $0.id == id && $0.file.hasSuffix("/cards/a.vcf") })
        let text = try bench.read("a.vcf")
        for part in example.says { #expect(text.contains(part), "\(text)") }
        for part in example.saysNot { #expect(!text.contains(part), "\(text)") }
        let file = try CardFile(Array(text.utf8), region: "TR")
        #expect(Set(file.statements.all) == Set(CardStatements(try bench.book.contact(id)).all))
        try bench.expectPeace()
        #expect(try bench.read("a.vcf") == text)
    }

    @Test("a change beats a removal, on either side, and is told")
    func removals() throws {
        let bench = try FolderBench()
        for name in ["a", "b", "c"] { try bench.write(name + ".vcf", FolderBench.card(name, "\(name) Smith")) }
        try bench.link()
        let a = try bench.contact("a Smith")
        try bench.book.edit(a.id) { $0.title = "Captain" }
        try bench.delete("a.vcf")
        let b = try bench.contact("b Smith")
        try bench.book.remove([b.id])
        try bench.write("b.vcf", FolderBench.card("b", "b Smith", "TITLE:Mate"))
        try bench.book.remove([try bench.contact("c Smith").id])
        try bench.delete("c.vcf")
        let report = try bench.sync()
        #expect(
            Set(report.conflicts.map { "\($0.name): \($0.fields)" })
                == ["a Smith: [\"removed there\"]", "b Smith: [\"removed here\"]"])
        #expect(try bench.read("a.vcf").contains("TITLE:Captain"))
        #expect(try bench.read("a.vcf").contains("UID:a\r\n"))
        #expect(try bench.book.contact(b.id).title == "Mate")
        #expect(try bench.names() == ["a.vcf", "b.vcf"])
        #expect(try bench.book.count() == 2)
        try bench.expectPeace()
    }

    @Test("any pair of changes comes together without loss")
    func anyPair() throws {
        var numbers = SystemRandomNumberGenerator()
        let values = ["", "one", "two", "three, four; five"]
        for _ in 0..<60 {
            let bench = try FolderBench()
            func random() -> [String] {
                ["TITLE", "ORG", "NOTE", "NICKNAME", "EMAIL", "X-A", "URL"].compactMap { name in
                    let value = values.randomElement(using: &numbers) ?? ""
                    return value.isEmpty ? nil : "\(name):" + value.replacingOccurrences(of: ", four; five", with: "")
                }
            }
            func card(_ lines: [String]) -> String {
                FolderBench.card("a", "Ana Smith").replacingOccurrences(
                    of: "END:VCARD", with: (lines + ["END:VCARD"]).joined(separator: "\r\n"))
            }
            let (base, theirs, ours) = (card(random()), card(random()), card(random()))
            try bench.write("a.vcf", base)
            try bench.link()
            let id = try bench.contact("Ana Smith").id
            let mine = try CardFile(Array(ours.utf8), region: "TR").contact
            try bench.book.edit(id) { $0 = mine.continuing($0) }
            try bench.write("a.vcf", theirs)
            try bench.sync()
            let text = try bench.read("a.vcf")
            let known = base.components(separatedBy: "\r\n")
            for line in theirs.components(separatedBy: "\r\n") + ours.components(separatedBy: "\r\n")
            where !known.contains(line) {
                let value = line.split(separator: ":").last ?? ""
                #expect(text.contains(value), "\(line) is lost of \(base) \(theirs) \(ours): \(text)")
            }
            try bench.expectPeace()
        }
    }
}
