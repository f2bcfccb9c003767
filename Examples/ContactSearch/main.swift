// T9 search for contacts, described in the article "Add T9 search to your contacts" of SwitchboardContacts.
// Run it with `swift run --package-path Examples contact-search`.

import Foundation
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage

let folder = FileManager.default.temporaryDirectory.appending(path: "contact-search-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "people.sqlite").path
let people = [
    ("Zoë Jogo", "020 7946 0123"), ("Carmen Luz Diaz", "+1 305 555 0167"), ("Юрий Жуков", "+7 495 000-04-56"),
]

// 1. A contact book and a search.
let storage = try Storage(at: file, migrations: [ContactBook.migrations])
let book = ContactBook(storage: storage, region: "GB")
for (name, number) in people {
    var contact = Contact(name: PersonName(splitting: name))
    contact.phones = [Phone(number: PhoneNumber(number, region: book.region))]
    try book.add(contact)
}
let search = ContactSearch(book: book)
func names(_ digits: String) throws -> [String] {
    try search.search(SearchInput(keys: digits)).hits.map(\.person.displayName)
}
for digits in ["5646", "23429", "9644", "79460"] { print(digits, try names(digits)) }

// 2. Highlights: ranges of Unicode scalars, by field.
for hit in try search.search(SearchInput(keys: "23429")).hits {
    let scalars = Array(hit.person.displayName.unicodeScalars)
    let marked = (hit.highlights["name"] ?? []).map { range in
        String(String.UnicodeScalarView(scalars[range]))
    }
    print(hit.match, marked)
}

// 3. Text search, with typos and in another script.
for text in ["carmne", "zhukov", "zoe"] {
    print(text, try search.search(SearchInput(text)).hits.map(\.person.displayName))
}

// 4. Contacts that were called rank first.
if let first = try search.search("").hits.last { try book.recordCall(first.person.id) }
print("most used:", try search.search("", limit: 1).hits.map(\.person.displayName))
