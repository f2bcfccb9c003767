import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs asynchronous work and blocks the calling thread until it ends.
///
/// - Throws: The error of the work.
func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        outcome.result.withLock { $0 = result }
        done.signal()
    }
    done.wait()
    return try outcome.result.withLock { try $0.get() }
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
}

/// Runs asynchronous work until it ends or the process receives SIGINT, SIGTERM or SIGHUP, which cancels the work.
///
/// - Throws: The error of the work, except `CancellationError`.
func runBlockingUntilTerminated(_ work: @escaping @Sendable () async throws -> Void) throws {
    let task = Task.detached { try await work() }
    let queue = DispatchQueue(label: "Termination")
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { task.cancel() }
        source.resume()
        return source
    }
    // Keeps the sources alive: a released source receives no events.
    defer { sources.forEach { $0.cancel() } }
    do {
        try runBlocking { try await task.value }
    } catch is CancellationError {}
}
