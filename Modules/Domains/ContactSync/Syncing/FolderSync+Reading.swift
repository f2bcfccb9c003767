import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardVCard

// MARK: - From the folder into the book

extension FolderSync {
    /// Stores what changed files say, and removes the contacts of those that are gone.
    mutating func takeIn(_ changed: [String], missing: [String]) throws {
        let pipeline = FileOutcome.pipeline(changed, in: folder.path, region: book.region)
        defer { pipeline.stop() }
        try storing { db, sync in try sync.takeIn(pipeline, changed.count, missing, db) }
    }

    /// Stores in one transaction. What is noted of files alone moves no generation on: no index has to look.
    private mutating func storing(_ body: (Database, inout FolderSync) throws -> Void) throws {
        var sync = self
        try book.storage.write { db in
            try body(db, &sync)
            if sync.report.added + sync.report.updated + sync.report.removed > 0 {
                try Storage.bump(ContactBook.module, in: db)
            }
        }
        self = sync
    }

    private mutating func takeIn(
        _ pipeline: BatchPipeline<FileOutcome>, _ count: Int, _ missing: [String], _ db: Database
    ) throws {
        if count > 1_000 { try db.execute(sql: "PRAGMA cache_size = -65536") }
        defer { if count > 1_000 { try? db.execute(sql: "PRAGMA cache_size = -2000") } }
        var taking = try TakingIn(self, db, missing: missing)
        var done = 0
        while let batch = try pipeline.next() {
            try checkCancellation()
            taking.report = report
            try taking.take(batch)
            report = taking.report
            done += batch.count
            options.progress?(done, count)
        }
        taking.report = report
        try taking.removeMissing()
        report = taking.report
        try ContactBook.changes.trim(
            afterChanging: report.added + report.updated + report.removed, of: { try book.count(in: db) }, in: db)
    }
}

/// The storing of what files say, within one transaction.
private struct TakingIn {
    let sync: FolderSync
    let db: Database
    let rows: ContactRows
    var known: KnownContacts
    var report = SyncReport()
    /// Who has a file, in whatever folder.
    var followed: Set<String>
    /// The files that are gone, by the identifiers of their cards and by their bytes, as they may have got another name.
    var missing: [String: FolderRow] = [:]
    var missingByIdentifier: [String: String] = [:]
    var missingByHash: [UInt64: String] = [:]
    let now: Date

    init(_ sync: FolderSync, _ db: Database, missing names: [String]) throws {
        self.sync = sync
        self.db = db
        rows = try ContactRows(db)
        known = try KnownContacts(db)
        followed = try FolderRows.followedContacts(in: db)
        now = sync.book.clock()
        for name in names {
            guard let row = try FolderRows.find(name, of: sync.folder.key, in: db), row.removedAt == nil else {
                continue
            }
            missing[name] = row
            if !row.identifier.isEmpty { missingByIdentifier[row.identifier] = name }
            missingByHash[row.hash] = name
        }
    }

    mutating func take(_ batch: [FileOutcome]) throws {
        var new: [ReadFile] = []
        for outcome in batch {
            switch outcome {
            case .fault(let name, let fault, let isMalformed): skip(name, fault, isMalformed: isMalformed)
            case .passing: continue
            case .read(let file):
                if let row = try FolderRows.find(file.name, of: sync.folder.key, in: db), row.removedAt == nil {
                    try take(file, knownAs: row)
                } else if let row = try takeRenamed(file) {
                    try take(file, knownAs: row)
                } else {
                    new.append(file)
                }
            }
        }
        try known.prepare(for: new.map(\.prepared))
        for (index, file) in new.enumerated() { try takeNew(file, index) }
    }

    private mutating func skip(_ name: String, _ fault: MalformedInput, isMalformed: Bool) {
        var sync = sync
        sync.report = report
        sync.skip(name, fault, isMalformed: isMalformed)
        report = sync.report
    }

    private mutating func tellConflict(_ name: String, _ contact: Contact, _ fields: [String]) {
        var sync = sync
        sync.report = report
        sync.tellConflict(name, contact, fields)
        report = sync.report
    }

    private func save(_ row: FolderRow) throws { try FolderRows.save(row, of: sync.folder.key, in: db) }

    /// A file that is gone and this one has its card: it was given another name.
    private mutating func takeRenamed(_ file: ReadFile) throws -> FolderRow? {
        let byIdentifier = file.identifier.isEmpty ? nil : missingByIdentifier[file.identifier]
        guard let name = byIdentifier ?? missingByHash[file.hash], var row = missing.removeValue(forKey: name) else {
            return nil
        }
        try FolderRows.delete(name, of: sync.folder.key, in: db)
        row.name = file.name
        try save(row)
        return row
    }

    // MARK: Files that are known

