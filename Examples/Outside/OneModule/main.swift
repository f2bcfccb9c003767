// Three names in rank order and five queries; the example of docs/engine.md.

import SwitchboardSearchEngine

let names = ["ana grande", "rio grande", "mario diaz"]

var builder = IndexBuilder(fields: [[.wordSuffixes, .initials, .infix, .typos]])
for (number, name) in names.enumerated() {
    builder.beginDocument(id: Int64(number), rank: UInt64(number))
    builder.beginValue(field: 0)
    for word in name.split(separator: " ") { builder.addWord([Array(word.utf16)]) }
}
let index = try builder.build(generation: 1)

let matches: [SearchTier.Match] = [.exact, .prefix, .initials(), .words(), .infix, .typo()]
for typed in ["gra", "riogr", "rg", "io", "grnade"] {
    let request = SearchRequest(
        queries: [SearchQuery([typed])], tiers: matches.map { SearchTier(field: 0, $0) }, limit: 10)
    print(typed)
    for hit in try index.search(request) {
        let place = hit.matches.map { "word \($0.word), letters \($0.letters)" }.joined(separator: "; ")
        print("    \(names[Int(hit.id)]): \(hit.kind), \(place)")
    }
}
index.bytes.withUnsafeBytes { print("the index has \($0.count) bytes") }
