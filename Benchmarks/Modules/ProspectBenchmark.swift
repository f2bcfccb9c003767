import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardProspects
import SwitchboardStorage

/// Measures lists and searches of many prospects, 100,000 by default.
func measureProspects(_ arguments: [String]) throws {
    let count = arguments.first.flatMap { Int($0) } ?? 100_000
    let folder = FileManager.default.temporaryDirectory.appending(path: "prospect-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    /// Parts of distinct names, the same in every run.
    let given = [
        "Ana", "José", "Łukasz", "Мария", "王伟", "Đặng", "Käthe", "Omar", "Zoë", "Ingrid", "Haruto", "Niamh", "Søren",
        "Aylin",
    ]
    let family = [
        "Nowak", "Müller", "García", "Иванова", "Silva", "O'Connor", "Yılmaz", "Nguyễn", "Rossi", "Haddad", "Kim",
        "Jensen",
    ]
    let places = ["FOSDEM", "Oslo", "Bergen", "Web Summit", "Hannover Messe"]
    var prospects: [Prospect] = []
    for number in 0..<count {
        let name =
            "\(given[number % given.count]) \(family[number / 7 % family.count]) \(String(number * 7919 % 999_983, radix: 26))"
        prospects.append(
            Prospect(
                name: name, email: "person\(number)@example.org", phone: "+4420\(79_460_000 + number)",
                organization: "Company \(number % 4000)", note: number % 5 == 0 ? "wants a demo of \(number)" : "",
                met: places[number % places.count]))
    }

    let storage = try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [Prospects.migrations])
    let list = Prospects(storage: storage)
    print("| \(count) prospects | ms |")
    print("| --- | ---: |")
    row("add all, in one transaction", try milliseconds { _ = try list.add(prospects) })
    row("add one more", try median { try list.add(Prospect(name: "Bo", email: "\(UUID().uuidString)@example.org")) })
    let ids = try list.list(limit: 5000).map(\.id)
    for start in stride(from: 0, to: ids.count, by: 500) { try list.setContacted(Array(ids[start..<(start + 500)])) }
    row("tick one off", try median { try list.setContacted([ids[100]], to: Bool.random()) })
    row("list the first 50 by name", try median { _ = try list.list(limit: 50) })
    row("list the last 50 met", try median { _ = try list.list(sortedBy: .recent, limit: 50) })
    row("list the first 50 not contacted, by name", try median { _ = try list.list(.uncontacted, limit: 50) })
    row(
        "list the first 50 contacted, most recent first",
        try median { _ = try list.list(.contacted, sortedBy: .recent, limit: 50) })
    row("count those contacted", try median { _ = try list.count(.contacted) })
    row("list all", try median(of: 3) { try list.forEach { _ in } })
    let search = ProspectSearch(prospects: list)
    row("build the index", try milliseconds { try search.warmUp() })
    let opened = ProspectSearch(prospects: list)
    row("open the index file", try milliseconds { try opened.warmUp() })
    for (name, text) in [
        ("search a prefix", "luka"), ("search two words in any order", "nowak lukasz"), ("search a typo", "garcai"),
        ("search inside", "ompan"), ("search an address", "person4711"), ("search part of a number", "794651"),
    ] {
        row(name, try median { _ = try search.search(SearchInput(text)) })
    }
}

private func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .milliseconds(1)
}

/// The median of several runs.
private func median(of runs: Int = 21, _ work: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs { times.append(try milliseconds(work)) }
    return times.sorted()[runs / 2]
}

private func row(_ name: String, _ milliseconds: Double) {
    print("| \(name) | \(String(format: milliseconds < 10 ? "%.2f" : "%.0f", milliseconds)) |")
}
