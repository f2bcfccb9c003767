import Foundation
import GRDB
public import SwitchboardErrors
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardVCard

extension ContactBook {
    /// Imports vCards and CSV files.
    ///
    /// Each source is one transaction. A card is merged into a contact, without loss, if it has the same UID and a
    /// compatible name, or the same name and a shared number or address, and nothing contradicts the match. Cards of
    /// one source with different UIDs are different people. Importing a file again changes nothing. Malformed cards are
    /// skipped, unless ``ImportOptions/isStrict`` rejects their whole source. A source without cards is reported as
    /// skipped. ``undoImport(of:)`` undoes the import of all sources.
    ///
    /// - Returns: The numbers of added, merged and unchanged contacts, each merge, and the skipped cards with reasons.
    /// - Throws: ``ContactBookError/missingFile(path:)``, ``ContactBookError/unreadable(path:reason:)`` or
    ///   ``ContactBookError/unknownEncoding(_:)`` before anything is imported; `CancellationError`, which keeps the previous sources; `StorageError`.
    /// - Complexity: O(*n* log *N*) for *n* cards and *N* contacts, about 40 µs per card. Memory use does not depend on
    ///   the source, except for cards that may match a contact with another UID; these are stored last.
    public func importContacts(
        from sources: [ImportSource], options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        if let encoding = options.encoding, !Charset.isKnown(encoding) {
            throw ContactBookError.unknownEncoding(encoding)
        }
        for source in sources { try source.check() }
        let now = clock()
        var report = ImportReport()
        func importAll() throws {
            for (index, source) in sources.enumerated() {
                let progress = ImportProgress(
                    file: source.name, fileIndex: index, fileCount: sources.count, contacts: 0)
                report.add(try importContacts(source, options: options, at: now, progress))
            }
        }
        guard options.isDryRun else {
            try importAll()
            return report
        }
        do {
            // Later sources match the contacts of earlier ones.
            try storage.write { _ in
                try importAll()
                throw DryRun()
            }
        } catch is DryRun {}
        return report
    }

    private func importContacts(
        _ source: ImportSource, options: ImportOptions, at now: Date, _ initial: ImportProgress
    ) throws -> ImportReport {
        let pipeline = ImportPipeline.reading(
            source, region: options.region ?? region, encoding: options.encoding)
        defer {
            pipeline.stop()
            source.close()
        }
        var progress = initial
        var report = ImportReport()
        do {
            try writingMany { db in
                var transaction = try ImportTransaction(db, file: source.name, at: now)
                var isRejected: Bool { options.isStrict && !report.skipped.isEmpty }
                while let batch = try pipeline.next() {
                    if options.isCancelled?() ?? false { throw CancellationError() }
                    let good = batch.compactMap { outcome -> ImportedRecord? in
                        switch outcome {
                        case .success(let prepared): return prepared
                        case .failure(let error):
                            report.skip(error, file: source.name)
                            return nil
                        }
                    }
                    // The rest of a rejected source is only checked for errors.
                    if !isRejected { try transaction.store(good, report: &report) }
                    progress.contacts += batch.count
                    options.progress?(progress)
                }
                if progress.contacts == 0 {
                    report.skip(MalformedInput(line: 1, reason: "the file has no contact"), file: source.name)
                }
                if isRejected { throw RejectedSource() }
                try transaction.storeDeferred(report: &report)
                if isRejected { throw RejectedSource() }
                try transaction.storeGroups(report: &report)
                try transaction.record.finish()
                if transaction.assumed.cards > 0 {
                    report.noteWindows1252(
                        transaction.assumed.cards, firstLine: transaction.assumed.firstLine, file: source.name)
                }
                report.noteUnread(transaction.unread, file: source.name)
                report.notes += transaction.notes.all(of: source.name)
                report.noteSharedUIDs(transaction.sharedUIDs, file: source.name)
                try ContactBook.changes.trim(
                    afterChanging: report.added + report.merged, of: { try count(in: db) }, in: db)
            }
        } catch is RejectedSource {
            (report.added, report.merged, report.unchanged, report.merges) = (0, 0, 0, [])
        }
        if options.writesRejected, !options.isStrict, !options.isDryRun { report.writeRejected(of: source) }
        return report
    }

    /// Changes many contacts in one transaction.
    func writingMany<T>(_ body: (Database) throws -> T) throws -> T {
        try storage.write(changing: ContactBook.module) { db in
            try Storage.withLargeCache(in: db) { try body(db) }
        }
    }
}

