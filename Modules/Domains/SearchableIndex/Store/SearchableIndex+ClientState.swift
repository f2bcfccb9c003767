import GRDB
import SwitchboardStorage

// MARK: - Client state

extension SearchableIndex {
    /// The last client state set by the app: any text, such as the number of its last change.
    public func clientState() throws -> String? {
        try storage.read { db in
            try ItemRows.indexKey(name, in: db).flatMap { try clientState(of: $0, in: db) }
        }
    }

    static func check(_ state: String) throws(SearchableIndexError) {
        guard state.utf8.count <= maximumClientStateSize else { throw .invalidClientState(bytes: state.utf8.count) }
    }

    func clientState(of index: Int64, in db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT clientState FROM item_index WHERE key = ?", arguments: [index])
    }

    func setClientState(_ state: String, of index: Int64, in db: Database) throws {
        try SearchableIndex.check(state)
        try db.execute(sql: "UPDATE item_index SET clientState = ? WHERE key = ?", arguments: [state, index])
    }

    func expect(_ expected: String?, of index: Int64, in db: Database) throws {
        guard let expected else { return }
        let found = try clientState(of: index, in: db)
        // An index that was never put into matches the empty state.
        guard found ?? "" == expected else {
            throw SearchableIndexError.mismatchedClientState(expected: expected, found: found)
        }
    }
}
