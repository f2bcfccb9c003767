import GRDB
import SwitchboardStorage

// MARK: - Where the popular list comes from

extension Airports {
    /// Where the popular list in use comes from, and when it was looked at last.
    ///
    /// - Throws: `StorageError`.
    public func popularOrigin() throws -> PopularOrigin {
        if let shared { return try shared.popularOrigin() }
        guard let storage else { return PopularOrigin() }
        return try storage.read(PopularOrigin.fetch)
    }

    /// Remembers that a server was asked and has no newer list than the one in use; the list itself stays untouched.
    ///
    /// Nothing happens if another list was loaded since.
    ///
    /// - Parameter origin: what the server was asked about.
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func confirmPopular(_ origin: PopularOrigin) throws {
        if let shared { return try shared.confirmPopular(origin) }
        try openStorage().write { db in
            let current = try PopularOrigin.fetch(db)
            guard current.address == origin.address, current.entityTag == origin.entityTag else { return }
            try PopularOrigin(address: origin.address, entityTag: origin.entityTag, checkedAt: now()).store(in: db)
        }
    }

    /// Claims the refresh that is due, if one is: whoever gets true should do it, all others leave it alone for an hour.
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
