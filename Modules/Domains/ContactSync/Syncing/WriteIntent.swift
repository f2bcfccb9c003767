import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardVCard

/// What is about to be done to a file of a followed folder.
///
/// A file and the database cannot change in one step. What is going to be done is therefore in the database before the file changes, and
/// whoever comes after a kill finds out by the bytes whether it was done. Without, a file that was written and not noted would seem to be
/// a stranger's change: one that beats a removal of its contact, and that is brought together with the very change it comes from. And
/// the bytes of a file that was removed would be gone, should the removal of its contact be undone.
struct WriteIntent: Sendable {
    var name: String
    /// The identifier of the contact that the file is written for, or was.
    var contact: String
    /// The hash of the bytes that the file is to have; of those that it had, if it is removed.
    var hash: UInt64
    /// When the contact had been changed that the bytes agree with.
    var contactModifiedAt: Double?
    /// The bytes of a file that is removed.
    var removed: Data?

    /// A file that gets other bytes.
    init(of bytes: [UInt8], as name: String, for contact: Contact) {
        (self.name, self.contact, hash) = (name, contact.id, StableHash.of(bytes))
        contactModifiedAt = contact.modifiedAt?.timeIntervalSince1970
    }

    /// A file that goes.
    init(removing bytes: [UInt8], _ row: FolderRow) {
        (name, contact, hash, removed) = (row.name, row.contact, row.hash, Data(bytes))
    }
}

// MARK: - Rows

extension WriteIntent {
    private init(_ row: Row) throws {
        name = try row.value(0)
        contact = try row.value(1)
        hash = UInt64(bitPattern: try row.value(2) as Int64)
        contactModifiedAt = try row.value(3)
        removed = try row.value(4)
    }

    static func all(of folder: Int64, in db: Database) throws -> [WriteIntent] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT name, contact, hash, contactModifiedAt, removed FROM contact_file_announced WHERE folder = ?
                ORDER BY name
                """, arguments: [folder]
        ).map(WriteIntent.init)
    }

    func save(of folder: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO contact_file_announced VALUES (?, ?, ?, ?, ?, ?)")
            .execute(arguments: [folder, name, contact, Int64(bitPattern: hash), contactModifiedAt, removed])
    }

    /// Forgets what was to be done: it is done and noted, or was not possible.
    static func forgetAll(of folder: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact_file_announced WHERE folder = ?").execute(arguments: [folder])
    }
}

// MARK: - Announcing, and what is found announced

extension FolderSync {
    func announce(_ writes: [WriteIntent]) throws {
        guard !writes.isEmpty else { return }
        try book.storage.write { db in
            for write in writes { try write.save(of: folder.key, in: db) }
        }
    }

    /// Notes what a run that was killed had announced and done.
    func noteAnnounced() throws {
        let announced = try book.storage.read { db in try WriteIntent.all(of: folder.key, in: db) }
        guard !announced.isEmpty else { return }
        let rows = try announced.compactMap(row(of:))
        locked.settle()
        try book.storage.write { db in
            for row in rows { try FolderRows.save(row, of: folder.key, in: db) }
            try WriteIntent.forgetAll(of: folder.key, in: db)
        }
    }

    /// What is to be noted of an announced file; nil if nothing was done to it, or somebody has changed it since.
    private func row(of write: WriteIntent) throws -> FolderRow? {
        do {
            let (bytes, stamp) = try FolderFile(write.name, in: folder.path).read()
            guard write.removed == nil, StableHash.of(bytes) == write.hash else { return nil }
            let card = try CardFile(bytes, region: book.region)
            return FolderRow(
                name: write.name, contact: write.contact, stamp: stamp.settled, hash: write.hash,
                base: card.statements.fingerprints, identifier: card.identifier,
                contactModifiedAt: write.contactModifiedAt)
        } catch FolderFile.Failure.missing {
            guard let bytes = write.removed,
                var row = try book.storage.read({ db in try FolderRows.find(write.name, of: folder.key, in: db) }),
                row.contact == write.contact, row.removedAt == nil
            else { return nil }
            (row.card, row.removedAt) = (bytes, book.clock().timeIntervalSince1970)
            return row
        } catch is FolderFile.Failure {
            return nil
        } catch is MalformedInput {
            return nil
        }
    }
}
