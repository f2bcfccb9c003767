import GRDB

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
            throw .accessNotGranted(subject, status: status, purpose: purpose ?? subject.defaultPurpose)
        }
    }
}
