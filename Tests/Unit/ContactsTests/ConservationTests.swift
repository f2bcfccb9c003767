import Foundation
import SwitchboardStorage
import SwitchboardTestSupport
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// The law of conservation: every value that goes in is in the book afterwards, on the person it belongs to, or is named
/// in the report.
@Suite("Conservation")
struct ConservationTests {
    typealias Value = GeneratedPerson.Value
    typealias Format = GeneratedPerson.Format

    /// The seeds in CI; `Scripts/fuzz conservation` tries others.
    static let seeds: [UInt64] = {
        let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap(UInt64.init)
        return rounds.map { count in (0..<count).map { _ in UInt64.random(in: 0 ..< .max) } } ?? [1, 2, 3, 4]
    }()

    private static func book() throws -> ContactBook {
        ContactBook(storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: nil)
    }

    private static func imported(_ text: String, _ format: Format) throws -> (book: ContactBook, report: ImportReport) {
        let book = try book()
        return (book, try book.importContacts(from: [.bytes(Array(text.utf8), name: format.fileName)]))
    }

    /// The values of each contact, sorted.
    private static func values(of book: ContactBook) throws -> [[Value]] {
        var contacts: [[Value]] = []
        try book.forEach(withPhotos: true) { contacts.append(values(of: $0)) }
        return contacts.sorted { $0.description < $1.description }
    }

    /// The values of a contact, also those that a merge has preserved in other properties.
    private static func values(of contact: Contact) -> [Value] {
        var values = [Value("FN", contact.displayName)]
        values +=
            contact.phones.map { Value("TEL", $0.number.text) } + contact.emails.map { Value("EMAIL", $0.address) }
        values += contact.addresses.map { Value("ADR", $0.components.joined(separator: "|")) }
        values += contact.urls.map { Value("URL", $0.url) } + contact.groups.map { Value("CATEGORIES", $0) }
        let texts = [
            ("ORG", contact.organization), ("TITLE", contact.title), ("BDAY", contact.birthday), ("NOTE", contact.note),
            ("NICKNAME", contact.nickname),
        ]
        values += texts.filter { !$0.1.isEmpty }.map { Value($0, $1) }
        if let data = contact.photo?.data { values.append(Value("PHOTO", data.base64EncodedString())) }
        for line in contact.otherProperties {
            guard let property = try? VCardProperty(unfolded: line) else { continue }
            let kind = property.name.hasPrefix("X-OTHER-") ? String(property.name.dropFirst(8)) : property.name
            let isText = ["FN", "NAME", "ORG", "TITLE", "NICKNAME", "NOTE", "BDAY"].contains(kind)
            values.append(Value(kind == "NAME" ? "FN" : kind, isText ? property.text : property.value))
        }
        return values.sorted()
    }

    /// Returns the values that are not among those of a contact. Notes and nicknames of merged contacts are joined.
    private static func missing(_ values: [Value], in found: [Value]) -> [Value] {
        values.filter { value in
            if found.contains(value) { return false }
            let isJoined = ["NOTE", "NICKNAME"].contains(value.kind)
            return !(isJoined && found.contains { $0.kind == value.kind && $0.text.contains(value.text) })
        }
    }

    private static func differences(_ expected: [[Value]], _ found: [[Value]]) -> String {
        let (lost, new) = (expected.filter { !found.contains($0) }, found.filter { !expected.contains($0) })
        return "\(expected.count) people, \(found.count) found; lost:\n"
            + (lost.prefix(3) + [[]] + new.prefix(3)).map { "\($0)" }.joined(separator: "\n")
    }

    @Test(
        "people with identifiers of their own stay themselves with all values",
        arguments: Format.allCases.filter { $0 != .csv }, seeds)
    func distinct(format: Format, seed: UInt64) throws {
        let people = GeneratedPerson.book(seed: seed, count: 120)
        let (book, report) = try Self.imported(GeneratedPerson.text(of: people, in: format), format)
        #expect(report.skipped.isEmpty && report.merges.isEmpty, "\(report)")
        let expected = people.map { $0.values(in: format) }.sorted { $0.description < $1.description }
        let found = try Self.values(of: book)
        #expect(found == expected, "\(Self.differences(expected, found))")
    }

