public import Foundation
import GRDB
import Glibc
public import SwitchboardContacts
import SwitchboardDBus
@_exported public import SwitchboardErrors
import SwitchboardStorage

/// A folder of vCards that is kept in sync with the book: a vdir, as khard and vdirsyncer use it, or a desktop address
/// book.
public struct LinkedFolder: Hashable, Sendable {
    let key: Int64
    /// The absolute path with symbolic links resolved, or `gnome:` and the identifier of an address book.
    public let path: String
    /// The time when the folder was linked.
    public let linkedAt: Date
    /// The number of contacts with a file in the folder.
    public let contacts: Int
    /// `true` if new contacts of the book get a file in the folder.
    public let takesNew: Bool

    /// `true` for a desktop address book.
    public var isAddressBook: Bool { DesktopAddressBook.id(ofPath: path) != nil }
}

extension LinkedFolder: Encodable {
    private enum CodingKeys: String, CodingKey { case id, path, contacts, linkedAt, takesNew }

    /// Encodes `{"id", "path", "contacts", "linkedAt", "takesNew"}`; the path is the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .id)
        try container.encode(path, forKey: .path)
        try container.encode(contacts, forKey: .contacts)
        try container.encode(linkedAt.formatted(.iso8601), forKey: .linkedAt)
        try container.encode(takesNew, forKey: .takesNew)
    }
}

// MARK: - Linked folders

/// Linking folders of vCards and syncing them with the book.
///
/// A linked folder belongs to another program and is synced in place. For example:
///
/// ```swift
/// try storage.setStatus(.authorized, of: .contacts)
/// let folder = try book.link("/home/ana/.contacts/personal")
/// let report = try book.sync(folder)
/// print(report.added, report.written)
/// ```
///
/// Linking and syncing need the user's consent to ``Storage/AccessSubject/contacts`` and throw
/// `StorageError.accessNotGranted` without it.
extension ContactBook {
    /// Returns the linked folders in the order in which they were linked.
    public func folders() throws -> [LinkedFolder] {
        try storage.read(FolderStore.folders(in:))
    }

    /// Links a folder, or the desktop address book with an identifier (`gnome:system-address-book`), so
    /// ``sync(_:options:)`` can read it.
    ///
    /// Linking a folder again, also by another path, only applies the options.
    ///
    /// - Throws: ``ContactSyncError/missingFolder(path:)``, ``ContactSyncError/unreadable(path:reason:)``,
    ///   ``ContactSyncError/folderOfFolders(path:first:)``, `StorageError`.
    @discardableResult
    public func link(_ path: String, options: LinkOptions = LinkOptions()) throws -> LinkedFolder {
        try storage.requireAccess(.contacts)
        if DesktopAddressBook.id(ofPath: path) != nil {
            // Fails if the address book does not exist.
            _ = try cards(of: path)
            return try link(resolved: path, options: options)
        }
        let path = try LockedFolder.path(of: path)
        let listing = try FolderListing(of: path)
        if listing.files.isEmpty, let first = listing.folders.filter({ !$0.hasPrefix(".") }).min() {
            throw ContactSyncError.folderOfFolders(path: path, first: FolderFile(first, in: path).path)
        }
        return try link(resolved: path, options: options)
    }

    /// Links the desktop address books, which GNOME Contacts and Evolution keep in Evolution Data Server.
    ///
    /// - Returns: The linked address books. The first one takes new contacts unless a folder does.
    /// - Throws: ``ContactSyncError/noAddressBooks(reason:)``, `StorageError`.
    @discardableResult
    public func linkAddressBooks(options: LinkOptions = LinkOptions()) throws -> [LinkedFolder] {
        try storage.requireAccess(.contacts)
        let books = try DesktopAddressBook.all(on: DesktopAddressBook.connection())
        guard !books.isEmpty else {
            throw ContactSyncError.noAddressBooks(
                reason: "Evolution Data Server has none; create one in GNOME Contacts or Evolution")
        }
        return try books.enumerated().map { number, book in
            var options = options
            if number > 0, options.takesNew == true || options.takesExisting {
                (options.takesNew, options.takesExisting) = (false, false)
            }
            return try link(resolved: book.path, options: options)
        }
    }

    /// Returns the linked folder of a path, or all linked address books for `gnome`.
    ///
    /// - Throws: ``ContactSyncError/notLinked(path:)``.
    public func folders(at path: String) throws -> [LinkedFolder] {
        guard path == DesktopAddressBook.scheme else { return [try folder(path)] }
        let books = try folders().filter(\.isAddressBook)
        guard !books.isEmpty else { throw ContactSyncError.notLinked(path: path) }
        return books
    }

    /// Opens the cards of a path.
    private func cards(of path: String) throws(ContactSyncError) -> any CardStore {
        guard DesktopAddressBook.id(ofPath: path) != nil else { return try FolderCards(path) }
        let database = storage.path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
        return try AddressBookCards(path, locking: database)
    }

