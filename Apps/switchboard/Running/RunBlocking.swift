import Dispatch
import Foundation
import Synchronization

/// Runs asynchronous work and blocks the calling thread until it ends.
///
/// - Throws: The error of the work.
func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    try runBlocking(handling: { (_: Never) in }, { _ in try await work() })
}

/// Runs asynchronous work until it ends, and handles its events on the calling thread.
///
/// - Parameters:
///   - isTerminable: Cancels the work on SIGINT, SIGTERM or SIGHUP.
///   - handle: Handles an event.
///   - work: Receives a function that sends an event.
/// - Throws: The error of the work.
func runBlocking<Event: Sendable, Value: Sendable>(
    isTerminable: Bool = false, handling handle: (Event) throws -> Void,
    _ work: @escaping @Sendable (_ send: @escaping @Sendable (Event) -> Void) async throws -> Value
) throws -> Value {
    let mailbox = Mailbox<Message<Event, Value>>()
    let task = Task.detached {
        do {
            let value = try await work { mailbox.put(.event($0)) }
            mailbox.put(.ended(.success(value)))
        } catch {
            mailbox.put(.ended(.failure(error)))
        }
    }
    let signals = isTerminable ? SignalObserver(SignalObserver.termination) { _ in task.cancel() } : nil
    return try withExtendedLifetime(signals) {
        while true {
            switch mailbox.take() {
            case .event(let event): try handle(event)
            case .ended(let result): return try result.get()
            }
        }
    }
}

private enum Message<Event: Sendable, Value: Sendable>: Sendable {
    case event(Event)
    case ended(Result<Value, any Error>)
}

/// A queue between threads.
private final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ message: Message) {
        messages.withLock { $0.append(message) }
        count.signal()
    }

    /// Waits for a message and removes it.
    func take() -> Message {
        count.wait()
        return messages.withLock { $0.removeFirst() }
    }
}
