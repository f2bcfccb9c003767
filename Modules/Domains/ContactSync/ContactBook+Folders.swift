import Foundation
import GRDB
public import SwitchboardContacts
import SwitchboardDBus
import SwitchboardStorage

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
                if removingContacts {
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
