import Synchronization

/// The state of the connection that a request arrived on.
final class ConnectionState: Sendable {
    /// The state of the current task's connection; nil in tests of the router alone.
    @TaskLocal static var current: ConnectionState?

    private let ended = Atomic<Bool>(false)

    /// `true` once the client has closed the connection or its sending side.
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    func markEnded() { ended.store(true, ordering: .relaxed) }
}
