import Foundation
import SwitchboardDBus
import Synchronization

/// Calls a closure when an address book of the desktop changes.
///
/// A change that is missed, because the service was stopped for example, is found by the next poll.
final class AddressBookMonitor: Sendable {
    private struct State {
        var paths: Set<String> = []
        var isRunning = false
        var isEnded = false
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let waker: DBusWaker
        let onChange: @Sendable () -> Void

        init(_ waker: DBusWaker, _ onChange: @escaping @Sendable () -> Void) {
            (self.waker, self.onChange) = (waker, onChange)
        }
    }

    /// Nil if the system has no more file descriptors.
    private let shared: Shared?

    init(_ onChange: @escaping @Sendable () -> Void) { shared = (try? DBusWaker()).map { Shared($0, onChange) } }

    deinit {
        shared?.state.withLock { $0.isEnded = true }
        shared?.waker.wake()
    }

    /// Watches the address books among some paths.
    func watch(_ paths: [String]) {
        guard let shared else { return }
        let wanted = Set(paths.filter { DesktopAddressBook.id(ofPath: $0) != nil })
        let starts = shared.state.withLock { state in
            defer { if !wanted.isEmpty { state.isRunning = true } }
            state.paths = wanted
            return !wanted.isEmpty && !state.isRunning
        }
        shared.waker.wake()
        guard starts else { return }
        let thread = Thread {
            try? Self.run(shared)
            shared.state.withLock { $0.isRunning = false }
        }
        thread.name = "AddressBookMonitor"
        thread.start()
    }

    /// Waits for changes until the end, or until the connection is lost.
    private static func run(_ shared: Shared) throws {
        let bus = try DBusConnection()
        for rule in [
            "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(OpenAddressBook.interface)'",
            "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(OpenAddressBook.factory)'",
        ] {
            try bus.call(
                "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "AddMatch",
                [.string("type='signal'," + rule)])
        }
        // A service sends the changes of a book while someone has it open.
        var open: [String: OpenAddressBook] = [:]
        while true {
            shared.waker.clear()
            let (paths, isEnded) = shared.state.withLock { ($0.paths, $0.isEnded) }
            if isEnded { return }
            let closed = paths.filter { open[$0] == nil }
            for path in closed {
                open[path] = try DesktopAddressBook.id(ofPath: path).map { try OpenAddressBook($0, on: bus) }
            }
            // What changed before a book was open was not sent.
            if !closed.isEmpty { shared.onChange() }
            while let message = try bus.next(waiting: .seconds(3600), waker: shared.waker) {
                switch message.member {
                // A sync opens the book once more, under another path.
                case "PropertiesChanged" where open.values.contains { $0.path == message.path }: shared.onChange()
                case "NameOwnerChanged" where message.arguments.last == .string(""):
                    // The service ended, and its books closed.
                    open = [:]
                    shared.onChange()
                default: break
                }
            }
        }
    }
}
