// The engine alone: 50,000 names, a file that is mapped, typos in two words, and the letters that matched.

import Foundation
import SwitchboardSearchEngine

do {
    let given = ["Ana", "Zoë", "Mário", "Юрий", "Siobhán", "Björn", "Chloé", "İpek", "Łukasz", "Ngọc"]
    let names = (0..<50_000).map { "\(given[$0 % 10]) Smith\($0 / 10)" } + ["Zoë Blüe Grande"]
    var builder = IndexBuilder(fields: [.text])
    for (number, name) in names.enumerated() {
        builder.beginDocument(id: Int64(number), rank: UInt64(number))
        builder.add(name)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).index").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try builder.build().write(to: file)

    let index = try SearchIndex(mapping: file)
    for typed in ["blüe", "zoe bleu grnade", "siobhan smith4999", "yuriy smith12"] {
        for hit in try index.search(typed, limit: 1) {
            let name = names[Int(hit.id)]
            print(typed, "→", name, hit.ranges(in: name).map { String(name[$0]) })
        }
    }
} catch {
    print("names:", error.localizedDescription)
    exit(1)
}
