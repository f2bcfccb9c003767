#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is derived from the database and can be rebuilt, such as a search index. It is stored beside the
/// database in `NAME.index/` and may be deleted at any time.
///
/// A new version is written to a temporary file, synced and renamed, so a reader sees either the old file or the new
/// one. The file is memory-mapped, so opening it takes the same time at any size, and processes share its pages.
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

    /// Maps the file into memory. Returns nil if it is missing or unreadable. The mapping stays valid when the file is
    /// replaced or deleted.
    public func map() -> MappedFile? { MappedFile(path: path) }

    /// Replaces the file atomically. The folder is created if missing (mode 0700; the file has 0600).
    ///
    /// - Throws: ``StorageError/inputOutput(path:reason:)`` if writing fails. The old file then remains.
    public func replace(with bytes: UnsafeRawBufferPointer) throws(StorageError) {
        mkdir(directory, 0o700)
        // A unique name, because two processes may build at the same time.
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

    /// Removes the file if it exists.
    public func remove() { unlink(path) }

    private func failure(_ code: Int32) -> StorageError {
        .inputOutput(path: path, reason: String(cString: strerror(code)))
    }
}

/// A file mapped into memory for reading, until ``unmap(_:)``.
public struct MappedFile: @unchecked Sendable {
    // Sendable: private, read-only memory.
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

    /// Unmaps the memory. The bytes must not be used afterwards.
    public static func unmap(_ bytes: UnsafeRawBufferPointer) {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}
