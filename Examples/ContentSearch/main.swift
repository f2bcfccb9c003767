// Searchable notes, described in the article "Make your app's content searchable" of SwitchboardSearchableIndex.
// Run it with `swift run --package-path Examples content-search`.

import Foundation
import SwitchboardIncrementalIndex
import SwitchboardSearchableIndex
import SwitchboardStorage

struct Note {
    let id: String
    var title: String
    var body: String
}

let notes = [
    Note(id: "soup", title: "Onion soup", body: "Brown the onions slowly, then add stock and a toast."),
    Note(id: "tyres", title: "Winter tyres", body: "Change them before the first snow."),
    Note(id: "garden", title: "Garden", body: "Onions and garlic go in before winter."),
]

let folder = FileManager.default.temporaryDirectory.appending(path: "content-search-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "notes.sqlite").path

// 1. An index with an item for each note.
let storage = try Storage(at: file, migrations: [SearchableIndex.migrations])
let index = SearchableIndex(storage: storage)
func item(_ note: Note) -> SearchableItem {
    var attributes = SearchableItemAttributeSet()
    attributes.title = note.title
    attributes.contentDescription = note.body
    return SearchableItem(uniqueIdentifier: note.id, domainIdentifier: "notes", attributeSet: attributes)
}
try index.put(notes.map(item))

// 2. Search while typing, with typos.
let search = ItemSearch(index: index)
for typed in ["oni", "wniter", "snow"] {
    let titles = try search.search(typed).hits.map { $0.item.attributeSet.title ?? "" }
    print(typed, titles)
}

// 3. Changed notes are put again, deleted notes are deleted.
var changed = notes[1]
changed.title = "Summer tyres"
try index.put([item(changed)])
try index.deleteItems(withIdentifiers: ["soup"])
print(try search.search("tyres").hits.compactMap { $0.item.attributeSet.title })
print(try search.search("onion").hits.map(\.item.uniqueIdentifier))

// 4. Items chosen for a query rank first.
try index.engage("garden", query: "w")
print(try search.search("w").hits.map(\.item.uniqueIdentifier))
