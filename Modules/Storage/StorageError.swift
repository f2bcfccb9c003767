import GRDB
@_exported public import SwitchboardErrors

/// An error of a storage.
///
/// Each has a message, a stable code and a category; see `CodedError`.
public enum StorageError: CodedError, Equatable {
    /// The file does not exist, and the caller did not ask to create it.
    case missing(path: String)

    /// The file is not an SQLite database, or not a plain file.
    case notADatabase(path: String, reason: String)

    /// The file is an SQLite database of another program.
    case foreignDatabase(path: String)

    /// A newer version has applied a migration that this one does not know.
    case newerSchema(path: String, module: String, migration: String)

    /// The file is corrupt, or a row holds a value that the schema forbids.
    case damaged(path: String, detail: String)

    /// The file or its folder is not writable.
    case readOnly(path: String)

    /// The file is a replica of a journal, which can only be written with that journal.
    case replica(path: String)

    /// The journal that the file follows cannot be used. It may be unknown whether a change was saved.
    case journalUnavailable(reason: String)

    /// The disk is full or the quota is exceeded. The change was rolled back.
    case diskFull(path: String)

    /// Another process held the lock for longer than the busy timeout.
    case locked(path: String)

    /// The permissions of the file or its folder forbid opening it.
    case permissionDenied(path: String)

    /// The file cannot be opened or created for another reason.
    case cannotOpen(path: String, reason: String)

    /// An I/O error below SQLite.
    case inputOutput(path: String, reason: String)

    /// A module uses the storage, but its migrations were not given to it.
    case missingModule(String)

    /// A read tried to change the database, which stays as it was.
    case writeInRead

    /// A module's migration failed. All migrations of this opening were rolled back.
    case migrationFailed(path: String, module: String, migration: String, reason: String)

    /// A row violates a constraint of the schema (unique, not null, foreign key, check).
    case constraint(detail: String)

    /// The statement was interrupted.
    case interrupted

    /// The storage is closed.
    case closed

    /// The file must not be used for this purpose, such as a backup over a database in use.
    case unsuitable(path: String, reason: String)

    /// The file cannot be restored from, for this reason. The present data is unchanged.
    indirect case restoreRefused(source: String, because: StorageError)

    /// The user has denied access, or has not been asked yet.
    case accessNotGranted(AccessSubject, status: AccessStatus, purpose: String)

    /// SQLite rejected a statement: a bug in the program.
    case failed(code: Int32, detail: String)
}

// MARK: - Details

extension StorageError {
    /// The code, the category, the message and the file.
    public var details: ErrorDetails {
        var details = describe()
        // SQLite's messages may have several lines, for example when they quote a statement.
        details.message = details.message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return details
    }

    private func describe() -> ErrorDetails {
        switch self {
        case .missing(let path):
            .init("missing", .missing, "there is no file \(path); check the name", file: path)
        case .notADatabase(let path, let reason):
            .init("notADatabase", .malformed, "\(path) is not a database (\(reason)); choose another file", file: path)
        case .foreignDatabase(let path):
            .init(
                "foreignDatabase", .malformed, "\(path) is a database of another program; choose another file",
                file: path)
        case .newerSchema(let path, let module, let migration):
            .init(
                "newerSchema", .malformed,
                "\(path) was written by a newer version (\(module)/\(migration)); update this program", file: path)
        case .damaged(let path, let detail):
            .init("damaged", .malformed, "\(path) is corrupt (\(detail))", file: path)
        case .readOnly(let path):
            .init("readOnly", .io, "cannot write \(path); check the permissions of the file and its folder", file: path)
        case .replica(let path):
            .init(
                "replica", .io, "cannot write \(path), which is a replica of a server's data; change it on the server",
                file: path)
        case .journalUnavailable(let reason):
            .init("journalUnavailable", .unavailable, "the journal is not available (\(reason)); try again later")
        case .diskFull(let path):
            .init(
                "diskFull", .io,
                "the disk is full, so \(path) was left unchanged; free some space and try again", file: path)
        case .locked(let path):
            .init("locked", .locked, "\(path) is in use by another process; try again", file: path)
        case .permissionDenied(let path):
            .init(
                "permissionDenied", .io,
                "no permission to open \(path); check the permissions of it and its folder", file: path)
        case .cannotOpen(let path, let reason):
            .init("cannotOpen", .io, "cannot open \(path): \(reason)", file: path)
        case .inputOutput(let path, let reason):
            .init("inputOutput", .io, "reading or writing \(path) failed: \(reason); check the disk", file: path)
        case .missingModule(let module):
            .init(
                "missingModule", .internalError,
                "the database lacks the tables of \(module); add its migrations to Storage(at:migrations:)")
        case .writeInRead:
            .init("writeInRead", .internalError, "a read cannot change the database; use Storage.write(changing:)")
        case .migrationFailed(let path, let module, let migration, let reason):
            .init(
                "migrationFailed", .internalError,
                "cannot migrate \(path) (\(module)/\(migration): \(reason)); it was left unchanged", file: path)
        case .constraint(let detail):
            .init("constraint", .internalError, "the database rejected a value: \(detail)")
        case .interrupted: .init("interrupted", .internalError, "the database access was interrupted")
        case .closed: .init("closed", .internalError, "the database is closed; open it again")
        case .unsuitable(let path, let reason):
            .init("unsuitable", .usage, "cannot use \(path): \(reason); choose another file", file: path)
        case .restoreRefused(let source, let reason):
            .init(
                "restoreRefused", [.missing, .io, .locked].contains(reason.category) ? reason.category : .malformed,
                "cannot restore from \(source), the data is unchanged: \(reason.message)", file: source)
        case .accessNotGranted(let subject, let status, let purpose):
            .init(
                "accessNotGranted", .access,
                "access to \(subject.rawValue) is \(status == .denied ? "denied" : "not granted yet") (\(purpose))")
        case .failed(let code, let detail):
            .init("storageFailed", .internalError, "the database rejected a statement (SQLite \(code)): \(detail)")
        }
    }
}

