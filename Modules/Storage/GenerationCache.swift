import Synchronization

/// A bounded in-memory cache of values computed from one generation of the data.
///
/// A user who types, deletes and retypes letters repeats the same queries, and so do the users of a server. When the
/// cache is full, the least recently used half is evicted. A new generation empties the cache.
///
/// For example:
///
/// ```swift
/// let cache = GenerationCache<Int64, Note>(capacity: 512)
/// let note = try storage.read { db in
///     let generation = try Storage.generation(of: "Notes", in: db)
///     if let known = cache.value(for: key, generation: generation) { return known }
///     let note = try Note.fetch(key, in: db)
///     cache.insert(note, for: key, generation: generation)
///     return note
/// }
/// ```
///
/// - Complexity: O(1) per lookup and insertion.
public final class GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    fileprivate struct Entries {
        var generation: Int64 = 0
        /// The values used since `older` was filled, and those used before.
        var recent: [Key: Value] = [:]
        var older: [Key: Value] = [:]
    }

    private let entries = Mutex(Entries())
    private let half: Int

    /// Creates an empty cache.
    ///
    /// - Parameter capacity: The maximum number of values; 0 disables the cache.
    public init(capacity: Int) {
        half = capacity > 0 ? (capacity + 1) / 2 : 0
    }

    /// Returns the value inserted for a key in this generation.
    public func value(for key: Key, generation: Int64) -> Value? {
        entries.withLock { entries in
            guard entries.generation == generation else { return nil }
            if let value = entries.recent[key] { return value }
            guard let value = entries.older.removeValue(forKey: key) else { return nil }
            entries.add(value, for: key, half: half)
            return value
        }
    }

    /// Inserts a value and removes those of other generations.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its key.
    ///   - generation: The generation of the data from which the value was computed, read in the same transaction.
    public func insert(_ value: Value, for key: Key, generation: Int64) {
        guard half > 0 else { return }
        entries.withLock { entries in
            if entries.generation != generation { entries = Entries(generation: generation) }
            entries.add(value, for: key, half: half)
        }
    }
}

extension GenerationCache.Entries {
    mutating func add(_ value: Value, for key: Key, half: Int) {
        if recent.count >= half, recent[key] == nil {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }
}
