import GRDB
import Glibc
import Synchronization

/// A file that is read without locks, as long as nobody writes to it.
///
/// A read-only connection to a WAL database either leaves files behind or cannot make the ones it needs. While there
/// is no log, nobody has the file open for writing and SQLite can read it as immutable. Should a writer come, it
/// makes a log before it changes anything; from then on reads go through an ordinary connection, for which the
/// writer's files are there.
final class QuiescentFile: Sendable {
    private let reopen: @Sendable () throws -> DatabaseQueue
    private let file: DatabaseFile
    private let state: Mutex<State>

    private struct State {
        let fingerprint: Fingerprint
        var ordinary: DatabaseQueue?
    }

    /// What cannot stay the same when somebody writes.
    private struct Fingerprint: Equatable {
        let device: UInt
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
        let hasLog: Bool

        init(_ file: DatabaseFile) {
            var info = stat()
            _ = stat(file.path, &info)
            device = info.st_dev
            inode = info.st_ino
            size = Int(info.st_size)
            seconds = info.st_mtim.tv_sec
            nanoseconds = info.st_mtim.tv_nsec
            hasLog = file.hasLog
        }
    }

    init(_ file: DatabaseFile, reopen: @escaping @Sendable () throws -> DatabaseQueue) {
        self.file = file
        self.reopen = reopen
        state = Mutex(State(fingerprint: Fingerprint(file), ordinary: nil))
    }

    /// The connection to read from: nil while the file is at rest, an ordinary one once somebody has written.
    func current() throws -> DatabaseQueue? {
        try state.withLock { state in
            if let ordinary = state.ordinary { return ordinary }
            if Fingerprint(file) == state.fingerprint { return nil }
            let made = try reopen()
            state.ordinary = made
            return made
        }
    }

    func close() {
        state.withLock { $0.ordinary = nil }
    }
}
