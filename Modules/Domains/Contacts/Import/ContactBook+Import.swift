import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardVCard

extension ContactBook {
    /// Imports vCards and tables of contacts.
    ///
    /// One source is one transaction: it comes in whole, or, if one of its cards is malformed, not at all (unless good cards
    /// are to be kept); the other sources are kept either way. A contact that is there already, by its identifier, by number
    /// or e-mail address and name, or by name and another fact, is merged, and nothing that either says is lost. Importing a
    /// file a second time changes nothing.
    ///
    /// A source without any card is reported as skipped.
    ///
    /// - Returns: how many were added, merged and unchanged, and what was skipped and why.
    /// - Throws: ``ContactBookError/missingFile(path:)`` or ``ContactBookError/unreadable(path:reason:)`` before anything is
    ///   imported; ``ContactBookError/cancelled``, with the sources before this one kept; `StorageError`.
    /// - Complexity: O(*n* log *N*) for *n* cards into a book of *N*; some 40 µs a card. Memory does not grow with the source.
    public func importing(_ sources: [ImportSource], options: ImportOptions = ImportOptions()) throws -> ImportReport {
        for source in sources { try source.check() }
        var report = ImportReport()
        for (index, source) in sources.enumerated() {
            var progress = ImportProgress(file: source.name, fileIndex: index, fileCount: sources.count, contacts: 0)
            report.add(try importing(source, options: options, progress: &progress))
        }
        return report
    }

    private func importing(
        _ source: ImportSource, options: ImportOptions, progress: inout ImportProgress
    ) throws -> ImportReport {
        let pipeline = DraftPipeline.reading(source, region: options.region ?? region)
        defer { pipeline.stop() }
        var report = ImportReport()
        do {
            try storage.write(changing: ContactBook.module) { db in
                // What the import itself has written is looked up again and again.
                try db.execute(sql: "PRAGMA cache_size = \(ContactBook.importCache)")
                defer { try? db.execute(sql: "PRAGMA cache_size = \(ContactBook.usualCache)") }
                var importing = try ImportTransaction(db, now: clock)
                while let batch = try pipeline.next() {
                    if options.isCancelled?() ?? false { throw ContactBookError.cancelled }
                    let good = batch.compactMap { outcome -> ImportedRecord? in
                        switch outcome {
                        case .success(let prepared): return prepared
                        case .failure(let fault):
                            report.skip(fault, file: source.name)
                            return nil
                        }
                    }
                    // What will be taken back need not be stored; the rest is read only for its faults.
                    if report.skipped.isEmpty || options.keepsGood { try importing.store(good, report: &report) }
                    progress.contacts += batch.count
                    options.progress?(progress)
                }
                if progress.contacts == 0 {
                    report.skip(MalformedInput(line: 1, reason: "there is no contact in it"), file: source.name)
                }
                if !report.skipped.isEmpty, !options.keepsGood { throw RefusedSource() }
                try importing.storeGroups(report: &report)
                if importing.assumed.cards > 0 {
                    report.noteWindows1252(
                        importing.assumed.cards, firstLine: importing.assumed.firstLine, file: source.name)
                }
                try ContactBook.changes.trim(
                    afterChanging: report.added + report.merged, of: { try count(in: db) }, in: db)
            }
        } catch is RefusedSource {
            (report.added, report.merged, report.unchanged) = (0, 0, 0)
        }
        return report
    }
}

extension ContactBook {
    /// Pages that SQLite keeps during an import, as a negative number of KiB; and otherwise, its default.
    private static let importCache = -65_536
    private static let usualCache = -2_000
}

/// Takes the transaction of a source with malformed cards back.
private struct RefusedSource: Error {}

/// The storing of the contacts of one source.
private struct ImportTransaction {
    private let db: Database
    private let rows: ContactRows
    private var known: KnownContacts
    private let now: Date
    private var groups: [GroupCard] = []
    /// How many cards were read as Windows-1252.
    private(set) var assumed = (cards: 0, firstLine: 1)

    init(_ db: Database, now: () -> Date) throws {
        self.db = db
        rows = try ContactRows(db)
        known = try KnownContacts(db)
        self.now = now()
    }

    /// Stores the contacts of a batch; groups wait until all are there who may be in them.
    mutating func store(_ records: [ImportedRecord], report: inout ImportReport) throws {
        var batch: [PreparedContact] = []
        for record in records {
            switch record {
            case .contact(let prepared, let line):
                batch.append(prepared)
                if let line { assumed = (assumed.cards + 1, assumed.cards == 0 ? line : assumed.firstLine) }
            case .group(let group): groups.append(group)
            }
        }
        try known.prepare(for: batch)
        for (index, prepared) in batch.enumerated() {
            guard let match = known.match(index, prepared) else {
                var new = prepared
                new.contact.id = ContactBook.newID()
                new.contact.createdAt = now
                new.contact.modifiedAt = now
                known.remember(new, key: try rows.insert(new))
                report.added += 1
                continue
            }
            var merged = match.contact.merging(prepared.contact)
            if merged == match.contact {
                report.unchanged += 1
                continue
            }
            merged.modifiedAt = now
            let changed = PreparedContact(merged)
            try rows.replace(key: match.key, by: changed)
            known.remember(changed, key: match.key)
            report.merged += 1
        }
    }

    /// Puts the members of the groups into them, and those of earlier groups who are there now. A group counts as one that was merged
    /// if it has changed anybody or names somebody new.
    func storeGroups(report: inout ImportReport) throws {
        for group in groups {
            let (keys, strangers) = try known.members(of: group)
            let hasChanged = try keys.reduce(false) { try add($1, to: group.name) || $0 }
            let hasStrangers = try GroupStrangers.add(strangers, to: group.name, in: db)
            if hasChanged || hasStrangers { report.merged += 1 } else { report.unchanged += 1 }
        }
        guard report.added + report.merged > 0 else { return }
        for (group, members) in try GroupStrangers.all(in: db) {
            for member in members {
                let keys = try known.keys(ofMember: member)
                for key in keys { _ = try add(key, to: group) }
                if !keys.isEmpty { try GroupStrangers.remove(member, of: group, in: db) }
            }
        }
    }

    /// Puts a contact into a group; whether it was not in it.
    private func add(_ key: Int64, to group: String) throws -> Bool {
        guard var contact = try known.contact(key) else { return false }
        let before = contact
        contact.addGroup(group)
        if contact == before { return false }
        contact.modifiedAt = now
        try rows.replace(key: key, by: PreparedContact(contact))
        return true
    }
}
