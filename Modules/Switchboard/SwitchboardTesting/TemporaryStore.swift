public import Foundation
public import SwitchboardStorage
import Synchronization

/// A temporary folder with a database for one test, deleted when the object is released.
///
/// For some modules use `try store.storage([ContactBook.migrations])`, for all of them
/// `Switchboard(Settings(database: store.database))` of SwitchboardKit.
/// Other processes may open ``database`` at the same time.
public final class TemporaryStore: Sendable {
    /// The path of the folder.
    public let folder: String

    /// Creates the folder in the system's temporary directory, accessible only to its owner.
    ///
    /// - Throws: `CocoaError` if it cannot be created.
    public init() throws {
        folder = NSTemporaryDirectory() + "switchboard-testing-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The path of the database, which is created when first opened.
    public var database: String { folder + "/people.sqlite" }

    /// Returns the path of a file in the folder.
    public func path(_ name: String) -> String { folder + "/" + name }

    /// Writes a file into the folder.
    ///
    /// - Returns: The path of the file.
    /// - Throws: `CocoaError` if it cannot be written.
    @discardableResult
    public func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Opens the database for some modules.
    ///
    /// - Parameter migrations: The migrations of these modules, such as `[ContactBook.migrations]`.
    /// - Throws: `StorageError`.
    public func storage(_ migrations: [ModuleMigrations]) throws(StorageError) -> Storage {
        try Storage(at: database, migrations: migrations)
    }
}

/// A clock that stays at a fixed time until a test advances it, for modules that accept a clock:
/// `Prospects(storage: s, clock: clock.read)`.
public final class FixedClock: Sendable {
    private let time: Mutex<Date>

    /// Creates a clock; by default at 14:30 on 21 November 2026, UTC.
    public init(_ time: Date = Date(timeIntervalSince1970: 1_795_271_400)) {
        self.time = Mutex(time)
    }

    /// The current time of the clock.
    public var now: Date { time.withLock { $0 } }

    /// The clock as a function, in the form that modules accept.
    public var read: @Sendable () -> Date { { self.now } }

    /// Advances the clock; a negative number of seconds moves it back.
    public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
