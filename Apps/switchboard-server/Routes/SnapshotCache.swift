import Airports
import Foundation
import Storage
import Switchboard
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

    /// What the answer to an address is known by, as long as the list stays the same.
    ///
    /// - Throws: `StorageError`.
    func tag(of switchboard: Switchboard, for address: String) throws -> String {
        let generation = try switchboard.storage.generation(of: Airports.popularGeneration)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: generation)
        for byte in address.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Self.version + String(hash, radix: 36)
    }

    /// Differs between builds whose answers may differ.
    private static let version = "a1-"
}
