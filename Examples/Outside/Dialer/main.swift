// A dialer: each key narrows the people, and cancels the search for the keys before it.

import Foundation
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardPeopleSearch
import SwitchboardStorage
import SwitchboardTextNormalization

let cards = """
    BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jogo;Zo=C3=AB\r\nTEL;CELL:07700 900177\r\nEND:VCARD\r
    BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Carmen Luz Diaz\r\nTEL:+1 305 555 0167\r\nEND:VCARD\r
    BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Юрий Жуков\r\nTEL;VALUE=uri:tel:+7-495-000-04-56\r\nEND:VCARD\r\n
    """

do {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = try Storage(at: folder.appending(path: "people.sqlite").path, migrations: [ContactBook.migrations])
    let book = ContactBook(storage: storage, region: "GB")
    print("added:", try book.importContacts(from: [.bytes(Array(cards.utf8), name: "people.vcf")]).added)

    let search = ContactSearch(book: book)
    var typing: Task<[String], any Error>?
    for keys in ["5", "56", "564", "5646"] {
        typing?.cancel()
        typing = Task {
            try await search.search(SearchInput(keys: keys)).hits.map { hit in
                let number =
                    hit.person.phones.indices.contains(hit.numberPosition ?? 0)
                    ? hit.person.phones[hit.numberPosition ?? 0].number.text : "no number"
                return hit.person.displayName.highlighted(hit.highlights["name"]) + ", " + number
            }
        }
    }
    print(try await typing?.value ?? [])
} catch {
    print("dialer:", error.localizedDescription)
    exit(1)
}
