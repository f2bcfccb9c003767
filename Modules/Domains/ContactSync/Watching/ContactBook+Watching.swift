public import SwitchboardContacts
import SwitchboardStorage

/// An event of a watched folder.
public enum FolderEvent: Sendable {
    /// The folder was synced.
    case synced(LinkedFolder, SyncReport)
    /// The sync failed, for example because the folder is not mounted. It is retried; a repeated error is reported
    /// once.
    case failed(LinkedFolder, any Error)
}

extension ContactBook {
    /// Syncs linked folders now and after each change of a file or of the book, until the task is cancelled.
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
