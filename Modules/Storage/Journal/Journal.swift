#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An ordered sequence of the changes of one database, shared by several servers.
///
/// The journal is the source of truth, and each server's file is a replica. A storage with a journal
/// (``StorageOptions/journal``) appends each change before it commits the change to its file, and applies the changes of
/// other servers before it reads or writes.
///
/// An entry extends exactly one other entry. An append is therefore a compare-and-swap: of two servers that extend the same
/// entry, one succeeds.
///
/// The methods are called on any thread, and may be called at the same time. They report a journal that cannot be reached
/// as ``StorageError/journalUnavailable(reason:)``.
public protocol Journal: Sendable {
    /// Returns the end of the journal. Includes every entry whose append has succeeded before the call, by any server.
    func head() throws(StorageError) -> JournalHead

    /// Returns the entries after a sequence number, ascending. Entries that a base includes may be missing.
    func entries(after sequence: Int64) throws(StorageError) -> [JournalEntry]

    /// Appends an entry durably if it extends the newest one.
    ///
    /// - Returns: ``JournalAppendResult/appended`` also if the newest entry has the same identifier.
    /// - Throws: ``StorageError/journalUnavailable(reason:)``, also if the outcome is unknown.
    func append(_ entry: JournalEntry) throws(StorageError) -> JournalAppendResult

    /// Returns the newest base, or nil if there is none.
    func base() throws(StorageError) -> JournalBase?

    /// Stores a base unless there is a newer one. The journal may delete entries that an earlier base includes.
    func replaceBase(_ base: JournalBase) throws(StorageError)
}

/// An entry of a journal without its contents.
public struct JournalPosition: Sendable, Hashable {
    /// The number of the entry, from 1.
    public let sequence: Int64
    /// The identifier of the entry. Histories with different entries of one number differ in it.
    public let id: UUID

    /// Creates a position.
    public init(sequence: Int64, id: UUID) {
        self.sequence = sequence
        self.id = id
    }
}

/// The end of a journal.
public struct JournalHead: Sendable, Hashable {
    /// The newest entry, or nil if the journal is empty.
    public let position: JournalPosition?
    /// The number of the entry that the newest base includes, or 0.
    public let baseSequence: Int64
    /// The size of the entries since that base, in bytes.
    public let bytesSinceBase: Int

    /// Creates a head.
    public init(position: JournalPosition?, baseSequence: Int64, bytesSinceBase: Int) {
        self.position = position
        self.baseSequence = baseSequence
        self.bytesSinceBase = bytesSinceBase
    }
}

/// A change of a database.
public struct JournalEntry: Sendable, Hashable {
    /// The contents of an entry.
    public enum Contents: Sendable, Hashable {
        /// A changeset of SQLite's session extension: a transaction.
        case changes(Data)
        /// A whole database file, after a new schema or a restore.
        case image(Data)
    }

    /// The number and the identifier of the entry.
    public let position: JournalPosition
    /// The identifier of the entry that this one extends, or nil for the first one.
    public let previous: UUID?
    /// The change.
    public let contents: Contents

    /// Creates an entry.
    public init(position: JournalPosition, previous: UUID?, contents: Contents) {
        self.position = position
        self.previous = previous
        self.contents = contents
    }

    /// Creates an entry with a new identifier that extends the entry at a position, or that is the first one.
    public init(extending position: JournalPosition?, with contents: Contents) {
        self.init(
            position: JournalPosition(sequence: (position?.sequence ?? 0) + 1, id: UUID()), previous: position?.id,
            contents: contents)
    }

    /// Returns `true` if the entry extends the one at a position; nil is the beginning.
    public func extends(_ position: JournalPosition?) -> Bool {
        self.position.sequence == (position?.sequence ?? 0) + 1 && previous == position?.id
    }
}

/// The result of appending an entry.
public enum JournalAppendResult: Sendable, Hashable {
    /// The entry is durable.
    case appended
    /// The entry does not extend the newest one. Nothing was appended.
    case conflict
}

/// A database file that includes all entries up to a position.
public struct JournalBase: Sendable, Hashable {
    /// The newest entry that is included.
    public let position: JournalPosition
    /// The bytes of the file, an ordinary database.
    public let image: Data

    /// Creates a base.
    public init(position: JournalPosition, image: Data) {
        self.position = position
        self.image = image
    }
}
