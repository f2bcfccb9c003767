import SwitchboardSearchEngine

func lookupEngine() throws {
    let names = ["Ana Grande", "Zoë Blüe", "Mario Díaz"]
    var builder = IndexBuilder(fields: [.text])
    for (number, name) in names.enumerated() {
        builder.beginDocument(id: Int64(number), rank: UInt64(number))
        builder.add(name)
    }
    let index = try builder.build()
    for hit in try index.search("zoe bleu") {
        let name = names[Int(hit.id)]
        print(name, hit.ranges(in: name).map { name[$0] })  // Zoë Blüe ["Zoë", "Blüe"]
    }
}

private func lookupFile(of index: SearchIndex) throws {
    try index.write(to: "names.index")
    let mapped = try SearchIndex(mapping: "names.index")
    _ = mapped
}
