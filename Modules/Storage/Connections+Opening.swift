import Dispatch
import GRDB
import GRDBSQLite
import Glibc

extension Connections {
    // MARK: - A file

    /// Opens a file without changing it unless it is new or ours and due for a migration.
    static func open(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions
    ) throws(StorageError) -> Connections {
        switch try DatabaseFile.kind(of: file.path) {
        case .folder: throw .notADatabase(path: file.path, reason: "it is a folder")
        case .other: throw .notADatabase(path: file.path, reason: "it is not a plain file")
        case .nothing:
            guard options.createsIfMissing, !options.readOnly else { throw .missing(path: file.path) }
            try file.create()
        // SQLite itself takes a file of one byte for an empty one.
        case .file(size: 1): throw .notADatabase(path: file.path, reason: "it does not begin like one")
        case .file: break
        }
        return try StorageError.translating(file.path) {
            if options.readOnly || !file.isWritable {
                return try openReadOnly(file, schema: schema, options: options, because: .readOnly(path: file.path))
            }
            do {
                return try openWritable(file, schema: schema, options: options)
            } catch let error as DatabaseError {
                // Writing needs files beside it, for which there may be no room; what is in it can be read all the same.
                let reason = StorageError(error, path: file.path)
                guard options.fallsBackToReading, reason.isAboutDisk, !file.hasLog,
                    let connections = try? openReadOnly(file, schema: schema, options: options, because: reason)
                else { throw reason }
                return connections
            }
        }
    }

    private static func openWritable(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions
    ) throws -> Connections {
        if file.hasLog {
            // A connection that may write moves the log into the file when it closes. If the file is to be refused,
            // it must not come to that: a read-only one looks first.
            let guardian = try DatabaseQueue(
                path: file.path, configuration: configuration(options, readOnly: true, queueKey: nil))
            _ = try guardian.read { db in try schema.inspect(db, path: file.path) }
        }
        let queueKey = DispatchSpecificKey<ObjectIdentifier>()
        let main = try DatabaseQueue(
            path: file.path, configuration: configuration(options, readOnly: false, queueKey: queueKey))
        let state = try readInTransaction(main) { db in try schema.inspect(db, path: file.path) }
        // The file may be written, and yet SQLite does not.
        if let reason = main.inDatabase({ db in whyItIsOnlyRead(db, file) }) {
            try main.close()
            return try openReadOnly(file, schema: schema, options: options, because: reason)
        }
        try main.inDatabase { db in
            try useWriteAheadLog(db, isRequired: state == .empty, options: options)
            if !schema.isCurrent(state) { try schema.migrate(db, path: file.path) }
        }
        return Connections(main: main, queueKey: queueKey) {
            try DatabasePool(path: file.path, configuration: configuration(options, readOnly: true, queueKey: nil))
        }
    }

    /// Why SQLite only reads a file that it was to open for writing; nil if it writes it.
    ///
    /// It does so where the header names a newer format of SQLite's own, and where the system refused to open the file for writing but
    /// not for reading.
    private static func whyItIsOnlyRead(_ db: Database, _ file: DatabaseFile) -> StorageError? {
        guard sqlite3_db_readonly(db.sqliteConnection, "main") == 1 else { return nil }
        if let version = writeVersion(db), version > 2 {
            return .damaged(
                path: file.path, detail: "its header names a format that SQLite reads and does not write")
        }
        return .inputOutput(path: file.path, reason: "it cannot be opened for writing")
    }

    /// The byte of the file's header that says which format it takes to write it: 1 or 2. Read by SQLite's own descriptor, see
    /// ``DatabaseFile``.
    private static func writeVersion(_ db: Database) -> UInt8? {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        var byte: UInt8 = 0
        guard code == SQLITE_OK, let file = pointer, let read = file.pointee.pMethods?.pointee.xRead,
            read(file, &byte, 1, 18) == SQLITE_OK
        else { return nil }
        return byte
    }

    private static func openReadOnly(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions, because reason: StorageError
    ) throws -> Connections {
        guard access(file.path, R_OK) == 0 else { throw StorageError.permissionDenied(path: file.path) }
        // A read-only connection to a WAL database would leave -wal and -shm files behind, or fail where it may not
        // make them. Without a log nobody is writing, and the file alone is all there is.
        let settings = configuration(options, readOnly: true, queueKey: nil)
        let fileAtRest =
            file.hasLog ? nil : QuiescentFile(file) { try DatabaseQueue(path: file.path, configuration: settings) }
        let path = fileAtRest == nil ? file.path : immutableAddress(of: file.path)
        let main = try DatabaseQueue(path: path, configuration: settings)
        let state = try main.read { db in try schema.inspect(db, path: file.path) }
        guard schema.isCurrent(state) else { throw reason }
        return Connections(readOnly: main, fileAtRest: fileAtRest, because: reason)
    }

    /// Switches a file to WAL mode, which it then keeps. Where two processes do it at once, one has to try again.
    private static func useWriteAheadLog(_ db: Database, isRequired: Bool, options: StorageOptions) throws {
        if try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" { return }
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: options.busyTimeout)
        while true {
            do {
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // The file works without as well, only less well beside other processes.
                if !isRequired { return }
                if clock.now >= deadline { throw error }
                usleep(5_000)
            }
        }
    }

    /// The address under which SQLite reads a file without locks and without files beside it.
    static func immutableAddress(of path: String) -> String {
        var address = "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"): address += "%25"
            case UInt8(ascii: "?"): address += "%3f"
            case UInt8(ascii: "#"): address += "%23"
            case 0x21...0x7E: address.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                address += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return address + "?immutable=1"
    }

    // MARK: - In memory

    static func inMemory(schema: Schema) throws(StorageError) -> Connections {
        try StorageError.translating(nil) {
            let queueKey = DispatchSpecificKey<ObjectIdentifier>()
            let main = try DatabaseQueue(
                configuration: configuration(StorageOptions(), readOnly: false, queueKey: queueKey))
            try main.inDatabase { db in try schema.migrate(db, path: ":memory:") }
            return Connections(main: main, queueKey: queueKey, makeReaders: nil)
        }
    }

    // MARK: - Settings

    /// The settings of a connection. A queue key marks the dispatch queue on which the main connection's accesses run.
    static func configuration(
        _ options: StorageOptions, readOnly: Bool, queueKey: DispatchSpecificKey<ObjectIdentifier>?
    ) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        let (seconds, attoseconds) = options.busyTimeout.components
        configuration.busyMode = .timeout(max(0, Double(seconds) + Double(attoseconds) * 1e-18))
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = max(1, options.maximumReaders)
        configuration.label = "Storage"
        if let queueKey {
            let queue = DispatchQueue(label: "Storage", qos: .userInitiated)
            queue.setSpecific(key: queueKey, value: ObjectIdentifier(queueKey))
            configuration.targetQueue = queue
        }
        if !readOnly {
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                // A statement that fires a trigger keeps what it changes until it is through; as a file that is two calls of the
                // system a page, twelve for each contact that is stored.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
            }
        }
        return configuration
    }
}
