import Foundation
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// The snapshot of the popular airports, built once for each change of the list.
final class SnapshotCache: Sendable {
    /// A snapshot with its entity tag.
    struct Snapshot: Sendable {
        let generation: Int64
        let bytes: [UInt8]
        let tag: String
    }

    private let cached = Mutex<Snapshot?>(nil)

    /// Returns the snapshot of the current list.
    ///
    /// - Throws: `StorageError`.
    func snapshot(of switchboard: Switchboard) throws -> Snapshot {
        let generation = try switchboard.storage.generation(of: Airports.popularGeneration)
        if let cached = cached.withLock({ $0 }), cached.generation == generation { return cached }
        let bytes = Array(try switchboard.airports.snapshot())
        // The snapshot contains its creation time. The tag depends only on the list, so it is the same on all servers.
        let list = try OrderedJSON.bytes(try switchboard.airports.popular())
        let snapshot = Snapshot(generation: generation, bytes: bytes, tag: EntityTag.of(list))
        cached.withLock { $0 = snapshot }
        return snapshot
    }
}
