import Synchronization

/// A list of objects that are created on first access and then kept.
///
/// Reading an existing object takes one atomic load, without a lock. If several threads create the same object, all of
/// them get the first that was stored.
struct LazyObjects<Object: AnyObject & Sendable>: Sendable {
    private static var chunkSize: Int { 64 }

    private final class Chunk: Sendable {
        let objects: InlineArray<64, AtomicLazyReference<Object>>

        init() { objects = InlineArray { _ in AtomicLazyReference<Object>() } }
    }

    private let chunks: [Chunk]
    let count: Int

    init(count: Int) {
        self.count = count
        chunks = (0..<(count + Self.chunkSize - 1) / Self.chunkSize).map { _ in Chunk() }
    }

    /// Returns an object, creating it if missing; nil if the position is outside the list, or `make` returns nil.
    func object(at position: Int, orMake make: () -> Object?) -> Object? {
        guard position >= 0, position < count else { return nil }
        let chunk = chunks[position / Self.chunkSize]
        if let known = chunk.objects[position % Self.chunkSize].load() { return known }
        return make().map { chunk.objects[position % Self.chunkSize].storeIfNil($0) }
    }
}
