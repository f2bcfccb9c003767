import CSwitchboardRename

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Bytes that are written under a name of their own and wait for being on the disk, to be put into the place of a file at once.
///
/// Many wait together: each is given to the disk, then the disk is waited for, then each takes its place. One after the other they
/// would wait for the disk's journal each.
final class StagedFile {
    private let temporary: String
    private let target: String
    /// What the file is that is replaced; nil where there must be none.
    private let replaced: FileStamp?
    private var descriptor: Int32
    /// Why the disk has not taken it.
    private var failure: FolderFile.Failure?
    private var isWaiting = true

    /// Writes the bytes beside their place.
    ///
    /// - Throws: ``FolderFile/Failure``.
    init(_ bytes: [UInt8], for target: String, replacing stamp: FileStamp?, mode: mode_t) throws {
        (self.target, replaced) = (target, stamp)
        temporary = FolderFile.temporaryName(beside: target)
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FolderFile.Failure(errno) }
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw FolderFile.Failure(errno) }
            start += written
        }
        // The file keeps the permissions that it had; a file system without them does not.
        _ = fchmod(descriptor, mode)
        // A file system that cannot begin early writes when it is waited for.
        _ = sb_begin_writing(descriptor)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if isWaiting { unlink(temporary) }
    }

    /// Waits until the bytes are on the disk; if they cannot be, ``take()`` says why.
    func settle() {
        guard descriptor >= 0 else { return }
        // A second call would not tell of a failure again.
        if fsync(descriptor) != 0 { failure = FolderFile.Failure(errno) }
        close(descriptor)
        descriptor = -1
    }

    /// Takes the place, all at once: whoever reads it sees the old bytes or the new ones.
    ///
    /// - Returns: the stamp of the file that is there now.
    /// - Throws: ``FolderFile/Failure``; ``FolderFile/Failure/exists`` if there is one where none should be.
    func take() throws -> FileStamp {
        settle()
        if let failure { throw failure }
        if let replaced { try exchange(replaced) } else { try add() }
        isWaiting = false
        return try FolderFile.stamp(of: target)
    }

    private func exchange(_ stamp: FileStamp) throws {
        switch sb_rename_exchanging(temporary, target) {
        case 0:
            // What was exchanged may be newer than what was looked at.
            var old = stat()
            guard lstat(temporary, &old) == 0, FileStamp(old).isSameContent(as: stamp) else {
                _ = sb_rename_exchanging(temporary, target)
                throw FolderFile.Failure.changing
            }
            unlink(temporary)
        case EINVAL, ENOSYS:
            guard rename(temporary, target) == 0 else { throw FolderFile.Failure(errno) }
        case let code:
            throw FolderFile.Failure(code)
        }
    }

    private func add() throws {
        switch sb_rename_new(temporary, target) {
        case 0: break
        case EINVAL, ENOSYS:
            guard link(temporary, target) == 0 else { throw FolderFile.Failure(errno) }
            unlink(temporary)
        case let code: throw FolderFile.Failure(code)
        }
    }
}
