import Dispatch
import Foundation
import Glibc
public import SwitchboardContacts
import SwitchboardDBus
import SwitchboardStorage
import Synchronization

/// An event of a watched folder.
public enum FolderEvent: Sendable {
    /// The folder was synced.
    case synced(LinkedFolder, SyncReport)
    /// The sync failed, for example because the folder is not mounted. It is retried; a repeated error is reported
    /// once.
    case failed(LinkedFolder, any Error)
}

extension ContactBook {
    /// Syncs linked folders now and after each change of a file or of the book, until the task is canceled.
    ///
    /// A change of a file or of a desktop address book is detected immediately (inotify, D-Bus), a change of the book
    /// within a quarter of a second. Network file systems are polled every ``ContactBook/folderPollingInterval``.
    /// Folders that are linked later are included.
    ///
    /// - Parameters:
    ///   - paths: The folders to watch; nil for all.
    ///   - listener: Receives the result of each sync that changed something, and errors.
    /// - Throws: `StorageError`, also when the user withdraws the consent.
    public func watchFolders(_ paths: [String]? = nil, _ listener: @Sendable (FolderEvent) -> Void) async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let monitor = FolderMonitor { signal.yield() }
        let addressBooks = AddressBookMonitor { signal.yield() }
        let changes = storage.changes()
        let book = Task {
            for await change in changes where change.module == ContactBook.module { signal.yield() }
            // The stream ends when the storage is closed.
            signal.finish()
        }
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: ContactBook.folderPollingInterval)
                signal.yield()
            }
        }
        defer {
            book.cancel()
            clock.cancel()
        }
        var reported: [String: String] = [:]
        signal.yield()
        for await _ in signals {
            try Task.checkCancellation()
            try storage.requireAccess(.contacts)
            let folders = try folders().filter { paths?.contains($0.path) ?? true }
            monitor.watch(folders.filter { !$0.isAddressBook }.map(\.path))
            addressBooks.watch(folders.map(\.path))
            for folder in folders {
                do {
                    let report = try sync(folder, options: SyncOptions(isCancelled: { Task.isCancelled }))
                    let skipped = report.skipped.map { "\($0.file):\($0.line ?? 0) \($0.reason)" }.joined(
                        separator: "\n")
                    var event = report
                    if reported[folder.path] == skipped { event.skipped = [] }
                    reported[folder.path] = skipped
                    if !event.isEmpty { listener(.synced(folder, event)) }
                } catch let error as ContactSyncError {
                    if reported[folder.path] != error.message { listener(.failed(folder, error)) }
                    reported[folder.path] = error.message
                }
            }
            // Coalesces a burst of changes.
            try await Task.sleep(for: .milliseconds(100))
        }
        try Task.checkCancellation()
    }

    /// The interval of polling, for file systems without change events.
    public static let folderPollingInterval = Duration.seconds(30)
}

// MARK: - Monitors

/// Calls a closure when a file in a folder changes (inotify(7)).
///
/// The event does not name the file because listing a folder is fast. Network file systems send no events, so the
/// caller must also poll.
private final class FolderMonitor: Sendable {
    private let descriptor: Int32
    private let watched = Mutex<[String: Int32]>([:])
    // Keeps the source alive; nil without inotify.
    private let source = Mutex<(any DispatchSourceRead)?>(nil)

    init(_ onChange: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        self.descriptor = descriptor
        guard descriptor >= 0 else { return }
        source.withLock { kept in
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "FolderMonitor"))
            source.setEventHandler {
                var buffer = [UInt8](repeating: 0, count: 4_096)
                // Safe: reads no more than the size of the buffer.
                while unsafe buffer.withUnsafeMutableBytes({ unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
                onChange()
            }
            source.setCancelHandler { close(descriptor) }
            source.resume()
            kept = source
        }
    }

    deinit { source.withLock { $0?.cancel() } }

    func watch(_ paths: [String]) {
        guard descriptor >= 0 else { return }
        watched.withLock { watched in
            for (path, number) in watched where !paths.contains(path) {
                inotify_rm_watch(descriptor, number)
                watched[path] = nil
            }
            let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
            // Always added again: a folder that was unmounted has a new inode.
            for path in paths {
                // Safe: as in `FileSystem`.
                let number = unsafe inotify_add_watch(descriptor, path, UInt32(events))
                watched[path] = number >= 0 ? number : nil
            }
        }
    }
}

/// Calls a closure when a desktop address book changes.
///
/// The next poll finds changes that were missed, for example because the service was stopped.
private final class AddressBookMonitor: Sendable {
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
