import Foundation
import GRDB
import SwitchboardStorage

/// The stored state of a file at the last sync.
struct TrackedFile: Sendable {
    var name: String
    var contact: String
    /// The stamp of the file; ``FileStamp/none`` if it must be read again.
    var stamp: FileStamp
    var hash: UInt64
    /// The fingerprints of the canonical properties: the base of a three-way merge.
    var base: Data
    var identifier: String
    /// The modification time of the contact that the file agrees with; nil if the file must be written.
    var contactModifiedAt: Double?
    /// The time when the contact was removed from the book and its file deleted; nil while the file exists.
    var removedAt: Double?
    /// The bytes of a deleted file, for undoing the removal.
    var card: Data?
}

/// Queries of the tables of linked folders.
///
/// A file refers to its contact by identifier, not by key: a contact that is removed and restored keeps its file.
enum FolderStore {
    private static let columns =
        "name, contact, modified, changed, size, inode, hash, base, uid, contactModifiedAt, removedAt"

    private static func trackedFile(_ row: Row) throws -> TrackedFile {
        try TrackedFile(
            name: row.value(0), contact: row.value(1),
            stamp: FileStamp(modified: row.value(2), changed: row.value(3), size: row.value(4), inode: row.value(5)),
            hash: UInt64(bitPattern: row.value(6) as Int64), base: row.value(7), identifier: row.value(8),
            contactModifiedAt: row.value(9), removedAt: row.value(10), card: nil)
    }

    // MARK: - Folders

    static func folders(in db: Database) throws -> [LinkedFolder] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT key, path, linkedAt, takesAfter IS NOT NULL,
                    (SELECT count(*) FROM contact_file WHERE folder = contact_folder.key AND removedAt IS NULL)
                FROM contact_folder ORDER BY key
                """)
        return try rows.map { row in
            try LinkedFolder(
                key: row.value(0), path: row.value(1), linkedAt: row.value(2), contacts: row.value(4),
                takesNew: row.value(3))
        }
    }

    // MARK: - Files

    /// Returns the stamps of files and tombstones by name. 10,000 take about 20 ms.
    static func stamps(of folder: Int64, in db: Database) throws -> [String: (stamp: FileStamp, isRemoved: Bool)] {
        var stamps: [String: (stamp: FileStamp, isRemoved: Bool)] = [:]
        let statement = try db.cachedStatement(
            sql: """
                SELECT name, modified, changed, size, inode, removedAt IS NOT NULL FROM contact_file WHERE folder = ?
                """)
        let rows = try Row.fetchCursor(statement, arguments: [folder])
        while let row = try rows.next() {
            let stamp = try FileStamp(
                modified: row.value(1), changed: row.value(2), size: row.value(3), inode: row.value(4))
            try stamps[row.value(0)] = (stamp, row.value(5))
        }
        return stamps
    }

    static func find(_ name: String, of folder: Int64, in db: Database) throws -> TrackedFile? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM contact_file WHERE folder = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [folder, name]).map(trackedFile)
    }

    /// Returns the names of files whose contacts were changed or removed, and of deleted files whose contacts were
    /// restored.
    static func namesToWrite(of folder: Int64, in db: Database) throws -> [String] {
        try String.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT file.name FROM contact_file AS file LEFT JOIN contact ON contact.id = file.contact
                    WHERE file.folder = ? AND (CASE WHEN file.removedAt IS NULL
                        THEN contact.key IS NULL OR file.contactModifiedAt IS NOT contact.modifiedAt
                        ELSE contact.key IS NOT NULL END)
                    ORDER BY file.name
                    """), arguments: [folder])
    }

    /// Returns the identifiers of contacts that need a file in a folder.
    static func newContacts(for folder: Int64, in db: Database) throws -> [String] {
        try String.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT contact.id FROM contact
                    WHERE contact.key > (SELECT takesAfter FROM contact_folder WHERE key = ?)
                        AND NOT EXISTS (SELECT 1 FROM contact_file WHERE contact_file.contact = contact.id)
                        AND NOT EXISTS (SELECT 1 FROM contact_unfollowed WHERE contact_unfollowed.contact = contact.id)
                    ORDER BY contact.key
                    """), arguments: [folder])
    }

    /// Returns the identifiers of contacts with a file in any folder.
    static func linkedContacts(in db: Database) throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT contact FROM contact_file WHERE removedAt IS NULL")
    }

    static func card(_ name: String, of folder: Int64, in db: Database) throws -> Data? {
        try Data.fetchOne(
            db, sql: "SELECT card FROM contact_file WHERE folder = ? AND name = ?", arguments: [folder, name])
    }

    static func save(_ file: TrackedFile, of folder: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO contact_file (folder, \(columns), card) VALUES (\(databaseQuestionMarks(count: 13)))"
        ).execute(arguments: [
            folder, file.name, file.contact, file.stamp.modified, file.stamp.changed, file.stamp.size, file.stamp.inode,
            Int64(bitPattern: file.hash), file.base, file.identifier, file.contactModifiedAt, file.removedAt, file.card,
        ])
    }

    static func delete(_ name: String, of folder: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact_file WHERE folder = ? AND name = ?")
            .execute(arguments: [folder, name])
    }

    /// Deletes tombstones of removals that are too old to be undone.
    static func compact(before time: Double, in db: Database) throws {
        try db.execute(sql: "DELETE FROM contact_file WHERE removedAt < ?", arguments: [time])
    }
}
