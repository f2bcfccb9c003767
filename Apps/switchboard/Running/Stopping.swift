import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// WordSuffixes asynchronous work until it ends, or until the process is told to end (Ctrl-C, SIGTERM, SIGHUP), which cancels it; that is
/// how such work is meant to end, and no error.
///
/// - Throws: what the work throws otherwise.
func waitingUntilStopped(_ work: @escaping @Sendable () async throws -> Void) throws {
    let task = Task.detached { try await work() }
    let queue = DispatchQueue(label: "Stopping")
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { task.cancel() }
        source.resume()
        return source
    }
    // A source that is let go notices nothing more.
    defer { sources.forEach { $0.cancel() } }
    do {
        try waiting { try await task.value }
    } catch is CancellationError {}
}
