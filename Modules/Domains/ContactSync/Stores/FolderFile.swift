import CSwitchboardSystem
import Glibc
import SwitchboardStorage
import SwitchboardVCard

/// A file of a linked folder. It is read as a whole, replaced atomically, and removed only if unchanged.
struct FolderFile: Sendable {
    /// The path. For a symbolic link, the target is read and replaced and the link stays.
    let path: String

    init(_ name: String, in folder: String) {
        path = folder == "/" ? "/" + name : folder + "/" + name
    }

    enum Failure: Error {
        /// The file does not exist.
        case missing
        /// The file is being written or changed since it was read. The next sync handles it.
        case changed
        /// A file of this name exists.
        case exists
        /// The file is too large, or the system call failed.
        case refused(String)

        init(_ code: Int32) {
            switch code {
            case ENOENT: self = .missing
            case EEXIST: self = .exists
            default: self = .refused(systemErrorMessage(code))
            }
        }
    }

    // MARK: - Reading

    /// Returns the bytes of the file and its stamp at that time.
    func read() throws(Failure) -> (bytes: [UInt8], stamp: FileStamp) {
        // O_NONBLOCK: the file may have been replaced by a pipe.
        guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK) else { throw Failure(errno) }
        guard let before = file.attributes else { throw Failure(errno) }
        guard before.st_mode & S_IFMT == S_IFREG else { throw Failure.refused("not a regular file") }
        guard before.st_size <= VCardReader.largestCard else { throw Failure.refused("the file is larger than 64 MiB") }
        var bytes: [UInt8] = []
        // One more byte detects the end.
        let capacity = Int(before.st_size) + 1
        while bytes.count < capacity {
            let count = bytes.count
            var failure: Int32 = 0
            // Safe: the system writes no more than the size of the buffer.
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity - count) { buffer, size in
                let length = unsafe Glibc.read(file.descriptor, buffer.baseAddress, buffer.count)
                if length < 0 { failure = errno }
                size = max(length, 0)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw Failure(failure) }
            if chunk.isEmpty { break }
            bytes = bytes.isEmpty ? chunk : bytes + chunk
        }
        guard let after = file.attributes else { throw Failure(errno) }
        let stamp = FileStamp(after)
        guard bytes.count == Int(after.st_size), stamp.isSameContent(as: FileStamp(before)) else {
            throw Failure.changed
        }
        return (bytes, stamp)
    }

    // MARK: - Writing

    /// Stages new bytes for the file; ``StagedFile/commit()`` replaces it.
    ///
    /// - Parameter stamp: The stamp of the file when it was read. A file that changed since then stays.
    func stageReplacement(of stamp: FileStamp, by bytes: [UInt8]) throws(Failure) -> StagedFile {
        let target = try target()
        guard let info = FileSystem.linkAttributes(of: target) else { throw Failure(errno) }
        guard FileStamp(info).isSameContent(as: stamp) else { throw Failure.changed }
        return try StagedFile(bytes, for: target, replacing: stamp, mode: info.st_mode & 0o7777)
    }

    /// Stages a new file that only its owner can read.
    func stageNew(_ bytes: [UInt8]) throws(Failure) -> StagedFile {
        try StagedFile(bytes, for: path, replacing: nil, mode: 0o600)
    }

    /// Removes the file; for a symbolic link, the link.
    ///
    /// - Parameter stamp: The stamp of the file when it was read. A file that changed since then stays.
    func remove(_ stamp: FileStamp) throws(Failure) {
        guard try FolderFile.stamp(of: path).isSameContent(as: stamp) else { throw Failure.changed }
        // Renames first, then checks that the renamed file is the one that was read.
        let temporary = FolderFile.temporaryName(beside: path)
        guard FileSystem.rename(path, to: temporary) else { throw Failure(errno) }
        if let info = FileSystem.attributes(of: temporary), !FileStamp(info).isSameContent(as: stamp) {
            // Safe: as in `FileSystem`.
            _ = unsafe sb_rename_new(temporary, path)
            throw Failure.changed
        }
        guard FileSystem.remove(temporary) else { throw Failure(errno) }
    }

    /// Returns the path with symbolic links resolved.
    private func target() throws(Failure) -> String {
        if let target = FileSystem.resolved(path) { return target }
        throw errno == EILSEQ ? .refused("the target of the link has a name that is not UTF-8") : Failure(errno)
    }

    static func stamp(of path: String) throws(Failure) -> FileStamp {
        guard let info = FileSystem.attributes(of: path) else { throw Failure(errno) }
        return FileStamp(info)
    }

    /// Returns a name that readers of a vdir ignore because of its leading dot and its suffix.
    fileprivate static func temporaryName(beside path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return folder + "/" + temporaryPrefix + Storage.newIdentifier() + temporarySuffix
    }

    static let temporaryPrefix = ".switchboard-"
    static let temporarySuffix = ".tmp"
}

