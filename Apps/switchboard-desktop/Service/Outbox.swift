import SwitchboardDBus
import Synchronization

/// The replies of other threads to the thread of the bus, which they wake.
final class Outbox: Sendable {
    /// The reply to a call.
    struct Reply: Sendable {
        let call: DBusCall
        let result: Result<[DBusValue], DBusError>
    }

    let waker: DBusWaker
    private let replies = Mutex<[Reply]>([])

    init() throws(DBusError) { waker = try DBusWaker() }

    func post(_ reply: Reply) {
        replies.withLock { $0.append(reply) }
        waker.wake()
    }

    func drain() -> [Reply] {
        waker.clear()
        return replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}
