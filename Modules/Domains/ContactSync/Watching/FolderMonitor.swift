import Dispatch
import Glibc
import Synchronization

/// Calls a closure when a file in a folder changes (inotify(7)).
///
/// The event does not name the file because listing a folder is fast. Network file systems send no events, so the
/// caller must also poll.
final class FolderMonitor: Sendable {
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
