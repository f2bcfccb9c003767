import Dispatch
import Synchronization

/// Waits for asynchronous work, which a program that does one thing and ends may do on its main thread.
///
/// - Throws: what the work throws.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
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