    private mutating func take(_ file: ReadFile, knownAs row: FolderRow) throws {
        if file.hash == row.hash {
            // Touched, or read a second time because it was young.
            var row = row
            row.stamp = file.stamp.settled
            try save(row)
            report.unchanged += 1
            return
        }
        guard let (key, ours) = try FolderSync.find(row.contact, in: db) else { return try takeBack(file, row) }
        let isOurs = ours.modifiedAt?.timeIntervalSince1970 == row.contactModifiedAt
        var new: Contact
        if isOurs {
            new = file.contact.continuing(ours)
        } else {
            let reconciling = CardMerge(
                file: file.statements, ours: CardStatements(ours), base: CardStatements.fingerprints(in: row.base))
            new = try ours.saying(reconciling.statements, region: sync.book.region)
                .takingSmallPrint(of: file.contact).takingSmallPrint(of: ours)
            if !file.contact.sourceUID.isEmpty { new.sourceUID = file.contact.sourceUID }
            if !reconciling.conflicts.isEmpty { tellConflict(file.name, new, reconciling.conflicts) }
        }
        try store(&new, over: ours, key: key)
        // What the file does not say yet is written afterwards.
        let agrees = Set(CardStatements(new).all) == Set(file.statements.all)
        try save(file.row(of: new, agreesAt: agrees ? new.modifiedAt : nil))
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

    /// Removed here, changed there: whoever changed it wants it.
    private mutating func takeBack(_ file: ReadFile, _ row: FolderRow) throws {
        var prepared = file.prepared
        prepared.contact.id = row.contact
        prepared.contact.createdAt = now
        prepared.contact.modifiedAt = now
        _ = try rows.insert(prepared)
        report.added += 1
        tellConflict(file.name, prepared.contact, ["removed here"])
        try save(file.row(of: prepared.contact, agreesAt: now))
    }

    // MARK: Files that are new

    private mutating func takeNew(_ file: ReadFile, _ index: Int) throws {
        if let match = known.match(index, file.prepared), !followed.contains(match.contact.id) {
            try join(file, to: match.contact, key: match.key)
            return
        }
        var prepared = file.prepared
        prepared.contact.id = try identifier(for: file)
        prepared.contact.createdAt = now
        prepared.contact.modifiedAt = now
        known.remember(prepared, key: try rows.insert(prepared))
        followed.insert(prepared.contact.id)
        report.added += 1
        try save(file.row(of: prepared.contact, agreesAt: now))
    }

    /// A file of somebody who is here already, in no folder: the file wins, what only the book knows is added to it.
    private mutating func join(_ file: ReadFile, to ours: Contact, key: Int64) throws {
        var old = ours
        if !file.contact.sourceUID.isEmpty { old.sourceUID = file.contact.sourceUID }
        // A card that this book has written bears the contact's own identifier.
        if file.contact.sourceUID == ours.id { old.sourceUID = ours.sourceUID }
        var new = file.contact.merging(old).continuing(old)
        if file.contact.sourceUID == ours.id { new.sourceUID = ours.sourceUID }
        try store(&new, over: ours, key: key)
        known.remember(PreparedContact(new), key: key)
        followed.insert(new.id)
        // What both have and say differently was never agreed on: all of it is new on both sides.
        let reconciling = CardMerge(file: file.statements, ours: CardStatements(ours), base: [])
        if !reconciling.conflicts.isEmpty { tellConflict(file.name, new, reconciling.conflicts) }
        try db.cachedStatement(sql: "DELETE FROM contact_unfollowed WHERE contact = ?").execute(arguments: [new.id])
        let agrees = Set(CardStatements(new).all) == Set(file.statements.all)
        try save(file.row(of: new, agreesAt: agrees ? new.modifiedAt : nil))
    }

    /// A file that was removed with its contact and is back means the same contact.
    private func identifier(for file: ReadFile) throws -> String {
        if let row = try FolderRows.find(file.name, of: sync.folder.key, in: db), row.removedAt != nil,
            row.identifier == file.identifier, try FolderSync.find(row.contact, in: db) == nil
        {
            return row.contact
        }
        return ContactBook.newID()
    }

    // MARK: Files that are gone

    mutating func removeMissing() throws {
        for (name, row) in missing.sorted(by: { $0.key < $1.key }) {
            guard let ours = try FolderSync.find(row.contact, in: db)?.contact else {
                // Removed on both sides.
                try FolderRows.delete(name, of: sync.folder.key, in: db)
                continue
            }
            if ours.modifiedAt?.timeIntervalSince1970 == row.contactModifiedAt {
                try FolderSync.remove(row.contact, in: db)
                try FolderRows.delete(name, of: sync.folder.key, in: db)
                report.removed += 1
            } else {
                // Removed there, changed here: the file is written again.
                tellConflict(name, ours, ["removed there"])
                var row = row
                (row.stamp, row.hash, row.contactModifiedAt) = (.none, 0, nil)
                try save(row)
            }
        }
    }
}
