public import GRDB
import GRDBSQLite
import Synchronization

#if !Database
    #error("enable a trait of the package switchboard, such as traits: [\"Database\"]; see docs/products.md")
#endif

/// A SQLite file that holds the data of one user, shared by all domains.
///
/// A storage opens a file, migrates its schema, and then gives read and write access to it. It is independent of the
/// domains: each module provides its named migrations and its SQL. Several processes may use one file at the same time.
///
/// For example:
///
/// ```swift
/// let notes = ModuleMigrations(
///     module: "Notes",
///     [
///         .init("1-notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
///     ])
/// let storage = try Storage(at: "/home/ana/notes.sqlite", migrations: [notes])
/// try storage.write(changing: notes) { db in
///     try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["Buy milk"])
/// }
/// let count = try storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note") }
/// ```
///
/// The file is in WAL mode with `synchronous=FULL`: a change survives a power failure once ``write(_:)`` has returned,
/// and readers never wait for a writer. Writes are immediate transactions, so concurrent writers wait for each other
/// instead of failing midway.
///
/// Opening a file that belongs to another program, is corrupt, or was written by a newer version throws a
/// ``StorageError`` and leaves the file unchanged, byte for byte. Opening a file with a current schema only reads.
public final class Storage: Sendable {
    /// The absolute path of the file, or nil for a database in memory.
    public let path: String?

    /// `true` if the file or its folder is not writable. Reading works; writing throws
    /// ``StorageError/readOnly(path:)``.
    public var isReadOnly: Bool { connections.isReadOnly }

    let connections: Connections
    let schema: Schema
    let options: StorageOptions
    /// The modules that use this storage without their migrations.
    private let missingModules = Mutex<[ModuleMigrations]>([])
    private let followers = Mutex<[(module: String, follower: WeakFollower)]>([])

    // MARK: - Opening

    /// Opens the file at a path and migrates its schema. The file is created if missing.
    ///
    /// A missing folder is created with mode 0700, a missing file with mode 0600. An empty file is treated as new. All
    /// pending migrations run in one transaction: if one fails, none is applied.
    ///
    /// - Parameters:
    ///   - path: The file. A relative path is resolved against the current folder.
    ///   - migrations: The migrations of this program's modules. Tables of other modules are left unchanged.
    ///   - options: The options for opening.
    /// - Throws: ``StorageError``. The file is then unchanged.
    /// - Complexity: A handful of small queries if the schema is current.
    public init(
        at path: String, migrations: [ModuleMigrations], options: StorageOptions = StorageOptions()
    ) throws(StorageError) {
        let absolute = try DatabaseFile.absolutePath(path)
        let schema = Schema(modules: migrations)
        try schema.requireOneOfEachName(path: absolute)
        self.path = absolute
        self.schema = schema
        self.options = options
        connections = try Connections.open(DatabaseFile(path: absolute), schema: schema, options: options)
    }

    private init(inMemory schema: Schema) throws(StorageError) {
        try schema.requireOneOfEachName(path: ":memory:")
        path = nil
        self.schema = schema
        options = StorageOptions()
        connections = try Connections.inMemory(schema: schema)
    }

    /// Creates an empty database in memory, for tests and temporary data.
    ///
    /// - Throws: ``StorageError`` if a migration fails.
    public static func inMemory(migrations: [ModuleMigrations]) throws(StorageError) -> Storage {
        try Storage(inMemory: Schema(modules: migrations))
    }

    /// Closes the file. Later accesses throw ``StorageError/closed``.
    ///
    /// Releasing the last reference closes it as well. A program that ends with `exit` should call this method first.
    /// Otherwise the log remains beside the file, and the next process has to recover it.
    public func close() {
        connections.close()
    }

    /// Registers a module that uses this storage. If its migrations were not given, an error about its tables is
    /// ``StorageError/missingModule(_:)``.
    package func register(_ module: ModuleMigrations) {
        if schema.modules.contains(where: { $0.module == module.module }) { return }
        missingModules.withLock { modules in
            if !modules.contains(where: { $0.module == module.module }) { modules.append(module) }
        }
    }

