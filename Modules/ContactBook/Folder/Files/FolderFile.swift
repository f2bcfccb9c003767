import CRename
import VCardFormat

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One file of a followed folder: read whole, replaced whole, removed only if it is what was read.
struct FolderFile: Sendable {
    /// The path; where it is a link, what it leads to is read and replaced, and the link stays.
    let path: String

    init(_ name: String, in folder: String) {
        path = folder == "/" ? "/" + name : folder + "/" + name
    }

    /// Why a file was not read or written.
    enum Failure: Error {
        /// It is not there.
        case missing
        /// Another program is at it, or has changed it since it was read; the next time will do.
        case changing
        /// There is one of this name already.
        case exists
        /// It is too large, or the system refuses.
        case refused(String)

        init(_ code: Int32) {
            switch code {
            case ENOENT: self = .missing
            case EEXIST: self = .exists
            default: self = .refused(systemMessage(code))
            }
        }
    }

    // MARK: - Reading

    /// The bytes of the file and its stamp while they were read.
    ///
    /// - Throws: ``Failure``.
    func read() throws -> (bytes: [UInt8], stamp: FileStamp) {
        // Not waiting, should it be a pipe by now.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(errno) }
        defer { close(descriptor) }
        var before = stat()
        guard fstat(descriptor, &before) == 0 else { throw Failure(errno) }
        guard before.st_mode & S_IFMT == S_IFREG else { throw Failure.refused("it is no ordinary file") }
        guard before.st_size <= VCardReader.largestCard else { throw Failure.refused("it is larger than 64 MiB") }
        var bytes: [UInt8] = []
        // One byte more, to see the end.
        let room = Int(before.st_size) + 1
        while bytes.count < room {
            let count = bytes.count
            var failure: Int32 = 0
            let got = [UInt8](unsafeUninitializedCapacity: room - count) { buffer, size in
                let length = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if length < 0 { failure = errno }
                size = max(length, 0)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw Failure(failure) }
            if got.isEmpty { break }
            bytes = bytes.isEmpty ? got : bytes + got
        }
        var after = stat()
        guard fstat(descriptor, &after) == 0 else { throw Failure(errno) }
        let stamp = FileStamp(after)
        guard bytes.count == Int(after.st_size), stamp.isSameContent(as: FileStamp(before)) else {
            throw Failure.changing
        }
        return (bytes, stamp)
    }

    // MARK: - Writing

    /// Puts other bytes in the place of the file, all at once: whoever reads it sees the old ones or the new ones.
    ///
    /// - Parameter stamp: what the file was when it was read; if it is another one by now, it stays.
    /// - Returns: the stamp of the new file.
    /// - Throws: ``Failure``.
    func replace(_ stamp: FileStamp, by bytes: [UInt8]) throws -> FileStamp {
        let target = try target()
        var info = stat()
        guard lstat(target, &info) == 0 else { throw Failure(errno) }
        guard FileStamp(info).isSameContent(as: stamp) else { throw Failure.changing }
        let temporary = try write(bytes, beside: target, mode: info.st_mode & 0o7777)
        switch sb_rename_exchanging(temporary, target) {
        case 0:
            // What was exchanged may be newer than what was looked at.
            var old = stat()
            guard lstat(temporary, &old) == 0, FileStamp(old).isSameContent(as: stamp) else {
                _ = sb_rename_exchanging(temporary, target)
                unlink(temporary)
                throw Failure.changing
            }
            unlink(temporary)
        case EINVAL, ENOSYS:
            guard rename(temporary, target) == 0 else { throw FolderFile.discard(temporary, errno) }
        case let code:
            throw FolderFile.discard(temporary, code)
        }
        return try FolderFile.stamp(of: target)
    }

    /// Makes a new file, of which only its owner reads.
    ///
    /// - Throws: ``Failure``; ``Failure/exists`` if there is one.
    func create(_ bytes: [UInt8]) throws -> FileStamp {
        let temporary = try write(bytes, beside: path, mode: 0o600)
        switch sb_rename_new(temporary, path) {
        case 0: break
        case EINVAL, ENOSYS:
            guard link(temporary, path) == 0 else { throw FolderFile.discard(temporary, errno) }
            unlink(temporary)
        case let code: throw FolderFile.discard(temporary, code)
        }
        return try FolderFile.stamp(of: path)
    }

    /// Removes the file; a link to it, not what it leads to.
    ///
    /// - Parameter stamp: what it was when it was read; if it is another one by now, it stays.
    /// - Throws: ``Failure``.
    func remove(_ stamp: FileStamp) throws {
        var info = stat()
        guard stat(path, &info) == 0 else { throw Failure(errno) }
        guard FileStamp(info).isSameContent(as: stamp) else { throw Failure.changing }
        // Under another name first, to see what was removed.
        let temporary = FolderFile.temporaryName(beside: path)
        guard rename(path, temporary) == 0 else { throw Failure(errno) }
        if stat(temporary, &info) == 0, !FileStamp(info).isSameContent(as: stamp) {
            _ = sb_rename_new(temporary, path)
            throw Failure.changing
        }
        guard unlink(temporary) == 0 else { throw Failure(errno) }
    }

    /// What the path leads to.
    private func target() throws -> String {
        guard let resolved = realpath(path, nil) else { throw Failure(errno) }
        defer { free(resolved) }
        guard let target = String(validatingCString: resolved) else {
            throw Failure.refused("the name that it leads to is not UTF-8")
        }
        return target
    }

    private static func stamp(of path: String) throws -> FileStamp {
        var info = stat()
        guard stat(path, &info) == 0 else { throw Failure(errno) }
        return FileStamp(info)
    }

    /// A name that readers of folders leave out, by the dot and by the end.
    private static func temporaryName(beside path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return folder + "/" + temporaryStart + ContactBook.newID() + temporaryEnd
    }

    static let temporaryStart = ".switchboard-"
    static let temporaryEnd = ".tmp"

    /// Writes bytes to the disk under a name of their own, in the folder of the file that they will be.
    private func write(_ bytes: [UInt8], beside target: String, mode: mode_t) throws -> String {
        let temporary = FolderFile.temporaryName(beside: target)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(errno) }
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let code = errno
                close(descriptor)
                throw FolderFile.discard(temporary, code)
            }
            start += written
        }
        // The file keeps the permissions that it had; a file system without them does not.
        _ = fchmod(descriptor, mode)
        guard fsync(descriptor) == 0 else {
            let code = errno
            close(descriptor)
            throw FolderFile.discard(temporary, code)
        }
        close(descriptor)
        return temporary
    }

    private static func discard(_ temporary: String, _ code: Int32) -> Failure {
        unlink(temporary)
        return Failure(code)
    }
}