    private func link(resolved path: String, options: LinkOptions) throws -> LinkedFolder {
        let now = clock().timeIntervalSince1970
        return try storage.write { db in
            let key = try Int64.fetchOne(db, sql: "SELECT key FROM contact_folder WHERE path = ?", arguments: [path])
            if key == nil {
                try db.execute(
                    sql: "INSERT INTO contact_folder (path, linkedAt) VALUES (?, ?)", arguments: [path, now])
            }
            let taker = try String.fetchOne(db, sql: "SELECT path FROM contact_folder WHERE takesAfter IS NOT NULL")
            let takes = options.takesNew ?? (options.takesExisting || taker == path || (key == nil && taker == nil))
            if takes {
                // At most one folder takes new contacts, so a contact is not written to two address books.
                try db.execute(sql: "UPDATE contact_folder SET takesAfter = NULL WHERE path <> ?", arguments: [path])
                let first = "SELECT coalesce(max(key), 0) FROM contact"
                try db.execute(
                    sql: """
                        UPDATE contact_folder SET takesAfter =
                            CASE WHEN ? THEN 0 ELSE coalesce(takesAfter, (\(first))) END WHERE path = ?
                        """, arguments: [options.takesExisting, path])
                if options.takesExisting { try db.execute(sql: "DELETE FROM contact_unfollowed") }
            } else {
                try db.execute(sql: "UPDATE contact_folder SET takesAfter = NULL WHERE path = ?", arguments: [path])
            }
            guard let folder = try FolderStore.folders(in: db).first(where: { $0.path == path }) else {
                throw ContactSyncError.notLinked(path: path)
            }
            return folder
        }
    }

    /// Returns the linked folder of a path, even if the folder is currently missing.
    ///
    /// - Throws: ``ContactSyncError/notLinked(path:)``.
    public func folder(_ path: String) throws -> LinkedFolder {
        var paths = [path, URL(fileURLWithPath: path).standardizedFileURL.path]
        if let resolved = try? LockedFolder.path(of: path) { paths.append(resolved) }
        guard let folder = try folders().first(where: { paths.contains($0.path) }) else {
            throw ContactSyncError.notLinked(path: path)
        }
        return folder
    }

    /// Unlinks a folder. Its files stay, and so do the contacts unless their removal is requested.
    ///
    /// - Parameters:
    ///   - path: The path with which the folder was linked, or another path to it.
    ///   - removingContacts: `true` to remove the contacts with a file in the folder from the book.
    /// - Returns: The folder that was unlinked.
    /// - Throws: ``ContactSyncError/notLinked(path:)``, `StorageError`.
    @discardableResult
    public func unlink(_ path: String, removingContacts: Bool = false) throws -> LinkedFolder {
        let folder = try folder(path)
        try writing { db in
            let contacts = try String.fetchAll(
                db, sql: "SELECT contact FROM contact_file WHERE folder = ? AND removedAt IS NULL",
                arguments: [folder.key])
            for contact in contacts {
                if contact.hasPrefix(ContactBook.groupCardPrefix) {
                    try GroupCards.forget(contact, in: db)
                } else if removingContacts {
                    try FolderSync.remove(contact, in: db)
                } else {
                    // Another folder must not take the contact as a new one.
                    try db.cachedStatement(sql: "INSERT OR IGNORE INTO contact_unfollowed VALUES (?)")
                        .execute(arguments: [contact])
                }
            }
            try db.execute(sql: "DELETE FROM contact_folder WHERE key = ?", arguments: [folder.key])
        }
        return folder
    }

    /// Syncs a linked folder and the book in both directions.
    ///
    /// Reads only files whose times, size or inode changed, and writes only cards whose contacts changed. Changes on
    /// both sides are resolved by a three-way merge per property. In a conflict the file wins, the book's value is
    /// preserved in another line of the card, and the report lists the contact. A change wins over a removal. A killed
    /// process leaves both sides consistent; the next sync continues.
    ///
    /// - Returns: The changes made, the conflicts, and the files skipped.
    /// - Throws: ``ContactSyncError/missingFolder(path:)``, ``ContactSyncError/folderEmptied(path:count:)``,
    ///   ``ContactSyncError/folderBusy(path:)``, ``ContactSyncError/unreadable(path:reason:)``,
    ///   ``ContactSyncError/noAddressBooks(reason:)``, `CancellationError`, `StorageError`.
    /// - Complexity: O(*files*), about 5 µs per unchanged file, 150 µs per file read, a millisecond per file written.
    public func sync(_ folder: LinkedFolder, options: SyncOptions = SyncOptions()) throws -> SyncReport {
        try storage.requireAccess(.contacts)
        var sync = FolderSync(book: self, folder: folder, store: try cards(of: folder.path), options: options)
        return try sync.run()
    }
}

// MARK: - Options and report

/// Options for linking a folder.
public struct LinkOptions: Sendable {
    /// `true` if contacts that are added later get a file in this folder; nil for `true` unless another folder takes
    /// them.
    public var takesNew: Bool?
    /// `true` if existing contacts without a file in any folder get a file in this one.
    public var takesExisting = false

    /// Creates options. The defaults suit the first folder.
    public init(takesNew: Bool? = nil, takesExisting: Bool = false) {
        self.takesNew = takesNew
        self.takesExisting = takesExisting
    }
}

