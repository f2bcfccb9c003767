import Dispatch
import SwitchboardKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Handles Ctrl-C during long work: the work checks ``wasReceived``, rolls back and ends with exit status 130.
///
/// If the work does not end within a second, because it waits for input, or on a second Ctrl-C, the process exits at once.
/// This is safe because SQLite rolls back an unfinished transaction.
final class InterruptHandler: Sendable {
    private let count = Atomic<Int>(0)
    // Keeps the source alive: a released source receives no events.
    private let source = Mutex<(any DispatchSourceSignal)?>(nil)
    private static let gracePeriod = DispatchTimeInterval.seconds(1)

    init() {
        let queue = DispatchQueue(label: "InterruptHandler")
        source.withLock { kept in
            let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
            signal(SIGINT, SIG_IGN)
            source.setEventHandler { [weak self] in
                guard let self, self.count.add(1, ordering: .relaxed).newValue == 1 else {
                    _exit(ExitStatus.interrupted.rawValue)
                }
                queue.asyncAfter(deadline: .now() + Self.gracePeriod) { _exit(ExitStatus.interrupted.rawValue) }
            }
            source.resume()
            kept = source
        }
    }

    /// `true` after the first Ctrl-C.
    var wasReceived: Bool { count.load(ordering: .relaxed) > 0 }
}
