import Dispatch
import Synchronization

/// Reads what is to be stored and makes it ready on other threads, ahead of the one that stores it.
///
/// At most ``depth`` batches wait, so memory stays bounded. The order is that of the source. Each batch is made ready on all
/// processors.
///
/// For example:
///
/// ```swift
/// let pipeline = BatchPipeline(reading: { try reader.nextBatch() }, preparing: PreparedContact.init)
/// defer { pipeline.stop() }
/// while let contacts = try pipeline.next() { try store(contacts) }
/// ```
public final class BatchPipeline<Prepared: Sendable>: Sendable {
    /// How many batches wait at most.
    public static var depth: Int { 3 }
    /// How many of a batch are made ready in one go.
    private static var share: Int { 64 }

    private struct State {
        var batches: [Result<[Prepared], any Error>] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    // A semaphore must not end below the value it began with, so it begins with none.
    private let free = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - read: makes what gives the next batch; an empty one is the end. Called on another thread.
    ///   - prepare: makes a draft ready; called on several threads.
    public init<Draft: Sendable>(
        reading read: @escaping @Sendable () throws -> () throws -> [Draft],
        preparing prepare: @escaping @Sendable (Draft) throws -> Prepared
    ) {
        for _ in 0..<Self.depth { free.signal() }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            do {
                let next = try read()
                while true {
                    let batch = try next()
                    let prepared = batch.isEmpty ? [] : try Self.prepared(batch, prepare)
                    guard put(.success(prepared)), !batch.isEmpty else { break }
                }
            } catch {
                _ = put(.failure(error))
            }
            finished.signal()
        }
    }

    /// The next batch; nil at the end.
    ///
    /// - Throws: what reading and making ready throw.
    public func next() throws -> [Prepared]? {
        filled.wait()
        let batch = state.withLock { $0.batches.removeFirst() }
        free.signal()
        let prepared = try batch.get()
        return prepared.isEmpty ? nil : prepared
    }

    /// Ends the reading and waits until it has ended. Must be called once, after the last ``next()``.
    public func stop() {
        state.withLock { $0.isStopped = true }
        free.signal()
        finished.wait()
    }

    /// Hands a batch over, waiting for a free place; false if nobody wants it any more.
    private func put(_ batch: Result<[Prepared], any Error>) -> Bool {
        free.wait()
        return state.withLock { state in
            guard !state.isStopped else { return false }
            state.batches.append(batch)
            filled.signal()
            return true
        }
    }

    /// A batch made ready; if some cannot, the fault of the first of them.
    private static func prepared<Draft: Sendable>(
        _ batch: [Draft], _ prepare: @Sendable (Draft) throws -> Prepared
    ) throws -> [Prepared] {
        let shares = (batch.count + share - 1) / share
        let results = Mutex<[Int: Result<[Prepared], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: shares) { index in
            let result = Result {
                try batch[(index * share)..<min((index + 1) * share, batch.count)].map(prepare)
            }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { results in
            try (0..<shares).flatMap { try results[$0]?.get() ?? [] }
        }
    }
}