    /// Registers an object to be called before large changes of a module are committed, as long as it exists.
    package func register(_ follower: any ChangeFollower, of module: String) {
        followers.withLock { followers in
            followers.removeAll { $0.follower.object == nil }
            followers.append((module, WeakFollower(object: follower)))
        }
    }

    // MARK: - Reading and writing

    /// Reads from one snapshot of the database.
    ///
    /// Inside a ``write(_:)`` of the same storage, it is a part of that write and sees its uncommitted changes. Writes of this
    /// process may wait for it: what takes longer than some milliseconds is read with ``readSnapshot(_:)``.
    ///
    /// - Throws: ``StorageError/writeInRead`` if `body` changes the database, which stays as it was; other
    ///   ``StorageError``s for errors of SQLite and for corrupt values (``ColumnValue``). Other errors of `body` are
    ///   rethrown.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        try converting { try connections.read(body) }
    }

    /// Reads with a single statement, which is a snapshot by itself. Omitting the transaction halves the time.
    ///
    /// - Parameters:
    ///   - sql: The statement. It is compiled once.
    ///   - body: Executes the statement, and no other.
    /// - Throws: See ``read(_:)``.
    package func read<T>(statement sql: String, _ body: (Statement) throws -> T) throws -> T {
        try converting {
            try connections.read(isOneStatement: true) { db in
                let statement = try db.cachedStatement(sql: sql)
                guard statement.isReadonly else { throw StorageError.writeInRead }
                return try body(statement)
            }
        }
    }

    /// Reads from one snapshot for a long time, with a connection of its own.
    ///
    /// Writes of this process do not wait for it, as they do for ``read(_:)``, unless the database is in memory, which has
    /// one connection. Opening the snapshot takes longer than a small read.
    ///
    /// - Throws: See ``read(_:)``.
    public func readSnapshot<T>(_ body: (Database) throws -> T) throws -> T {
        try converting { try connections.longRead(body) }
    }

    /// Writes in one transaction. If `body` throws, all its changes are rolled back. No index follows the change: a module
    /// that has one writes with ``write(changing:_:)``.
    ///
    /// The change is on disk when this method returns. Inside another `write` of the same storage it is a savepoint,
    /// rolled back alone if it throws.
    ///
    /// - Throws: ``StorageError`` for errors of SQLite; ``StorageError/locked(path:)`` if another process keeps writing
    ///   for longer than ``StorageOptions/busyTimeout``; ``StorageError/writeInRead`` inside a ``read(_:)``. Other errors
    ///   of `body` are rethrown.
    public func write<T>(_ body: (Database) throws -> T) throws -> T {
        if let reason = connections.readOnlyError { throw reason }
        return try converting { try connections.write(body) }
    }

    /// Writes in one transaction and, if any row changed, advances the generation of a module.
    ///
    /// Indexes, observers and journals follow such a change, and not one of ``write(_:)`` alone.
    ///
    /// - Parameters:
    ///   - module: The migrations of the module whose data changes.
    ///   - body: The changes. If it throws, they are rolled back.
    /// - Throws: ``StorageError/missingModule(_:)`` for a module whose migrations were not given, whose indexes would not
    ///   follow the change; the errors of ``write(_:)``.
    public func write<T>(changing module: ModuleMigrations, _ body: (Database) throws -> T) throws -> T {
        try write(changing: module.module, body)
    }

    package func write<T>(changing module: String, _ body: (Database) throws -> T) throws -> T {
        guard schema.modules.contains(where: { $0.module == module }) else { throw StorageError.missingModule(module) }
        let isNested = connections.isInAccess
        return try write { db in
            let before = db.totalChangesCount
            let result = try body(db)
            let changed = db.totalChangesCount - before
            if changed > 0 { try Storage.bump(module, in: db) }
            if changed >= Storage.manyChanges, !isNested {
                for (other, follower) in followers.withLock(\.self) where other == module {
                    follower.object?.follow(in: db)
                }
            }
            return result
        }
    }

    /// The number of changed rows that are worth a call of the followers.
    private static let manyChanges = 1_000

    /// Calls the body of a transaction that may change many rows. SQLite's cache may grow from 2 to 128 MiB meanwhile, because
    /// the rows of an index are read and written in random order.
    package static func withLargeCache<T>(in db: Database, _ body: () throws -> T) throws -> T {
        try db.execute(sql: "PRAGMA cache_size = -131072")
        let before = db.totalChangesCount
        defer {
            if db.totalChangesCount - before >= manyChanges {
                // Changed pages would stay in memory until they are committed. Safe: the connection is open during the call.
                unsafe sqlite3_db_cacheflush(db.sqliteConnection)
            }
            try? db.execute(sql: "PRAGMA cache_size = -2000")
        }
        return try body()
    }

    /// Calls `body` and converts its errors.
    private func converting<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw schema.programError(error, using: missingModules.withLock(\.self)) ?? StorageError(error, path: path)
        } catch {
            throw StorageError.converting(error, path: path)
        }
    }
}

