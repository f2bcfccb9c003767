import Glibc

/// What can be learnt and done about a database's file without opening it.
///
/// Nothing here opens and closes the file itself: on POSIX systems closing any descriptor of a file drops all locks
/// that the process holds on it, also those of an SQLite connection elsewhere in the program (see "How To Corrupt An
/// SQLite Database File", section 2.2, in SQLite's documentation).
struct DatabaseFile: Sendable {
    let path: String

    /// The write-ahead log beside the file.
    var log: String { path + "-wal" }

    /// The folder that holds the file.
    var folder: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The last component of the path.
    var name: String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// Makes a path absolute, so that ":memory:" and "file:x" are plain file names.
    static func absolutePath(_ path: String) throws(StorageError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .cannotOpen(path: path, reason: "that is not a file name")
        }
        if path.hasPrefix("/") { return path }
        guard let buffer = getcwd(nil, 0) else {
            throw .cannotOpen(path: path, reason: "the current folder is gone")
        }
        defer { free(buffer) }
        return String(cString: buffer) + "/" + path
    }

    // MARK: - What is there

    enum Kind: Equatable {
        case nothing, file(size: Int), folder, other
    }

    /// What stands at a path; links are followed.
    static func kind(of path: String) throws(StorageError) -> Kind {
        var info = stat()
        guard stat(path, &info) == 0 else {
            switch errno {
            case ENOENT: return .nothing
            case EACCES, EPERM: throw .permissionDenied(path: path)
            case let code: throw .cannotOpen(path: path, reason: reason(code))
            }
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file(size: Int(info.st_size))
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The size in bytes of the file at a path, 0 if there is none.
    static func size(of path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    /// Whether two paths lead to one file.
    static func isSame(_ a: String, _ b: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether both the file and its folder may be written. WAL needs both.
    var isWritable: Bool { access(path, W_OK) == 0 && access(folder, W_OK) == 0 }

    /// Whether the log holds anything, left by a process that wordSuffixes, or one that was killed.
    var hasLog: Bool { DatabaseFile.size(of: log) > 0 }

    /// Whether a few pages still fit on the disk.
    var hasRoom: Bool {
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else { return true }
        return UInt64(info.f_bavail) * UInt64(info.f_frsize) > 128 * 1024
    }

    /// Turns SQLite's "unable to open" into the reason.
    func whyItCannotBeOpened(_ detail: String) -> StorageError {
        guard let kind = try? DatabaseFile.kind(of: path) else { return .permissionDenied(path: path) }
        switch kind {
        case .folder: return .notADatabase(path: path, reason: "it is a folder")
        case .other: return .notADatabase(path: path, reason: "it is not a plain file")
        case .nothing: return .missing(path: path)
        case .file:
            if access(path, R_OK) != 0 { return .permissionDenied(path: path) }
            if !isWritable { return .readOnly(path: path) }
            return .cannotOpen(path: path, reason: detail)
        }
    }

    // MARK: - Making it

    /// Makes the folder (0700) and an empty file (0600) if they are missing.
    func create() throws(StorageError) {
        try DatabaseFile.createFolder(folder)
        // Unlike open(2), mknod(2) leaves no descriptor to close: see above.
        guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
            throw DatabaseFile.error(errno, path: path)
        }
    }

    /// Makes the folder (0700) if it is missing.
    func createOwnFolder() throws(StorageError) {
        try DatabaseFile.createFolder(folder)
    }

    private static func createFolder(_ folder: String) throws(StorageError) {
        if mkdir(folder, 0o700) == 0 { return }
        let code = errno
        if code == EEXIST { return }
        guard code == ENOENT, folder != "/" else { throw error(code, path: folder) }
        try createFolder(DatabaseFile(path: folder).folder)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw error(errno, path: folder) }
    }

    /// The storage error for a failed system call.
    static func error(_ code: Int32, path: String) -> StorageError {
        switch code {
        case EACCES: .permissionDenied(path: path)
        case EPERM, EROFS: .readOnly(path: path)
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
        case ENOENT: .missing(path: path)
        default: .cannotOpen(path: path, reason: reason(code))
        }
    }

    /// What the system calls an error, such as "File name too long".
    static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
