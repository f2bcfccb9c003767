import SwitchboardContacts

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder that no other Switchboard brings up to date meanwhile; the system gives it free when the process ends.
final class LockedFolder {
    let path: String
    private let descriptor: Int32

    /// Takes the folder, for which it waits a while.
    ///
    /// - Throws: ``ContactBookError/missingFolder(path:)``, ``ContactBookError/folderBusy(path:)``,
    ///   ``ContactBookError/unreadable(path:reason:)``.
    init(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { throw ContactBookError.missingFolder(path: path) }
            throw ContactBookError.unreadable(path: path, reason: systemMessage(code))
        }
        for _ in 0..<200 {
            // A file system without locks has to do without.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            usleep(50_000)
        }
        close(descriptor)
        throw ContactBookError.folderBusy(path: path)
    }

    deinit { close(descriptor) }

    /// Whether files can be made in it.
    var isWritable: Bool { access(path, W_OK) == 0 }

    /// Has the names that were changed written to the disk.
    func settle() { _ = fsync(descriptor) }

    /// Removes what a process that was killed has left: copies of what cards were, or were to become.
    ///
    /// Nobody else makes names like these, and whoever does holds the folder.
    func sweep(_ leftovers: [String]) {
        for name in leftovers { unlinkat(descriptor, name, 0) }
    }

    /// The one path of a folder, whatever links lead to it.
    ///
    /// - Throws: ``ContactBookError/missingFolder(path:)``, ``ContactBookError/unreadable(path:reason:)``.
    static func path(of path: String) throws -> String {
        guard let resolved = realpath(path, nil) else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { throw ContactBookError.missingFolder(path: path) }
            throw ContactBookError.unreadable(path: path, reason: systemMessage(code))
        }
        defer { free(resolved) }
        guard let text = String(validatingCString: resolved) else {
            throw ContactBookError.unreadable(path: path, reason: "its name is not UTF-8")
        }
        var info = stat()
        guard stat(text, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
            throw ContactBookError.unreadable(path: path, reason: "it is no folder")
        }
        return text
    }
}