/// An object that follows large changes of a module's data, such as an index.
package protocol ChangeFollower: AnyObject, Sendable {
    /// Called before a large change is committed, in its transaction. The generation is already the new one; a file that is
    /// written for it is of no use to anyone before the commit, and to no one if the change is rolled back after all.
    func follow(in db: Database)
}

private struct WeakFollower: Sendable {
    weak let object: (any ChangeFollower)?
}

/// Options for opening a storage.
public struct StorageOptions: Sendable {
    /// The time to wait for another process that is writing, before ``StorageError/locked(path:)``. Five seconds by
    /// default.
    public var busyTimeout: Duration

    /// `true` to create a missing file and folder; `false` to throw ``StorageError/missing(path:)``.
    public var createsIfMissing: Bool

    /// `true` to open the file read-only even if it is writable. A schema that is not current is then an error.
    public var readOnly: Bool

    /// `true` to open a file read-only if it cannot be opened for writing because the disk is full or fails. Writing
    /// then throws the original error.
    ///
    /// The storage stays read-only until it is opened again, so this suits short-lived programs.
    public var fallsBackToReading: Bool

    /// The maximum number of concurrent reads while the main connection is busy.
    ///
    /// The connections are opened when first needed.
    public var maximumReaders: Int

    /// The journal that the file follows, or nil for an independent file.
    ///
    /// A write that another server has overtaken throws ``StorageError/locked(path:)``. Each read and write asks the journal
    /// for its end. A journal cannot be combined with ``readOnly``, and ``fallsBackToReading`` has no effect.
    public var journal: (any Journal)?
    /// The app that uses the storage.
    public var app = AppIdentity()

    /// Creates options. The defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(5), createsIfMissing: Bool = true, readOnly: Bool = false,
        maximumReaders: Int = 4, fallsBackToReading: Bool = false
    ) {
        self.busyTimeout = busyTimeout
        self.createsIfMissing = createsIfMissing
        self.readOnly = readOnly
        self.maximumReaders = maximumReaders
        self.fallsBackToReading = fallsBackToReading
    }
}

extension Storage {
    /// Returns a new random identifier: 60 bits as twelve letters and digits.
    package static func newIdentifier() -> String {
        // Crockford's Base32 alphabet avoids letters that look alike.
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        let bits = UInt64.random(in: .min ... .max)
        let letters = (0..<12).map { (place: Int) -> UInt8 in alphabet[Int(bits >> (place * 5) & 31)] }
        return String(decoding: letters, as: UTF8.self)
    }
}

/// The result of ``Storage/optimize()``.
public struct OptimizeReport: Sendable, Equatable, Encodable {
    /// The size of file and log before, in bytes.
    public let bytesBefore: Int
    /// The size of file and log after, in bytes.
    public let bytesAfter: Int
}

extension Storage {
    /// Returns unused space to the disk, refreshes the query planner's statistics and truncates the log.
    ///
    /// Temporarily needs as much free space as the size of the database.
    ///
    /// - Throws: ``StorageError/locked(path:)`` if another process is writing, ``StorageError/diskFull(path:)`` and
    ///   other ``StorageError``s.
    public func optimize() throws(StorageError) -> OptimizeReport {
        if let reason = connections.readOnlyError { throw reason }
        return try StorageError.translating(path) {
            try connections.withoutTransaction { db in
                let before = try size(db)
                try db.execute(sql: "VACUUM")
                try db.execute(sql: "ANALYZE")
                try truncateLog(db)
                return OptimizeReport(bytesBefore: before, bytesAfter: try size(db))
            }
        }
    }

