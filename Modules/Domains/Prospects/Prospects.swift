public import Foundation
import GRDB
public import SwitchboardStorage

/// The list of people whom the user has met and wants to contact.
///
/// The list is stored in a `Storage` whose migrations include ``migrations``. ``add(_:)-(Prospect)`` recognizes people
/// who are already in the list. Every change is saved before the call returns.
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
/// Every change advances the storage's generation of ``module`` in the same transaction. Unless documented otherwise,
/// methods throw ``ProspectsError`` for errors that the caller can correct, and `StorageError` for all others.
public struct Prospects: Sendable {
    /// The storage of the prospects.
    public let storage: Storage
    /// The region of phone numbers without a country code, an ISO 3166 code; nil if unknown.
    public let region: String?

    let clock: @Sendable () -> Date

    /// Creates a list on a storage.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with the migrations of this module.
    ///   - region: The region of phone numbers without a country code ("TR"); nil leaves such numbers as typed.
    ///   - clock: Returns the current time.
    public init(storage: Storage, region: String? = nil, clock: @escaping @Sendable () -> Date = { Date() }) {
        storage.register(Self.migrations)
        self.storage = storage
        self.region = region
        self.clock = clock
    }
}

/// The prospects included in a list.
public enum ProspectFilter: String, Sendable, CaseIterable {
    /// All prospects.
    case everyone
    /// The prospects who were contacted.
    case contacted
    /// The prospects who were not contacted.
    case uncontacted
}

/// The order of a list of prospects.
public enum ProspectOrder: String, Sendable, CaseIterable {
    /// By the normalized name.
    case name
    /// By the last meeting, latest first.
    case recent
}

// MARK: - Reading

extension Prospects {
    /// Returns the prospect with an identifier.
    ///
    /// - Throws: ``ProspectsError/notFound(id:)``.
    public func prospect(_ id: String) throws -> Prospect {
        try storage.read { db in try ProspectRows.prospect(id, in: db).prospect }
    }

    /// Returns the number of prospects.
    public func count(_ filter: ProspectFilter = .everyone) throws -> Int {
        try storage.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM prospect WHERE \(filter.condition)") ?? 0
        }
    }

    /// Returns the first letters of the normalized names with their prospect counts, in name order.
    package func letters(_ filter: ProspectFilter = .everyone) throws -> [(letter: String, count: Int)] {
        try storage.read { db in try db.letters(of: "prospect WHERE \(filter.condition)") }
    }

    /// Returns the prospects that match a filter, sorted.
    ///
    /// - Parameters:
    ///   - filter: The prospects to include.
    ///   - order: The sort order.
    ///   - limit: The maximum number of prospects; nil for all.
    ///   - offset: The number of prospects to skip.
    public func list(
        _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name, limit: Int? = nil, offset: Int = 0
    ) throws -> [Prospect] {
        try storage.read { db in
            let keys = try ProspectRows.keys(filter, order, limit: limit, offset: offset, in: db)
            let prospects = try ProspectRows.prospects(keys, in: db)
            return keys.compactMap { prospects[$0] }
        }
    }

    /// Returns a page of the prospects that match a filter, sorted.
    package func page(
        _ filter: ProspectFilter, sortedBy order: ProspectOrder, at cursor: ListCursor, limit: Int
    ) throws -> ListPage<Prospect> {
        try storage.read { db in
            let page = try db.page(
                of: "prospect", where: filter.condition, sortedBy: order == .name ? "sortKey" : "metAt",
                isDescending: order == .recent, at: cursor, limit: limit)
            let prospects = try ProspectRows.prospects(page.rows, in: db)
            return page.compactMap { prospects[$0] }
        }
    }

    /// Calls `body` with each prospect that matches a filter, sorted. Keeps about 500 prospects in memory at a time.
    public func forEach(
        _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name, _ body: (Prospect) throws -> Void
    ) throws {
        try storage.read { db in
            let keys = try ProspectRows.keys(filter, order, limit: nil, offset: 0, in: db)
            try keys.forEachBatch(of: 500) { batch in
                let prospects = try ProspectRows.prospects(Array(batch), in: db)
                for key in batch { try prospects[key].map(body) }
            }
        }
    }
}
