import SwitchboardIncrementalIndex
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTesting

func searchableIndex(_ store: TemporaryStore) throws {
    let file = store.database
    let storage = try Storage(at: file, migrations: [SearchableIndex.migrations])
    let index = SearchableIndex(storage: storage)
    var attributes = SearchableItemAttributeSet()
    attributes.title = "Breaking Dunes"
    attributes.keywords = ["drama", "desert"]
    try index.put([SearchableItem(uniqueIdentifier: "show-1", domainIdentifier: "tv-shows", attributeSet: attributes)])

    let hits = try ItemSearch(index: index).search("braking").hits
    print(hits.map(\.item.uniqueIdentifier))
}
