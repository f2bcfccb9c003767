import SwitchboardAccounts
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// The open databases of people. Each is opened when first needed and closed after a few idle minutes.
///
/// A database is the file `people/IDENTIFIER.sqlite` in the server's folder. Other processes may use it at the same
/// time.
final class PersonDatabases: Sendable {
    private struct Entry {
        let switchboard: Switchboard
        var uses = 0
        /// `true` if the database is to be closed after its last use.
        var isTemporary: Bool
        var lastUse = ContinuousClock.now
    }

    private let options: ServerOptions
    private let store: DataStore
    private let shared: Switchboard
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameter shared: The instance whose airports all people share.
    init(_ options: ServerOptions, _ store: DataStore, sharing shared: Switchboard) {
        self.options = options
        self.store = store
        self.shared = shared
    }

    var openCount: Int { entries.withLock(\.count) }

    /// Calls a closure with a person's database and keeps it open until the closure returns.
    func use<Value>(_ person: Person, _ body: (Switchboard) throws -> Value) throws -> Value {
        let switchboard = hold(person)
        defer { release(person) }
        return try body(switchboard)
    }

    /// Opens a person's database and keeps it open until ``release(_:)``.
    ///
    /// - Parameter temporarily: `true` to close it then at once, unless it is open for something else.
    func hold(_ person: Person, temporarily: Bool = false) -> Switchboard {
        entries.withLock { entries in
            var entry = entries[person.id] ?? Entry(switchboard: open(person), isTemporary: temporarily)
            entry.uses += 1
            entry.isTemporary = entry.isTemporary && temporarily
            entries[person.id] = entry
            return entry.switchboard
        }
    }

    /// Balances a call of ``hold(_:)``.
    func release(_ person: Person) {
        let closing = entries.withLock { entries -> Entry? in
            guard var entry = entries[person.id] else { return nil }
            entry.uses -= 1
            entry.lastUse = .now
            let isOver = entry.uses == 0 && entry.isTemporary
            entries[person.id] = isOver ? nil : entry
            return isOver ? entry : nil
        }
        // Releasing the last reference closes the file, outside the lock.
        _ = consume closing
    }

    private func open(_ person: Person) -> Switchboard {
        // Hundreds of databases may be open; two readers each are enough.
        Switchboard(
            store.settings(of: person.id, region: options.region, maximumReaders: 2), sharingAirportsOf: shared)
    }

    /// Closes the databases that have been idle for long enough.
    ///
    /// - Returns: The number of closed databases.
    func closeIdle() -> Int {
        let now = ContinuousClock.now
        let idle = entries.withLock { entries in
            let idle = entries.filter { $0.value.uses == 0 && now - $0.value.lastUse >= options.idleTime }
            for id in idle.keys { entries[id] = nil }
            return idle
        }
        // Releasing the last reference closes the file, outside the lock.
        let count = idle.count
        _ = consume idle
        return count
    }

    /// Closes all databases, on shutdown.
    func closeAll() {
        let all = entries.withLock { entries in
            defer { entries = [:] }
            return entries
        }
        for entry in all.values { entry.switchboard.close() }
    }
}
