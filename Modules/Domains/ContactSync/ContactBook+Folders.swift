import Foundation
import GRDB
public import SwitchboardContacts
import SwitchboardStorage

// MARK: - Following folders

/// A folder of vCards that other programs keep stays where it is: what changes there comes into the book, and what changes in the
/// book is written into the same files. For example:
///
/// ```swift
/// try storage.setStatus(.authorized, of: .contacts)
/// let folder = try book.link("/home/ana/.contacts/personal")
/// let report = try book.sync(folder)
/// print(report.added, report.written)
/// ```
///
/// All of it needs the person's consent to ``Storage/AccessSubject/contacts`` and throws `StorageError.accessNotGranted` without.
extension ContactBook {
    /// The followed folders, in the order in which they were linked.
    public func folders() throws -> [LinkedFolder] {
        try storage.read(FolderRows.folders(in:))
    }

    /// Follows a folder from now on. ``sync(_:options:)`` then reads it.
    ///
    /// Following it a second time, also under another name, changes nothing but what the options say.
    ///
    /// - Throws: ``ContactBookError/missingFolder(path:)``, ``ContactBookError/unreadable(path:reason:)``,
    ///   ``ContactBookError/folderOfFolders(path:first:)``, `StorageError`.
    @discardableResult
    public func link(_ path: String, options: LinkOptions = LinkOptions()) throws -> LinkedFolder {
        try storage.requireAccess(.contacts)
        let path = try LockedFolder.path(of: path)
        let listing = try FolderListing(of: path)
        if listing.files.isEmpty, let first = listing.folders.filter({ !$0.hasPrefix(".") }).min() {
            throw ContactBookError.folderOfFolders(path: path, first: FolderFile(first, in: path).path)
        }
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
                // One folder takes them: somebody new is not in two address books.
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
            guard let folder = try FolderRows.folders(in: db).first(where: { $0.path == path }) else {
                throw ContactBookError.notLinked(path: path)
            }
            return folder
        }
    }

    /// The followed folder of a path; also one that is not there at the moment.
    ///
    /// - Throws: ``ContactBookError/notLinked(path:)``.
    public func folder(_ path: String) throws -> LinkedFolder {
        var paths = [path, URL(fileURLWithPath: path).standardizedFileURL.path]
        if let resolved = try? LockedFolder.path(of: path) { paths.append(resolved) }
        guard let folder = try folders().first(where: { paths.contains($0.path) }) else {
            throw ContactBookError.notLinked(path: path)
        }
        return folder
    }

    /// Ends following a folder. Its files stay as they are, and so do the contacts, unless they are to be removed.
    ///
    /// - Parameters:
    ///   - path: the folder, as it was linked or as anything that leads there.
    ///   - removingContacts: whether those who have a file in the folder are removed from the book.
    /// - Returns: the folder as it was followed.
    /// - Throws: ``ContactBookError/notLinked(path:)``, `StorageError`.
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
                    // They are not new to another folder.
                    try db.cachedStatement(sql: "INSERT OR IGNORE INTO contact_unfollowed VALUES (?)")
                        .execute(arguments: [contact])
                }
            }
            try db.execute(sql: "DELETE FROM contact_folder WHERE key = ?", arguments: [folder.key])
        }
        return folder
    }

    /// Brings a followed folder and the book together.
    ///
    /// Only files that have changed are read (by times, size and inode), only cards whose contacts have changed are written. What
    /// both sides have changed is brought together fact by fact; where both changed the same one differently, the file wins and
    /// what stood here is kept in a further line, and the report says so. A change beats a removal. A process that is killed leaves
    /// both sides whole, and the next call goes on.
    ///
    /// - Returns: what was done, and what was left out.
    /// - Throws: ``ContactBookError/missingFolder(path:)``, ``ContactBookError/folderEmptied(path:count:)``,
    ///   ``ContactBookError/folderBusy(path:)``, ``ContactBookError/unreadable(path:reason:)``,
    ///   ``ContactBookError/cancelled``, `StorageError`.
    /// - Complexity: O(files) to look, some 5 µs each; some 150 µs for each that is read, a millisecond for each that is written.
    public func sync(_ folder: LinkedFolder, options: SyncOptions = SyncOptions()) throws -> SyncReport {
        try storage.requireAccess(.contacts)
        let locked = try LockedFolder(folder.path)
        var sync = FolderSync(book: self, folder: folder, locked: locked, options: options)
        return try sync.run()
    }
}
