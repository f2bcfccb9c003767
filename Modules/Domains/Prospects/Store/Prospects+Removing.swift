public import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Removing

extension Prospects {
    /// The number of days for which a removed prospect can be restored. Later, the next removal deletes it permanently.
    public static let daysToRestore = 30

    /// Removes prospects. If one is unknown, none is removed. ``restore(_:)`` undoes the removal.
    ///
    /// - Throws: ``ProspectsError/notFound(id:)``.
    public func remove(_ ids: [String]) throws {
        let now = clock().timeIntervalSince1970
        try writing { db in
            var removed: Set<String> = []
            for id in ids where removed.insert(id).inserted {
                let key = try ProspectRows.prospect(id, in: db).key
                try db.execute(sql: "UPDATE prospect SET removedAt = ? WHERE key = ?", arguments: [now, key])
            }
            try db.execute(
                sql: "DELETE FROM prospect WHERE removedAt < ?",
                arguments: [now - Double(Prospects.daysToRestore) * 86_400])
        }
    }

    /// Returns the time when a prospect was removed.
    ///
    /// - Throws: ``ProspectsError/notRemoved(id:)``.
    public func removalTime(of id: String) throws -> Date {
        try storage.read { db in
            let key = try ProspectRows.prospect(id, removed: true, in: db).key
            let time = try Double.fetchOne(db, sql: "SELECT removedAt FROM prospect WHERE key = ?", arguments: [key])
            guard let time else { throw ProspectsError.notRemoved(id: id) }
            return Date(timeIntervalSince1970: time)
        }
    }

    /// Restores removed prospects. If one cannot be restored, none is.
    ///
    /// - Returns: The prospects in the order of the identifiers.
    /// - Throws: ``ProspectsError/notRemoved(id:)``, ``ProspectsError/metAgain(id:as:)``.
    @discardableResult
    public func restore(_ ids: [String]) throws -> [Prospect] {
        try writing { db in
            try ids.map { id in
                let (key, prospect) = try ProspectRows.prospect(id, removed: true, in: db)
                if let (_, other) = try ProspectRows.existing(PreparedProspect(prospect, region: region), in: db) {
                    throw ProspectsError.metAgain(id: id, as: other.id)
                }
                try db.execute(sql: "UPDATE prospect SET removedAt = NULL WHERE key = ?", arguments: [key])
                return prospect
            }
        }
    }
}