    @Test(
        "without identifiers, each person's values are on one contact of that name", arguments: Format.allCases, seeds)
    func unidentified(format: Format, seed: UInt64) throws {
        let people = GeneratedPerson.book(seed: seed, count: 120)
        let (book, report) = try Self.imported(GeneratedPerson.text(of: people, in: format, withUIDs: false), format)
        #expect(report.skipped.isEmpty, "\(report.skipped)")
        #expect(report.added + report.merged + report.unchanged == people.count)
        let contacts = try Self.values(of: book)
        for person in people {
            let values = person.values(in: format)
            let lost = contacts.map { Self.missing(values, in: $0) }.min { $0.count < $1.count } ?? values
            #expect(lost.isEmpty, "\(values): \(lost)")
        }
    }

    @Test(
        "an export and its import into a new book have the same people",
        arguments: [ExportFormat.vcard3, .vcard4, .csv, .json], seeds)
    func export(format: ExportFormat, seed: UInt64) throws {
        let people = GeneratedPerson.book(seed: seed, count: 80)
        let (book, _) = try Self.imported(GeneratedPerson.text(of: people, in: .vCard4), .vCard4)
        var text = ""
        _ = try book.export(format) { text += $0 }
        let name = "a." + (format == .csv ? "csv" : format == .json ? "json" : "vcf")
        let copy = try Self.book()
        let report = try copy.importContacts(from: [.bytes(Array(text.utf8), name: name)])
        #expect(report.skipped.isEmpty, "\(report.skipped)")
        let expected = try Self.values(of: book).map { $0.filter { format != .json || $0.kind != "PHOTO" } }
        let found = try Self.values(of: copy)
        #expect(found == expected, "\(Self.differences(expected, found))")
    }

    @Test("merging any two people keeps the values of both, and undoing it restores them", arguments: seeds)
    func merging(seed: UInt64) throws {
        let people = GeneratedPerson.book(seed: seed, count: 40)
        let (book, _) = try Self.imported(GeneratedPerson.text(of: people, in: .vCard4), .vCard4)
        let before = try Self.values(of: book)
        let ids = try book.list().map(\.id)
        for (first, second) in zip(ids, ids.dropFirst()) where first < second {
            let values = try [first, second].flatMap { id in Self.values(of: try book.contact(id)) }
            let merged = Self.values(of: try book.merge([first, second]))
            #expect(Self.missing(values, in: merged).filter { $0.kind != "PHOTO" }.isEmpty, "\(values)\n\(merged)")
            let copy = try Self.book()
            var text = ""
            _ = try book.export(.vcard3, only: [first]) { text += $0 }
            #expect(
                text.components(separatedBy: "\r\nBDAY").count <= 2
                    && text.components(separatedBy: "\r\nN:").count <= 2, "\(text)")
            _ = try copy.importContacts(from: [.bytes(Array(text.utf8), name: "a.vcf")])
            let again = try Self.values(of: copy).first ?? []
            #expect(Self.missing(merged, in: again).isEmpty, "\(merged)\n\(again)")
            try book.undoMerge(first)
        }
        #expect(try Self.values(of: book) == before)
    }

    @Test("undoing an import into a book with the same and other people restores it", arguments: seeds)
    func undo(seed: UInt64) throws {
        let people = GeneratedPerson.book(seed: seed, count: 100)
        let (book, _) = try Self.imported(GeneratedPerson.text(of: Array(people.prefix(60)), in: .vCard3), .vCard3)
        var before = ""
        _ = try book.export(.json) { before += $0 }
        // The same people again, with more or less than before, and others.
        var later = Array(people.suffix(70))
        for index in later.indices where index % 3 == 0 {
            later[index].values.removeAll { $0.kind == "TEL" }
            later[index].values.append(Value("NOTE", "Later"))
        }
        let text = GeneratedPerson.text(of: later, in: .vCard4, withUIDs: seed % 2 == 0)
        let report = try book.importContacts(from: [.bytes(Array(text.utf8), name: "b.vcf")])
        #expect(report.added > 0 && report.merged > 0, "\(report)")
        let undone = try book.undoImport()
        #expect(undone.removed == report.added && undone.kept.isEmpty, "\(undone)")
        var after = ""
        _ = try book.export(.json) { after += $0 }
        #expect(after == before)
    }
}
