import GRDB
import Glibc
import Synchronization

/// A database file that is read without locks while no process writes to it.
///
/// A read-only connection to a WAL database either creates files beside it or fails because it cannot. Without a log
/// there is no writer, and SQLite can read the file as immutable. A writer creates a log before it changes anything;
/// from then on, reads use an ordinary connection, which shares the writer's files.
final class QuiescentFile: Sendable {
    private let reopen: @Sendable () throws -> DatabaseQueue
    private let file: DatabaseFile
    private let state: Mutex<State>

    private struct State {
        let fingerprint: [Int]
        var ordinary: DatabaseQueue?
    }

    /// The attributes of the file, at least one of which changes when the file is written.
    private static func fingerprint(of file: DatabaseFile) -> [Int] {
        let info = FileSystem.attributes(of: file.path) ?? stat()
        return [
            Int(bitPattern: info.st_dev), Int(bitPattern: info.st_ino), info.st_size, info.st_mtim.tv_sec,
            info.st_mtim.tv_nsec, file.hasLog ? 1 : 0,
        ]
    }

    init(_ file: DatabaseFile, reopen: @escaping @Sendable () throws -> DatabaseQueue) {
        self.file = file
        self.reopen = reopen
        state = Mutex(State(fingerprint: QuiescentFile.fingerprint(of: file), ordinary: nil))
    }

    /// Returns nil while the file is unchanged, and an ordinary connection once it has been written.
    func current() throws -> DatabaseQueue? {
        try state.withLock { state in
            if let ordinary = state.ordinary { return ordinary }
            if QuiescentFile.fingerprint(of: file) == state.fingerprint { return nil }
            let new = try reopen()
            state.ordinary = new
            return new
        }
    }

    func close() {
        state.withLock { $0.ordinary = nil }
    }
}
