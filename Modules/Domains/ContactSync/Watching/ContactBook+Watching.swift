public import SwitchboardContacts
import SwitchboardStorage

/// What happened to a folder that is watched.
public enum FolderEvent: Sendable {
    /// The folder and the book were brought together.
    case synced(LinkedFolder, SyncReport)
    /// They could not be: the folder is away, say. It is tried again; the same failure is told once.
    case failed(LinkedFolder, any Error)
}

extension ContactBook {
    /// Brings followed folders and the book together now and whenever either changes, until the task is cancelled.
    ///
    /// Changes of files are noticed at once where the system tells of them (inotify), changes of the book within a quarter of a second,
    /// and the folders of other machines within ``ContactBook/longestUnnoticed``. Folders that are linked meanwhile are followed, too.
    ///
    /// - Parameters:
    ///   - paths: which folders; nil for all.
    ///   - listener: is told what was done, also the first time; not what changed nothing.
    /// - Throws: `StorageError`, also when the consent is taken back.
    public func watchFolders(_ paths: [String]? = nil, _ listener: @Sendable (FolderEvent) -> Void) async throws {
        let (wakings, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notices = FolderNotices { wake.yield() }
        let changes = storage.changes()
        let book = Task {
            for await change in changes where change.module == ContactBook.module { wake.yield() }
            // The storage was closed.
            wake.finish()
        }
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: ContactBook.longestUnnoticed)
                wake.yield()
            }
        }
        defer {
            book.cancel()
            clock.cancel()
        }
        var told: [String: String] = [:]
        wake.yield()
        for await _ in wakings {
            try Task.checkCancellation()
            try storage.requireAccess(.contacts)
            let folders = try folders().filter { paths?.contains($0.path) ?? true }
            notices.watch(folders.map(\.path))
            for folder in folders {
                do {
                    let report = try sync(folder, options: SyncOptions(isCancelled: { Task.isCancelled }))
                    let skipped = report.skipped.map { "\($0.file):\($0.line ?? 0) \($0.reason)" }.joined(
                        separator: "\n")
                    var news = report
                    if told[folder.path] == skipped { news.skipped = [] }
                    told[folder.path] = skipped
                    if !news.isQuiet { listener(.synced(folder, news)) }
                } catch let error as ContactBookError where error != .cancelled {
                    if told[folder.path] != error.message { listener(.failed(folder, error)) }
                    told[folder.path] = error.message
                }
            }
            // What comes in a bunch is one change.
            try await Task.sleep(for: .milliseconds(100))
        }
        try Task.checkCancellation()
    }

    /// How long a change may go unnoticed where nobody tells of it.
    public static let longestUnnoticed = Duration.seconds(30)
}
