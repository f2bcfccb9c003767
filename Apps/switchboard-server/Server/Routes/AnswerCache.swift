import SwitchboardAirports
import HTTPTypes
import NIOCore
import SwitchboardStorage
import SwitchboardKit
import Synchronization

/// Answers about airports that were given before: the same for everybody, and right as long as the popular list stays the same.
///
/// Accounts type the same beginnings over and over, so most of what a picker asks was just asked by somebody else. Two tables take
/// turns: what is found in the older one moves to the newer one, and when that is full the older one is forgotten. So what is asked
/// often stays, in bounded memory, without a list that every request would have to reorder.
final class AnswerCache: Sendable {
    fileprivate struct Tables {
        var generation: Int64 = -1
        var checkedAt: ContinuousClock.Instant?
        var newer: [String: Answer] = [:]
        var older: [String: Answer] = [:]
        var newerBytes = 0
    }

    /// How long the generation of the list is taken for what it was: a new list is seen by then.
    private static let patience = Duration.milliseconds(100)
    /// Longer addresses are asked once.
    private static let longestKey = 200

    /// The most bytes of answers in one table.
    private let capacity: Int
    private let tables = Mutex(Tables())

    /// - Parameter capacity: bytes of answers in each of the two tables; 0 keeps nothing.
    init(capacity: Int = 8 << 20) {
        self.capacity = capacity
    }

    /// The generation of the popular list.
    ///
    /// - Throws: `StorageError`.
    func generation(of switchboard: Switchboard) throws -> Int64 {
        let now = ContinuousClock.now
        let known = tables.withLock { tables -> Int64? in
            guard let checkedAt = tables.checkedAt, now - checkedAt < Self.patience else { return nil }
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

    /// What the answer to an address is known by, as long as the list stays the same: FNV-1a of both.
    static func tag(of address: String, _ generation: Int64) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: generation)
        for byte in address.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return version + String(hash, radix: 36)
    }

    /// Moves on when answers to the same addresses change otherwise.
    private static let version = "a1-"

    /// An answer of a generation.
    func answer(for key: String, _ generation: Int64) -> Answer? {
        tables.withLock { tables in
            guard tables.generation == generation else { return nil }
            if let answer = tables.newer[key] { return answer }
            guard let answer = tables.older[key] else { return nil }
            tables.keep(answer, for: key, capacity: capacity)
            return answer
        }
    }

    /// Keeps an answer of a generation.
    func keep(_ answer: Answer, for key: String, _ generation: Int64) {
        guard key.utf8.count <= Self.longestKey, answer.byteCount <= capacity / 16 else { return }
        tables.withLock { tables in
            if tables.generation == generation { tables.keep(answer, for: key, capacity: capacity) }
        }
    }
}

extension AnswerCache.Tables {
    fileprivate mutating func keep(_ answer: Answer, for key: String, capacity: Int) {
        // An answer has some hundred bytes around its own.
        let bytes = answer.byteCount + key.utf8.count + 500
        if newerBytes + bytes > capacity {
            older = newer
            newer = [:]
            newerBytes = 0
        }
        newer[key] = answer
        newerBytes += bytes
    }
}
