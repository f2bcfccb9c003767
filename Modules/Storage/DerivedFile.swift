import Glibc
import SwitchboardAlgorithms

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

    /// Maps the file into memory. Returns nil if it is missing or unreadable. The mapping stays valid when the file is
    /// replaced or deleted.
    public func map() -> MappedFile? { MappedFile(path: path) }

    /// Replaces the file atomically. The folder is created if missing (mode 0700; the file has 0600).
    ///
    /// - Throws: ``StorageError/inputOutput(path:reason:)`` if writing fails. The old file then remains.
    public func replace(with bytes: RawSpan) throws(StorageError) {
        _ = FileSystem.createFolder(directory)
        // A unique name, because two processes may build at the same time.
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max)).tmp"
        guard let file = OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL) else { throw failure(errno) }
        guard file.write(bytes), file.setFraction(Seal.fraction(of: bytes)), file.syncAndClose(),
            FileSystem.rename(temporary, to: path)
        else {
            let code = errno
            FileSystem.remove(temporary)
            throw failure(code)
        }
    }

    /// Removes the file if it exists.
    public func remove() { FileSystem.remove(path) }

    private func failure(_ code: Int32) -> StorageError { .inputOutput(path: path, reason: FileSystem.reason(code)) }
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
        isSealed = unsafe status.st_mtim.tv_nsec == Seal.fraction(of: bytes.bytes)
    }

    // Safe: the only place that unmaps, for the memory that `init` has mapped.
    deinit { unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

/// The fraction of a second in the modification time of a sealed file.
private enum Seal {
    /// The number of bytes that it is derived from: the header of an index, with the checksum of its directory.
    private static let length = 64

    /// Returns a number of nanoseconds, never zero, which file systems without fractions have.
    static func fraction(of bytes: RawSpan) -> Int {
        var hash = StableHash(seed: UInt64(bytes.byteCount))
        // Safe: the buffer is used during the call only.
        unsafe bytes.withUnsafeBytes { unsafe hash.add($0.prefix(length)) }
        return Int(hash.value % 999_999_999) + 1
    }
}
