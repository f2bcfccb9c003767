import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import Testing

@testable import SwitchboardProspects

/// An incrementally updated index must return the same results as a new one after every change.
@Suite("Incremental updates of the prospects' index")
struct ProspectSegmentsTests {
    private static let names = [
        "Anna Diaz", "Ana Smyth", "Jürgen Müller", "Иван Жуков", "Łukasz O'Connor", "Anna Berg",
    ]

    private static func answers(_ search: ProspectSearch) throws -> [String] {
        var lines: [String] = []
        for limit in [3, 0] {
            for text in ["an", "anna", "smth", "mu", "fosdem", "555", ""] {
                let hits = try search.search(SearchInput(text), limit: limit).hits
                lines += hits.map { "\(text): \($0.person.id) \($0.match) \($0.highlights)" }
            }
            for digits in ["26", "555", "5550", "0"] {
                let hits = try search.search(SearchInput(keys: digits), limit: limit).hits
                lines += hits.map { "\(digits): \($0.person.id) \($0.match) \($0.highlights)" }
            }
        }
        return lines
    }

    @Test("Results equal those of a new index after each of many changes", arguments: [7, 8] as [UInt64])
    func followsChanges(_ seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite").path
        let storage = try Storage(at: path, migrations: [Prospects.migrations])
        var random = seed
        func pick(_ count: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % UInt64(count))
        }
        var seconds = 1_800_000_000.0
        var ids: [String] = []
        var removed: [String] = []
        var limits = MergePolicy()
        limits.maxPendingChanges = 3
        limits.rebuildDivisor = 1_000
        limits.minChangesBeforeRebuild = 10
        limits.blockingRebuildFactor = 2
        var following: ProspectSearch?
        for step in 0..<60 {
            seconds += 90_000
            let now = seconds
            let prospects = Prospects(storage: storage) { Date(timeIntervalSince1970: now) }
            switch ids.isEmpty ? 0 : pick(6) {
            case 0, 1:
                let number = pick(3) == 0 ? "+1 702 555 01\(10 + pick(90))" : ""
                let added = try prospects.add(
                    Prospect(
                        name: Self.names[pick(Self.names.count)], email: "p\(step)@example.org", phone: number,
                        met: pick(2) == 0 ? "FOSDEM" : ""))
                if !ids.contains(added.prospect.id) { ids.append(added.prospect.id) }
            case 2:
                let id = ids.remove(at: pick(ids.count))
                try prospects.remove([id])
                removed.append(id)
            case 3: try prospects.setContacted([ids[pick(ids.count)]])
            case 4: if let id = removed.popLast(), (try? prospects.restore([id])) != nil { ids.append(id) }
            default: try prospects.edit(ids[pick(ids.count)]) { $0.name = Self.names[pick(Self.names.count)] }
            }
            let search =
                following ?? ProspectSearch(prospects: prospects, rebuildsInBackground: false, mergePolicy: limits)
            following = search
            let found = try Self.answers(search)
            #expect(
                found
                    == (try Self.answers(
                        ProspectSearch(
                            prospects: prospects, rebuildsInBackground: false, mergePolicy: limits))),
                "step \(step): another search")
            let other = folder.appending(path: "copy\(step).sqlite").path
            try storage.backup(to: other)
            let copy = Prospects(storage: try Storage(at: other, migrations: [Prospects.migrations]))
            #expect(
                found == (try Self.answers(ProspectSearch(prospects: copy))), "step \(step): a new index")
        }
    }
}
