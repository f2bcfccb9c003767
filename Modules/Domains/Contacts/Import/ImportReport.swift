import SwitchboardVCard

/// What an import did.
public struct ImportReport: Hashable, Sendable, Codable {
    /// A card or row that was not imported, and with it, unless good ones are kept, its whole file.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The file as the caller named it.
        public var file: String
        /// The line, from 1.
        public var line: Int
        /// The byte in that line, from 1, where it is known.
        public var column: Int?
        /// What is wrong with it.
        public var reason: String
    }

    /// Something about a file that was imported.
    public struct Note: Hashable, Sendable, Codable {
        /// The file as the caller named it.
        public var file: String
        /// The line, from 1.
        public var line: Int
        /// What is to be known of it.
        public var reason: String
    }

    /// New contacts.
    public var added = 0
    /// Contacts that said something new of one that was there.
    public var merged = 0
    /// Contacts that said nothing new.
    public var unchanged = 0
    /// What was wrong; the files named here were refused whole unless good cards were to be kept.
    public var skipped: [Skipped] = []
    /// What else is to be known; in JSON only if there is anything.
    public var notes: [Note] = []

    /// An import of nothing.
    public init() {}

    /// Whether something in the input was malformed: the exit status is then 65, whatever was kept.
    public var isMalformed: Bool { !skipped.isEmpty }

    /// Together with the report of another file.
    mutating func add(_ other: ImportReport) {
        added += other.added
        merged += other.merged
        unchanged += other.unchanged
        skipped += other.skipped
        notes += other.notes
    }

    /// Notes that so many cards, this one first, were read as Windows-1252.
    mutating func noteWindows1252(_ cards: Int, firstLine line: Int, file: String) {
        let subject = cards == 1 ? "a card is" : "\(cards) cards are"
        let object = cards == 1 ? "it was" : "they were"
        notes.append(
            Note(
                file: file, line: line,
                reason: "\(subject) not UTF-8 without a character set that is named; \(object) read as Windows-1252"))
    }

    mutating func skip(_ fault: MalformedInput, file: String) {
        // A file of another kind altogether would have one for each of its lines.
        guard skipped.count < 1_000 else { return }
        skipped.append(Skipped(file: file, line: fault.line, column: fault.column, reason: fault.reason))
    }
}

extension ImportReport {
    private enum CodingKeys: String, CodingKey { case added, merged, unchanged, skipped, notes }

    /// Writes the object of the contract.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(added, forKey: .added)
        try container.encode(merged, forKey: .merged)
        try container.encode(unchanged, forKey: .unchanged)
        try container.encode(skipped, forKey: .skipped)
        if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        added = try container.decode(Int.self, forKey: .added)
        merged = try container.decode(Int.self, forKey: .merged)
        unchanged = try container.decode(Int.self, forKey: .unchanged)
        skipped = try container.decode([Skipped].self, forKey: .skipped)
        notes = try container.decodeIfPresent([Note].self, forKey: .notes) ?? []
    }
}

/// How to import.
public struct ImportOptions: Sendable {
    /// Keep the good cards of a file that has malformed ones, instead of refusing the file.
    public var keepsGood = false
    /// The territory of numbers without a country code; nil for that of the book.
    public var region: String?
    /// Is told from time to time how far the import is; on the thread that imports.
    public var progress: (@Sendable (ImportProgress) -> Void)?
    /// Is asked from time to time whether to stop.
    public var isCancelled: (@Sendable () -> Bool)?

    /// The usual: files with faults are refused.
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

/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
    /// The file, as the caller named it.
    public var file: String
    /// Which of the files it is, from 0.
    public var fileIndex: Int
    /// How many files there are.
    public var fileCount: Int
    /// The contacts read from this file so far.
    public var contacts: Int
}
