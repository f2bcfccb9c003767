import SwitchboardSearchEngine

func lookupEngine() throws {
    var builder = IndexBuilder(lanes: [[.runs, .typos]])
    for (number, name) in ["ana grande", "rio grande", "mario diaz"].enumerated() {
        builder.beginRecord(id: Int64(number), rank: UInt64(number))
        builder.beginField(lane: 0)
        for word in name.split(separator: " ") { builder.addWord([Array(word.utf16)]) }
    }
    let index = try builder.build()
    let hits = try index.search(
        LookupRequest(
            queries: [LookupQuery(["grnade"])],
            tiers: [LookupTier(lane: 0, kind: .prefix), LookupTier(lane: 0, kind: .typo)]))
    print(hits.map(\.id))  // [0, 1]
}
