import Synchronization

/// What is known of the connection that a request came by.
final class ConnectionState: Sendable {
    /// The state of the connection that the current task serves; nil where there is none, as in tests of the router alone.
    @TaskLocal static var current: ConnectionState?

    private let ended = Atomic<Bool>(false)

    /// Whether the other side sends no more: it has closed the connection, or half of it.
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    func noteEnd() { ended.store(true, ordering: .relaxed) }
}
