public import Foundation
import Synchronization

/// A clock that stands until a test moves it, for modules that take one: `Prospects(storage: s, clock: clock.read)`.
public final class FixedClock: Sendable {
    private let time: Mutex<Date>

    /// A clock that shows a time; unless given, half past two on 21 November 2026, UTC.
    public init(_ time: Date = Date(timeIntervalSince1970: 1_795_271_400)) {
        self.time = Mutex(time)
    }

    /// What the clock shows.
    public var now: Date { time.withLock { $0 } }

    /// The clock as modules take it.
    public var read: @Sendable () -> Date { { self.now } }

    /// Moves the clock on; by a negative number of seconds, back.
    public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
