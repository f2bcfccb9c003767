import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Removing

extension Prospects {
    /// For how many days a removed prospect can be restored; after that the next removal deletes it for good.
    public static let daysToRestore = 30

    /// Removes people, all of them or, if one is unknown, none. ``restore(_:)`` takes it back.
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

    /// Brings removed people back as they were, all of them or none.
    ///
    /// - Returns: the prospects in the order of the identifiers.
    /// - Throws: ``ProspectsError/notRemoved(id:)``, ``ProspectsError/metAgain(id:as:)``.
    @discardableResult
    public func restore(_ ids: [String]) throws -> [Prospect] {
        try writing { db in
            try ids.map { id in
                let (key, prospect) = try ProspectRows.prospect(id, removed: true, in: db)
                if let (_, other) = try ProspectRows.known(PreparedProspect(prospect, region: region), in: db) {
                    throw ProspectsError.metAgain(id: id, as: other.id)
                }
                try db.execute(sql: "UPDATE prospect SET removedAt = NULL WHERE key = ?", arguments: [key])
                return prospect
            }
        }
    }
}
