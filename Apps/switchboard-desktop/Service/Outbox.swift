import SwitchboardDBus
import Synchronization

/// A queue of replies from other threads, which wake the bus thread.
final class Outbox: Sendable {
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
