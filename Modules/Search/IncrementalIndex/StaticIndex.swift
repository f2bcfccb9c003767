public import SwitchboardSearchEngine
public import SwitchboardStorage

/// The source of an index of documents that never change, such as data shipped with a program.
public protocol StaticIndexSource: Sendable {
    /// The name of the index file beside the database: `NAME.index`.
    var fileName: String { get }
    /// The index embedded in the program, if any. It is used if its fingerprint equals the fingerprint of the source.
    var embedded: IndexBytes? { get }
    /// A hash of the documents and of the version of their fields. Files with a different hash are rebuilt.
    var fingerprint: UInt64 { get }
    /// The fields of the index.
    var fields: [FieldOptions] { get }

    /// Adds all documents to an index builder.
    func add(to builder: inout IndexBuilder)
}

extension StaticIndexSource {
    /// No index is embedded.
    public var embedded: IndexBytes? { nil }
}

/// A search index of documents that never change. It is embedded in the program or kept in a file beside a database.
public final class StaticIndex<Source: StaticIndexSource>: Sendable {
    /// The source of the documents.
    public let source: Source
    /// The index, verified.
    public let searchIndex: SearchIndex

    /// Opens the embedded index or the index in a file, or builds the index and writes the file.
    ///
    /// A missing, corrupt or outdated file is rebuilt. A file that may have changed since it was written is verified, which
    /// reads every byte once. The embedded index is trusted like the program.
    ///
    /// - Parameters:
    ///   - source: The source of the documents.
    ///   - storage: The database beside which the file is stored; nil for an index in memory.
    public init(of source: Source, in storage: Storage?) throws {
        self.source = source
        let fingerprint = source.fingerprint
        if let bytes = source.embedded, let index = try? SearchIndex(bytes, verifying: .never),
            index.fingerprint == fingerprint
        {
            searchIndex = index
            return
        }
        let file = IndexFile(named: "\(source.fileName).index", of: storage)
        if let index = file.open(fingerprint, verifying: .eager) {
            searchIndex = index
            return
        }
        var builder = IndexBuilder(fields: source.fields)
        source.add(to: &builder)
        searchIndex = file.write(try builder.build(fingerprint: fingerprint))
    }
}

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

    /// Replaces the file with an index that is written as it is built.
    ///
    /// - Parameter build: Builds the index and writes it to an output.
    /// - Returns: The index in the file; nil without a database file, on a full disk or in a read-only folder.
    func write(
        generation: UInt64, fingerprint: UInt64, _ build: (@escaping IndexOutput) throws -> Void
    ) throws -> SearchIndex? {
        guard let file else { return nil }
        do {
            // Safe: the bytes have no padding, and are alive during the call.
            try file.replace { writer in try build { try unsafe writer.write($0.span.bytes, at: $1) } }
        } catch StorageError.inputOutput(path: file.path, _) {
            return nil
        }
        guard let written = open(fingerprint, verifying: .lazy), written.generation == generation else { return nil }
        return written
    }

    func remove() { file?.remove() }

    /// Replaces another file by this one.
    func rename(to other: IndexFile) { if let file, let other = other.file { file.rename(to: other) } }
}
