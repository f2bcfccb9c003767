public import Foundation
import GRDB
public import SwitchboardStorage

/// The people someone has met and wants to get in touch with: stored, listed, ticked off, searched, exported.
///
/// The list stands on a `Storage` whose migrations include ``migrations``. It cannot be changed from outside: whoever was
/// met comes in by ``add(_:)-(Prospect)``, which knows them again, and every change is saved before the call returns.
///
/// For example:
///
/// ```swift
/// let storage = try Storage(at: "people.sqlite", migrations: [Prospects.migrations])
/// let prospects = Prospects(storage: storage)
/// let added = try prospects.add(Prospect(name: "Łukasz Nowak", email: "lukasz@example.org", met: "FOSDEM"))
/// try prospects.setContacted([added.prospect.id])
/// let left = try prospects.list(.uncontacted, sortedBy: .recent)
/// ```
///
/// Every change moves the storage's generation of ``module`` on, in the same transaction. Unless said otherwise the methods
/// throw ``ProspectsError`` for what the caller can mend, and `StorageError` for the rest.
public struct Prospects: Sendable {
    /// Where the prospects are kept.
    public let storage: Storage
    /// The territory of numbers without a country code, an ISO 3166 code; nil if unknown.
    public let region: String?

    let clock: @Sendable () -> Date

    /// A list on a storage that has the tables of this module.
    ///
    /// - Parameters:
    ///   - storage: opened with the migrations of this module.
    ///   - region: the territory of numbers without a country code ("TR"); nil leaves such numbers as typed.
    ///   - clock: what tells the time.
    public init(storage: Storage, region: String? = nil, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.storage = storage
        self.region = region
        self.clock = clock
    }
}

/// Which prospects a list shows.
public enum ProspectFilter: String, Sendable, CaseIterable {
    /// All of them.
    case everyone
    /// Those who were contacted.
    case contacted
    /// Those who were not.
    case uncontacted
}

/// The order of a list of prospects.
public enum ProspectOrder: String, Sendable, CaseIterable {
    /// By the folded name.
    case name
    /// Those met last first.
    case recent
}

// MARK: - Reading

extension Prospects {
    /// The prospect of an identifier.
    ///
    /// - Throws: ``ProspectsError/notFound(id:)``.
    public func prospect(_ id: String) throws -> Prospect {
        try storage.read { db in try ProspectRows.prospect(id, in: db).prospect }
    }

    /// How many there are.
    public func count(_ filter: ProspectFilter = .everyone) throws -> Int {
        try storage.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM prospect WHERE \(filter.condition)") ?? 0
        }
    }

    /// The prospects of a filter, in order.
    ///
    /// - Parameters:
    ///   - filter: which ones.
    ///   - order: how they are sorted.
    ///   - limit: how many at most; nil for all.
    ///   - offset: how many to leave out first.
    public func list(
        _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name, limit: Int? = nil, offset: Int = 0
    ) throws -> [Prospect] {
        try storage.read { db in
            let keys = try ProspectRows.keys(filter, order, limit: limit, offset: offset, in: db)
            let prospects = try ProspectRows.prospects(keys, in: db)
            return keys.compactMap { prospects[$0] }
        }
    }

    /// Calls `body` with each prospect of a filter, in order, holding some hundred at a time in memory.
    public func forEach(
        _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name, _ body: (Prospect) throws -> Void
    ) throws {
        try storage.read { db in
            let keys = try ProspectRows.keys(filter, order, limit: nil, offset: 0, in: db)
            var start = 0
            while start < keys.count {
                let batch = Array(keys[start..<min(start + 500, keys.count)])
                let prospects = try ProspectRows.prospects(batch, in: db)
                for key in batch {
                    if let prospect = prospects[key] { try body(prospect) }
                }
                start += batch.count
            }
        }
    }
}
