import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Wakes whoever follows folders when something in them has changed (inotify(7), where the system has it).
///
/// What a notice was about is not told: looking through a folder is quick. Folders of other machines give none, so look from time to
/// time, too.
final class FolderNotices: Sendable {
    #if canImport(Glibc)
        private let descriptor: Int32
        private let watched = Mutex<[String: Int32]>([:])
        // Kept, since a source that is let go notices nothing more. Safe, because nobody touches it after `init`.
        private nonisolated(unsafe) let source: (any DispatchSourceRead)?

        init(_ wake: @escaping @Sendable () -> Void) {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            self.descriptor = descriptor
            guard descriptor >= 0 else {
                source = nil
                return
            }
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "FolderNotices"))
            source.setEventHandler {
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while buffer.withUnsafeMutableBytes({ read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
                wake()
            }
            source.setCancelHandler { close(descriptor) }
            source.resume()
            self.source = source
        }

        deinit { source?.cancel() }

        /// Watches these folders, and no longer any other one.
        func watch(_ paths: [String]) {
            guard descriptor >= 0 else { return }
            watched.withLock { watched in
                for (path, number) in watched where !paths.contains(path) {
                    inotify_rm_watch(descriptor, number)
                    watched[path] = nil
                }
                let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                // Again each time: a folder that was away is another one now.
                for path in paths {
                    let number = inotify_add_watch(descriptor, path, UInt32(events))
                    watched[path] = number >= 0 ? number : nil
                }
            }
        }
    #else
        init(_ wake: @escaping @Sendable () -> Void) {}

        func watch(_ paths: [String]) {}
    #endif
}