extension StorageError {
    /// Creates the storage error for an SQLite error of the file at `path` (nil: in memory).
    init(_ error: DatabaseError, path: String?) {
        let path = path ?? ":memory:"
        let detail = error.message ?? "SQLite \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self = .notADatabase(path: path, reason: "it has no SQLite header")
        case .SQLITE_CORRUPT, .SQLITE_FORMAT:
            self = .damaged(path: path, detail: detail)
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self = .locked(path: path)
        case .SQLITE_FULL:
            self = .diskFull(path: path)
        case .SQLITE_READONLY:
            self = .readOnly(path: path)
        case .SQLITE_PERM, .SQLITE_AUTH:
            self = .permissionDenied(path: path)
        case .SQLITE_CANTOPEN:
            self = DatabaseFile(path: path).openingError(detail)
        case .SQLITE_IOERR:
            // SQLite reports a full disk for the database and its log, but not for the shared-memory file or a failed
            // sync.
            self = DatabaseFile(path: path).hasRoom ? .inputOutput(path: path, reason: detail) : .diskFull(path: path)
        case .SQLITE_CONSTRAINT where detail.contains("storage_change"):
            // Triggers write the journal of changes, which only damaged rows violate.
            self = .damaged(path: path, detail: detail)
        case .SQLITE_CONSTRAINT:
            self = .constraint(detail: detail)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self = .interrupted
        case .SQLITE_ERROR where error.indicatesCorruptSchema:
            self = .damaged(path: path, detail: detail)
        default:
            self = .failed(code: error.extendedResultCode.rawValue, detail: detail)
        }
    }

    /// `true` if the cause is the disk, rather than the file or another process.
    var isDiskError: Bool {
        switch self {
        // SQLite reports "read-only" for any file that it could not open for writing.
        case .diskFull, .inputOutput, .cannotOpen, .readOnly: true
        default: false
        }
    }

    /// Calls `body` and converts any error to a storage error.
    static func translating<T>(_ path: String?, _ body: () throws -> T) throws(StorageError) -> T {
        do {
            return try body()
        } catch {
            let error = converting(error, path: path)
            throw error as? StorageError ?? .failed(code: 0, detail: "\(error)")
        }
    }

    /// Returns the storage error for an error of SQLite or of decoding a row; returns any other error unchanged.
    static func converting(_ error: any Error, path: String?) -> any Error {
        switch error {
        case let error as DatabaseError: StorageError(error, path: path)
        // Thrown by GRDB when a query for a single value finds NULL.
        case is RowDecodingError: StorageError.damaged(path: path ?? ":memory:", detail: "a value is missing")
        default: error
        }
    }
}

extension DatabaseError {
    /// Prefixes of SQLite's messages for an invalid statement when the schema, or the tables of full-text search, are
    /// corrupt.
    private static let corruptionMessages = [
        "no such ", "table ", "unknown function", "no query solution", "foreign key mismatch",
        "ON CONFLICT clause does not match", "vtable constructor failed", "invalid fts5 file format",
        "unrecognized option", "SQL logic error", "unsupported file format",
        "attached databases must use the same text encoding",
    ]

    /// `true` if the schema is corrupt, unless the statement itself is wrong (``Schema/programError(_:using:)``).
    var indicatesCorruptSchema: Bool {
        guard resultCode == .SQLITE_ERROR, let message else { return false }
        return DatabaseError.corruptionMessages.contains(where: message.hasPrefix)
    }
}
