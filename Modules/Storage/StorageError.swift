/// Why a storage could not do what was asked, and what to do next.
///
/// ``message`` is one line for a person; ``code`` is stable, for programs; ``category`` is what a front end turns
/// into an exit status or an HTTP status.
public enum StorageError: Error, Sendable, Equatable {
    /// There is no such file, and it was not to be created.
    case missing(path: String)

    /// The file is something else: a text, a picture, a folder.
    case notADatabase(path: String, reason: String)

    /// It is an SQLite database, but another program's.
    case foreignDatabase(path: String)

    /// A newer program has changed the schema in a way this one does not know.
    case newerSchema(path: String, module: String, migration: String)

    /// The file's inner structure is broken, or a row holds what the schema forbids.
    case damaged(path: String, detail: String)

    /// The file or its folder cannot be written.
    case readOnly(path: String)

    /// There is no room left on the disk, or the quota is used up. Nothing of the change was kept.
    case diskFull(path: String)

    /// Another process held the file for longer than the busy timeout.
    case locked(path: String)

    /// The permissions of the file or its folder forbid opening it.
    case permissionDenied(path: String)

    /// The file cannot be opened or created for another reason.
    case cannotOpen(path: String, reason: String)

    /// Reading or writing failed below SQLite.
    case inputOutput(path: String, reason: String)

    /// A module's migration failed; no migration of this opening was kept.
    case migrationFailed(path: String, module: String, migration: String, reason: String)

    /// A row would break a rule of the schema (unique, not null, foreign key, check).
    case constraint(detail: String)

    /// The statement was interrupted.
    case interrupted

    /// The storage was closed before.
    case closed

    /// The file must not be used for this: a backup over a database in use, say.
    case unsuitable(path: String, reason: String)

    /// The file cannot be restored from, for this reason; the present data stayed as it was.
    indirect case restoreRefused(source: String, because: StorageError)

    /// The person has not (or not yet) agreed that this may be used.
    case accessNotGranted(AccessSubject, status: AccessStatus, purpose: String)

    /// SQLite refused a statement: a mistake in the program.
    case failed(code: Int32, detail: String)
}

// MARK: - For front ends

extension StorageError {
    /// The kinds of failure that a front end tells apart.
    public enum Category: String, Sendable, CaseIterable {
        /// The file is not what it should be: exit status 65.
        case malformed
        /// The input is missing: exit status 66.
        case missing
        /// Reading or writing failed: exit status 74.
        case io
        /// Another process was in the way, try again: exit status 75.
        case locked
        /// The person has not granted access: exit status 77.
        case access
        /// What was asked for makes no sense: exit status 64.
        case usage
        /// A mistake in the program: exit status 70.
        case internalError
    }

    /// The kind of failure.
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

    /// A stable name of the error, such as "newerSchema", for programs and JSON.
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

    /// The file that the error is about, if it is about one.
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
    /// One line: what happened, where, and what to do.
    public var message: String {
        // What SQLite says may have several, such as the statement that failed.
        sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private var sentence: String {
        switch self {
        case .missing(let path): "there is no file \(path); check the name"
        case .notADatabase(let path, let reason): "\(path) is not a database (\(reason)); choose another file"
        case .foreignDatabase(let path): "\(path) is a database of another program; choose another file"
        case .newerSchema(let path, let module, let migration):
            "\(path) was written by a newer version (\(module)/\(migration)); it was left untouched, update this program"
        case .damaged(let path, let detail):
            "\(path) is damaged (\(detail)); look at it with 'database check', restore a backup with 'database restore'"
        case .readOnly(let path): "\(path) cannot be written; check the permissions of the file and its folder"
        case .diskFull(let path): "no room left to write \(path); nothing was changed, free some space and try again"
        case .locked(let path): "\(path) is in use by another process; try again"
        case .permissionDenied(let path): "no permission to open \(path); check the permissions of it and its folder"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .inputOutput(let path, let reason): "reading or writing \(path) failed: \(reason); check the disk"
        case .migrationFailed(let path, let module, let migration, let reason):
            "\(path) could not be brought up to date (\(module)/\(migration): \(reason)); it was left as it was"
        case .constraint(let detail): "the database refused a value: \(detail)"
        case .interrupted: "the database access was interrupted"
        case .closed: "the database was closed before; open it again"
        case .unsuitable(let path, let reason): "\(path) cannot be used: \(reason); choose another file"
        case .restoreRefused(let source, let reason):
            "not restored from \(source), the present data is unchanged: \(reason.message)"
        case .accessNotGranted(let subject, let status, let purpose):
            "access to \(subject.rawValue) is \(status == .denied ? "denied" : "not granted yet") (\(purpose)); "
                + "allow it with 'access grant \(subject.rawValue)'"
        case .failed(let code, let detail): "the database refused a statement (SQLite \(code)): \(detail)"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
