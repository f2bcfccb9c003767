import Foundation
public import SwitchboardStorage
public import SwitchboardKit

/// A folder with a database of its own, for one test: removed with the value.
///
/// For a single module, `try store.storage([ContactBook.migrations])` is what its store needs; for the whole,
/// ``switchboard(region:)``. Other processes may open ``database`` at the same time.
public final class TemporaryStore: Sendable {
    /// The folder; anything may be put there.
    public let folder: String

    /// Makes the folder in the system's place for temporary files, for its owner alone.
    ///
    /// - Throws: `CocoaError` if it cannot be made.
    public init() throws {
        folder = NSTemporaryDirectory() + "switchboard-testing-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The database file, which is made when it is first opened.
    public var database: String { folder + "/people.sqlite" }

    /// A path in the folder.
    public func path(_ name: String) -> String { folder + "/" + name }

    /// Writes a file into the folder.
    ///
    /// - Returns: its path.
    /// - Throws: `CocoaError` if it cannot be written.
    @discardableResult
    public func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// The database, opened for some modules.
    ///
    /// - Parameter migrations: what these modules need in it, such as `[ContactBook.migrations]`.
    /// - Throws: `StorageError`.
    public func storage(_ migrations: [ModuleMigrations]) throws(StorageError) -> Storage {
        try Storage(at: database, migrations: migrations)
    }

    /// All modules over the database.
    ///
    /// - Parameter region: the territory of phone numbers without a country code, such as "GB".
    public func switchboard(region: String? = nil) -> Switchboard {
        Switchboard(Settings(database: database, region: region))
    }
}
