import Dispatch
import Foundation
import SwitchboardKit
import Synchronization

/// Counts signals instead of letting them end the process. Once it is released, the signals are ignored.
final class SignalObserver: Sendable {
    private let count = Atomic<Int>(0)
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// The signals that ask a process to end.
    static let termination = [SIGINT, SIGTERM, SIGHUP]

    /// - Parameter handler: Called with the number of signals so far.
    init(_ signals: [Int32], handler: @escaping @Sendable (Int) -> Void = { _ in }) {
        let queue = DispatchQueue(label: "Signals")
        sources.withLock { sources in
            sources = signals.map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [weak self] in
                    guard let self else { return }
                    handler(count.add(1, ordering: .relaxed).newValue)
                }
                source.resume()
                return source
            }
        }
    }

    /// Returns an observer of Ctrl-C during long work: the work checks ``wasReceived``, rolls back and ends with exit
    /// status 130.
    ///
    /// If the work does not end within a second, because it waits for input, or on a second Ctrl-C, the process exits at
    /// once. This is safe because SQLite rolls back an unfinished transaction.
    static func interruption() -> SignalObserver {
        SignalObserver([SIGINT]) { count in
            if count > 1 { _exit(ExitStatus.interrupted.rawValue) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
                _exit(ExitStatus.interrupted.rawValue)
            }
        }
    }

    deinit { sources.withLock { sources in sources.forEach { $0.cancel() } } }

    /// `true` after the first signal.
    var wasReceived: Bool { count.load(ordering: .relaxed) > 0 }
}
