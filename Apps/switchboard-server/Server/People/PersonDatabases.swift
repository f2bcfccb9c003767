import Foundation
import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardKit
import Synchronization

/// The databases of people: each opened when first needed, and closed when nothing has been asked of it for some minutes.
///
/// Each is a file of its own, `people/IDENTIFIER.sqlite` in the folder of the server, which command line and terminal may work on at
/// the same time.
final class PersonDatabases: Sendable {
    private struct Entry {
        let switchboard: Switchboard
        var uses = 0
        var lastUse = ContinuousClock.now
    }

    /// How long a database stays open without being used.
    let idleTime: Duration
    private let folder: String
    private let region: String?
    private let shared: Switchboard
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameters:
    ///   - folder: where the server keeps everything.
    ///   - region: the territory of phone numbers without a country code.
    ///   - shared: whose airports are used.
    init(folder: String, region: String?, sharing shared: Switchboard, idleTime: Duration = .seconds(300)) {
        self.folder = folder
        self.region = region
        self.shared = shared
        self.idleTime = idleTime
    }

    /// The file of a person.
    static func file(of id: String, in folder: String) -> String { "\(folder)/people/\(id).sqlite" }

    /// How many are open.
    var openCount: Int { entries.withLock(\.count) }

    /// Does something with what a person has. The database stays open meanwhile.
    ///
    /// - Throws: what `body` throws.
    func use<Value>(_ person: Person, _ body: (Switchboard) throws -> Value) throws -> Value {
        let switchboard = hold(person)
        defer { release(person) }
        return try body(switchboard)
    }

    /// Opens a database, or keeps it open, until ``release(_:)``.
    func hold(_ person: Person) -> Switchboard {
        entries.withLock { entries in
            var entry = entries[person.id] ?? Entry(switchboard: open(person))
            entry.uses += 1
            entries[person.id] = entry
            return entry.switchboard
        }
    }

    /// Gives back what ``hold(_:)`` has given.
    func release(_ person: Person) {
        entries.withLock { entries in
            entries[person.id]?.uses -= 1
            entries[person.id]?.lastUse = .now
        }
    }

    private func open(_ person: Person) -> Switchboard {
        Switchboard(
            Settings(
                database: Self.file(of: person.id, in: folder), region: region,
                // One of some hundreds: two reads at once are plenty.
                storageOptions: StorageOptions(maximumReaders: 2)),
            sharingAirportsOf: shared)
    }

    /// Closes what has not been used for a while.
    func closeIdle() {
        let now = ContinuousClock.now
        let idle = entries.withLock { entries in
            let idle = entries.filter { $0.value.uses == 0 && now - $0.value.lastUse >= idleTime }
            for id in idle.keys { entries[id] = nil }
            return idle
        }
        // The last reference closes the file, outside of the lock.
        _ = consume idle
    }

    /// Closes everything, at the end of the program.
    func closeAll() {
        let all = entries.withLock { entries in
            defer { entries = [:] }
            return entries
        }
        for entry in all.values { entry.switchboard.close() }
    }
}
