import Foundation
import SwitchboardDBus
import Synchronization

/// Calls a closure when a desktop address book changes.
///
/// The next poll finds changes that were missed, for example because the service was stopped.
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

    /// Watches the address books among the given paths.
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

    /// Waits for changes until the monitor is released or the connection is lost.
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
        // The service reports changes to a book only while a client has it open.
        var open: [String: OpenAddressBook] = [:]
        while true {
            shared.waker.clear()
            let (paths, isEnded) = shared.state.withLock { ($0.paths, $0.isEnded) }
            if isEnded { return }
            let closed = paths.filter { open[$0] == nil }
            for path in closed {
                open[path] = try DesktopAddressBook.id(ofPath: path).map { try OpenAddressBook($0, on: bus) }
            }
            // Changes made before a book was opened were not reported.
            if !closed.isEmpty { shared.onChange() }
            while let message = try bus.next(waiting: .seconds(3600), waker: shared.waker) {
                switch message.member {
                // A sync opens the book a second time, under another path.
                case "PropertiesChanged" where open.values.contains { $0.path == message.path }: shared.onChange()
                case "NameOwnerChanged" where message.arguments.last == .string(""):
                    // The service exited, which closed its books.
                    open = [:]
                    shared.onChange()
                default: break
                }
            }
        }
    }
}