/// Options for syncing a folder.
public struct SyncOptions: Sendable {
    /// `true` to remove all contacts of the folder if all its cards are gone, instead of throwing an error.
    public var acceptsEmptyFolder = false
    /// Periodically receives the number of files processed and the total.
    public var progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
    /// Called periodically; return `true` to cancel the sync.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates options.
    public init(
        acceptsEmptyFolder: Bool = false, progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.acceptsEmptyFolder = acceptsEmptyFolder
        self.progress = progress
        self.isCancelled = isCancelled
    }
}

/// The result of a sync.
public struct SyncReport: Hashable, Sendable, Codable {
    /// A contact that both sides changed differently, or that one side removed and the other changed.
    public struct Conflict: Hashable, Sendable, Codable {
        /// The path of the file.
        public var file: String
        /// The identifier of the contact.
        public var id: String
        /// The displayed name of the contact.
        public var name: String
        /// The fields in conflict ("title", "phones"), or "removed here", "removed there".
        public var fields: [String]
    }

    /// A file that was not read, or a change that could not be written.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The path of the file or of the folder.
        public var file: String
        /// The line, from 1, of a syntax error.
        public var line: Int?
        /// The byte in that line, from 1, if known.
        public var column: Int?
        /// The problem.
        public var reason: String
        /// `true` for a syntax error, `false` for an error of reading or writing.
        public var isMalformed: Bool

        private enum CodingKeys: String, CodingKey { case file, line, column, reason, isMalformed = "malformed" }
    }

    /// The number of contacts added to the book.
    public var added = 0
    /// The number of contacts changed in the book.
    public var updated = 0
    /// The number of contacts removed from the book because their files are gone.
    public var removed = 0
    /// The number of unchanged files.
    public var unchanged = 0
    /// The number of files changed or created.
    public var written = 0
    /// The number of files deleted because their contacts were removed from the book.
    public var deleted = 0
    /// The conflicts. Both values are kept.
    public var conflicts: [Conflict] = []
    /// The skipped files.
    public var skipped: [Skipped] = []
    /// The values of new and changed files that are not in the book as they stand in the file.
    public var changed: [MalformedInput] = []

    /// Creates an empty report.
    public init() {}

    /// `true` if nothing changed and nothing was skipped or changed on the way.
    public var isEmpty: Bool {
        added + updated + removed + written + deleted == 0 && conflicts.isEmpty && skipped.isEmpty && changed.isEmpty
    }

    /// Adds the report of another folder.
    public mutating func add(_ other: SyncReport) {
        added += other.added
        updated += other.updated
        removed += other.removed
        unchanged += other.unchanged
        written += other.written
        deleted += other.deleted
        conflicts += other.conflicts
        skipped += other.skipped
        changed += other.changed
    }
}

/// An error of linking or syncing a folder.
///
/// Errors of the storage are thrown as `StorageError`.
public enum ContactSyncError: CodedError, Equatable {
    /// The folder does not exist or is not mounted. Its contacts stay.
    case missingFolder(path: String)

    /// The folder cannot be read.
    case unreadable(path: String, reason: String)

    /// The folder is not linked.
    case notLinked(path: String)

    /// No folder is linked.
    case nothingLinked

    /// All cards of a linked folder disappeared at once, which is more likely a mistake than an intention.
    case folderEmptied(path: String, count: Int)

    /// Another process is syncing the folder.
    case folderBusy(path: String)

    /// The folder contains folders but no cards, like the parent folder of vdirsyncer's address books.
    case folderOfFolders(path: String, first: String)

    /// The desktop address books cannot be used; the reason includes the remedy.
    case noAddressBooks(reason: String)

    /// The code, the category, the message and the folder.
    public var details: ErrorDetails {
        switch self {
        case .missingFolder(let path):
            .init("missingFolder", .missing, "there is no folder \(path); no contact was removed", file: path)
        case .unreadable(let path, let reason):
            .init("unreadable", .io, "cannot read \(path): \(reason)", file: path)
        case .notLinked(let path): .init("notLinked", .notFound, "\(path) is not followed")
        case .nothingLinked: .init("nothingLinked", .notFound, "no folder is followed")
        case .folderEmptied(let path, let count):
            .init(
                "folderEmptied", .missing, "all \(count) cards of \(path) are gone; no contact was removed", file: path)
        case .folderBusy(let path):
            .init("folderBusy", .locked, "another process is synchronizing \(path); try again", file: path)
        case .noAddressBooks(let reason):
            .init("noAddressBooks", .unavailable, "cannot use the address books of the desktop: \(reason)")
        case .folderOfFolders(let path, let first):
            .init(
                "folderOfFolders", .usage,
                "\(path) contains folders but no cards; choose one of its address books, such as \(first)", file: path)
        }
    }

    /// Creates the error of a failed system call on a folder.
    init(_ code: Int32, path: String) {
        self =
            [ENOENT, ENOTDIR].contains(code)
            ? .missingFolder(path: path) : .unreadable(path: path, reason: systemErrorMessage(code))
    }
}
