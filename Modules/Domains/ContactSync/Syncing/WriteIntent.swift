import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardContacts
import SwitchboardStorage

/// A write-ahead record of a change to a file of a linked folder.
///
/// A file and the database cannot change atomically. The intent is committed to the database before the file changes;
/// after a crash, the next sync compares the bytes of the file with the intent. Otherwise a file that was written but
/// not recorded would look like a change by another program: it would win over a removal of its contact, or conflict
/// with the change it came from. The bytes of a deleted file would be lost if the removal of its contact is undone.
struct WriteIntent: Sendable {
    var name: String
    var contact: String
    /// The hash of the new bytes, or of the old bytes of a deleted file.
    var hash: UInt64
    /// The modification time of the contact that the bytes agree with.
    var contactModifiedAt: Double?
    /// The bytes of a deleted file.
    var removed: Data?

    init(of bytes: [UInt8], as name: String, for contact: Contact) {
        (self.name, self.contact, hash) = (name, contact.id, StableHash.of(bytes))
        contactModifiedAt = contact.modifiedAt?.timeIntervalSince1970
    }

    init(deleting bytes: [UInt8], _ file: TrackedFile) {
        (name, contact, hash, removed) = (file.name, file.contact, file.hash, Data(bytes))
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

    /// Deletes the intents of a folder after their result is recorded.
    static func deleteAll(of folder: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact_file_announced WHERE folder = ?").execute(arguments: [folder])
    }
}

// MARK: - Recording and recovery

extension FolderSync {
    func record(_ intents: [WriteIntent]) throws {
        guard !intents.isEmpty else { return }
        try book.storage.write { db in
            for intent in intents { try intent.save(of: folder.key, in: db) }
        }
    }

    /// Records the writes that a killed process completed.
    func recoverIntents() throws {
        let intents = try book.storage.read { db in try WriteIntent.all(of: folder.key, in: db) }
        guard !intents.isEmpty else { return }
        let files = try intents.compactMap(trackedFile(of:))
        store.synchronize()
        try book.storage.write { db in
            for file in files { try FolderStore.save(file, of: folder.key, in: db) }
            try WriteIntent.deleteAll(of: folder.key, in: db)
        }
    }

    /// Returns the link between a new card and its contact; nil for a folder or a known card.
    ///
    /// An address book adds lines to a new card, so its hash differs from the intent's. The import reads the card.
    private func createdCard(of intent: WriteIntent) throws -> TrackedFile? {
        let known = try book.storage.read { db in try FolderStore.find(intent.name, of: folder.key, in: db) }
        guard folder.isAddressBook, known == nil else { return nil }
        return TrackedFile(
            name: intent.name, contact: intent.contact, stamp: .none, hash: 0, base: Data(), identifier: "",
            contactModifiedAt: intent.contactModifiedAt)
    }

    /// Returns the new state of a file; nil if the intent was not carried out or the file changed since.
    private func trackedFile(of intent: WriteIntent) throws -> TrackedFile? {
        do {
            let (bytes, stamp) = try store.reading(intent.name)
            guard intent.removed == nil else { return nil }
            if StableHash.of(bytes) != intent.hash { return try createdCard(of: intent) }
            let card = try CardFile(bytes, region: book.region)
            return TrackedFile(
                name: intent.name, contact: intent.contact, stamp: stamp.reliable, hash: intent.hash,
                base: card.canonical.fingerprints, identifier: card.identifier,
                contactModifiedAt: intent.contactModifiedAt)
        } catch FolderFile.Failure.missing {
            guard let bytes = intent.removed,
                var file = try book.storage.read({ db in try FolderStore.find(intent.name, of: folder.key, in: db) }),
                file.contact == intent.contact, file.removedAt == nil
            else { return nil }
            (file.card, file.removedAt) = (bytes, book.clock().timeIntervalSince1970)
            return file
        } catch is FolderFile.Failure {
            return nil
        } catch is MalformedInput {
            return nil
        }
    }
}
