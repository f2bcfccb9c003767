import Foundation
public import SwitchboardSearchableIndex
public import SwitchboardStorage

/// A database of generated items, as `index put` creates it.
public enum SyntheticItems {
    /// The path of the database.
    public static func path(_ count: Int) throws -> String { try DataFolder.path() + "/items-\(count).sqlite" }

    /// The folder of its derived files: the search index.
    public static func derivedFolder(_ count: Int) throws -> String {
        try DataFolder.path() + "/items-\(count).index"
    }

    /// Puts the items from JSON lines into a new database, in one durable transaction.
    ///
    /// - Returns: The seconds of the put, including opening and closing the database.
    public static func put(_ count: Int) throws -> Double {
        let path = try DataFolder.items(count)
        guard let file = FileHandle(forReadingAtPath: path) else { throw DataFolderError.unreadable(path: path) }
        let database = try SyntheticItems.path(count)
        for leftOver in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + leftOver) }
        try? FileManager.default.removeItem(atPath: derivedFolder(count))
        return try Latencies.seconds {
            let storage = try Storage(at: database, migrations: [SearchableIndex.migrations])
            try index(in: storage).put(reading: { Array(try file.read(upToCount: 1 << 18) ?? Data()) })
            storage.close()
        }
    }

    /// Returns the search of the items, which are put if missing.
    public static func search(_ count: Int) throws -> ItemSearch {
        if !FileManager.default.fileExists(atPath: try path(count)) { _ = try put(count) }
        let storage = try Storage(at: path(count), migrations: [SearchableIndex.migrations])
        return ItemSearch(index: index(in: storage), rebuildsInBackground: false)
    }

    /// Returns the index in a storage. Its clock is fixed, so that items do not expire.
    public static func index(in storage: Storage) -> SearchableIndex {
        SearchableIndex(storage: storage) { Date(timeIntervalSince1970: 1_800_000_000) }
    }
}
