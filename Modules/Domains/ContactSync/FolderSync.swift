import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardContacts
import SwitchboardStorage

/// One sync of a folder: imports changed files into the book, then exports changed contacts to files.
///
/// The import is one transaction that also records the state of the files. The export commits write intents before it
/// changes files and records the result afterwards, so a killed process leaves a state from which the next sync
/// continues.
struct FolderSync {
    let book: ContactBook
    let folder: LinkedFolder
    let store: any CardStore
    let options: SyncOptions
    var report = SyncReport()

    mutating func run() throws -> SyncReport {
        let listing = try store.listing()
        try recoverIntents()
        for file in listing.unreadable {
            report.addSkipped(path(file.name), MalformedInput(line: 1, reason: file.reason), isMalformed: false)
        }
        let known = try book.storage.read { db in try FolderStore.stamps(of: folder.key, in: db) }
        var changed: [String] = []
        for (name, stamp) in listing.cards {
            if let file = known[name], !file.isRemoved, file.stamp == stamp {
                report.unchanged += 1
            } else {
                changed.append(name)
            }
        }
        // An unreadable file is not missing.
        let unreadable = Set(listing.unreadable.map(\.name))
        let missing = known.filter { name, file in
            !file.isRemoved && listing.cards[name] == nil && !unreadable.contains(name)
        }.keys.sorted()
        let files = known.values.filter { !$0.isRemoved }.count
        if missing.count > 1, missing.count == files, listing.cards.isEmpty, !options.acceptsEmptyFolder {
            throw ContactSyncError.folderEmptied(path: folder.path, count: files)
        }
        if !changed.isEmpty || !missing.isEmpty { try importFiles(changed.sorted(), missing: missing) }
        try exportContacts()
        return report
    }

    func path(_ name: String) -> String { store.path(of: name) }

    func checkCancellation() throws {
        if options.isCancelled?() ?? false { throw CancellationError() }
    }

    static func remove(_ id: String, in db: Database) throws {
        if let key = try ContactFetching.key(ifAny: id, in: db) { try ContactRows.delete(key, in: db) }
    }

    static func find(_ id: String, in db: Database) throws -> (key: Int64, contact: Contact)? {
        try ContactFetching.key(ifAny: id, in: db) == nil ? nil : ContactFetching.contact(id, in: db)
    }
}

extension SyncReport {
    mutating func addSkipped(_ file: String, _ error: MalformedInput, isMalformed: Bool) {
        skipped.append(
            Skipped(
                file: file, line: isMalformed ? error.line : nil, column: isMalformed ? error.column : nil,
                reason: error.reason, isMalformed: isMalformed))
    }

    mutating func addConflict(_ file: String, _ contact: Contact, _ fields: [String]) {
        conflicts.append(Conflict(file: file, id: contact.id, name: contact.displayName, fields: fields))
    }
}

// MARK: - State of files

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
    /// The modification time of the contact that the file agrees with; nil if the file must be written. For the card of a
    /// group, the number of the last change in the journal that the file agrees with.
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
                    (SELECT count(*) FROM contact_file WHERE folder = contact_folder.key AND removedAt IS NULL
                        AND contact NOT LIKE '\(ContactBook.groupCardPrefix)%')
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

    /// Returns the names of files whose contacts or groups were changed or removed, and of deleted files whose contacts
    /// were restored.
    static func namesToWrite(of folder: Int64, in db: Database) throws -> [String] {
        try String.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT file.name FROM contact_file AS file LEFT JOIN contact ON contact.id = file.contact
                    WHERE file.folder = ? AND (CASE
                        WHEN file.contact LIKE '\(ContactBook.groupCardPrefix)%' THEN \(isPending)
                        WHEN file.removedAt IS NULL
                        THEN contact.key IS NULL OR file.contactModifiedAt IS NOT contact.modifiedAt
                        ELSE contact.key IS NOT NULL END)
                    ORDER BY file.name
                    """), arguments: [folder])
    }

    /// A condition for the card of a group whose members were changed in the book.
    private static let isPending = """
        EXISTS (SELECT 1 FROM storage_change WHERE module = '\(ContactBook.module)' AND object = file.contact
            AND number > coalesce(file.contactModifiedAt, 0))
        """

    /// Returns `true` if the members of a group were changed in the book and not yet in its file.
    static func isPending(_ file: TrackedFile, in db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT \(isPending) FROM (SELECT ? AS contact, ? AS contactModifiedAt) AS file")
        return try Bool.fetchOne(statement, arguments: [file.contact, file.contactModifiedAt]) ?? false
    }

    /// Returns the number of the last change in the journal.
    static func lastChange(in db: Database) throws -> Double {
        let statement = try db.cachedStatement(sql: "SELECT last FROM storage_change_position WHERE module = ?")
        return try Double.fetchOne(statement, arguments: [ContactBook.module]) ?? 0
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

// MARK: - Write intents

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
    private func recoverIntents() throws {
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
