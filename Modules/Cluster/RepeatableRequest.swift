import Synchronization

/// A request that its sender may send again, to any server, with the same key.
///
/// While a request is ``current``, the first change that is appended to a journal stores its key in the same statement.
/// If several servers handle the request, only one of them can therefore change something.
package final class RepeatableRequest: Sendable {
    /// The request that the current task handles.
    @TaskLocal package static var current: RepeatableRequest?

    /// The key, unique among the requests of all people.
    let key: String
    /// A hash of the request.
    let content: String
    private let stored = Atomic<Bool>(false)

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - key: The key, unique among the requests of all people.
    ///   - content: A hash that identifies another request with the same key.
    package init(key: String, content: String) {
        self.key = key
        self.content = content
    }

    /// `true` once a change of the request is durable, and its key with it.
    package var isStored: Bool { stored.load(ordering: .acquiring) }

    func markStored() { stored.store(true, ordering: .releasing) }
}
