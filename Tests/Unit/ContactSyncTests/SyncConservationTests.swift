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
    /// The cards of a book, sorted, without the times of their changes.
    private static func cards(of book: ContactBook) throws -> [String] {
        var text = ""
        _ = try book.export(.vcard4) { text += $0 }
        let lines = text.components(separatedBy: "\r\n").filter { !$0.hasPrefix("REV:") }
        return lines.joined(separator: "\r\n").components(separatedBy: "BEGIN:VCARD").sorted()
    }

    private static func expectEqual(_ book: ContactBook, _ other: ContactBook) throws {
        let (cards, others) = (try cards(of: book), try self.cards(of: other))
        let (lost, new) = (others.filter { !cards.contains($0) }, cards.filter { !others.contains($0) })
        #expect(lost.isEmpty && new.isEmpty, "lost: \(lost.first ?? "none"), new: \(new.first ?? "none")")
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
        let all = people.enumerated().map { GeneratedPerson.text(of: [$1], in: $0 % 2 == 0 ? .vCard3 : .vCard4) }
        _ = try imported.importContacts(from: [.bytes(Array(all.joined().utf8), name: "a.vcf")])
        try Self.expectEqual(fixture.book, imported)
        #expect(try fixture.book.count() == people.count)

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
        try Self.expectEqual(again, fixture.book)
    }
}
