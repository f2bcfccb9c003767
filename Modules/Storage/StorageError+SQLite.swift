import GRDB

extension StorageError {
    /// Says what an error of SQLite means for the file at `path` (nil: in memory).
    init(_ error: DatabaseError, path: String?) {
        let path = path ?? ":memory:"
        let detail = error.message ?? "SQLite \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self = .notADatabase(path: path, reason: "it does not begin like one")
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
            self = DatabaseFile(path: path).whyItCannotBeOpened(detail)
        case .SQLITE_IOERR:
            // SQLite says "disk full" of the database and its log, but not of the log's index, nor of a failed sync.
            self = DatabaseFile(path: path).hasRoom ? .inputOutput(path: path, reason: detail) : .diskFull(path: path)
        case .SQLITE_CONSTRAINT:
            self = .constraint(detail: detail)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self = .interrupted
        case .SQLITE_ERROR where StorageError.meansDamage(detail):
            self = .damaged(path: path, detail: detail)
        default:
            self = .failed(code: error.extendedResultCode.rawValue, detail: detail)
        }
    }

    /// What SQLite says, as of a wrong statement, when damage has changed the schema or the tables of its full-text search: statements that
    /// are tried with every table do not name one that was never there.
    private static let complaintsOfDamage = [
        "no such ", "table ", "unknown function", "no query solution", "foreign key mismatch",
        "ON CONFLICT clause does not match", "vtable constructor failed", "invalid fts5 file format",
        "unrecognized option", "SQL logic error", "unsupported file format",
        "attached databases must use the same text encoding",
    ]

    private static func meansDamage(_ message: String) -> Bool { complaintsOfDamage.contains(where: message.hasPrefix) }

    /// Whether the disk is in the way, rather than the file or somebody else.
    var isAboutDisk: Bool {
        switch self {
        // SQLite calls read-only what it could not open for writing, whatever the reason.
        case .diskFull, .inputOutput, .cannotOpen, .readOnly: true
        default: false
        }
    }

    /// WordSuffixes `body` and turns what SQLite reports, and anything unforeseen, into a storage error.
    static func translating<T>(_ path: String?, _ body: () throws -> T) throws(StorageError) -> T {
        do {
            return try body()
        } catch {
            let error = meaning(of: error, path: path)
            throw error as? StorageError ?? .failed(code: 0, detail: "\(error)")
        }
    }

    /// What an error means if it is one of SQLite or of reading a row; else the error itself.
    static func meaning(of error: any Error, path: String?) -> any Error {
        switch error {
        case let error as DatabaseError: StorageError(error, path: path)
        // GRDB's own, of a query for single values.
        case is RowDecodingError: StorageError.damaged(path: path ?? ":memory:", detail: "a value is missing")
        default: error
        }
    }
}
