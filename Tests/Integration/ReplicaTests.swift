import Foundation
import SwitchboardKit
import SwitchboardStorage
import SwitchboardTestFixtures
import SwitchboardTesting
import Testing

@Suite("Replicas") struct ReplicaTests {
    @Test("The changes of all modules on two servers make equal files, which are also built from the journal")
    func allModules() throws {
        let sample = try CorruptionSample()
        let store = try TemporaryStore()
        let journal = MemoryJournal()
        func server(_ name: String) -> Switchboard {
            var options = StorageOptions()
            options.journal = journal
            return Switchboard(
                Settings(
                    database: store.path("\(name).sqlite"), region: "GB", isShortLived: true, storageOptions: options))
        }
        let servers = [server("a"), server("b")]
        try servers[0].storage.restore(from: sample.path)
        let start = journal.state
        let tables = ["storage", "search", "keypad", "airports", "reminder", "prospect", "contact", "item"]
        for round in 0..<2 {
            for table in tables {
                for (number, call) in sample.calls(of: table).enumerated() {
                    // Some calls fail, as they remove what others need.
                    do {
                        try call.run(servers[(number + round) % 2])
                    } catch let error as StorageError {
                        Issue.record("\(call.name): \(error)")
                    } catch {}
                }
                #expect(try servers[0].storage.dump() == servers[1].storage.dump(), "\(table), \(round)")
            }
        }
        var state = journal.state
        #expect(state.entries.count > start.entries.count + 50)
        #expect(state.entries.filter(\.isImage).count == start.entries.filter(\.isImage).count)
        // Applies all changes since the restore.
        state.base = start.base
        journal.state = state
        let new = server("new")
        #expect(try new.storage.dump() == servers[0].storage.dump())
        #expect(try new.storage.check().isSound)
    }
}
