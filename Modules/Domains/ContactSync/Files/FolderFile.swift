import CSwitchboardRename
import SwitchboardContacts
import SwitchboardVCard

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

    /// Other bytes for the place of the file, beside it so far; ``StagedFile/take()`` puts them there.
    ///
    /// - Parameter stamp: what the file was when it was read; if it is another one by now, it stays.
    /// - Throws: ``Failure``.
    func replacement(of stamp: FileStamp, by bytes: [UInt8]) throws -> StagedFile {
        let target = try target()
        var info = stat()
        guard lstat(target, &info) == 0 else { throw Failure(errno) }
        guard FileStamp(info).isSameContent(as: stamp) else { throw Failure.changing }
        return try StagedFile(bytes, for: target, replacing: stamp, mode: info.st_mode & 0o7777)
    }

    /// A new file, of which only its owner reads; under another name so far.
    ///
    /// - Throws: ``Failure``.
    func addition(_ bytes: [UInt8]) throws -> StagedFile {
        try StagedFile(bytes, for: path, replacing: nil, mode: 0o600)
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

    static func stamp(of path: String) throws -> FileStamp {
        var info = stat()
        guard stat(path, &info) == 0 else { throw Failure(errno) }
        return FileStamp(info)
    }

    /// A name that readers of folders leave out, by the dot and by the end.
    static func temporaryName(beside path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return folder + "/" + temporaryStart + ContactBook.newID() + temporaryEnd
    }

    static let temporaryStart = ".switchboard-"
    static let temporaryEnd = ".tmp"
}
