import Glibc

/// Operations on a database file that do not open it.
///
/// Nothing here opens and closes the file itself: on POSIX systems, closing any descriptor of a file drops all locks
/// that the process holds on it, including those of an SQLite connection ("How To Corrupt An SQLite Database File",
/// section 2.2, in SQLite's documentation).
struct DatabaseFile: Sendable {
    let path: String

    var log: String { path + "-wal" }

    var folder: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    var name: String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// Returns an absolute path, so that ":memory:" and "file:x" are plain file names.
    static func absolutePath(_ path: String) throws(StorageError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .cannotOpen(path: path, reason: "the path is empty or contains a NUL byte")
        }
        if path.hasPrefix("/") { return path }
        // Safe: with nil, getcwd allocates a NUL-terminated text, which is freed after it was copied.
        guard let buffer = unsafe getcwd(nil, 0) else {
            throw .cannotOpen(path: path, reason: "the current folder no longer exists")
        }
        defer { unsafe free(buffer) }
        return unsafe String(cString: buffer) + "/" + path
    }

    // MARK: - Inspecting

    enum Kind: Equatable {
        case nothing, file(size: Int), folder, other
    }

    /// Returns the kind of file at a path, following links.
    static func kind(of path: String) throws(StorageError) -> Kind {
        guard let info = FileSystem.attributes(of: path) else {
            switch errno {
            case ENOENT: return .nothing
            case EACCES, EPERM: throw .permissionDenied(path: path)
            case let code: throw .cannotOpen(path: path, reason: FileSystem.reason(code))
            }
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file(size: Int(info.st_size))
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Returns the size in bytes of the file at a path, or 0 if there is no file.
    static func size(of path: String) -> Int { FileSystem.attributes(of: path).map { Int($0.st_size) } ?? 0 }

    static func isSame(_ a: String, _ b: String) -> Bool {
        guard let first = FileSystem.attributes(of: a), let second = FileSystem.attributes(of: b) else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// `true` if the file and its folder are writable. WAL needs both.
    var isWritable: Bool { FileSystem.permits(W_OK, to: path) && FileSystem.permits(W_OK, to: folder) }

    /// `true` if the log is not empty: another process has the database open, or one was killed.
    var hasLog: Bool { DatabaseFile.size(of: log) > 0 }

    /// `true` if the disk has room for a few pages.
    var hasRoom: Bool {
        var info = statvfs()
        // Safe: as in `FileSystem`.
        guard unsafe statvfs(folder, &info) == 0 else { return true }
        return UInt64(info.f_bavail) * UInt64(info.f_frsize) > 128 * 1024
    }

    /// Returns the error behind SQLite's "unable to open database file".
    func openingError(_ detail: String) -> StorageError {
        guard let kind = try? DatabaseFile.kind(of: path) else { return .permissionDenied(path: path) }
        switch kind {
        case .folder: return .notADatabase(path: path, reason: "it is a folder")
        case .other: return .notADatabase(path: path, reason: "it is not a plain file")
        case .nothing: return .missing(path: path)
        case .file:
            if !FileSystem.permits(R_OK, to: path) { return .permissionDenied(path: path) }
            if !isWritable { return .readOnly(path: path) }
            return .cannotOpen(path: path, reason: detail)
        }
    }

    // MARK: - Creating

    /// Creates the folder (0700) and an empty file (0600) if they are missing.
    func create() throws(StorageError) {
        try createFolder()
        // Opens no descriptor that would have to be closed: see above.
        guard FileSystem.createFile(path) || errno == EEXIST else {
            throw DatabaseFile.error(errno, path: path)
        }
    }

    /// Creates the folder (0700) if it is missing.
    func createFolder() throws(StorageError) { try DatabaseFile.createFolder(folder) }

    private static func createFolder(_ folder: String) throws(StorageError) {
        if FileSystem.createFolder(folder) { return }
        let code = errno
        if code == EEXIST { return }
        guard code == ENOENT, folder != "/" else { throw error(code, path: folder) }
        try createFolder(DatabaseFile(path: folder).folder)
        guard FileSystem.createFolder(folder) || errno == EEXIST else { throw error(errno, path: folder) }
    }

    static func error(_ code: Int32, path: String) -> StorageError {
        switch code {
        case EACCES: .permissionDenied(path: path)
        case EPERM, EROFS: .readOnly(path: path)
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
        case ENOENT: .missing(path: path)
        default: .cannotOpen(path: path, reason: FileSystem.reason(code))
        }
    }
}
