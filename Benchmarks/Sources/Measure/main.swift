import Foundation
import Workload

// measure [COUNT…]                 tables for these numbers of contacts (10,000 and 100,000)
// measure items [COUNT…]           the tables of items there (100,000)
// measure import|contacts|engine COUNT · airports · folding      one step, as tab-separated lines
// measure item-queries|item-put|item-index|item-search COUNT     one step of those of items
// measure corpus COUNT|airports                                  the same data as plain tables, for Scripts/bench peers
// measure slowest COUNT · ask COUNT KIND [TEXT]                  for profiling
// measure engine-ask COUNT KIND · airport-ask KIND               the same for the index alone, and for airports
// measure missed COUNT · airport-missed                          misspelled queries without the target in ten rows
// measure item-slowest COUNT · item-ask COUNT KIND [TEXT] · item-missed COUNT     the same for items

let arguments = Array(CommandLine.arguments.dropFirst())
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
switch arguments.first {
case "import": try ContactMeasurements.importing(count).lines.forEach { print($0) }
case "contacts": try ContactMeasurements.searching(count).lines.forEach { print($0) }
case "engine": try ContactMeasurements.engine(count).lines.forEach { print($0) }
case "airports": try AirportMeasurements.searching().lines.forEach { print($0) }
case "folding": try FoldingMeasurements.measured().lines.forEach { print($0) }
case "item-queries": try ItemMeasurements.making(count)
case "item-put": try ItemMeasurements.putting(count).lines.forEach { print($0) }
case "item-index": try ItemMeasurements.indexing(count).lines.forEach { print($0) }
case "item-search": try ItemMeasurements.searching(count).lines.forEach { print($0) }
case "items":
    let counts = arguments.compactMap { Int($0) }
    print(try ItemReport(counts: counts.isEmpty ? [100_000] : counts).markdown())
case "corpus":
    if arguments.last == "airports" { try Corpus.airports() } else { try Corpus.contacts(count) }
case "slowest": try Profiling.slowest(count)
case "ask":
    let words = arguments.dropFirst(2)
    let kind = words.first.flatMap { ContactQuery.Kind(rawValue: $0) } ?? .keypadTypo
    try Profiling.ask(kind, words.dropFirst().first, count)
case "engine-ask":
    try Profiling.askEngine(
        arguments.dropFirst(2).first.flatMap { ContactQuery.Kind(rawValue: $0) } ?? .keypadTypo, count)
case "airport-ask":
    try Profiling.askAirports(arguments.dropFirst().first.flatMap { AirportQuery.Kind(rawValue: $0) } ?? .prefix)
case "missed": try Profiling.missed(count)
case "airport-missed": try Profiling.missedAirports()
case "item-slowest": try ItemProfiling.slowest(count)
case "item-missed": try ItemProfiling.missed(count)
case "item-ask":
    let words = arguments.dropFirst(2)
    try ItemProfiling.ask(words.first.flatMap { ItemQuery.Kind(rawValue: $0) } ?? .typo, words.dropFirst().first, count)
default:
    let counts = arguments.compactMap { Int($0) }
    print(try Report(counts: counts.isEmpty ? [10_000, 100_000] : counts).markdown())
}
