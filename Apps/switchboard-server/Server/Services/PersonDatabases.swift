import SwitchboardAccounts
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// The open databases of people. Each is opened when first needed, which takes some 3 ms, and closed after an idle minute.
/// When many are open, the one that was used longest ago is closed earlier, so memory and open files are bounded.
///
/// A database is the file `people/IDENTIFIER.sqlite` in the server's folder. Other processes may use it at the same
/// time. A removed file is never created again, but a file that replaces it is opened.
final class PersonDatabases: Sendable {
    private struct Entry {
        let switchboard: Switchboard
        /// The open file; nil in a cluster, whose files are copies.
        let file: FileIdentity?
        var uses = 0
        /// `true` if the database is to be closed after its last use.
        var isTemporary: Bool
        var lastUse = ContinuousClock.now
    }

    private let options: ServerOptions
    private let store: DataStore
    private let shared: Switchboard
    private let entries = Mutex<[String: Entry]>([:])
    private let replacementHandler = Mutex<(@Sendable (_ person: String) -> Void)?>(nil)

    /// - Parameter shared: The instance whose airports all people share.
    init(_ options: ServerOptions, _ store: DataStore, sharing shared: Switchboard) {
        self.options = options
        self.store = store
        self.shared = shared
    }

    var openCount: Int { entries.withLock(\.count) }

    /// Sets the closure to call whenever the open file of a person was removed or replaced.
    func onReplacement(_ body: @escaping @Sendable (_ person: String) -> Void) {
        replacementHandler.withLock { $0 = body }
    }

    /// Calls a closure with a person's database and keeps it open until the closure returns.
    ///
    /// - Throws: ``MissingDatabase``, the errors of the closure.
    func use<Value>(_ person: Person, _ body: (Switchboard) throws -> Value) throws -> Value {
        let switchboard = try hold(person)
        defer { release(switchboard, of: person) }
        return try body(switchboard)
    }

    /// Opens a person's database and keeps it open until ``release(_:of:)``.
    ///
    /// - Parameter temporarily: `true` to close it immediately on release, unless it is open for another use.
    /// - Throws: ``MissingDatabase``.
    func hold(_ person: Person, temporarily: Bool = false) throws(MissingDatabase) -> Switchboard {
        let file = identity(of: person.id)
        let isMissing = store.cluster == nil && file == nil
        let (held, replaced, closing) = entries.withLock { entries -> (Switchboard?, Entry?, Entry?) in
            let replaced = entries[person.id].flatMap { $0.file == file ? nil : $0 }
            if replaced != nil { entries[person.id] = nil }
            if isMissing { return (nil, replaced, nil) }
            let closing = entries[person.id] == nil ? removeExcess(from: &entries) : nil
            var entry = entries[person.id] ?? Entry(switchboard: open(person), file: file, isTemporary: temporarily)
            entry.uses += 1
            entry.isTemporary = entry.isTemporary && temporarily
            entries[person.id] = entry
            return (entry.switchboard, replaced, closing)
        }
        // Releasing the last reference closes the file, outside the lock.
        _ = consume closing
        if replaced != nil { replacementHandler.withLock { $0 }?(person.id) }
        guard let held else { throw MissingDatabase(path: store.file(of: person.id)) }
        return held
    }

    /// Removes the database that was used longest ago, if there is no room for another one and not all are in use.
    private func removeExcess(from entries: inout [String: Entry]) -> Entry? {
        if entries.count < options.openDatabases { return nil }
        let oldest = entries.filter { $0.value.uses == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        return oldest.flatMap { entries.removeValue(forKey: $0.key) }
    }

    private func identity(of person: String) -> FileIdentity? {
        store.cluster == nil ? FileIdentity(of: store.file(of: person)) : nil
    }

    /// Balances a call to ``hold(_:temporarily:)``.
    func release(_ switchboard: Switchboard, of person: Person) {
        let closing = entries.withLock { entries -> Entry? in
            guard var entry = entries[person.id], entry.switchboard === switchboard else { return nil }
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

    /// Closes the databases that have been idle for long enough, and those whose file was removed or replaced.
    ///
    /// - Returns: The number of closed idle databases.
    func closeIdle() -> Int {
        let now = ContinuousClock.now
        let replaced = entries.withLock { entries in
            let replaced = entries.filter { $0.value.file != identity(of: $0.key) }
            for id in replaced.keys { entries[id] = nil }
            return replaced
        }
        for id in replaced.keys { replacementHandler.withLock { $0 }?(id) }
        let idle = entries.withLock { entries in
            let idle = entries.filter { $0.value.uses == 0 && now - $0.value.lastUse >= .seconds(options.idleSeconds) }
            for id in idle.keys { entries[id] = nil }
            return idle
        }
        // Releasing the last reference closes the file, outside the lock.
        let count = idle.count
        _ = consume idle
        return count
    }

    /// Forgets the database of a deleted person; it is closed after its last use.
    func close(_ person: Person) {
        let entry = entries.withLock { $0.removeValue(forKey: person.id) }
        _ = consume entry
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
