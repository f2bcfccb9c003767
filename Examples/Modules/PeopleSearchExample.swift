import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardPeopleSearch
import SwitchboardStorage
import SwitchboardTesting

func peopleSearch(_ store: TemporaryStore) throws {
    let storage = try store.storage([ContactBook.migrations])
    let book = ContactBook(storage: storage, region: "GB")
    _ = try book.importContacts(from: [.bytes(Array(SampleData.vCards.utf8), name: "sample.vcf")])

    let search = ContactSearch(book: book)
    let hits = try search.search(SearchInput(keys: "5646")).hits  // Jogo
    for hit in hits { print(hit.match) }
}
