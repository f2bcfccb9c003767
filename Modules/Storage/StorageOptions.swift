/// How a storage is opened.
public struct StorageOptions: Sendable {
    /// How long to wait for another process that is writing, before ``StorageError/locked(path:)``. Five seconds by
    /// default.
    public var busyTimeout: Duration

    /// Whether to make the file and its folder if missing; if false, a missing file is ``StorageError/missing(path:)``.
    public var createsIfMissing: Bool

    /// Whether to refrain from writing even where it would be possible. A schema that is not up to date is then an
    /// error.
    public var readOnly: Bool

    /// Whether a file that cannot be opened for writing because the disk is full or fails is opened for reading alone; writing then
    /// throws what stood in the way.
    ///
    /// It stays so until the storage is opened again: for programs that do one thing and end.
    public var fallsBackToReading: Bool

    /// How many reads may go on at once while a write or another read is going on.
    ///
    /// The connections are opened when first needed, so this costs a short-lived program nothing.
    public var maximumReaders: Int

    /// Creates options; those left out are right for a command-line program.
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