    private func truncateLog(_ db: Database) throws {
        if path == nil { return }
        do {
            _ = try db.checkpoint(.truncate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Other processes still read from the log. A later checkpoint truncates it.
        }
    }

    private func size(_ db: Database) throws -> Int {
        guard let path else {
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        return DatabaseFile.size(of: path) + DatabaseFile.size(of: DatabaseFile(path: path).log)
    }
}

// MARK: - Access grants

/// Grants are stored in the file: every program that opens it honors them, and they can be revoked at any time.
extension Storage {
    /// Returns the status of a subject, ``AccessStatus/notDetermined`` in a new database.
    public func status(of subject: AccessSubject) throws(StorageError) -> AccessStatus {
        try StorageError.translating(path) {
            try connections.read { db in
                let text = try String.fetchOne(
                    db, sql: "SELECT status FROM storage_access WHERE subject = ?", arguments: [subject.rawValue])
                return text.flatMap(AccessStatus.init(rawValue:)) ?? .notDetermined
            }
        }
    }

    /// Stores the status of a subject. ``AccessStatus/notDetermined`` removes it, so that the user is asked again.
    public func setStatus(_ status: AccessStatus, of subject: AccessSubject) throws(StorageError) {
        try StorageError.translating(path) {
            try write { db in
                if status == .notDetermined {
                    try db.execute(sql: "DELETE FROM storage_access WHERE subject = ?", arguments: [subject.rawValue])
                } else {
                    try db.execute(
                        sql: """
                            INSERT INTO storage_access (subject, status, changedAt)
                            VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                            ON CONFLICT (subject) DO UPDATE SET status = excluded.status, changedAt = excluded.changedAt
                            """,
                        arguments: [subject.rawValue, status.rawValue])
                }
                try Storage.bump(Schema.ownModule, in: db)
            }
        }
    }

    /// Throws unless access to a subject is granted.
    ///
    /// - Parameters:
    ///   - subject: The subject to use.
    ///   - purpose: A sentence for the error message that explains the use; nil for the default one.
    /// - Throws: ``StorageError/accessNotGranted(_:status:purpose:)`` if access is not granted.
    public func requireAccess(_ subject: AccessSubject, purpose: String? = nil) throws(StorageError) {
        let status = try status(of: subject)
        guard status == .authorized else {
            let known = options.app.purposes[subject] ?? subject.defaultPurpose
            throw .accessNotGranted(subject, status: status, purpose: purpose ?? known)
        }
    }
}

/// How an app presents itself to the user, in place of Switchboard.
public struct AppIdentity: Sendable {
    /// The name, as in desktop notifications.
    public var name: String
    /// The name of an icon, or the path of a picture.
    public var icon: String
    /// The sentences that explain to the user why the app needs access; without one, ``AccessSubject/defaultPurpose``.
    public var purposes: [AccessSubject: String]
    /// The text before the time when a late reminder was due.
    public var lateLabel: String

    /// Creates an identity; by default that of Switchboard.
    public init(
        name: String = "Switchboard", icon: String = "x-office-address-book", purposes: [AccessSubject: String] = [:],
        lateLabel: String = "Late: was due"
    ) {
        self.name = name
        self.icon = icon
        self.purposes = purposes
        self.lateLabel = lateLabel
    }
}

/// A resource outside the database that the program uses only with the user's consent.
public enum AccessSubject: String, Sendable, CaseIterable {
    /// Address books outside the database, such as a folder of vCards.
    case contacts
    /// Reminders on the desktop.
    case notifications
    /// The location of this machine.
    case location

    /// The sentence shown to the user if the caller gives no other purpose.
    public var defaultPurpose: String {
        switch self {
        case .contacts: "Switchboard follows your address book to find people by name and number."
        case .notifications: "Switchboard reminds you of the people you want to contact."
        case .location: "Switchboard uses this machine's location to show the airports near you."
        }
    }
}

/// The user's answer to a request for access to an ``AccessSubject``.
public enum AccessStatus: String, Sendable, CaseIterable {
    /// The user has not been asked yet.
    case notDetermined
    /// The user has refused access.
    case denied
    /// The user has granted access, until they revoke it.
    case authorized
}
