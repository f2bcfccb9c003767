import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardStorage

// MARK: - From the folder into the book

extension FolderSync {
    /// Stores the contacts of changed files and removes the contacts of missing files.
    mutating func importFiles(_ changed: [String], missing: [String]) throws {
        let pipeline = ReadOutcome.pipeline(changed, reading: store.reading, region: book.region)
        defer { pipeline.stop() }
        var sync = self
        try book.storage.write { db in
            try Storage.withLargeCache(in: db) { try sync.importFiles(pipeline, changed.count, missing, db) }
            // File state alone does not affect the index.
            if sync.report.changedContacts > 0 { try Storage.bump(ContactBook.module, in: db) }
        }
        self = sync
    }

    private mutating func importFiles(
        _ pipeline: BatchPipeline<ReadOutcome>, _ count: Int, _ missing: [String], _ db: Database
    ) throws {
        var fileImport = try FileImport(self, db, missing: missing)
        var done = 0
        while let batch = try pipeline.next() {
            try checkCancellation()
            try fileImport.add(batch)
            done += batch.count
            options.progress?(done, count)
        }
        try fileImport.removeMissing()
        report = fileImport.report
        try ContactBook.changes.trim(afterChanging: report.changedContacts, of: { try book.count(in: db) }, in: db)
    }
}

extension SyncReport {
    fileprivate var changedContacts: Int { added + updated + removed }
}

private struct FileImport {
    let sync: FolderSync
    let db: Database
    /// Made again after each group card, which later contacts may join.
    var rows: ContactRows
    var matcher: ImportMatcher
    var report: SyncReport
    /// The identifiers of contacts with a file in any folder.
    var linked: Set<String>
    /// The missing files by name. A renamed file is found by the UID of its card or by its hash.
    var missing: [String: TrackedFile] = [:]
    var missingByIdentifier: [String: String] = [:]
    var missingByHash: [UInt64: String] = [:]
    let now: Date

    init(_ sync: FolderSync, _ db: Database, missing names: [String]) throws {
        self.sync = sync
        self.db = db
        report = sync.report
        rows = try ContactRows(db)
        matcher = try ImportMatcher(db)
        linked = try FolderStore.linkedContacts(in: db)
        now = sync.book.clock()
        for name in names {
            guard let tracked = try find(name), tracked.removedAt == nil else { continue }
            missing[name] = tracked
            if !tracked.identifier.isEmpty { missingByIdentifier[tracked.identifier] = name }
            missingByHash[tracked.hash] = name
        }
    }

    mutating func add(_ batch: [ReadOutcome]) throws {
        var new: [ParsedFile] = []
        for outcome in batch {
            switch outcome {
            case .failed(let name, let error, let isMalformed):
                report.addSkipped(sync.path(name), error, isMalformed: isMalformed)
            case .unsettled: continue
            case .parsed(let file) where file.group != nil: try storeGroup(file)
            case .parsed(let file):
                if let tracked = try find(file.name), tracked.removedAt == nil {
                    try update(file, tracked)
                } else if let tracked = try findRenamed(file) {
                    try update(file, tracked)
                } else {
                    new.append(file)
                }
            }
        }
        try matcher.prepare(for: new.map(\.prepared))
        for (index, file) in new.enumerated() { try addNew(file, index) }
    }

    private mutating func addConflict(_ name: String, _ contact: Contact, _ fields: [String]) {
        report.addConflict(sync.path(name), contact, fields)
    }

    private mutating func addNotes(of file: ParsedFile) {
        report.changed += file.notes.map {
            MalformedInput(file: sync.path(file.name), line: $0.line, column: $0.column, reason: $0.reason)
        }
    }

    private func find(_ name: String) throws -> TrackedFile? {
        try FolderStore.find(name, of: sync.folder.key, in: db)
    }

    private func save(_ file: TrackedFile) throws { try FolderStore.save(file, of: sync.folder.key, in: db) }

    private func delete(_ name: String) throws { try FolderStore.delete(name, of: sync.folder.key, in: db) }

    /// Returns the missing file whose card is now in this file, and records its new name.
    private mutating func findRenamed(_ file: ParsedFile) throws -> TrackedFile? {
        let byIdentifier = file.identifier.isEmpty ? nil : missingByIdentifier[file.identifier]
        guard let name = byIdentifier ?? missingByHash[file.hash], var tracked = missing.removeValue(forKey: name)
        else { return nil }
        try delete(name)
        tracked.name = file.name
        try save(tracked)
        return tracked
    }

    // MARK: Known files

