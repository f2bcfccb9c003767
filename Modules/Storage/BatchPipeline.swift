import Dispatch
import SwitchboardAlgorithms
import Synchronization

/// A bounded pipeline that reads and prepares batches on other threads while the caller stores them.
///
/// At most ``depth`` batches wait, so memory stays bounded. Batches arrive in the order of the source. The elements of
/// a batch are prepared in parallel.
///
/// For example:
///
/// ```swift
/// let pipeline = BatchPipeline(reading: { reader.nextBatch }, preparing: PreparedContact.init)
/// defer { pipeline.stop() }
/// while let contacts = try pipeline.next() { try store(contacts) }
/// ```
package final class BatchPipeline<Prepared: Sendable>: Sendable {
    /// The maximum number of waiting batches.
    package static var depth: Int { 3 }
    /// The number of elements that one thread prepares at a time.
    private static var share: Int { 64 }

    private struct State {
        var batches: [Result<[Prepared], any Error>] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    // libdispatch traps if a semaphore is destroyed below its initial value, so this one starts at zero.
    private let free = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - read: Returns a function that returns the next batch, or an empty batch at the end. Called on another
    ///     thread.
    ///   - prepare: Prepares one element. Called on several threads.
    package init<Draft: Sendable>(
        reading read: @escaping @Sendable () throws -> () throws -> [Draft],
        preparing prepare: @escaping @Sendable (Draft) throws -> Prepared
    ) {
        for _ in 0..<Self.depth { free.signal() }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            do {
                let next = try read()
                while true {
                    let batch = try next()
                    let prepared = try batch.concurrentMap(chunksOf: Self.share) { try $0.map(prepare) }.flatMap(\.self)
                    guard put(.success(prepared)), !batch.isEmpty else { break }
                }
            } catch {
                _ = put(.failure(error))
            }
            finished.signal()
        }
    }

    /// Returns the next batch, or nil at the end.
    ///
    /// - Throws: The errors of reading and preparing.
    package func next() throws -> [Prepared]? {
        filled.wait()
        let batch = state.withLock { $0.batches.removeFirst() }
        free.signal()
        let prepared = try batch.get()
        return prepared.isEmpty ? nil : prepared
    }

    /// Stops reading and waits until the reader has finished. Must be called exactly once, after the last ``next()``.
    package func stop() {
        state.withLock { $0.isStopped = true }
        free.signal()
        finished.wait()
    }

    /// Enqueues a batch, waiting for a free slot. Returns false if the pipeline was stopped.
    private func put(_ batch: Result<[Prepared], any Error>) -> Bool {
        free.wait()
        return state.withLock { state in
            guard !state.isStopped else { return false }
            state.batches.append(batch)
            filled.signal()
            return true
        }
    }
}
