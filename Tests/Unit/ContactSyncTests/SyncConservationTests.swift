import Foundation
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@testable import SwitchboardContactSync

/// The law of conservation for linked folders: files and book have the same people with the same values, whoever changes
/// them.
@Suite("Conservation in folders")
struct SyncConservationTests {
    /// The cards of a book, sorted.
    private static func cards(of book: ContactBook) throws -> [String] {
        var text = ""
        _ = try book.export(.vcard4) { text += $0 }
        return text.components(separatedBy: "BEGIN:VCARD").sorted()
    }

    @Test("a folder keeps every person and every value, also of changed ones", arguments: [1, 2, 3] as [UInt64])
    func sync(seed: UInt64) throws {
        let fixture = try FolderFixture()
        let people = GeneratedPerson.book(seed: seed, count: 60)
        for (index, person) in people.enumerated() {
            let format: GeneratedPerson.Format = index % 2 == 0 ? .vCard3 : .vCard4
            try fixture.write("\(index).vcf", GeneratedPerson.text(of: [person], in: format))
        }
        try fixture.link()
        let imported = ContactBook(
            storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: fixture.book.region)
        for format in [GeneratedPerson.Format.vCard3, .vCard4] {
            let half = people.indices.filter { ($0 % 2 == 0) == (format == .vCard3) }.map { people[$0] }
            _ = try imported.importing([.bytes(Array(GeneratedPerson.text(of: half, in: format).utf8), name: "a.vcf")])
        }
        #expect(try Self.cards(of: fixture.book) == Self.cards(of: imported))
        #expect(try Self.cards(of: fixture.book).count == people.count + 1)

        for (index, contact) in try fixture.book.list().enumerated() {
            try fixture.book.edit(contact.id) { contact in
                switch index % 4 {
                case 0: contact.phones.append(Phone(typed: "*4\(index)#", region: nil))
                case 1: contact.note += "\nMore, and; more"
                case 2: contact.organization = "Ünïon; Works, Ltd."
                default: if !contact.phones.isEmpty { contact.phones.removeFirst() }
                }
            }
        }
        try fixture.sync()
        try fixture.expectInSync()
        let again = ContactBook(
            storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: fixture.book.region)
        try again.storage.setStatus(.authorized, of: .contacts)
        _ = try again.sync(again.link(fixture.path))
        #expect(try Self.cards(of: again) == Self.cards(of: fixture.book))
    }
}
