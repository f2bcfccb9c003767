package import Glibc
import SwitchboardAlgorithms
import Synchronization

/// System calls that take a path.
///
/// Each `unsafe` is safe for the same reason: a string is passed as a NUL-terminated copy that lives until the call
/// returns, and results are written to a local variable. After a failure, `errno` has the reason.
package enum FileSystem {
    /// Returns the attributes of the file at a path, following links; nil if they cannot be read.
    package static func attributes(of path: String) -> stat? {
        var attributes = stat()
        return unsafe stat(path, &attributes) == 0 ? attributes : nil
    }

    /// Returns the attributes of a file without following a link; nil if they cannot be read.
    package static func linkAttributes(of path: String) -> stat? {
        var attributes = stat()
        return unsafe lstat(path, &attributes) == 0 ? attributes : nil
    }

    /// Returns the absolute path with symbolic links resolved; nil if that fails, with `EILSEQ` for a path that is not
    /// UTF-8.
    package static func resolved(_ path: String) -> String? {
        // Safe: with nil, realpath allocates a NUL-terminated text, which is freed after it was copied.
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        guard let text = unsafe String(validatingCString: resolved) else {
            errno = EILSEQ
            return nil
        }
        return text
    }

    /// Returns true if this process has access to a file: `R_OK`, `W_OK`.
    package static func permits(_ access: Int32, to path: String) -> Bool { unsafe Glibc.access(path, access) == 0 }

    /// Creates a folder for this user alone.
    package static func createFolder(_ path: String) -> Bool { unsafe mkdir(path, 0o700) == 0 }

    /// Creates an empty file for this user alone without opening it.
    package static func createFile(_ path: String) -> Bool { unsafe mknod(path, S_IFREG | 0o600, 0) == 0 }

    /// Renames a file, replacing an existing one.
    @discardableResult
    package static func rename(_ path: String, to target: String) -> Bool { unsafe Glibc.rename(path, target) == 0 }

    @discardableResult
    package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

    /// Returns the system's description of an error, such as "File name too long".
    package static func reason(_ code: Int32) -> String {
        // Safe: strerror returns a text that this thread keeps until its next call.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}

/// An open file. The descriptor is closed when its owner goes out of scope.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: Int32

    /// Opens a file; nil if that fails. `O_CLOEXEC` is always set.
    package init?(_ path: String, _ flags: Int32, mode: mode_t = 0o600) {
        // Safe: as in `FileSystem`.
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// The attributes of the file; nil if they cannot be read.
    package var attributes: stat? {
        var attributes = stat()
        // Safe: as in `FileSystem`.
        return unsafe fstat(descriptor, &attributes) == 0 ? attributes : nil
    }

    /// The number of bytes to write at once. Linux keeps such a chunk together in its cache: a program that maps the
    /// file and touches one byte of a chunk gets the whole chunk.
    private static let piece = 64 << 10

    /// Writes all bytes at an offset. Returns false if that fails.
    package func write(_ bytes: RawSpan, at offset: Int = 0) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // Safe: the system reads no more than the bytes of the span.
            let count = unsafe rest.withUnsafeBytes {
                unsafe pwrite(
                    descriptor, $0.baseAddress, min($0.count, Self.piece), offset + bytes.byteCount - $0.count)
            }
            if count < 0, errno != EINTR { return false }
            rest = rest.extracting(droppingFirst: max(count, 0))
        }
        return true
    }

    /// Returns up to `count` bytes from the beginning; nil if they cannot be read.
    func head(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: the system writes no more than the bytes of the array.
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return read < 0 ? nil : Array(bytes.prefix(read))
    }

    /// Sets the modification time to the last second plus the given fraction. Returns false if that fails.
    package func setFraction(_ nanoseconds: Int) -> Bool {
        let second = time(nil) - 1
        let times = [timespec](repeating: timespec(tv_sec: second, tv_nsec: nanoseconds), count: 2)
        // Safe: the array has both times.
        return unsafe futimens(descriptor, times) == 0
    }

    /// Locks the file and empties it. Returns false if another process has locked, renamed or removed it.
    func takesOver(_ path: String) -> Bool {
        // Some file systems have no locks.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, let mine = attributes,
            let current = FileSystem.linkAttributes(of: path),
            (mine.st_dev, mine.st_ino) == (current.st_dev, current.st_ino)
        else { return false }
        return ftruncate(descriptor, 0) == 0
    }

    /// Makes the contents durable. Returns false if that fails.
    func sync() -> Bool { fsync(descriptor) == 0 }

    /// Makes the contents durable, then closes the file. Returns false if either fails.
    package consuming func syncAndClose() -> Bool {
        let descriptor = descriptor
        discard self
        // A failed close still frees the descriptor.
        let isSynced = fsync(descriptor) == 0
        let code = errno
        let isClosed = Glibc.close(descriptor) == 0
        if !isSynced { errno = code }
        return isSynced && isClosed
    }
}

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

/// A file that is derived from the database and can be rebuilt, such as a search index. It is stored beside the
/// database in `NAME.index/` and may be deleted at any time.
///
/// A new version is written to a temporary file, synced and renamed, so a reader sees either the old file or the new
/// one. The file is memory-mapped, so opening it takes the same time at any size, and processes share its pages.
///
/// A written file is *sealed*: the fraction of a second in its modification time is derived from its first bytes. A
/// later change of the file also changes that time, so a sealed file is unchanged unless the disk is defective. Readers
/// need not verify it, which would mean reading every byte.
public struct DerivedFile: Sendable {
    /// The path of the file.
    public let path: String
    private let directory: String