/// The metadata by which a changed file is detected without reading it: times, size and inode.
struct FileStamp: Hashable, Sendable {
    /// The modification time (mtime) in nanoseconds since 1970.
    var modified: Int64
    /// The status change time (ctime), which programs cannot set.
    var changed: Int64
    var size: Int64
    var inode: Int64

    /// A stamp that matches no file: the file must be read again.
    static let none = FileStamp(modified: 0, changed: 0, size: -1, inode: 0)

    /// The coarsest resolution of file times in nanoseconds (two seconds on FAT).
    private static let resolution: Int64 = 2_000_000_000
}

extension FileStamp {
    init(_ info: stat) {
        self.init(
            modified: FileStamp.nanoseconds(info.st_mtim), changed: FileStamp.nanoseconds(info.st_ctim),
            size: Int64(info.st_size), inode: Int64(truncatingIfNeeded: info.st_ino))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The stamp to store for a file that was just read, or ``none`` if the file is so new that another change could
    /// leave the same stamp.
    var reliable: FileStamp {
        var now = timespec()
        // Safe: the result is written to a local variable.
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = FileStamp.nanoseconds(now) &- max(modified, changed)
        return age > FileStamp.resolution ? self : .none
    }

    /// Returns `true` for the same bytes of the same file. Renaming a file changes only ``changed``.
    fileprivate func isSameContent(as other: FileStamp) -> Bool {
        modified == other.modified && size == other.size && inode == other.inode
    }
}

/// New bytes for a file, written under a temporary name until ``commit()`` renames them atomically.
///
/// A batch of files is staged, then synchronized, then committed: writing back the whole batch at once is faster than
/// waiting for the journal of the file system once per file.
final class StagedFile {
    private let temporary: String
    private let target: String
    /// The stamp of the replaced file; nil if the file must not exist.
    private let replaced: FileStamp?
    /// The open file; nil once its bytes are on the disk.
    private var file: OpenFile?
    private var failure: FolderFile.Failure?
    private var isPending = true

    /// Writes the bytes next to the target.
    init(_ bytes: [UInt8], for target: String, replacing stamp: FileStamp?, mode: mode_t) throws(FolderFile.Failure) {
        (self.target, replaced) = (target, stamp)
        temporary = FolderFile.temporaryName(beside: target)
        guard let file = OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL) else { throw FolderFile.Failure(errno) }
        // Safe: integers have no padding.
        guard unsafe file.write(bytes.span.bytes) else { throw FolderFile.Failure(errno) }
        // Keeps the permissions of the replaced file. Fails on file systems without permissions.
        _ = fchmod(file.descriptor, mode)
        // Starts writeback early where the file system supports it.
        _ = sb_begin_writing(file.descriptor)
        self.file = consume file
    }

    deinit {
        if isPending { FileSystem.remove(temporary) }
    }

    /// Waits until the bytes are on the disk. ``commit()`` throws an error that occurs here.
    func synchronize() {
        // A second fsync would not report the error again.
        guard let file = self.file.take() else { return }
        if !file.syncAndClose() { failure = FolderFile.Failure(errno) }
    }

    /// Replaces the target atomically: readers see either the old or the new bytes.
    ///
    /// - Returns: The stamp of the new file.
    func commit() throws(FolderFile.Failure) -> FileStamp {
        synchronize()
        if let failure { throw failure }
        if let replaced { try exchange(replaced) } else { try add() }
        isPending = false
        return try FolderFile.stamp(of: target)
    }

    private func exchange(_ stamp: FileStamp) throws(FolderFile.Failure) {
        // Safe: as in `FileSystem`, here and below.
        switch unsafe sb_rename_exchanging(temporary, target) {
        case 0:
            // The exchanged file may be newer than the stamp.
            guard let old = FileSystem.linkAttributes(of: temporary), FileStamp(old).isSameContent(as: stamp) else {
                _ = unsafe sb_rename_exchanging(temporary, target)
                throw FolderFile.Failure.changed
            }
            FileSystem.remove(temporary)
        case EINVAL, ENOSYS:
            guard FileSystem.rename(temporary, to: target) else { throw FolderFile.Failure(errno) }
        case let code:
            throw FolderFile.Failure(code)
        }
    }

    private func add() throws(FolderFile.Failure) {
        switch unsafe sb_rename_new(temporary, target) {
        case 0: break
        case EINVAL, ENOSYS:
            guard unsafe link(temporary, target) == 0 else { throw FolderFile.Failure(errno) }
            FileSystem.remove(temporary)
        case let code: throw FolderFile.Failure(code)
        }
    }
}
