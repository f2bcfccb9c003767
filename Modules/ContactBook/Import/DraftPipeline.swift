import Dispatch
import Synchronization
import VCardFormat

/// Reads and understands the contacts of a source on other threads, ahead of the one that stores them.
///
/// At most ``depth`` batches wait, so memory stays bounded. The order is that of the source.
final class DraftPipeline: Sendable {
    /// What a draft became.
    typealias Outcome = Result<PreparedContact, MalformedInput>

    private static let batchSize = 512
    private static let batchBytes = 4 << 20
    private static let depth = 3

    private struct State {
        var batches: [Result<[Outcome], any Error>] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    // A semaphore must not end below the value it began with, so it begins with none.
    private let free = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    /// Begins to read.
    init(_ source: ImportSource, region: String?) {
        for _ in 0..<DraftPipeline.depth { free.signal() }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            do {
                var reader = try DraftReader(source)
                while true {
                    let batch = try DraftPipeline.readBatch(&reader)
                    let outcomes = batch.isEmpty ? [] : DraftPipeline.understand(batch, region: region)
                    guard put(.success(outcomes)), !batch.isEmpty else { break }
                }
            } catch {
                _ = put(.failure(error))
            }
            finished.signal()
        }
    }

    /// The next batch; nil at the end.
    ///
    /// - Throws: what the source throws.
    func next() throws -> [Outcome]? {
        filled.wait()
        let batch = state.withLock { $0.batches.removeFirst() }
        free.signal()
        let outcomes = try batch.get()
        return outcomes.isEmpty ? nil : outcomes
    }

    /// Ends the reading and waits until it has ended. Must be called once, after the last ``next()``.
    func stop() {
        state.withLock { $0.isStopped = true }
        free.signal()
        finished.wait()
    }

    /// Hands a batch over, waiting for a free place; false if nobody wants it any more.
    private func put(_ batch: Result<[Outcome], any Error>) -> Bool {
        free.wait()
        return state.withLock { state in
            guard !state.isStopped else { return false }
            state.batches.append(batch)
            filled.signal()
            return true
        }
    }
}

// MARK: - A batch

extension DraftPipeline {
    private static func readBatch(_ reader: inout DraftReader) throws -> [Result<DraftReader.Draft, MalformedInput>] {
        var batch: [Result<DraftReader.Draft, MalformedInput>] = []
        var bytes = 0
        while batch.count < batchSize, bytes < batchBytes {
            do {
                guard let draft = try reader.next() else { break }
                bytes += draft.size
                batch.append(.success(draft))
            } catch let fault as MalformedInput {
                batch.append(.failure(fault))
            }
        }
        return batch
    }

    /// Understands the drafts of a batch on all processors.
    private static func understand(
        _ batch: [Result<DraftReader.Draft, MalformedInput>], region: String?
    ) -> [Outcome] {
        let share = 64
        let shares = (batch.count + share - 1) / share
        let results = Mutex<[Int: [Outcome]]>([:])
        DispatchQueue.concurrentPerform(iterations: shares) { index in
            let outcomes = batch[(index * share)..<min((index + 1) * share, batch.count)].map { draft in
                draft.flatMap { draft -> Outcome in
                    do {
                        return .success(PreparedContact(try draft.contact(region: region).withoutRepeats))
                    } catch let fault as MalformedInput {
                        return .failure(fault)
                    } catch {
                        return .failure(MalformedInput(line: 1, reason: String(describing: error)))
                    }
                }
            }
            results.withLock { $0[index] = outcomes }
        }
        return results.withLock { results in (0..<shares).flatMap { results[$0] ?? [] } }
    }
}
