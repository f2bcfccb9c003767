import Foundation
import SwitchboardStorage

@testable import SwitchboardAirports

/// A temporary database file, deleted with the value.
final class TemporaryStorage {
    let folder: URL
    let storage: Storage

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "airports-\(UUID().uuidString)")
        storage = try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [Airports.migrations])
    }

    /// Opens the same file again, as another process would.
    func again() throws -> Storage {
        try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [Airports.migrations])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
