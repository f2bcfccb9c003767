// Searchable notes with a color of their own: typos, an order, counts, a query, and a note that is deleted.

import Foundation
import SwitchboardIncrementalIndex
import SwitchboardSearchableIndex
import SwitchboardStorage

do {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = try Storage(at: folder.appending(path: "notes.sqlite").path, migrations: [SearchableIndex.migrations])
    let index = SearchableIndex(storage: storage)
    try index.declare(CustomAttribute(key: "color", type: .text, isSearchable: true))

    let notes = [
        ("soup", "Onion soup", "red"), ("tires", "Winter tires", "blue"), ("garden", "Onions in winter", "red"),
    ]
    try index.put(
        notes.enumerated().map { number, note in
            var attributes = SearchableItemAttributeSet()
            attributes.title = note.1
            attributes.contentCreationDate = Date(timeIntervalSince1970: Double(number) * 86_400)
            attributes.custom["color"] = [.text(note.2)]
            return SearchableItem(uniqueIdentifier: note.0, domainIdentifier: "notes", attributeSet: attributes)
        })

    let search = ItemSearch(index: index)
    print("typo:", try search.search("wniter").hits.map(\.id))
    print(
        "newest first:",
        try search.search("onion", sortedBy: [.attribute("contentCreationDate", .reverse)]).hits.map(\.id))
    print("not winter:", try search.search("onion -winter").hits.map(\.id))
    for color in try search.facets(of: ["color"])[0].values { print("counted:", color.value, color.count) }
    print("red:", try index.search("color == 'red'").map(\.id))
    print("completed:", try search.suggestions(for: "win"))
    try index.deleteItems(withIdentifiers: ["soup"])
    print("left:", try search.count("onion"))
} catch {
    print("notes:", error.localizedDescription)
    exit(1)
}
