import Glibc

/// Waits until a condition is true, and blocks the thread meanwhile.
///
/// For example:
///
/// ```swift
/// try eventually("the server is ready") { try server.ask("GET", "/readyz").status == 200 }
/// ```
///
/// - Parameters:
///   - what: The event, as the error names it.
///   - timeout: The time within which it must happen, as the sum of the pauses between polls.
///   - condition: The condition, which is polled.
/// - Throws: ``DidNotHappen`` after the timeout, and the errors of the condition.
package func eventually(
    _ what: String, timeout: Duration = .seconds(30), _ condition: () throws -> Bool
) throws {
    guard try becomesTrue(within: timeout, condition) else { throw DidNotHappen(what, within: timeout) }
}

/// Waits until a condition is true, and blocks no thread.
package func eventually(
    _ what: String, timeout: Duration = .seconds(30), _ condition: () throws -> Bool
) async throws {
    var pauses = Pauses(for: timeout)
    while try !condition() {
        guard let pause = pauses.next() else { throw DidNotHappen(what, within: timeout) }
        try await Task.sleep(for: pause)
    }
}

/// Waits until a condition is true, or returns `false` after a timeout, for callers with a report of their own.
package func becomesTrue(within timeout: Duration, _ condition: () throws -> Bool) rethrows -> Bool {
    var pauses = Pauses(for: timeout)
    while try !condition() {
        guard let pause = pauses.next() else { return false }
        usleep(useconds_t(pause / .microseconds(1)))
    }
    return true
}

/// An event that a test waits for did not happen in time.
package struct DidNotHappen: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, within timeout: Duration) { description = "not within \(timeout) of pauses: \(what)" }
}

/// The pauses between polls: short at first, to lose no time, then longer, because a poll may start a process.
///
/// Only the pauses count towards the timeout, not the time of day: where other tests keep all threads busy, minutes may
/// pass before what the test waits for has been started, and before the next poll.
private struct Pauses: IteratorProtocol {
    private var left: Duration
    private var pause = Duration.milliseconds(1)

    init(for timeout: Duration) { left = timeout }

    mutating func next() -> Duration? {
        guard left > .zero else { return nil }
        defer {
            left -= pause
            pause = min(pause * 2, .milliseconds(40))
        }
        return pause
    }
}