/// Options for an import.
public struct ImportOptions: Sendable {
    /// `true` to reject a file with a malformed card as a whole instead of skipping the card.
    public var isStrict = false
    /// `true` to report what the import would do without changing anything.
    public var isDryRun = false
    /// `true` to write the malformed cards or rows of a file to `NAME.rejected.vcf` or `NAME.rejected.csv` beside it, or in
    /// the current folder.
    public var writesRejected = false
    /// The ISO 3166 code for numbers without a country code; nil for the book's region.
    public var region: String?
    /// The character set of text that declares none, such as `windows-1251`; nil for UTF-8 and what can be detected.
    public var encoding: String?
    /// Receives the progress periodically, on the importing thread.
    public var progress: (@Sendable (ImportProgress) -> Void)?
    /// Called periodically; return `true` to cancel the import.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates options. By default, malformed cards are skipped.
    public init(
        isStrict: Bool = false, isDryRun: Bool = false, writesRejected: Bool = false, region: String? = nil,
        encoding: String? = nil, progress: (@Sendable (ImportProgress) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.isStrict = isStrict
        self.isDryRun = isDryRun
        self.writesRejected = writesRejected
        self.region = region
        self.encoding = encoding
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
    /// The malformed cards and rows, which are not imported.
    public var skipped: [MalformedInput] = []
    /// The files with the malformed cards and rows; see ``ImportOptions/writesRejected``. Omitted from JSON if empty.
    public var rejectedFiles: [String] {
        get { someRejectedFiles ?? [] }
        set { someRejectedFiles = newValue.isEmpty ? nil : newValue }
    }
    private var someRejectedFiles: [String]?
    /// The values that were changed or left out, and other notes about the files.
    public var notes: [MalformedInput] = []
    /// The lines of the malformed cards and rows of one file, also of those that ``skipped`` omits.
    fileprivate var skippedLines: [Int] = []

    private enum CodingKeys: String, CodingKey {
        case added, merged, merges, unchanged, skipped, someRejectedFiles = "rejected", notes = "changed"
    }

    /// Creates an empty report.
    public init() {}

    /// `true` if the input has errors.
    public var isMalformed: Bool { !skipped.isEmpty }

    fileprivate mutating func add(_ other: ImportReport) {
        added += other.added
        merged += other.merged
        merges += other.merges
        unchanged += other.unchanged
        skipped += other.skipped
        rejectedFiles += other.rejectedFiles
        notes += other.notes
    }

    fileprivate mutating func noteWindows1252(_ cards: Int, firstLine line: Int, file: String) {
        let subject = cards == 1 ? "a card is" : "\(cards) cards are"
        let object = cards == 1 ? "it was" : "they were"
        notes.append(
            MalformedInput(
                file: file, line: line,
                reason: "\(subject) not UTF-8 and without a declared character set; \(object) read as Windows-1252"))
    }

    /// Names the columns whose values are not imported.
    fileprivate mutating func noteUnread(_ columns: [String], file: String) {
        guard !columns.isEmpty else { return }
        let list = columns.map { "“\($0)”" }.joined(separator: ", ")
        notes.append(
            MalformedInput(
                file: file, line: 1,
                reason: "not imported: the values of the \(columns.count == 1 ? "column" : "columns") \(list)"))
    }

    /// Notes the cards that have the UID of another person.
    fileprivate mutating func noteSharedUIDs(
        _ shared: (cards: Int, first: String, uid: String, line: Int), file: String
    ) {
        guard shared.cards > 0 else { return }
        let subject = shared.cards == 1 ? "a card has" : "\(shared.cards) cards have"
        notes.append(
            MalformedInput(
                file: file, line: shared.line,
                reason: "\(subject) the UID of another person, such as \(shared.first) with “\(shared.uid)”; they are "
                    + "kept apart"))
    }

    /// Writes the skipped records, unless the whole source was skipped.
    fileprivate mutating func writeRejected(of source: ImportSource) {
        guard !skippedLines.isEmpty, added + merged + unchanged > 0 else { return }
        do {
            if let path = try RejectedRecords.write(skippedLines, of: source) { rejectedFiles.append(path) }
        } catch {
            notes.append(
                MalformedInput(
                    file: source.name, line: 1,
                    reason: "cannot write the rejected records: \(error.localizedDescription)"))
        }
    }

    fileprivate mutating func skip(_ error: MalformedInput, file: String) {
        skippedLines.append(error.line)
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

// MARK: - Storing the records of a source

/// Rolls back the transaction of a source with malformed cards.
private struct RejectedSource: Error {}

/// Rolls back all transactions of an import.
private struct DryRun: Error {}

private struct ImportTransaction {
    private let db: Database
    private let rows: ContactRows
    private var matcher: ImportMatcher
    private let now: Date
    private let file: String
    var record: ImportRecord
    private var groups: [GroupCard] = []
    /// The number of cards read as Windows-1252, and the first such line.
    private(set) var assumed = (cards: 0, firstLine: 1)
    /// The unmapped columns that have a value, in the order of their first value.
    private(set) var unread: [String] = []
    /// The notes about lines and values.
    private(set) var notes = ImportNotes()
    /// The number of cards with the UID of another person, and the names, UID and line of the first one.
    private(set) var sharedUIDs: (cards: Int, first: String, uid: String, line: Int) = (0, "", "", 1)
    /// The cards to store last because a later card of the file may have the UID of their match.
    private var deferred: [(card: PreparedContact, line: Int)] = []

    init(_ db: Database, file: String, at now: Date) throws {
        self.db = db
        rows = try ContactRows(db)
        matcher = try ImportMatcher(db)
        record = try ImportRecord(db, file: file, importedAt: now)
        self.file = file
        self.now = now
    }

    /// Stores the contacts of a batch. Groups are stored at the end, when all members exist.
    mutating func store(_ records: [ImportedRecord], report: inout ImportReport) throws {
        var batch: [PreparedContact] = []
        var lines: [Int] = []
        for record in records {
            switch record {
            case .contact(let prepared, let cardLine, let line, let unread, let notes):
                batch.append(prepared)
                lines.append(cardLine)
                for column in unread where !self.unread.contains(column) { self.unread.append(column) }
                if let line { assumed = (assumed.cards + 1, assumed.cards == 0 ? line : assumed.firstLine) }
                for note in notes { self.notes.add(note) }
            case .group(let group): groups.append(group)
            case .note(let note): notes.add(note)
            }
        }
        try store(batch, lines, isLast: false, report: &report)
    }

    /// Stores the deferred cards. A contact that another card of the file has claimed by its UID no longer matches.
    mutating func storeDeferred(report: inout ImportReport) throws {
        let batchSize = 512
        for start in stride(from: 0, to: deferred.count, by: batchSize) {
            let batch = deferred[start..<min(start + batchSize, deferred.count)]
            try store(batch.map(\.card), batch.map(\.line), isLast: true, report: &report)
        }
    }

    private mutating func store(
        _ batch: [PreparedContact], _ lines: [Int], isLast: Bool, report: inout ImportReport
    ) throws {
        try matcher.prepare(for: batch)
        for (index, prepared) in batch.enumerated() {
            let found = matcher.match(index, prepared)
            if let found, found.isProvisional, !isLast {
                deferred.append((prepared, lines[index]))
                continue
            }
            guard let match = found else {
                if let other = matcher.otherPerson(withUIDOf: prepared, index) {
                    note(prepared.contact, with: other, line: lines[index])
                }
                var new = prepared
                new.contact.id = Storage.newIdentifier()
                new.contact.createdAt = now
                new.contact.modifiedAt = now
                matcher.remember(new, key: try rows.insert(new))
                report.added += 1
                continue
            }
            matcher.claim(match.key, for: prepared.contact)
            var merged = match.contact.merging(prepared.contact).adoptingVendorData(of: prepared.contact)
            if merged == match.contact {
                report.unchanged += 1
                continue
            }
            // Repeated imports with different notes must not make a contact grow without limit.
            if let excess = merged.excess, match.contact.excess == nil {
                let name = String(match.contact.displayName.prefix(100))
                report.skip(
                    MalformedInput(line: lines[index], reason: "cannot merge with “\(name)”: \(excess.message)"),
                    file: file)
                continue
            }
            merged.modifiedAt = now
            let changed = PreparedContact(merged)
            try record.copy(match.key)
            try rows.replace(key: match.key, by: changed)
            matcher.remember(changed, key: match.key)
            report.merged += 1
            report.merges.append(
                ImportMerge(
                    kept: match.contact.displayName, merged: prepared.contact.displayName,
                    reason: match.evidence.rawValue, file: file, line: lines[index]))
        }
    }

    private mutating func note(_ card: Contact, with other: Contact, line: Int) {
        if sharedUIDs.cards == 0 {
            let first = "“\(card.displayName)” and “\(other.displayName)”"
            sharedUIDs = (0, first, card.sourceUID, line)
        }
        sharedUIDs.cards += 1
    }

    /// Adds members to groups, including groups of earlier imports. A group counts as merged if it changed a contact or
    /// has new unresolved members.
    mutating func storeGroups(report: inout ImportReport) throws {
        for group in groups {
            let (keys, unresolved) = try matcher.members(of: group)
            let hasChanged = try keys.reduce(false) { try add($1, to: group.name) || $0 }
            let hasUnresolved = try UnresolvedMembers.add(unresolved, to: group.name, in: db)
            if hasChanged || hasUnresolved { report.merged += 1 } else { report.unchanged += 1 }
        }
        guard report.added + report.merged > 0 else { return }
        for (group, members) in try UnresolvedMembers.all(in: db) {
            for member in members {
                let keys = try ContactFetching.keys(ofMember: member, in: db)
                for key in keys { _ = try add(key, to: group) }
                if !keys.isEmpty { try UnresolvedMembers.remove(member, of: group, in: db) }
            }
        }
    }

    /// Adds a contact to a group. Returns `false` if it was a member.
    private mutating func add(_ key: Int64, to group: String) throws -> Bool {
        guard var contact = try matcher.contact(key) else { return false }
        let before = contact
        contact.addGroup(group)
        if contact == before || contact.excess != nil && before.excess == nil { return false }
        contact.modifiedAt = now
        try record.copy(key)
        try rows.replace(key: key, by: PreparedContact(contact))
        return true
    }
}

extension ContactBook {
    /// The former name of ``importContacts(from:options:)``.
    @available(*, deprecated, renamed: "importContacts(from:options:)")
    public func importing(_ sources: [ImportSource], options: ImportOptions = ImportOptions()) throws -> ImportReport {
        try importContacts(from: sources, options: options)
    }
}
