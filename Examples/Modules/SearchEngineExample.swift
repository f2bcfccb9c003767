import SwitchboardSearchEngine

func lookupEngine() throws {
    var builder = IndexBuilder(fields: [[.wordSuffixes, .typos]])
    for (number, name) in ["ana grande", "rio grande", "mario diaz"].enumerated() {
        builder.beginDocument(id: Int64(number), rank: UInt64(number))
        builder.beginValue(field: 0)
        for word in name.split(separator: " ") { builder.addWord([Array(word.utf16)]) }
    }
    let index = try builder.build()
    let hits = try index.search(
        SearchRequest(
            queries: [SearchQuery(["grnade"])],
            tiers: [SearchTier(field: 0, .prefix), SearchTier(field: 0, .typo())]))
    print(hits.map(\.id))  // [0, 1]
}
