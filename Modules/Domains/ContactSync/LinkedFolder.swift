public import Foundation

/// A folder of vCards that is kept in sync with the book: a vdir, as khard and vdirsyncer use it, or a desktop address
/// book.
public struct LinkedFolder: Hashable, Sendable {
    let key: Int64
    /// The absolute path with symbolic links resolved, or `gnome:` and the identifier of an address book.
    public let path: String
    /// The time when the folder was linked.
    public let linkedAt: Date
    /// The number of contacts with a file in the folder.
    public let contacts: Int
    /// `true` if new contacts of the book get a file in the folder.
    public let takesNew: Bool

    /// `true` for a desktop address book.
    public var isAddressBook: Bool { DesktopAddressBook.id(ofPath: path) != nil }
}

extension LinkedFolder: Encodable {
    private enum CodingKeys: String, CodingKey { case id, path, contacts, linkedAt, takesNew }

    /// Encodes `{"id", "path", "contacts", "linkedAt", "takesNew"}`; the path is the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .id)
        try container.encode(path, forKey: .path)
        try container.encode(contacts, forKey: .contacts)
        try container.encode(linkedAt.formatted(.iso8601), forKey: .linkedAt)
        try container.encode(takesNew, forKey: .takesNew)
    }
}

/// Options for linking a folder.
public struct LinkOptions: Sendable {
    /// `true` if contacts that are added later get a file in this folder; nil for `true` unless another folder takes
    /// them.
    public var takesNew: Bool?
    /// `true` if existing contacts without a file in any folder get a file in this one.
    public var takesExisting = false

    /// Creates options. The defaults suit the first folder.
    public init(takesNew: Bool? = nil, takesExisting: Bool = false) {
        self.takesNew = takesNew
        self.takesExisting = takesExisting
    }
}

/// Options for syncing a folder.
public struct SyncOptions: Sendable {
    /// `true` to remove all contacts of the folder if all its cards are gone, instead of throwing an error.
    public var acceptsEmptyFolder = false
    /// Periodically receives the number of files processed and the total.
    public var progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
    /// Called periodically; return `true` to cancel the sync.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates options.
    public init(
        acceptsEmptyFolder: Bool = false, progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.acceptsEmptyFolder = acceptsEmptyFolder
        self.progress = progress
        self.isCancelled = isCancelled
    }
}

/// The result of a sync.
public struct SyncReport: Hashable, Sendable, Codable {
    /// A contact that both sides changed differently, or that one side removed and the other changed.
    public struct Conflict: Hashable, Sendable, Codable {
        /// The path of the file.
        public var file: String
        /// The identifier of the contact.
        public var id: String
        /// The displayed name of the contact.
        public var name: String
        /// The fields in conflict ("title", "phones"), or "removed here", "removed there".
        public var fields: [String]
    }

    /// A file that was not read, or a change that could not be written.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The path of the file or of the folder.
        public var file: String
        /// The line, from 1, of a syntax error.
        public var line: Int?
        /// The byte in that line, from 1, if known.
        public var column: Int?
        /// The problem.
        public var reason: String
        /// `true` for a syntax error, `false` for an error of reading or writing.
        public var isMalformed: Bool

        private enum CodingKeys: String, CodingKey { case file, line, column, reason, isMalformed = "malformed" }
    }

    /// The number of contacts added to the book.
    public var added = 0
    /// The number of contacts changed in the book.
    public var updated = 0
    /// The number of contacts removed from the book because their files are gone.
    public var removed = 0
    /// The number of unchanged files.
    public var unchanged = 0
    /// The number of files changed or created.
    public var written = 0
    /// The number of files deleted because their contacts were removed from the book.
    public var deleted = 0
    /// The conflicts. Both values are kept.
    public var conflicts: [Conflict] = []
    /// The skipped files.
    public var skipped: [Skipped] = []

    /// Creates an empty report.
    public init() {}

    /// `true` if nothing changed and nothing was skipped.
    public var isEmpty: Bool {
        added + updated + removed + written + deleted == 0 && conflicts.isEmpty && skipped.isEmpty
    }

    /// Adds the report of another folder.
    public mutating func add(_ other: SyncReport) {
        added += other.added
        updated += other.updated
        removed += other.removed
        unchanged += other.unchanged
        written += other.written
        deleted += other.deleted
        conflicts += other.conflicts
        skipped += other.skipped
    }
}
