import Foundation
import Synchronization

/// The results of a search.
public struct SearchResults<Hit: Sendable>: Sendable {
    /// The hits, best first.
    public var hits: [Hit]
    /// The duration of the search: normalizing the query, matching and ranking, without opening the index or reading
    /// the objects.
    public var searchTime: Duration
    /// Indicates that a longer search, such as one on a server, would find nothing more.
    public var isFinal: Bool

    /// Creates results.
    public init(hits: [Hit], searchTime: Duration, isFinal: Bool = true) {
        self.hits = hits
        self.searchTime = searchTime
        self.isFinal = isFinal
    }
}

extension SearchResults: Equatable where Hit: Equatable {}

/// Runs blocking work, such as a search, on its own thread and suspends the caller until the work ends.
///
/// The work neither runs on the actor of the caller nor occupies a thread of Swift's concurrency runtime. The number of
/// processors limits how many closures run at the same time; others wait.
///
/// For example:
///
/// ```swift
/// let results = try await runCancellable { isCancelled in try search.search("ana", isCancelled: isCancelled) }
/// ```
///
/// - Parameter work: Receives a function that returns `true` once the task is canceled. The work polls it and then
///   throws `CancellationError`. A task that is canceled before the work begins throws it too.
public func runCancellable<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            workers.addOperation {
                continuation.resume(
                    with: Result {
                        if cancellation.isRequested { throw CancellationError() }
                        return try work { cancellation.isRequested }
                    })
            }
        }
    } onCancel: {
        cancellation.request()
    }
}

private let workers = {
    let workers = OperationQueue()
    workers.qualityOfService = .userInitiated
    workers.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    return workers
}()

/// A flag that the task sets and the work reads.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() { flag.store(true, ordering: .relaxed) }
}
