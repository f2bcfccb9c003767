import CSwitchboardRename
import Glibc
import SwitchboardStorage

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
