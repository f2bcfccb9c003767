import Foundation
public import SwitchboardContacts
import SwitchboardStorage

/// A database of generated contacts, as `contacts import` creates it.
public enum SyntheticContacts {
    /// The path of the database.
    public static func path(_ count: Int) throws -> String { try DataFolder.path() + "/contacts-\(count).sqlite" }

    /// The path of its search index.
    public static func indexPath(_ count: Int) throws -> String {
        try DataFolder.path() + "/contacts-\(count).index/contacts.index"
    }

    /// Imports the contacts into a new database.
    ///
    /// - Returns: The seconds of the import, including opening and closing the database.
    public static func imported(_ count: Int) throws -> Double {
        let cards = try DataFolder.contacts(count, format: "vcard")
        let path = try path(count)
        for leftOver in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + leftOver) }
        try? FileManager.default.removeItem(atPath: indexPath(count))
        return try Latencies.seconds {
            let storage = try Storage(at: path, migrations: [ContactBook.migrations])
            _ = try ContactBook(storage: storage, region: nil).importContacts(from: [.file(cards)])
            storage.close()
        }
    }

    /// Returns the search of the contacts, which are imported if missing.
    public static func search(_ count: Int) throws -> ContactSearch {
        if !FileManager.default.fileExists(atPath: try path(count)) { _ = try imported(count) }
        let storage = try Storage(at: path(count), migrations: [ContactBook.migrations])
        return ContactSearch(book: ContactBook(storage: storage, region: nil))
    }
}
