import Glibc
import SwitchboardStorage

/// A folder locked against syncs of other processes (`flock`). The system releases the lock when the process ends.
final class LockedFolder {
    let path: String
    private let folder: OpenFile

    /// Locks a folder, waiting up to ten seconds.
    init(_ path: String) throws(ContactSyncError) {
        guard let folder = OpenFile(path, O_RDONLY | O_DIRECTORY) else { throw ContactSyncError(errno, path: path) }
        self.path = path
        self.folder = folder
        for _ in 0..<200 {
            // Without support for locks in the file system, the folder stays unlocked.
            if flock(self.folder.descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) {
                return
            }
            usleep(50_000)
        }
        throw ContactSyncError.folderBusy(path: path)
    }

    var isWritable: Bool { FileSystem.permits(W_OK, to: path) }

    /// Writes changed directory entries to the disk.
    func synchronize() { _ = fsync(folder.descriptor) }

    /// Removes staged files that a killed process left. Only the owner of the lock creates files with such names.
    func removeStagedFiles(_ names: [String]) {
        // Safe: as in `FileSystem`.
        for name in names { unsafe unlinkat(folder.descriptor, name, 0) }
    }

    /// Returns the absolute path of a folder with symbolic links resolved.
    static func path(of path: String) throws(ContactSyncError) -> String {
        guard let text = FileSystem.resolved(path) else {
            throw errno == EILSEQ
                ? .unreadable(path: path, reason: "its name is not UTF-8") : ContactSyncError(errno, path: path)
        }
        guard let info = FileSystem.attributes(of: text), info.st_mode & S_IFMT == S_IFDIR else {
            throw ContactSyncError.unreadable(path: path, reason: "it is not a folder")
        }
        return text
    }
}
