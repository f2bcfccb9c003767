public import GRDB

/// The one SQLite file in which a person's contacts, airports and everything else are kept.
///
/// A storage opens a file, brings its schema up to date, and then gives read and write access to it. It knows no
/// domain: each module brings its own named migrations and its own SQL. Several processes may work on one file at
/// once.
///
/// For example:
///
/// ```swift
/// let notes = ModuleMigrations(module: "Notes", [
///     (name: "1-notes", migrate: { db in
///         try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
///     })
/// ])
/// let storage = try Storage(at: "/home/ana/notes.sqlite", migrations: [notes])
/// try storage.write(changing: "Notes") { db in
///     try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["Buy milk"])
/// }
/// let count = try storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note") }
/// ```
///
/// The file is in WAL mode with `synchronous=FULL`: what ``write(_:)`` has returned from survives a power cut, and
/// readers never wait for a writer. Writes begin as immediate transactions, so two writers queue up instead of
/// failing half-way.
///
/// Opening a file that is not ours, is damaged, or comes from a newer program throws a ``StorageError`` and leaves
/// the file as it was, byte for byte. Opening a file that is up to date only reads.
///
/// ## What there is
///
/// - Opening: ``init(at:migrations:options:)``, ``inMemory(migrations:)``, ``ModuleMigrations``, ``StorageOptions``
/// - Reading and writing: ``read(_:)``, ``write(_:)``, ``write(changing:_:)``
/// - Seeing changes: ``changes(pollingEvery:)``, ``generation(of:)``, ``bump(_:in:)``
/// - Looking after the file: ``check()``, ``backup(to:progress:)``, ``restore(from:)``,
///   ``restore(at:from:migrations:options:)``, ``stats()``, ``optimize()``
/// - Access grants: ``status(of:)``, ``requireAccess(_:purpose:)``, ``AccessSubject``
/// - Errors: ``StorageError``
public final class Storage: Sendable {
    /// The absolute path of the file, or nil for a database in memory.
    public let path: String?

    /// True if the file, or the folder it is in, cannot be written: reading works, writing throws
    /// ``StorageError/readOnly(path:)``.
    public var isReadOnly: Bool { connections.isReadOnly }

    let connections: Connections
    let schema: Schema
    let options: StorageOptions

    // MARK: - Opening

    /// Opens the file at a path and brings its schema up to date; creates it if there is none.
    ///
    /// A missing folder is made with mode 0700, a missing file with mode 0600. An empty file counts as a new one. All
    /// migrations that are due run in one transaction: if one fails, none has happened.
    ///
    /// - Parameters:
    ///   - path: The file; a relative path is taken from the current folder.
    ///   - migrations: What each module of this program needs. Modules that only other programs know are left alone.
    ///   - options: How to open it.
    /// - Throws: ``StorageError``; the file is then as it was.
    /// - Complexity: a handful of small queries for a file that is up to date.
    public init(
        at path: String, migrations: [ModuleMigrations], options: StorageOptions = StorageOptions()
    ) throws(StorageError) {
        let absolute = try DatabaseFile.absolutePath(path)
        let schema = Schema(modules: migrations)
        self.path = absolute
        self.schema = schema
        self.options = options
        connections = try Connections.open(DatabaseFile(path: absolute), schema: schema, options: options)
    }

    private init(inMemory schema: Schema) throws(StorageError) {
        path = nil
        self.schema = schema
        options = StorageOptions()
        connections = try Connections.inMemory(schema: schema)
    }

    /// Makes an empty database in memory, gone with the value: for tests and for what need not be kept.
    ///
    /// - Throws: ``StorageError`` if a migration fails.
    public static func inMemory(migrations: [ModuleMigrations]) throws(StorageError) -> Storage {
        try Storage(inMemory: Schema(modules: migrations))
    }

    /// Closes the file; using the storage afterwards throws ``StorageError/closed``.
    ///
    /// The last reference to the storage does it as well. A program that leaves by `exit` should call it first: else
    /// the log stays beside the file, and the next one to open it has to move it in.
    public func close() {
        connections.close()
    }

    /// Closes the file as ``close()`` does, for a process that is about to end.
    ///
    /// What the process gives back anyway is not given back before: the dispatch queues of a connection would start a thread for
    /// it. Call it when nothing else uses the storage any more.
    public func closeAtExit() {
        connections.closeAtExit()
    }

    // MARK: - Reading and writing

    /// Reads from one unchanging state of the database.
    ///
    /// Inside of a ``write(_:)`` of the same storage, it sees what that one has written so far.
    ///
    /// - Throws: ``StorageError`` for what SQLite reports and for values that damage has put into a row (``ColumnValue``); other errors
    ///   of `body` pass through untouched.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try connections.read(body)
        } catch {
            throw StorageError.meaning(of: error, path: path)
        }
    }

    /// Writes in one transaction: all that `body` did, or, if it throws, nothing.
    ///
    /// When this returns, the change is on the disk. Inside of another `write` of the same storage it becomes a part
    /// of that one, undone alone if it throws. Do not write inside of a ``read(_:)``.
    ///
    /// - Throws: ``StorageError`` for what SQLite reports, ``StorageError/locked(path:)`` if another process kept on
    ///   writing
    ///   for longer than ``StorageOptions/busyTimeout``; other errors of `body` pass through untouched.
    public func write<T>(_ body: (Database) throws -> T) throws -> T {
        if let reason = connections.whyReadOnly { throw reason }
        do {
            return try connections.write(body)
        } catch {
            throw StorageError.meaning(of: error, path: path)
        }
    }

    /// Writes in one transaction and, if any row has changed, moves the generation of a module on.
    ///
    /// - Parameters:
    ///   - module: The module whose data changes, as in its ``ModuleMigrations``.
    ///   - body: What is done in the transaction; if it throws, nothing is.
    /// - Throws: As ``write(_:)``.
    public func write<T>(changing module: String, _ body: (Database) throws -> T) throws -> T {
        try write { db in
            let before = db.totalChangesCount
            let result = try body(db)
            if db.totalChangesCount != before {
                try Storage.bump(module, in: db)
            }
            return result
        }
    }
}
