import SwitchboardAirports
import Foundation
import SwitchboardStorage
import SwitchboardKit
import Synchronization

/// The popular list as a file for others, made once for each change of it.
final class SnapshotCache: Sendable {
    /// The file and what it is known by.
    struct Snapshot: Sendable {
        let generation: Int64
        let bytes: [UInt8]
        let tag: String
    }

    private let made = Mutex<Snapshot?>(nil)

    /// The snapshot of the list in use.
    ///
    /// - Throws: `StorageError`.
    func snapshot(of switchboard: Switchboard) throws -> Snapshot {
        let generation = try switchboard.storage.generation(of: Airports.popularGeneration)
        if let made = made.withLock({ $0 }), made.generation == generation { return made }
        let bytes = Array(try switchboard.airports.snapshot())
        // The time of making is in the file; so that two servers and two starts give one tag, only the list counts.
        let list = try OrderedJSON.bytes(try switchboard.airports.popular())
        let snapshot = Snapshot(generation: generation, bytes: bytes, tag: StaticTag.of(list))
        made.withLock { $0 = snapshot }
        return snapshot
    }
}
