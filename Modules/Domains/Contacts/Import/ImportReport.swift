public import SwitchboardErrors

/// The result of an import.
public struct ImportReport: Hashable, Sendable, Codable {
    /// The number of new contacts.
    public var added = 0
    /// The number of contacts that were merged with an existing one.
    public var merged = 0
    /// The cards that were merged into a contact, in the order in which they were stored, without groups.
    public var merges: [ImportMerge] = []
    /// The number of contacts without new facts.
    public var unchanged = 0
    /// The malformed cards and rows. Each rejects its whole file unless good cards are kept.
    public var skipped: [MalformedInput] = []
    /// The notes about imported files; omitted from JSON if empty.
    public var notes: [MalformedInput] {
        get { someNotes ?? [] }
        set { someNotes = newValue.isEmpty ? nil : newValue }
    }
    private var someNotes: [MalformedInput]?

    private enum CodingKeys: String, CodingKey { case added, merged, merges, unchanged, skipped, someNotes = "notes" }

    /// Creates an empty report.
    public init() {}

    /// `true` if the input has errors.
    public var isMalformed: Bool { !skipped.isEmpty }

    mutating func add(_ other: ImportReport) {
        added += other.added
        merged += other.merged
        merges += other.merges
        unchanged += other.unchanged
        skipped += other.skipped
        notes += other.notes
    }

    mutating func noteWindows1252(_ cards: Int, firstLine line: Int, file: String) {
        let subject = cards == 1 ? "a card is" : "\(cards) cards are"
        let object = cards == 1 ? "it was" : "they were"
        notes.append(
            MalformedInput(
                file: file, line: line,
                reason: "\(subject) not UTF-8 and without a declared character set; \(object) read as Windows-1252"))
    }

    /// Names the columns whose values are not imported.
    mutating func noteUnread(_ columns: [String], file: String) {
        guard !columns.isEmpty else { return }
        let list = columns.map { "“\($0)”" }.joined(separator: ", ")
        notes.append(
            MalformedInput(
                file: file, line: 1,
                reason: "not imported: the values of the \(columns.count == 1 ? "column" : "columns") \(list)"))
    }

    /// Notes the cards that have the UID of another person.
    mutating func noteSharedUIDs(_ shared: (cards: Int, first: String, uid: String, line: Int), file: String) {
        guard shared.cards > 0 else { return }
        let subject = shared.cards == 1 ? "a card has" : "\(shared.cards) cards have"
        notes.append(
            MalformedInput(
                file: file, line: shared.line,
                reason: "\(subject) the UID of another person, such as \(shared.first) with “\(shared.uid)”; they are "
                    + "kept apart"))
    }

    mutating func skip(_ error: MalformedInput, file: String) {
        // A file of another format could have an error on each line.
        guard skipped.count < 1_000 else { return }
        skipped.append(MalformedInput(file: file, line: error.line, column: error.column, reason: error.reason))
    }
}

/// A card that an import merged into a contact.
public struct ImportMerge: Hashable, Sendable, Codable {
    /// The name of the contact before the merge.
    public let kept: String
    /// The name on the card.
    public let merged: String
    /// The evidence that both are the same person, such as “same name and number”.
    public let reason: String
    /// The file name as given by the caller.
    public let file: String
    /// The line of the card, from 1.
    public let line: Int
}

/// Options for an import.
public struct ImportOptions: Sendable {
    /// `true` to keep the well-formed cards of a file with malformed ones instead of rejecting the file.
    public var keepsGood = false
    /// The ISO 3166 code for numbers without a country code; nil for the book's region.
    public var region: String?
    /// Receives the progress periodically, on the importing thread.
    public var progress: (@Sendable (ImportProgress) -> Void)?
    /// Called periodically; return `true` to cancel the import.
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