    /// Creates a reference to the file of this name beside a database; nil for a database in memory.
    public init?(named name: String, of storage: Storage) {
        guard let database = storage.path else { return nil }
        let suffix = ".sqlite"
        let stem = database.hasSuffix(suffix) ? String(database.dropLast(suffix.count)) : database
        directory = stem + ".index"
        path = directory + "/" + name
    }

    fileprivate func createFolder() { _ = FileSystem.createFolder(directory) }

    /// Maps the file into memory. Returns nil if it is missing or unreadable. The mapping stays valid when the file is
    /// replaced or deleted.
    public func map() -> MappedFile? { MappedFile(path: path) }

    /// Replaces the file atomically. The folder is created if missing (mode 0700; the file has 0600).
    ///
    /// - Throws: ``StorageError/inputOutput(path:reason:)`` if writing fails. The old file then remains.
    public func replace(with bytes: RawSpan) throws(StorageError) {
        let writer = try DerivedFileWriter(of: self)
        try writer.write(bytes, at: 0)
        try writer.finish()
    }

    /// Replaces the file atomically with what `write` writes.
    ///
    /// - Throws: As ``replace(with:)``, and the error of `write`. The old file then remains.
    package func replace(_ write: (DerivedFileWriter) throws -> Void) throws {
        let writer = try DerivedFileWriter(of: self)
        try write(writer)
        try writer.finish()
    }

    /// Removes the file if it exists.
    public func remove() { FileSystem.remove(path) }

    /// Renames the file, if it exists, and replaces another one.
    package func rename(to other: DerivedFile) { FileSystem.rename(path, to: other.path) }

    fileprivate func failure(_ code: Int32) -> StorageError {
        .inputOutput(path: path, reason: FileSystem.reason(code))
    }
}

/// A new version of a derived file, which replaces the old one when it is finished, and else is removed.
package final class DerivedFileWriter: Sendable {
    private let target: DerivedFile
    private let temporary: String
    private let file: OpenFile
    private let isFinished = Atomic(false)

    /// The maximum number of processes that write a file at the same time.
    private static let maxAtOnce = 16

    fileprivate init(of target: DerivedFile) throws(StorageError) {
        target.createFolder()
        // Two processes may build at the same time. The file that a killed process left is used again.
        for number in 1...DerivedFileWriter.maxAtOnce {
            let temporary = "\(target.path).\(number).tmp"
            guard let file = OpenFile(temporary, O_RDWR | O_CREAT) else { throw target.failure(errno) }
            if file.takesOver(temporary) {
                (self.target, self.temporary) = (target, temporary)
                self.file = file
                return
            }
        }
        throw target.failure(EBUSY)
    }

    deinit { if !isFinished.load(ordering: .relaxed) { FileSystem.remove(temporary) } }

    /// Writes bytes at an offset.
    package func write(_ bytes: RawSpan, at offset: Int) throws(StorageError) {
        guard file.write(bytes, at: offset) else { throw target.failure(errno) }
    }

    fileprivate func finish() throws(StorageError) {
        // Safe: the bytes have no padding, and are alive during the call.
        guard let size = file.attributes?.st_size, let head = file.head(Seal.length),
            unsafe file.setFraction(Seal.fraction(of: head.span.bytes, size: Int(size))), file.sync(),
            FileSystem.rename(temporary, to: target.path)
        else { throw target.failure(errno) }
        isFinished.store(true, ordering: .relaxed)
    }
}

/// A file mapped into memory for reading. The memory is unmapped when the last reference to this object is released.
@safe public final class MappedFile: @unchecked Sendable {
    // Sendable: the memory is private and read-only, and the pointer never changes.
    /// The bytes of the file, valid as long as this object.
    public let bytes: UnsafeRawBufferPointer

    /// `true` if nothing has changed the file since it was written.
    public let isSealed: Bool

    fileprivate init?(path: String) {
        guard let file = OpenFile(path, O_RDONLY), let status = file.attributes, status.st_size > 0,
            // Safe: the system chooses the address.
            let address = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file.descriptor, 0),
            unsafe address != MAP_FAILED
        else { return nil }
        unsafe bytes = UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
        isSealed = unsafe status.st_mtim.tv_nsec == Seal.fraction(of: bytes.bytes, size: bytes.count)
    }

    // Safe: the only place that unmaps, for the memory that `init` has mapped.
    deinit { unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

/// The fraction of a second in the modification time of a sealed file.
private enum Seal {
    /// The number of bytes that it is derived from: the header of an index, with the checksum of its directory.
    static let length = 64

    /// Returns a number of nanoseconds, never zero, which file systems without fractions have.
    static func fraction(of bytes: RawSpan, size: Int) -> Int {
        var hash = StableHash(seed: UInt64(size))
        // Safe: the buffer is used during the call only.
        unsafe bytes.withUnsafeBytes { unsafe hash.add($0.prefix(length)) }
        return Int(hash.value % 999_999_999) + 1
    }
}
