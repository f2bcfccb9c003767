import Dispatch
import Foundation
import SwitchboardKit
import Synchronization

/// Runs asynchronous work, blocks the calling thread until it ends, and handles its events on that thread.
///
/// - Parameters:
///   - isTerminable: Cancels the work on SIGINT, SIGTERM or SIGHUP.
///   - work: Receives a function that sends an event.
func runBlocking<Event: Sendable, Value: Sendable>(
    isTerminable: Bool = false, handling handle: (Event) throws -> Void,
    _ work: @escaping @Sendable (_ send: @escaping @Sendable (Event) -> Void) async throws -> Value
) throws -> Value {
    let mailbox = Mailbox<Message<Event, Value>>()
    let task = Task.detached {
        do {
            let value = try await work { mailbox.put(.event($0)) }
            mailbox.put(.ended(.success(value)))
        } catch {
            mailbox.put(.ended(.failure(error)))
        }
    }
    let signals = isTerminable ? SignalObserver(SignalObserver.termination) { _ in task.cancel() } : nil
    return try withExtendedLifetime(signals) {
        while true {
            switch mailbox.take() {
            case .event(let event): try handle(event)
            case .ended(let result): return try result.get()
            }
        }
    }
}

private enum Message<Event: Sendable, Value: Sendable>: Sendable {
    case event(Event)
    case ended(Result<Value, any Error>)
}

/// A queue that passes messages between threads.
private final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ message: Message) {
        messages.withLock { $0.append(message) }
        count.signal()
    }

    /// Waits for a message and removes it.
    func take() -> Message {
        count.wait()
        return messages.withLock { $0.removeFirst() }
    }
}

/// A counter of signals that would otherwise end the process. Once it is released, the signals are ignored.
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
                    if number == SIGINT { Self.wasInterrupted.store(true, ordering: .relaxed) }
                    handler(count.add(1, ordering: .relaxed).newValue)
                }
                source.resume()
                return source
            }
        }
    }

    /// Returns an observer of Ctrl-C during long work: the work checks ``wasReceived``, rolls back, and exits with
    /// status 130.
    ///
    /// The process exits at once on a second Ctrl-C, if the work does not end within a second, or if the work reads
    /// standard input and none is available. This is safe because SQLite rolls back an unfinished transaction.
    static func interruption(ofInput readsInput: Bool = false) -> SignalObserver {
        SignalObserver([SIGINT]) { count in
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // Safe: the call writes one `pollfd` before it returns.
            if unsafe count > 1 || readsInput && poll(&input, 1, 0) == 0 { _exit(ExitStatus.interrupted.rawValue) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
                _exit(ExitStatus.interrupted.rawValue)
            }
        }
    }

    deinit { sources.withLock { sources in sources.forEach { $0.cancel() } } }

    /// `true` if Ctrl-C ended ``runBlocking(isTerminable:handling:_:)``, rather than another signal.
    static let wasInterrupted = Atomic(false)

    /// `true` after the first signal.
    var wasReceived: Bool { count.load(ordering: .relaxed) > 0 }
}

/// A detached run of this program without input or output, which outlives the current process.
enum BackgroundProcess {
    // Each `unsafe` is safe because the actions, the attributes and the arguments, which end with nil and with NUL, are
    // freed only after the call that reads them.

    /// Starts this program with arguments, ignoring failures.
    static func start(_ arguments: [String]) {
        guard let program = try? program() else { return }
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // While the child holds the descriptor, a reader of our output would not see its end.
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
        }
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { return }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // In its own process group, the child survives Ctrl-C and closing the terminal.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        let argv = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        var process: pid_t = 0
        unsafe posix_spawn(&process, program, &actions, &attributes, argv, environ)
    }

    /// Returns the path of the executable.
    static func program() throws -> String {
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
        guard let path = Bundle.main.executablePath else {
            throw SwitchboardError(
                code: "internal", message: "cannot find the path of this program", status: .internalError)
        }
        return path
    }
}
