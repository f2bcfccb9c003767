import GRDB

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
