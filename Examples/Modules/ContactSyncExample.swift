import Foundation
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardTesting

func contactSync(_ store: TemporaryStore) throws {
    let file = store.database
    let cards = store.path("cards")
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
    try store.file(
        "cards/ana.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ana\r\nFN:Ana Lima\r\nEND:VCARD\r\n".utf8)
    let storage = try Storage(at: file, migrations: [ContactBook.migrations])
    try storage.setStatus(.authorized, of: .contacts)
    let book = ContactBook(storage: storage, region: "GB")

    let folder = try book.link(cards)
    let report = try book.sync(folder)
    print(report.added, report.written)
}
