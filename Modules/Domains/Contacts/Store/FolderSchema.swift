/// The tables of `SwitchboardContactSync`, created by ``ContactBook/migrations``.
enum FolderSchema {
    /// Linked folders and the state of their files.
    static let folders = """
        CREATE TABLE contact_folder (
            key INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, linkedAt REAL NOT NULL,
            takesAfter INTEGER);
        CREATE TABLE contact_file (
            folder INTEGER NOT NULL REFERENCES contact_folder (key) ON DELETE CASCADE, name TEXT NOT NULL,
            contact TEXT NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL,
            inode INTEGER NOT NULL, hash INTEGER NOT NULL, base BLOB NOT NULL, uid TEXT NOT NULL, contactModifiedAt REAL,
            removedAt REAL, card BLOB, PRIMARY KEY (folder, name));
        CREATE INDEX contact_file_on_contact ON contact_file (contact);
        CREATE TABLE contact_unfollowed (contact TEXT PRIMARY KEY) WITHOUT ROWID;
        """

    /// Write intents.
    static let writeIntents = """
        CREATE TABLE contact_file_announced (
            folder INTEGER NOT NULL REFERENCES contact_folder (key) ON DELETE CASCADE, name TEXT NOT NULL,
            contact TEXT NOT NULL, hash INTEGER NOT NULL, contactModifiedAt REAL, removed BLOB,
            PRIMARY KEY (folder, name));
        """
}
