import GRDB

// MARK: - Access grants

/// Grants are remembered in the file, so that every program on it keeps to them, and can be revoked at any time.
extension Storage {
    /// What the person has said about a subject; ``AccessStatus/notDetermined`` in a new database.
    public func status(of subject: AccessSubject) throws(StorageError) -> AccessStatus {
        try StorageError.translating(path) {
            try connections.read { db in
                let text = try String.fetchOne(
                    db, sql: "SELECT status FROM storage_access WHERE subject = ?", arguments: [subject.rawValue])
                return text.flatMap(AccessStatus.init(rawValue:)) ?? .notDetermined
            }
        }
    }

    /// Remembers what the person has said; ``AccessStatus/notDetermined`` forgets it, so that they are asked again.
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

    /// Forgets what the person has said about a subject, so that they are asked again.
    public func resetStatus(of subject: AccessSubject) throws(StorageError) {
        try setStatus(.notDetermined, of: subject)
    }

    /// Goes on only if the person has agreed.
    ///
    /// - Parameters:
    ///   - subject: What is to be used.
    ///   - purpose: The sentence that says what it is for, for the message; nil for the default one.
    /// - Throws: ``StorageError/accessNotGranted(_:status:purpose:)`` if they have not.
    public func requireAccess(_ subject: AccessSubject, purpose: String? = nil) throws(StorageError) {
        let status = try status(of: subject)
        guard status == .authorized else {
            throw .accessNotGranted(subject, status: status, purpose: purpose ?? subject.defaultPurpose)
        }
    }
}
