import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTestSupport
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Laws for each text field of a contact: an entry in the table is all that a field needs.
@Suite("Text fields of a contact")
struct TextFieldTests {
    private static func book() throws -> ContactBook {
        ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "TR")
    }

    /// Returns a text that no field changes: no white space at its ends, no comma that separates nicknames.
    private static func text(_ field: ContactTextField, _ random: inout SplitMix) -> String {
        if field == .birthday { return "1980-04-1\(Int.random(in: 0...9, using: &random))" }
        let signs = ["she/her", "Zoë", "R&D", "a;b", "x\\y", "“q”", "ünal", "Тест", "c=d", "e:f", "42", "O'Hara"]
        let words = (0...Int.random(in: 0...2, using: &random)).map { _ in signs.randomElement(using: &random) ?? "" }
        return words.joined(separator: field == .department ? "-" : " ")
    }

    private static func contact(_ field: ContactTextField, _ text: String) -> Contact {
        var contact = Contact(name: PersonName(given: "Ana", family: "Lima"))
        contact[field] = text
        return contact
    }

    @Test(arguments: ContactTextField.all, [UInt64](1...8))
    func survivesEveryFormatAndTheDatabase(field: ContactTextField, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let text = Self.text(field, &random)
        let contact = Self.contact(field, text)
        let book = try Self.book()
        let id = try book.add(contact).id
        #expect(try book.contact(id)[field] == text)
        let json = try OrderedJSON.bytes(book.contact(id))
        #expect(try JSONDecoder().decode(Contact.self, from: Data(json))[field] == text)
        // A department is the second part of an organization, and a semicolon in it begins another unit.
        let isExact = field != .department || !text.contains(";")
        for version in [VCardWriter.Version.version3, .version4] where isExact {
            let copy = try Self.book()
            let card = VCardWriter(version: version).card(of: contact)
            #expect(try copy.importContacts(from: [.bytes(Array(card.utf8), name: "a.vcf")]).added == 1, "\(card)")
            #expect(try copy.list().first?[field] == text, "\(card)")
        }
        let copy = try Self.book()
        let writer = CSVWriter(widths: CSVWriter.Widths())
        _ = try copy.importContacts(from: [.bytes(Array((writer.header + writer.row(of: contact)).utf8), name: "a.csv")]
        )
        #expect(try copy.list().first?[field] == text)
    }

    @Test(arguments: ContactTextField.all.filter { $0.search != nil })
    func isFoundUnderItsKey(field: ContactTextField) throws {
        let book = try Self.book()
        _ = try book.add(Self.contact(field, "Quixotic"))
        for search in [ContactSearch(book: book), ContactSearch(book: book)] {
            let hit = try #require(try search.search(SearchInput("quixotic")).hits.first)
            #expect(hit.highlights == [field.highlight: [0..<8]])
        }
    }

    @Test(arguments: ContactTextField.all.filter { !$0.isNamePart })
    func mergingLosesNoValue(field: ContactTextField) {
        let (mine, theirs) = (Self.contact(field, "1980-04-15"), Self.contact(field, "1981-05-16"))
        let bare = Contact(name: PersonName(given: "Ana", family: "Lima"))
        #expect(bare.merging(mine)[field] == "1980-04-15" && mine.merging(bare)[field] == "1980-04-15")
        let merged = mine.merging(theirs)
        #expect(merged[field].contains("1980-04-15"))
        #expect((merged.otherProperties + [merged[field]]).contains { $0.contains("1981-05-16") }, "\(merged)")
        #expect(merged.merging(theirs) == merged)
    }

    @Test(arguments: ContactTextField.all)
    func hasALimitThatNamesIt(field: ContactTextField) throws {
        let book = try Self.book()
        let text = String(repeating: "a", count: field.limit)
        if !field.isNamePart { _ = try book.add(Self.contact(field, text)) }
        let error = #expect(throws: ContactBookError.self) { try book.add(Self.contact(field, text + "a")) }
        #expect(error?.details.field == (field.isNamePart ? "name" : field.key))
    }

    @Test(arguments: ContactTextField.all.filter { $0.ownProperty != nil && !$0.isNamePart && $0 != .birthday })
    func keepsItsParametersUntilItsValueChanges(field: ContactTextField) throws {
        let line = "\(field.ownProperty ?? "");LANGUAGE=en;PREF=1:one"
        let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana\r\n\(line)\r\nEND:VCARD\r\n"
        let book = try Self.book()
        #expect(try book.importContacts(from: [.bytes(Array(card.utf8), name: "a.vcf")]).added == 1)
        let contact = try #require(try book.list().first)
        #expect(contact[field] == "one" && contact.otherProperties.isEmpty)
        func lines(_ contact: Contact) -> [Substring] {
            VCardWriter(version: .version4).card(of: contact).split(separator: "\r\n")
        }
        #expect(lines(contact).contains(line[...]))
        let bare = Contact(name: PersonName(given: "Ana"))
        if field.property != nil { #expect(lines(bare.merging(contact)).contains(line[...])) }
        let changed = try book.edit(contact.id) { $0[field] = "two" }
        #expect(lines(changed).contains("\(field.ownProperty ?? ""):two"))
    }

    @Test func keysAndColumnsAndNumbersAreUnique() {
        let all = ContactTextField.all
        #expect(Set(all.map(\.key)).count == all.count && Set(all.map(\.column)).count == all.count)
        #expect(Set(all.map(\.csvPosition)).count == all.count)
        #expect(Set(all.flatMap(\.csvNames)).count == all.flatMap(\.csvNames).count)
        #expect(Set(ContactField.all).count == ContactField.all.count)
    }

    @Test func aNewColumnTakesTheValueFromTheOtherProperties() throws {
        let book = try Self.book()
        var contact = Contact(name: PersonName(given: "Ana"))
        contact.otherProperties = ["X-A:b", "PRONOUNS:they/them", "PRONOUNS;LANGUAGE=de:sie", "PRONOUNSX:c"]
        let id = try book.add(contact).id
        contact.otherProperties = ["PRONOUNS;LANGUAGE=en;PREF=1:xe/xir"]
        let other = try book.add(contact).id
        try book.writing { db in
            try db.execute(
                sql: """
                    ALTER TABLE contact DROP COLUMN pronouns;
                    UPDATE contact_search SET tokens = x'01';
                    """)
            try ContactRows.addColumn(of: .pronouns, in: db)
        }
        let migrated = try book.contact(id)
        #expect(migrated.pronouns == "they/them")
        #expect(try book.contact(other).otherProperties.isEmpty)
        let card = VCardWriter(version: .version4).card(of: try book.contact(other))
        #expect(card.contains("\r\nPRONOUNS;LANGUAGE=en;PREF=1:xe/xir\r\n"), "\(card)")
        #expect(migrated.otherProperties == ["X-A:b", "PRONOUNS;LANGUAGE=de:sie", "PRONOUNSX:c"])
        #expect(
            try ContactSearch(book: book).search(SearchInput("them")).hits.first?.highlights == ["pronouns": [5..<9]])
    }
}
