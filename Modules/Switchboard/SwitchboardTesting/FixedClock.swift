public import Foundation
import Synchronization

/// A clock that shows a fixed time until a test advances it, for modules that take one: `Prospects(storage: s, clock:
/// clock.read)`.
public final class FixedClock: Sendable {
    private let time: Mutex<Date>

    /// Creates a clock; by default at 14:30 on 21 November 2026, UTC.
    public init(_ time: Date = Date(timeIntervalSince1970: 1_795_271_400)) {
        self.time = Mutex(time)
    }

    /// The current time of the clock.
    public var now: Date { time.withLock { $0 } }

    /// The clock as a function, as modules take it.
    public var read: @Sendable () -> Date { { self.now } }

    /// Advances the clock; a negative number of seconds moves it back.
    public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
