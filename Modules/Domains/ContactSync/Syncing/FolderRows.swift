import Foundation
import GRDB
import SwitchboardStorage

/// What is known of a file of a followed folder since it and its contact agreed last.
struct FolderRow: Sendable {
    var name: String
    /// The identifier of its contact.
    var contact: String
    /// What the file was; ``FileStamp/none`` if it must be read again.
    var stamp: FileStamp
    /// The hash of its bytes.
    var hash: UInt64
    /// The fingerprints of what the card said.
    var base: Data
    /// The identifier of the card.
    var identifier: String
    /// When the contact had been changed that the file agrees with; nil if the contact says something that the file does not.
    var contactModifiedAt: Double?
    /// When the contact was removed here and the file with it; nil while there is a file.
    var removedAt: Double?
    /// The bytes of the file that was removed, in case that is undone.
    var card: Data?
}

/// The tables of followed folders.
///
/// A contact belongs to a file by its identifier, not by its key, so that one that was removed and put back finds its file again.
enum FolderRows {
    private static let columns =
        "name, contact, modified, changed, size, inode, hash, base, uid, contactModifiedAt, removedAt"

    private static func row(_ row: Row) throws -> FolderRow {
        try FolderRow(
            name: row.value(0), contact: row.value(1),
            stamp: FileStamp(
                modified: row.value(2), changed: row.value(3), size: row.value(4), inode: row.value(5)),
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

    /// The stamps of the files that are there, and the tombstones, by name. 10,000 take some 20 ms.
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

    static func find(_ name: String, of folder: Int64, in db: Database) throws -> FolderRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM contact_file WHERE folder = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [folder, name]).map(row)
    }

    /// The files whose contacts say something else than they: changed or removed since; and those that were removed whose contacts
    /// are there again. Names only.
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

    /// The identifiers of the contacts that are to get a file in a folder.
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

    /// The identifiers of the contacts that have a file in any folder.
    static func followedContacts(in db: Database) throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT contact FROM contact_file WHERE removedAt IS NULL")
    }

    static func card(_ name: String, of folder: Int64, in db: Database) throws -> Data? {
        try Data.fetchOne(
            db, sql: "SELECT card FROM contact_file WHERE folder = ? AND name = ?", arguments: [folder, name])
    }

    static func save(_ row: FolderRow, of folder: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO contact_file (folder, \(columns), card)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            folder, row.name, row.contact, row.stamp.modified, row.stamp.changed, row.stamp.size, row.stamp.inode,
            Int64(bitPattern: row.hash), row.base, row.identifier, row.contactModifiedAt, row.removedAt, row.card,
        ])
    }

    static func delete(_ name: String, of folder: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact_file WHERE folder = ? AND name = ?")
            .execute(arguments: [folder, name])
    }

    /// Forgets what was removed so long ago that it cannot be undone any more.
    static func compact(before time: Double, in db: Database) throws {
        try db.execute(sql: "DELETE FROM contact_file WHERE removedAt < ?", arguments: [time])
    }
}
