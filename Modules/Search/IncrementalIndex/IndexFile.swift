import SwitchboardSearchEngine
import SwitchboardStorage

/// The file of an index beside a database. An index works without its file, but must then be rebuilt in each process.
struct IndexFile: Sendable {
    private let file: DerivedFile?

    /// Creates a reference to a file. Without a database file, the reference is empty.
    init(named name: String, of storage: Storage?) {
        file = storage.flatMap { DerivedFile(named: name, of: $0) }
    }

    /// Opens the index if the file has this fingerprint.
    ///
    /// - Parameter verification: The verification of a file that may have changed since it was written.
    func open(_ fingerprint: UInt64, verifying verification: SearchIndex.Verification) -> SearchIndex? {
        guard let mapped = file?.map() else { return nil }
        // Safe: the closure retains the mapping, which unmaps its memory when it is released.
        let bytes = unsafe IndexBytes(mapped.bytes) { _ in withExtendedLifetime(mapped) {} }
        guard let index = try? SearchIndex(bytes, verifying: mapped.isSealed ? .never : verification),
            index.fingerprint == fingerprint
        else {
            return nil
        }
        return index
    }

    /// Replaces the file and returns the same index, in the file if possible, where other processes share its memory. A
    /// full disk or a read-only folder is ignored.
    func write(_ index: SearchIndex) -> SearchIndex {
        // Safe: the buffer is used during the call only.
        unsafe index.bytes.withUnsafeBytes { bytes in try? unsafe file?.replace(with: bytes.bytes) }
        guard let written = open(index.fingerprint, verifying: .lazy), written.generation == index.generation else {
            return index
        }
        return written
    }

    func remove() { file?.remove() }
}
