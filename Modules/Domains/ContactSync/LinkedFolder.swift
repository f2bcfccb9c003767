public import Foundation

/// A folder of vCards that stays where it is and is followed: a vdir, as khard and vdirsyncer keep it.
public struct LinkedFolder: Hashable, Sendable {
    /// The number of the link in the database.
    let key: Int64
    /// The absolute path, links resolved.
    public let path: String
    /// When it was linked.
    public let linkedAt: Date
    /// How many contacts have a file in it.
    public let contacts: Int
    /// Whether people who are added to the book get a file in it.
    public let takesNew: Bool
}

/// How to link a folder.
public struct LinkOptions: Sendable {
    /// Whether people who are added later get a file in this folder; nil: if no other folder takes them.
    public var takesNew: Bool?
    /// Whether the people who are there already, in no folder, get a file in this one.
    public var takesExisting = false

    /// The usual.
    public init(takesNew: Bool? = nil, takesExisting: Bool = false) {
        self.takesNew = takesNew
        self.takesExisting = takesExisting
    }
}

/// How to bring a folder and the book together.
public struct SyncOptions: Sendable {
    /// Believe that all cards were removed, if they are all gone.
    public var believesEmpty = false
    /// Is told from time to time how many files were read or written, of how many.
    public var progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
    /// Is asked from time to time whether to stop.
    public var isCancelled: (@Sendable () -> Bool)?

    /// The usual.
    public init(
        believesEmpty: Bool = false, progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.believesEmpty = believesEmpty
        self.progress = progress
        self.isCancelled = isCancelled
    }
}

/// What bringing folders and the book together did.
public struct SyncReport: Hashable, Sendable, Codable {
    /// One thing that both sides had changed, or that one had removed and the other changed.
    public struct Conflict: Hashable, Sendable, Codable {
        /// The file.
        public var file: String
        /// The identifier of the contact.
        public var id: String
        /// Who it is.
        public var name: String
        /// What was changed differently ("title", "phones"), or "removed here", "removed there".
        public var fields: [String]
    }

    /// A file that was left as it is, or a change that could not be written.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The file, or the folder.
        public var file: String
        /// The line, from 1, where a card is malformed.
        public var line: Int?
        /// The byte in that line, from 1, where it is known.
        public var column: Int?
        /// What is wrong.
        public var reason: String
        /// Whether the card is malformed; otherwise it could not be read or written.
        public var isMalformed: Bool

        private enum CodingKeys: String, CodingKey { case file, line, column, reason, isMalformed = "malformed" }
    }

    /// Contacts that are new here, from files.
    public var added = 0
    /// Contacts that were changed here, from files.
    public var updated = 0
    /// Contacts that were removed here because their files are gone.
    public var removed = 0
    /// Files that say what they said.
    public var unchanged = 0
    /// Files that were written: changed or new.
    public var written = 0
    /// Files that were deleted because their contacts were removed here.
    public var deleted = 0
    /// What both sides had changed; nothing of it is lost.
    public var conflicts: [Conflict] = []
    /// What was left out.
    public var skipped: [Skipped] = []

    /// Nothing was done.
    public init() {}

    /// Whether anything was done or is to be told.
    public var isQuiet: Bool {
        added + updated + removed + written + deleted == 0 && conflicts.isEmpty && skipped.isEmpty
    }

    /// Together with the report of another folder.
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
