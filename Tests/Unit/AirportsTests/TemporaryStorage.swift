import Foundation
import SwitchboardStorage

@testable import SwitchboardAirports

/// A database file of its own, gone with the value.
final class TemporaryStorage {
    let folder: URL
    let storage: Storage

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "airports-\(UUID().uuidString)")
        storage = try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [Airports.migrations])
    }

    /// Another opening of the same file, as another process has it.
    func again() throws -> Storage {
        try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [Airports.migrations])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
