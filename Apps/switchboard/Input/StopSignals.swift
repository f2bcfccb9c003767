import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Notices that the process is to end (SIGINT, SIGTERM, SIGHUP), so that a terminal can be given back as it was first.
final class StopSignals: Sendable {
    private let count = Atomic<Int>(0)
    // Kept, since a source that is let go notices nothing more. Safe, because nobody touches them after `init`.
    private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

    init() {
        let queue = DispatchQueue(label: "StopSignals")
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in self?.count.add(1, ordering: .relaxed) }
            source.resume()
            return source
        }
    }

    /// Whether one has come.
    var hasCome: Bool { count.load(ordering: .relaxed) > 0 }
}
