#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is made from the database and can be made again, such as a search index. It lies beside the database in
/// `NAME.index/`; deleting it loses nothing.
///
/// It is written beside its place, synced and renamed, so that a reader sees the old file or the new one, whole; and
/// it is mapped, not read, so that opening it costs no more for being large, and processes share its pages.
public struct DerivedFile: Sendable {
    /// Where it lies.
    public let path: String
    private let directory: String

    /// A file of this name beside a database; nil for a database in memory.
    public init?(named name: String, of storage: Storage) {
        guard let database = storage.path else { return nil }
        let suffix = ".sqlite"
        let stem = database.hasSuffix(suffix) ? String(database.dropLast(suffix.count)) : database
        directory = stem + ".index"
        path = directory + "/" + name
    }

    /// Maps the file; nil if there is none or it cannot be read. The memory stays valid when the file is replaced or
    /// deleted.
    public func map() -> MappedFile? { MappedFile(path: path) }

    /// Replaces the file, all or nothing. The folder is made if it is missing (mode 0700; the file has 0600).
    ///
    /// - Throws: ``StorageError/inputOutput(path:reason:)`` if the disk does not take it; the old file is then still
    ///   there.
    public func replace(with bytes: UnsafeRawBufferPointer) throws(StorageError) {
        mkdir(directory, 0o700)
        // A name of our own, so that two processes that build at once do not write into each other's file.
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        var offset = 0
        while offset < bytes.count {
            let written = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            if written < 0 {
                if errno == EINTR { continue }
                let code = errno
                close(descriptor)
                unlink(temporary)
                throw failure(code)
            }
            offset += written
        }
        guard fsync(descriptor) == 0, close(descriptor) == 0, rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure(code)
        }
    }

    /// Removes the file, if it is there.
    public func remove() { unlink(path) }

    private func failure(_ code: Int32) -> StorageError {
        .inputOutput(path: path, reason: String(cString: strerror(code)))
    }
}

/// A file mapped into memory for reading, until ``unmap(_:)``.
public struct MappedFile: @unchecked Sendable {
    // Sendable: private read-only memory that nobody writes.
    /// The bytes of the file.
    public let bytes: UnsafeRawBufferPointer

    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0,
            let address = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
    }

    /// Gives the memory back; the bytes must not be used afterwards.
    public static func unmap(_ bytes: UnsafeRawBufferPointer) {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}
