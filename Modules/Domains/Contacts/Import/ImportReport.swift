import SwitchboardVCard

/// The result of an import.
public struct ImportReport: Hashable, Sendable, Codable {
    /// A malformed card or row. It rejects its whole file unless good cards are kept.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The file name as given by the caller.
        public var file: String
        /// The line, from 1.
        public var line: Int
        /// The byte in that line, from 1, if known.
        public var column: Int?
        /// The problem.
        public var reason: String
    }

    /// A note about an imported file.
    public struct Note: Hashable, Sendable, Codable {
        /// The file name as given by the caller.
        public var file: String
        /// The line, from 1.
        public var line: Int
        /// The text of the note.
        public var reason: String
    }

    /// The number of new contacts.
    public var added = 0
    /// The number of contacts that were merged with an existing one.
    public var merged = 0
    /// The number of contacts without new facts.
    public var unchanged = 0
    /// The malformed cards and rows.
    public var skipped: [Skipped] = []
    /// The notes; omitted from JSON if empty.
    public var notes: [Note] = []

    /// Creates an empty report.
    public init() {}

    /// `true` if the input has errors.
    public var isMalformed: Bool { !skipped.isEmpty }

    /// Adds the report of another file.
    mutating func add(_ other: ImportReport) {
        added += other.added
        merged += other.merged
        unchanged += other.unchanged
        skipped += other.skipped
        notes += other.notes
    }

    /// Adds a note about cards that were read as Windows-1252.
    mutating func noteWindows1252(_ cards: Int, firstLine line: Int, file: String) {
        let subject = cards == 1 ? "a card is" : "\(cards) cards are"
        let object = cards == 1 ? "it was" : "they were"
        notes.append(
            Note(
                file: file, line: line,
                reason: "\(subject) not UTF-8 and without a declared character set; \(object) read as Windows-1252"))
    }

    mutating func skip(_ error: MalformedInput, file: String) {
        // A file of another format could have an error on each line.
        guard skipped.count < 1_000 else { return }
        skipped.append(Skipped(file: file, line: error.line, column: error.column, reason: error.reason))
    }
}

extension ImportReport {
    private enum CodingKeys: String, CodingKey { case added, merged, unchanged, skipped, notes }

    /// Encodes the object of the front-end contract.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(added, forKey: .added)
        try container.encode(merged, forKey: .merged)
        try container.encode(unchanged, forKey: .unchanged)
        try container.encode(skipped, forKey: .skipped)
        if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
    }

    /// Decodes the output of ``encode(to:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        added = try container.decode(Int.self, forKey: .added)
        merged = try container.decode(Int.self, forKey: .merged)
        unchanged = try container.decode(Int.self, forKey: .unchanged)
        skipped = try container.decode([Skipped].self, forKey: .skipped)
        notes = try container.decodeIfPresent([Note].self, forKey: .notes) ?? []
    }
}

/// Options for an import.
public struct ImportOptions: Sendable {
    /// `true` to keep the well-formed cards of a file with malformed ones instead of rejecting the file.
    public var keepsGood = false
    /// The ISO 3166 code for numbers without a country code; nil for that of the book.
    public var region: String?
    /// Receives the progress from time to time, on the importing thread.
    public var progress: (@Sendable (ImportProgress) -> Void)?
    /// Called from time to time; return `true` to cancel the import.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates options. By default, files with errors are rejected.
    public init(
        keepsGood: Bool = false, region: String? = nil, progress: (@Sendable (ImportProgress) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.keepsGood = keepsGood
        self.region = region
        self.progress = progress
        self.isCancelled = isCancelled
    }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
    /// The file name as given by the caller.
    public var file: String
    /// The index of the file, from 0.
    public var fileIndex: Int
    /// The number of files.
    public var fileCount: Int
    /// The number of contacts read from this file.
    public var contacts: Int
}
