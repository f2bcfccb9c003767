import Synchronization

/// Values that were worked out from the data of one generation, kept in memory as long as that is the one: what ``DerivedFile`` is on
/// the disk.
///
/// Who types letter by letter, takes one back and types another asks for much the same again and again, and so do many people who ask
/// one server. At most so many values are kept; beyond that, those that were not asked for lately are forgotten.
///
/// For example:
///
/// ```swift
/// let memory = GenerationCache<Int64, Note>(capacity: 512)
/// let note = try storage.read { db in
///     let generation = try Storage.generation(of: "Notes", in: db)
///     if let known = memory.value(for: key, generation: generation) { return known }
///     let note = try Note.fetch(key, in: db)
///     memory.keep(note, for: key, generation: generation)
///     return note
/// }
/// ```
///
/// - Complexity: O(1) for each value asked for or kept.
public final class GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    fileprivate struct Kept {
        var generation: Int64 = 0
        /// What was asked for or kept lately, and what was before that.
        var recent: [Key: Value] = [:]
        var older: [Key: Value] = [:]
    }

    private let kept = Mutex(Kept())
    private let half: Int

    /// A memory with nothing in it.
    ///
    /// - Parameter capacity: how many values at most; 0 keeps none.
    public init(capacity: Int) {
        half = capacity > 0 ? (capacity + 1) / 2 : 0
    }

    /// A value that was kept for this very generation.
    public func value(for key: Key, generation: Int64) -> Value? {
        kept.withLock { kept in
            guard kept.generation == generation else { return nil }
            if let value = kept.recent[key] { return value }
            guard let value = kept.older.removeValue(forKey: key) else { return nil }
            kept.add(value, for: key, half: half)
            return value
        }
    }

    /// Keeps a value; those of another generation are forgotten.
    ///
    /// - Parameters:
    ///   - value: what was worked out.
    ///   - key: what it is asked for by.
    ///   - generation: that of the data it was worked out from, read in the same transaction.
    public func keep(_ value: Value, for key: Key, generation: Int64) {
        guard half > 0 else { return }
        kept.withLock { kept in
            if kept.generation != generation { kept = Kept(generation: generation) }
            kept.add(value, for: key, half: half)
        }
    }
}

extension GenerationCache.Kept {
    mutating func add(_ value: Value, for key: Key, half: Int) {
        if recent.count >= half, recent[key] == nil {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }
}