    private mutating func update(_ file: ParsedFile, _ tracked: TrackedFile) throws {
        if try isSame(file, tracked) { return }
        addNotes(of: file)
        guard let (key, ours) = try FolderSync.find(tracked.contact, in: db) else { return try restore(file, tracked) }
        var new: Contact
        if ours.modifiedAt?.timeIntervalSince1970 == tracked.contactModifiedAt {
            new = file.contact.continuing(ours)
        } else {
            let merge = CardMerge(
                file: file.canonical, ours: CanonicalCard(ours), base: CanonicalCard.fingerprints(in: tracked.base))
            new = try ours.replacingFacts(with: merge.canonical, region: sync.book.region)
                .adoptingVendorData(of: file.contact).adoptingVendorData(of: ours)
            if !file.contact.sourceUID.isEmpty { new.sourceUID = file.contact.sourceUID }
            if !merge.conflicts.isEmpty { addConflict(file.name, new, merge.conflicts) }
        }
        if skips(file, as: new, over: ours) { return }
        new = try GroupCards.withListedGroups(new, in: db)
        try store(&new, over: ours, key: key)
        try saveState(of: file, for: new)
    }

    /// Returns `true` if only the times of a file changed, or if it was too new to trust its stamp.
    private mutating func isSame(_ file: ParsedFile, _ tracked: TrackedFile) throws -> Bool {
        guard file.hash == tracked.hash else { return false }
        var tracked = tracked
        tracked.stamp = file.stamp.reliable
        try save(tracked)
        report.unchanged += 1
        return true
    }

    /// Records the state of the file. If the file lacks anything, the export writes it.
    private func saveState(of file: ParsedFile, for contact: Contact) throws {
        let described = try GroupCards.withoutListedGroups(contact, except: file.contact.groups, in: db)
        let agrees = Set(CanonicalCard(described).properties) == Set(file.canonical.properties)
        try save(file.tracked(for: contact, agreesAt: agrees ? contact.modifiedAt : nil))
    }

    /// Reports a file that would make a contact too large. It stays as it is until one of them is shortened.
    private mutating func skips(_ file: ParsedFile, as new: Contact, over ours: Contact) -> Bool {
        guard let excess = new.excess, ours.excess == nil else { return false }
        let reason = "cannot merge with the contact: \(excess.message)"
        report.addSkipped(sync.path(file.name), MalformedInput(line: 1, reason: reason), isMalformed: false)
        return true
    }

    private mutating func store(_ new: inout Contact, over ours: Contact, key: Int64) throws {
        if new == ours {
            report.unchanged += 1
        } else {
            new.modifiedAt = now
            try rows.replace(key: key, by: PreparedContact(new))
            report.updated += 1
        }
    }

    /// Re-adds a contact that was removed from the book while its file changed: the change wins.
    private mutating func restore(_ file: ParsedFile, _ tracked: TrackedFile) throws {
        let prepared = prepare(file, id: tracked.contact)
        _ = try rows.insert(prepared)
        report.added += 1
        addConflict(file.name, prepared.contact, ["removed here"])
        try save(file.tracked(for: prepared.contact, agreesAt: now))
    }

    private func prepare(_ file: ParsedFile, id: String) -> PreparedContact {
        var prepared = file.prepared
        prepared.contact.id = id
        prepared.contact.createdAt = now
        prepared.contact.modifiedAt = now
        return prepared
    }

    // MARK: Group cards

    /// Stores what a group card lists. If its members were changed here as well, those of both stay.
    private mutating func storeGroup(_ file: ParsedFile) throws {
        var tracked = try find(file.name)
        if tracked == nil || tracked?.removedAt != nil { tracked = try findRenamed(file) }
        if let old = tracked, !old.contact.hasPrefix(ContactBook.groupCardPrefix) {
            // The file had a contact before, or was read as one.
            let contact = try FolderSync.find(old.contact, in: db)?.contact
            if let contact, contact.modifiedAt?.timeIntervalSince1970 == old.contactModifiedAt {
                try FolderSync.remove(old.contact, in: db)
                report.removed += 1
            }
            tracked = nil
        }
        if let tracked, try isSame(file, tracked) { return }
        let isPending = try tracked.map { try FolderStore.isPending($0, in: db) } ?? false
        let card = tracked?.contact ?? ContactBook.groupCardPrefix + Storage.newIdentifier()
        let (changes, listsMore) = try GroupCards.replace(
            card, by: file.group, keepingOthers: isPending, at: now, in: db)
        rows = try ContactRows(db)
        report.updated += changes
        if changes == 0 { report.unchanged += 1 }
        var state = file.tracked(for: Contact(id: card), agreesAt: nil)
        state.contactModifiedAt = try FolderStore.lastChange(in: db)
        try save(state)
        if listsMore { try ContactBook.journal.record(card, isRemoved: false, in: db) }
    }

    // MARK: New files

    private mutating func addNew(_ file: ParsedFile, _ index: Int) throws {
        addNotes(of: file)
        if let match = matcher.match(index, file.prepared), !linked.contains(match.contact.id) {
            matcher.claim(match.key, for: file.contact)
            try join(file, to: match.contact, key: match.key)
            return
        }
        let prepared = prepare(file, id: try identifier(for: file))
        matcher.remember(prepared, key: try rows.insert(prepared))
        linked.insert(prepared.contact.id)
        report.added += 1
        try save(file.tracked(for: prepared.contact, agreesAt: now))
    }

