import CSwitchboardRename
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
    static func temporaryName(beside path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return folder + "/" + temporaryPrefix + Storage.newIdentifier() + temporarySuffix
    }

    static let temporaryPrefix = ".switchboard-"
    static let temporarySuffix = ".tmp"
}
