import Dispatch
import SwitchboardKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Notices Ctrl-C, so that long work can end in good order: what is under way is taken back, and the exit status is 130.
///
/// Work that does not look up for a second, because it waits for input, is ended as it is. That does no harm, since the
/// database takes an unfinished transaction back by itself. So does a second Ctrl-C.
final class Interruption: Sendable {
    private let count = Atomic<Int>(0)
    // Kept, since a source that is let go notices nothing more. Safe, because nobody touches it after `init`.
    private nonisolated(unsafe) let source: any DispatchSourceSignal
    private static let patience = DispatchTimeInterval.seconds(1)

    init() {
        let queue = DispatchQueue(label: "Interruption")
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
        signal(SIGINT, SIG_IGN)
        source.setEventHandler { [weak self] in
            guard let self, self.count.add(1, ordering: .relaxed).newValue == 1 else {
                _exit(ExitStatus.interrupted.rawValue)
            }
            queue.asyncAfter(deadline: .now() + Self.patience) { _exit(ExitStatus.interrupted.rawValue) }
        }
        source.resume()
    }

    /// Whether it has come.
    var hasCome: Bool { count.load(ordering: .relaxed) > 0 }
}
