import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTesting

func contactBook(_ store: TemporaryStore) throws {
    let file = store.database
    let cards = try store.file("people.vcf", SampleData.vCards.utf8)
    let storage = try Storage(at: file, migrations: [ContactBook.migrations])
    let book = ContactBook(storage: storage, region: "GB")
    let report = try book.importContacts(from: [.file(cards)])

    let search = ContactSearch(book: book)
    let hits = try search.search(SearchInput(keys: "5646")).hits
    print(report.added, hits.map(\.person.displayName))
}
