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
    private static let publicName = "public"
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

    /// The data of a single server in a folder.
    init(folder: String) {
        self.folder = folder
        cluster = nil
    }

    /// `true` if the disk of the data folder has room for more changes.
    var hasRoom: Bool { freeBytes > 1 << 20 }

    /// The free space on the disk of the data folder; the maximum if unknown.
    var freeBytes: Int64 {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
    }

    /// Returns the size of a person's database.
    func bytes(of person: String) -> Int { Self.bytes(of: file(of: person)) }

    /// The size of all databases.
    var bytes: Int {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/people")) ?? []
        return files.filter { $0.hasSuffix(".sqlite") }.map { Self.bytes(of: "\(folder)/people/\($0)") }
            .reduce(Self.bytes(of: publicFile), +)
    }

    private static func bytes(of file: String) -> Int {
        ["", "-wal"].map { Int(FileSystem.attributes(of: file + $0)?.st_size ?? 0) }.reduce(0, +)
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

// MARK: - From a single server to a cluster, and back

extension DataStore {
    private static let sharedTables = Accounts.tables + SearchableIndex.voteTables

    /// Copies all data of a single server into this cluster, and returns the number of people.
    ///
    /// The accounts are copied last, so a failed import can be repeated.
    ///
    /// - Parameter temporary: A folder for a temporary copy.
    func importAll(from source: DataStore, through temporary: String) throws -> Int {
        guard let cluster else { return 0 }
        let shared = try source.publicStorage()
        let people = try source.accounts(shared).list()
        for person in people {
            try source.requireDatabase(of: person.id)
            try restore(person.id, from: source.file(of: person.id))
        }
        // The items become a journal; the other tables become rows of the cluster.
        let copy = temporary + "/import.sqlite"
        try shared.backup(to: copy)
        let items = try Storage(at: copy, migrations: Server.migrations)
        try items.writing(changing: nil) { db in
            for table in Self.sharedTables.reversed() { try table.removeAll(in: db) }
        }
        items.close()
        _ = try Storage.restore(
            at: publicFile, from: copy, migrations: Switchboard.migrations, options: options(for: Self.publicName))
        try cluster.database.writing(changing: Accounts.module) { target in
            try shared.reading { source in try Self.copy(from: source, to: target) }
        }
        return people.count
    }

    /// Copies all data of this cluster into a new data folder for a single server, and returns the number of people.
    func exportAll(to target: DataStore) throws -> Int {
        guard let cluster else { return 0 }
        let journals = Set(try cluster.journals.list().map(\.name))
        try FileManager.default.createDirectory(
            atPath: target.folder + "/people", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let people = try accounts().list()
        for person in people {
            // A person who has never signed in has no journal.
            guard journals.contains(person.id) else {
                try target.createDatabase(of: person.id)
                continue
            }
            try Switchboard(settings(of: person.id)).storage.backup(to: target.file(of: person.id))
        }
        try publicStorage().backup(to: target.publicFile)
        let shared = try target.publicStorage()
        try shared.writing(changing: Accounts.module) { db in
            for table in Self.sharedTables.reversed() { try table.removeAll(in: db) }
            try cluster.database.reading { source in try Self.copy(from: source, to: db) }
        }
        shared.close()
        return people.count
    }

    private static func copy(from source: any SQLTransaction, to target: any SQLTransaction) throws {
        for table in sharedTables { _ = try table.copy(from: source, to: target) }
    }

    /// Builds the database of a journal in the folder, and returns the problems found in it.
    func problems(of journal: String) throws -> [String] {
        do throws(StorageError) {
            let options = options(for: journal)
            let storage = try Storage(
                at: "\(folder)/\(journal).sqlite", migrations: Switchboard.migrations, options: options)
            return try storage.check().problems
        } catch {
            switch error {
            case .journalUnavailable, .damaged, .notADatabase: return [error.message]
            default: throw error
            }
        }
    }
}

/// An error for a missing database of the server, which must not be mistaken for an empty one.
struct MissingDatabase: CodedError {
    let path: String

    var details: ErrorDetails {
        ErrorDetails(
            "dataMissing", .missing,
            "the database \(path) is missing; mount its volume, or restore it from a backup", file: path)
    }
}

// MARK: - Missing databases

extension DataStore {
    /// Returns whether there is a database at a path. An empty file does not count, although SQLite would accept it as
    /// a new database.
    private static func exists(_ path: String) -> Bool { FileIdentity(of: path) != nil }

    /// Returns whether a person's database can be used. The copies of a cluster are created when needed.
    private func hasDatabase(of person: String) -> Bool { cluster != nil || Self.exists(file(of: person)) }

    private func hasDatabase(ofAnyOf people: [Person]) -> Bool { people.contains { hasDatabase(of: $0.id) } }

    /// - Throws: ``MissingDatabase``.
    func requireDatabase(of person: String) throws(MissingDatabase) {
        guard hasDatabase(of: person) else { throw MissingDatabase(path: file(of: person)) }
    }

    /// Creates the database of a new person.
    private func createDatabase(of person: String) throws(StorageError) {
        try Storage(at: file(of: person), migrations: Switchboard.migrations).close()
    }

    /// Checks that the accounts exist if the databases of people do.
    ///
    /// - Throws: ``MissingDatabase``.
    private func requireAccounts() throws(MissingDatabase) {
        guard cluster == nil, !Self.exists(publicFile),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/people"),
            names.contains(where: { $0.hasSuffix(".sqlite") })
        else { return }
        throw MissingDatabase(path: publicFile)
    }

    /// Creates, only once, the databases of people who have none because they never signed in to an earlier version.
    ///
    /// Does nothing while a volume may be unmounted.
    private func completeDatabases(_ accounts: Accounts) throws {
        guard try !accounts.everyoneHasDatabase() else { return }
        let (people, active) = (try accounts.list(), try accounts.activePeople())
        guard active.isEmpty || hasDatabase(ofAnyOf: people) else { return }
        for person in people where !active.contains(person.id) && !hasDatabase(of: person.id) {
            try createDatabase(of: person.id)
        }
        try accounts.recordDatabases()
    }

    /// Returns the databases that should be in the folder but are not.
    func missingFiles(_ accounts: Accounts) throws -> [String] {
        guard cluster == nil else { return [] }
        let people = try accounts.list().filter { !hasDatabase(of: $0.id) }.map { file(of: $0.id) }
        return (Self.exists(publicFile) ? [] : [publicFile]) + people
    }

    /// Returns whether the databases exist. Databases of individual people may be missing.
    func isAvailable(_ accounts: Accounts) throws -> Bool {
        guard cluster == nil else { return true }
        let people = try accounts.list()
        return Self.exists(publicFile) && (people.isEmpty || hasDatabase(ofAnyOf: people))
    }
}

/// The identity of a file, which a later file with the same name does not share.
struct FileIdentity: Hashable {
    private let device: UInt
    private let number: UInt

    /// - Returns: nil if there is no file, or an empty one.
    init?(of path: String) {
        guard let attributes = FileSystem.attributes(of: path), attributes.st_size > 0 else { return nil }
        (device, number) = (UInt(attributes.st_dev), UInt(attributes.st_ino))
    }
}
