import CSwitchboardNcurses
import Foundation
import SwitchboardTerminalInterface
import Synchronization

/// A queue of events from other threads that wakes the event loop.
final class EventQueue: Sendable {
    private let events = Mutex<[Event]>([])
    private let waker = sb_terminal_waker()

    /// Adds an event.
    func post(_ event: Event) {
        let isFirst = events.withLock { events in
            events.append(event)
            return events.count == 1
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        _ = write(waker, &byte, 1)
    }

    /// Removes and returns all events in order.
    func drain() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
