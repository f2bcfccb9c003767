import Foundation
import GRDB
package import SwitchboardStorage
import Synchronization

/// A journal in memory, with faults.
package final class MemoryJournal: Journal {
    package struct State: Sendable {
        package var entries: [JournalEntry] = []
        package var base: JournalBase?

        /// Creates an empty journal.
        package init() {}
    }

    package enum Fault: Sendable {
        /// The journal cannot be reached.
        case unreachable
        /// The journal is lost after an entry was appended, so that its outcome is unknown.
        case lostAfterAppend
        /// Other servers append something before an append.
        case overtaken(@Sendable () throws -> Void)
    }

    private let mutableState = Mutex(State())
    private let mutableFault = Mutex<Fault?>(nil)

    /// Creates an empty journal.
    package init() {}

    package var state: State {
        get { mutableState.withLock { $0 } }
        set { mutableState.withLock { $0 = newValue } }
    }

    /// The fault of the next call that it concerns; ``Fault/unreachable`` stays.
    package var fault: Fault? {
        get { mutableFault.withLock { $0 } }
        set { mutableFault.withLock { $0 = newValue } }
    }

    private func reach() throws(StorageError) {
        if case .unreachable? = fault { throw .journalUnavailable(reason: "test") }
    }

    package func head() throws(StorageError) -> JournalHead {
        try reach()
        let state = state
        let since = state.entries.filter { $0.position.sequence > state.base?.position.sequence ?? 0 }
        return JournalHead(
            position: state.entries.last?.position, baseSequence: state.base?.position.sequence ?? 0,
            bytesSinceBase: since.map(\.size).reduce(0, +))
    }

    package func entries(after sequence: Int64) throws(StorageError) -> [JournalEntry] {
        try reach()
        return state.entries.filter { $0.position.sequence > sequence }
    }

    package func append(_ entry: JournalEntry) throws(StorageError) -> JournalAppendResult {
        try reach()
        let fault = fault
        if fault != nil { self.fault = nil }
        if case .overtaken(let others)? = fault {
            do { try others() } catch { throw .journalUnavailable(reason: "\(error)") }
        }
        let result: JournalAppendResult = mutableState.withLock { state in
            guard entry.extends(state.entries.last?.position) else { return .conflict }
            state.entries.append(entry)
            return .appended
        }
        if case .lostAfterAppend? = fault { throw .journalUnavailable(reason: "test") }
        return result
    }

    package func base() throws(StorageError) -> JournalBase? {
        try reach()
        return state.base
    }

    package func replaceBase(_ base: JournalBase) throws(StorageError) {
        try reach()
        mutableState.withLock { state in
            if let former = state.base?.position.sequence {
                if former >= base.position.sequence { return }
                state.entries.removeAll { $0.position.sequence <= former }
            }
            state.base = base
        }
    }
}

extension JournalEntry {
    package var size: Int {
        switch contents {
        case .changes(let bytes), .image(let bytes): bytes.count
        }
    }

    package var isImage: Bool { if case .image = contents { true } else { false } }
}

extension Storage {
    /// Returns the rows of all tables, those of full-text search included, except for the position in the journal.
    package func dump() throws -> [String] {
        try read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')
                    AND name NOT LIKE 'sqlite%' AND name <> 'storage_journal' ORDER BY name
                    """)
            return try tables.flatMap { table in
                let keys = try db.primaryKey(table).columns.joined(separator: ", ")
                return try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY \(keys)").map { row in
                    table + ": " + row.map { "\($0.1)" }.joined(separator: " | ")
                }
            }
        }
    }
}
