public import SwitchboardContacts
import Foundation
import SwitchboardStorage

/// A book of made-up contacts in a file, as `contacts import` makes it.
public enum SyntheticBook {
    /// Where the database of so many contacts lies.
    public static func path(_ count: Int) throws -> String { try DataFolder.path() + "/contacts-\(count).sqlite" }

    /// Where the search index lies that was made from it.
    public static func indexPath(_ count: Int) throws -> String {
        try DataFolder.path() + "/contacts-\(count).index/contacts.index"
    }

    /// Imports so many contacts into a new database.
    ///
    /// - Returns: the seconds that the import took, opening and closing included.
    public static func imported(_ count: Int) throws -> Double {
        let cards = try DataFolder.contacts(count, format: "vcard")
        let path = try path(count)
        for leftOver in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + leftOver) }
        try? FileManager.default.removeItem(atPath: indexPath(count))
        return try Latencies.seconds {
            let storage = try Storage(at: path, migrations: [ContactBook.migrations])
            _ = try ContactBook(storage: storage).importing([.file(cards)])
            storage.close()
        }
    }

    /// The search of a book of so many contacts, which is imported if it is not there.
    public static func search(_ count: Int) throws -> ContactSearch {
        if !FileManager.default.fileExists(atPath: try path(count)) { _ = try imported(count) }
        let storage = try Storage(at: path(count), migrations: [ContactBook.migrations])
        return ContactSearch(book: ContactBook(storage: storage))
    }
}
