/// Options for opening a storage.
public struct StorageOptions: Sendable {
    /// The time to wait for another process that is writing, before ``StorageError/locked(path:)``. Five seconds by
    /// default.
    public var busyTimeout: Duration

    /// `true` to create a missing file and folder; `false` to throw ``StorageError/missing(path:)``.
    public var createsIfMissing: Bool

    /// `true` to open the file read-only even if it is writable. A schema that is not current is then an error.
    public var readOnly: Bool

    /// `true` to open a file read-only if it cannot be opened for writing because the disk is full or fails. Writing
    /// then throws the original error.
    ///
    /// The storage stays read-only until it is opened again, so this suits short-lived programs.
    public var fallsBackToReading: Bool

    /// The maximum number of concurrent reads while the main connection is busy.
    ///
    /// The connections are opened when first needed.
    public var maximumReaders: Int

    /// The journal that the file follows, or nil for an independent file.
    ///
    /// A write that another server has overtaken throws ``StorageError/locked(path:)``. Each read and write asks the journal
    /// for its end. A journal cannot be combined with ``readOnly``, and ``fallsBackToReading`` has no effect.
    public var journal: (any Journal)?

    /// Creates options. The defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(5), createsIfMissing: Bool = true, readOnly: Bool = false,
        maximumReaders: Int = 4, fallsBackToReading: Bool = false
    ) {
        self.busyTimeout = busyTimeout
        self.createsIfMissing = createsIfMissing
        self.readOnly = readOnly
        self.maximumReaders = maximumReaders
        self.fallsBackToReading = fallsBackToReading
    }
}
