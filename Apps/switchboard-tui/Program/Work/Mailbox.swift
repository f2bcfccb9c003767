import CSwitchboardNcurses
import Synchronization
import SwitchboardTerminalInterface

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Answers on their way from other threads to the loop, which is woken for them.
final class Mailbox: Sendable {
    private let events = Mutex<[Event]>([])
    private let waker = sb_terminal_waker()

    /// Puts an event in.
    func post(_ event: Event) {
        let isFirst = events.withLock { events in
            events.append(event)
            return events.count == 1
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        _ = write(waker, &byte, 1)
    }

    /// Takes all events out, in order.
    func take() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
