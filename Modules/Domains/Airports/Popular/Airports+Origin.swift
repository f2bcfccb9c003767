import GRDB
import SwitchboardStorage

// MARK: - The origin of the popular list

extension Airports {
    /// Returns the origin of the popular list in use and the time of the last check.
    ///
    /// - Throws: `StorageError`.
    public func popularOrigin() throws -> PopularOrigin {
        if let shared { return try shared.popularOrigin() }
        guard let storage else { return PopularOrigin() }
        return try storage.read(PopularOrigin.fetch)
    }

    /// Records that the server has no newer list than the one in use. The list itself is unchanged.
    ///
    /// Does nothing if another list was loaded since.
    ///
    /// - Parameter origin: The origin that the server was queried for.
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func confirmPopular(_ origin: PopularOrigin) throws {
        if let shared { return try shared.confirmPopular(origin) }
        try openStorage().write { db in
            let current = try PopularOrigin.fetch(db)
            guard current.address == origin.address, current.entityTag == origin.entityTag else { return }
            try PopularOrigin(address: origin.address, entityTag: origin.entityTag, checkedAt: now()).store(in: db)
        }
    }

    /// Claims a refresh if one is due: returns `true` to the caller that should perform it, and `false` to all others
    /// for an hour.
    ///
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func claimRefresh() throws -> Bool {
        if let shared { return try shared.claimRefresh() }
        return try openStorage().write { db in
            var origin = try PopularOrigin.fetch(db)
            guard origin.isDue(at: now()) else { return false }
            origin.attemptedAt = now()
            try origin.store(in: db)
            return true
        }
    }
}
