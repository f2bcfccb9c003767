import HTTPTypes
import NIOCore
import SwitchboardAirports
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// A cache of airport responses, which are public and valid until the popular list changes.
///
/// Many clients type the same prefixes, so most requests of a picker hit the cache. Two tables approximate LRU eviction:
/// a hit in the older table moves the entry to the newer one, and when the newer table is full, it replaces the older
/// one. Memory is bounded, and no list needs reordering on each request.
final class ResponseCache: Sendable {
    fileprivate struct Tables {
        var generation: Int64 = -1
        var checkedAt: ContinuousClock.Instant?
        var newer: [String: EndpointResponse] = [:]
        var older: [String: EndpointResponse] = [:]
        var newerBytes = 0
    }

    /// The interval at which the generation of the popular list is checked.
    private static let checkInterval = Duration.milliseconds(100)
    /// The maximum length of a key; longer addresses are rarely repeated.
    private static let maximumKeyLength = 200

    /// The maximum number of bytes in one table.
    private let capacity: Int
    private let tables = Mutex(Tables())

    /// - Parameter capacity: The maximum number of bytes in each of the two tables; 0 disables the cache.
    init(capacity: Int = 8 << 20) {
        self.capacity = capacity
    }

    /// Returns the generation of the popular list.
    ///
    /// - Throws: `StorageError`.
    func generation(of switchboard: Switchboard) throws -> Int64 {
        let now = ContinuousClock.now
        let known = tables.withLock { tables -> Int64? in
            guard let checkedAt = tables.checkedAt, now - checkedAt < Self.checkInterval else { return nil }
            return tables.generation
        }
        if let known { return known }
        let generation = try switchboard.storage.generation(of: Airports.popularGeneration)
        tables.withLock { tables in
            if tables.generation != generation { tables = Tables(generation: generation) }
            tables.checkedAt = now
        }
        return generation
    }

    /// Returns the entity tag of an address and generation, an FNV-1a hash.
    static func tag(of address: String, _ generation: Int64) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: generation)
        for byte in address.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return version + String(hash, radix: 36)
    }

    /// The version of the response format; increased when responses change for other reasons.
    private static let version = "a1-"

    /// Returns a cached response of a generation.
    func response(for key: String, _ generation: Int64) -> EndpointResponse? {
        tables.withLock { tables in
            guard tables.generation == generation else { return nil }
            if let response = tables.newer[key] { return response }
            guard let response = tables.older[key] else { return nil }
            tables.keep(response, for: key, capacity: capacity)
            return response
        }
    }

    /// Stores a response of a generation.
    func keep(_ response: EndpointResponse, for key: String, _ generation: Int64) {
        guard key.utf8.count <= Self.maximumKeyLength, response.byteCount <= capacity / 16 else { return }
        tables.withLock { tables in
            if tables.generation == generation { tables.keep(response, for: key, capacity: capacity) }
        }
    }
}

extension ResponseCache.Tables {
    fileprivate mutating func keep(_ response: EndpointResponse, for key: String, capacity: Int) {
        // A response has an overhead of a few hundred bytes.
        let bytes = response.byteCount + key.utf8.count + 500
        if newerBytes + bytes > capacity {
            older = newer
            newer = [:]
            newerBytes = 0
        }
        newer[key] = response
        newerBytes += bytes
    }
}
