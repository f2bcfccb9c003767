import Foundation
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage

/// The data of a server: files in its folder, or copies of a PostgreSQL database that several servers share.
struct DataStore: Sendable {
    /// The database of a cluster.
    struct Cluster: Sendable {
        let pool: PostgresPool
        /// Connections for probes, which do not wait for a server that accepts writes.
        let probe: PostgresPool
        var journals: PostgresJournals { PostgresJournals(pool) }
        var database: PostgresDatabase { PostgresDatabase(pool) }
        var requests: PostgresRequests { PostgresRequests(pool) }

        /// `true` if a server that accepts writes responds right now.
        var isAvailable: Bool { (try? PostgresDatabase(probe).generation(of: Accounts.module)) != nil }
    }

    /// The data folder.
    let folder: String
    /// The cluster that holds the data; nil if the files in the folder do.
    let cluster: Cluster?

    /// The name of the journal of the public items. It cannot clash with the identifier of a person, which is longer.
    static let publicName = "public"
    /// The maximum difference in seconds between the clocks of servers.
    private static let maximumClockOffset = 5.0

    /// - Parameters:
    ///   - connection: The connection string of the cluster; nil for a single server.
    ///   - wait: The time to wait for a server that accepts writes.
    /// - Throws: `SwitchboardError` if the clocks differ, `StorageError`.
    init(folder: String, cluster connection: String?, wait: Duration = ServerOptions.defaultClusterWait) throws {
        self.folder = folder
        cluster = connection.map {
            Cluster(pool: PostgresPool($0, timeout: wait), probe: PostgresPool($0, timeout: .zero))
        }
        guard let cluster else { return }
        try ClusterSchema.migrate(cluster.pool, Accounts.clusterMigrations + SearchableIndex.clusterMigrations)
        let offset = try cluster.journals.clockOffset()
        guard abs(offset) <= Self.maximumClockOffset else {
            throw SwitchboardError(
                code: "clockSkew",
                message: "the clock differs from that of PostgreSQL by \(Int(abs(offset).rounded())) s; "
                    + "synchronise the clocks of both machines", status: .unavailable)
        }
    }

    /// `true` if the disk of the data folder has room for more changes.
    var hasRoom: Bool {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? .max > 1 << 20
    }

    /// The file with the public items and, without a cluster, the accounts.
    var publicFile: String { folder + "/public.sqlite" }

    /// The file with the list of popular airports.
    var airportFile: String { cluster == nil ? publicFile : folder + "/airports.sqlite" }

    /// Opens the public items and, without a cluster, the accounts.
    ///
    /// - Throws: ``MissingDatabase`` if only the databases of people exist, `SwitchboardError` if the folder has the
    ///   data of a single server although there is a cluster, `StorageError`.
    func publicStorage() throws -> Storage {
        try requireAccounts()
        do throws(StorageError) {
            return try Storage(
                at: publicFile, migrations: cluster == nil ? Server.migrations : Switchboard.migrations,
                options: options(for: Self.publicName))
        } catch {
            guard cluster != nil, case .unsuitable = error else { throw error }
            throw SwitchboardError.usage(
                "\(folder) has the data of a single server; copy it with 'switchboard-server cluster import', and use "
                    + "another folder for copies")
        }
    }

    /// Returns the instance that searches the public items.
    func publicSwitchboard(_ region: String?) -> Switchboard {
        Switchboard(
            Settings(database: publicFile, region: region, storageOptions: options(for: Self.publicName)))
    }

    /// Returns the accounts. Without a cluster, adding a person also creates their database.
    ///
    /// - Parameter storage: The open public storage, if any.
    func accounts(_ storage: Storage? = nil) throws -> Accounts {
        if let cluster { return Accounts(database: cluster.database) }
        let storage = try storage ?? publicStorage()
        let plain = Accounts(storage: storage)
        if !storage.isReadOnly { try completeDatabases(plain) }
        var accounts = plain
        accounts.prepare = { person, isNew in
            guard isNew else { return try requireDatabase(of: person.id) }
            // The volume of the databases may be unmounted.
            let people = try plain.list()
            if let first = people.first, !hasDatabase(ofAnyOf: people) {
                throw MissingDatabase(path: file(of: first.id))
            }
            try createDatabase(of: person.id)
        }
        return accounts
    }

    /// Returns the public index of a storage.
    func publicIndex(
        _ storage: Storage, threshold: Int = PublicIndex.defaultThreshold,
        hash: @escaping @Sendable (_ person: String, _ target: String) -> Data
    ) -> PublicIndex {
        let votes: any SQLDatabase = cluster?.database ?? storage
        return PublicIndex(storage: storage, votes: votes, threshold: threshold, hash: hash)
    }

    /// Returns the path of a person's database.
    func file(of person: String) -> String { "\(folder)/people/\(person).sqlite" }

    /// Returns the settings of a person's database.
    func settings(of person: String, region: String? = nil, maximumReaders: Int = 4) -> Settings {
        var options = options(for: person)
        options.maximumReaders = maximumReaders
        return Settings(database: file(of: person), region: region, storageOptions: options)
    }

    /// Returns the options of a database that follows the journal with a name.
    func options(for name: String) -> StorageOptions {
        var options = StorageOptions()
        // In a cluster, the files are copies that may be deleted.
        options.createsIfMissing = cluster != nil || name == Self.publicName
        options.journal = cluster?.journals.journal(name)
        return options
    }

    /// Replaces a person's database with a backup.
    func restore(_ person: String, from file: String) throws(StorageError) {
        var options = options(for: person)
        options.createsIfMissing = true
        _ = try Storage.restore(
            at: self.file(of: person), from: file, migrations: Switchboard.migrations, options: options)
    }

    /// Deletes a person's database.
    func remove(_ person: String) throws {
        try cluster?.journals.remove(person)
        let (file, files) = (file(of: person), FileManager.default)
        for path in [file, file + "-wal", file + "-shm", String(file.dropLast(7)) + ".index"]
        where files.fileExists(atPath: path) {
            try files.removeItem(atPath: path)
        }
    }

    /// Calls a closure, and calls it again if another server of the cluster changed the same data first.
    ///
    /// - Parameter isRepeatable: `true` if calling the closure twice has the same effect as calling it once.
    func repeating<Value>(if isRepeatable: Bool = true, _ body: () throws -> Value) throws -> Value {
        guard cluster != nil, isRepeatable else { return try body() }
        for attempt in 1..<Self.maximumAttempts {
            do {
                return try body()
            } catch let error as StorageError where error.category == .locked {
                usleep(.random(in: 1_000...UInt32(attempt) * 8_000))
            }
        }
        return try body()
    }

    private static let maximumAttempts = 10
}

extension DataStore.Cluster {
    /// Metrics about the use of journals.
    var counters: [(name: String, help: String, value: Int)] {
        let counts = pool.metrics.counts
        return [
            ("switchboard_cluster_heads_total", "Look-ups of the end of a journal.", counts.heads),
            ("switchboard_cluster_appends_total", "Changes appended to journals.", counts.appends),
            (
                "switchboard_cluster_conflicts_total", "Changes that one of another server has preceded.",
                counts.conflicts
            ),
            (
                "switchboard_cluster_fetched_changes_total", "Changes of other servers by which copies lagged behind.",
                counts.fetchedEntries
            ),
            ("switchboard_cluster_cache_misses_total", "Copies built from an image.", counts.cacheMisses),
            ("switchboard_cluster_failures_total", "Failed statements, also if repeated.", counts.failures),
        ]
    }
}
