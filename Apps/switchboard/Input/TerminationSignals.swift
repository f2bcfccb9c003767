import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Catches SIGINT, SIGTERM and SIGHUP, so that the program can restore the terminal before it ends.
final class TerminationSignals: Sendable {
    private let count = Atomic<Int>(0)
    // Keeps the sources alive: a released source receives no events.
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    init() {
        let queue = DispatchQueue(label: "TerminationSignals")
        sources.withLock { sources in
            sources = [SIGINT, SIGTERM, SIGHUP].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [weak self] in self?.count.add(1, ordering: .relaxed) }
                source.resume()
                return source
            }
        }
    }

    /// `true` after one of the signals arrived.
    var wasReceived: Bool { count.load(ordering: .relaxed) > 0 }
}
