/// An error of a storage.
///
/// ``message`` is one line for the user. ``code`` is stable and meant for programs. ``category`` maps to an exit status
/// or an HTTP status.
public enum StorageError: Error, Sendable, Equatable {
    /// The file does not exist and was not to be created.
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

    /// The user has not granted access, or not yet.
    case accessNotGranted(AccessSubject, status: AccessStatus, purpose: String)

    /// SQLite rejected a statement: a bug in the program.
    case failed(code: Int32, detail: String)
}

// MARK: - Categories and codes

extension StorageError {
    /// The category of an error, with the exit status of a command-line program.
    public enum Category: String, Sendable, CaseIterable {
        /// The file is not valid: exit status 65.
        case malformed
        /// The input is missing: exit status 66.
        case missing
        /// Reading or writing failed: exit status 74.
        case io
        /// Another process holds the lock: exit status 75.
        case locked
        /// The user has not granted access: exit status 77.
        case access
        /// The request is not valid: exit status 64.
        case usage
        /// A bug in the program: exit status 70.
        case internalError
    }

    /// The category of the error.
    public var category: Category {
        switch self {
        case .missing: .missing
        case .notADatabase, .foreignDatabase, .newerSchema, .damaged: .malformed
        case .readOnly, .diskFull, .permissionDenied, .cannotOpen, .inputOutput: .io
        case .locked: .locked
        case .accessNotGranted: .access
        case .unsuitable: .usage
        case .restoreRefused(_, let reason):
            switch reason.category {
            case .missing, .io, .locked: reason.category
            case .malformed, .access, .usage, .internalError: .malformed
            }
        case .migrationFailed, .constraint, .interrupted, .closed, .failed: .internalError
        }
    }

    /// A stable code of the error, such as "newerSchema", for programs and JSON.
    public var code: String {
        switch self {
        case .missing: "missing"
        case .notADatabase: "notADatabase"
        case .foreignDatabase: "foreignDatabase"
        case .newerSchema: "newerSchema"
        case .damaged: "damaged"
        case .readOnly: "readOnly"
        case .diskFull: "diskFull"
        case .locked: "locked"
        case .permissionDenied: "permissionDenied"
        case .cannotOpen: "cannotOpen"
        case .inputOutput: "inputOutput"
        case .migrationFailed: "migrationFailed"
        case .constraint: "constraint"
        case .interrupted: "interrupted"
        case .closed: "closed"
        case .unsuitable: "unsuitable"
        case .restoreRefused: "restoreRefused"
        case .accessNotGranted: "accessNotGranted"
        case .failed: "storageFailed"
        }
    }

    /// The file that the error is about, if any.
    public var path: String? {
        switch self {
        case .missing(let path), .notADatabase(let path, _), .foreignDatabase(let path), .newerSchema(let path, _, _),
            .damaged(let path, _), .readOnly(let path), .diskFull(let path), .locked(let path),
            .permissionDenied(let path), .cannotOpen(let path, _), .inputOutput(let path, _),
            .migrationFailed(let path, _, _, _), .unsuitable(let path, _), .restoreRefused(let path, _):
            path
        case .constraint, .interrupted, .closed, .accessNotGranted, .failed: nil
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// The problem and its remedy in one line.
    public var message: String {
        // SQLite's messages may have several lines, for example when they quote a statement.
        sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private var sentence: String {
        switch self {
        case .missing(let path): "there is no file \(path); check the name"
        case .notADatabase(let path, let reason): "\(path) is not a database (\(reason)); choose another file"
        case .foreignDatabase(let path): "\(path) is a database of another program; choose another file"
        case .newerSchema(let path, let module, let migration):
            "\(path) was written by a newer version (\(module)/\(migration)); update this program"
        case .damaged(let path, let detail):
            "\(path) is corrupt (\(detail))"
        case .readOnly(let path): "cannot write \(path); check the permissions of the file and its folder"
        case .diskFull(let path): "the disk is full, so \(path) was left unchanged; free some space and try again"
        case .locked(let path): "\(path) is in use by another process; try again"
        case .permissionDenied(let path): "no permission to open \(path); check the permissions of it and its folder"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .inputOutput(let path, let reason): "reading or writing \(path) failed: \(reason); check the disk"
        case .migrationFailed(let path, let module, let migration, let reason):
            "cannot migrate \(path) (\(module)/\(migration): \(reason)); it was left unchanged"
        case .constraint(let detail): "the database rejected a value: \(detail)"
        case .interrupted: "the database access was interrupted"
        case .closed: "the database is closed; open it again"
        case .unsuitable(let path, let reason): "cannot use \(path): \(reason); choose another file"
        case .restoreRefused(let source, let reason):
            "cannot restore from \(source), the data is unchanged: \(reason.message)"
        case .accessNotGranted(let subject, let status, let purpose):
            "access to \(subject.rawValue) is \(status == .denied ? "denied" : "not granted yet") (\(purpose))"
        case .failed(let code, let detail): "the database rejected a statement (SQLite \(code)): \(detail)"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