    /// Links a file to an existing contact without a file. The file wins; facts that only the book has are kept.
    private mutating func join(_ file: ParsedFile, to ours: Contact, key: Int64) throws {
        var old = ours
        if !file.contact.sourceUID.isEmpty { old.sourceUID = file.contact.sourceUID }
        // A card written by this book has the contact's own identifier as UID.
        if file.contact.sourceUID == ours.id { old.sourceUID = ours.sourceUID }
        var new = file.contact.merging(old).continuing(old)
        if file.contact.sourceUID == ours.id { new.sourceUID = ours.sourceUID }
        if skips(file, as: new, over: ours) { return }
        try store(&new, over: ours, key: key)
        matcher.remember(PreparedContact(new), key: key)
        linked.insert(new.id)
        // Without a common base, every difference is new on both sides.
        let merge = CardMerge(file: file.canonical, ours: CanonicalCard(ours), base: [])
        if !merge.conflicts.isEmpty { addConflict(file.name, new, merge.conflicts) }
        try db.cachedStatement(sql: "DELETE FROM contact_unfollowed WHERE contact = ?").execute(arguments: [new.id])
        try saveState(of: file, for: new)
    }

    /// Returns the identifier for a new contact. A file that was deleted with its contact and returned keeps the
    /// identifier.
    private func identifier(for file: ParsedFile) throws -> String {
        if let tracked = try find(file.name), tracked.removedAt != nil, tracked.identifier == file.identifier,
            try FolderSync.find(tracked.contact, in: db) == nil
        {
            return tracked.contact
        }
        return Storage.newIdentifier()
    }

    // MARK: Missing files

    mutating func removeMissing() throws {
        for (name, tracked) in missing.sorted(by: { $0.key < $1.key }) {
            guard let ours = try FolderSync.find(tracked.contact, in: db)?.contact else {
                // Removed on both sides, or the card of a group.
                report.updated += try GroupCards.replace(tracked.contact, by: nil, at: now, in: db).changes
                try delete(name)
                continue
            }
            if ours.modifiedAt?.timeIntervalSince1970 == tracked.contactModifiedAt {
                try FolderSync.remove(tracked.contact, in: db)
                try delete(name)
                report.removed += 1
            } else {
                // Removed there, changed here: the export writes the file again.
                addConflict(name, ours, ["removed there"])
                var tracked = tracked
                (tracked.stamp, tracked.hash, tracked.contactModifiedAt) = (.none, 0, nil)
                try save(tracked)
            }
        }
    }
}

// MARK: - Reading files

/// A card file that was read and parsed, on any thread.
private struct ParsedFile: Sendable {
    let name: String
    let stamp: FileStamp
    let hash: UInt64
    let canonical: CanonicalCard
    let identifier: String
    let prepared: PreparedContact
    /// The group if the card is that of a group.
    let group: GroupCard?
    let notes: [MalformedInput]

    init(_ name: String, _ file: CardFile, _ stamp: FileStamp) throws {
        group = try GroupCard(file.card)
        self.name = name
        self.stamp = stamp
        hash = StableHash.of(file.bytes)
        canonical = file.canonical
        identifier = file.identifier
        prepared = PreparedContact(file.contact)
        notes = file.notes
    }

    var contact: Contact { prepared.contact }

    /// Returns the state to store for the file.
    ///
    /// - Parameter contactModifiedAt: The modification time of the contact; nil if the file must be written.
    func tracked(for contact: Contact, agreesAt contactModifiedAt: Date?) -> TrackedFile {
        TrackedFile(
            name: name, contact: contact.id, stamp: stamp.reliable, hash: hash, base: canonical.fingerprints,
            identifier: identifier, contactModifiedAt: contactModifiedAt?.timeIntervalSince1970)
    }
}

private enum ReadOutcome: Sendable {
    case parsed(ParsedFile)
    /// A syntax error or a failed system call.
    case failed(name: String, MalformedInput, isMalformed: Bool)
    /// The file is gone or being written. The next sync handles it.
    case unsettled(name: String)

    /// Returns a pipeline that reads cards on other threads, ahead of the caller.
    static func pipeline(
        _ names: [String], reading: @escaping CardStore.Reading, region: String?
    ) -> BatchPipeline<ReadOutcome> {
        BatchPipeline(
            reading: {
                var rest = names[...]
                return {
                    let batch = Array(rest.prefix(256))
                    rest = rest.dropFirst(256)
                    return batch
                }
            },
            preparing: { name in outcome(of: name, reading: reading, region: region) })
    }

    static func outcome(of name: String, reading: CardStore.Reading, region: String?) -> ReadOutcome {
        do {
            let (bytes, stamp) = try reading(name)
            return .parsed(try ParsedFile(name, CardFile(bytes, region: region), stamp))
        } catch let error as MalformedInput {
            return .failed(name: name, error, isMalformed: true)
        } catch FolderFile.Failure.refused(let reason) {
            return .failed(name: name, MalformedInput(line: 1, reason: reason), isMalformed: false)
        } catch is FolderFile.Failure {
            return .unsettled(name: name)
        } catch {
            return .failed(name: name, MalformedInput(line: 1, reason: String(describing: error)), isMalformed: true)
        }
    }
}
