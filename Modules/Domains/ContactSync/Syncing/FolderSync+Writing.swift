import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardVCard

// MARK: - From the book into the folder

extension FolderSync {
    /// Writes what contacts say that their files do not.
    mutating func writeOut() throws {
        let (names, new) = try book.storage.read { db in
            (try FolderRows.namesToWrite(of: folder.key, in: db), try FolderRows.newContacts(for: folder.key, in: db))
        }
        let count = names.count + new.count
        guard count > 0 else { return }
        guard locked.isWritable else {
            report.skipped.append(
                SyncReport.Skipped(
                    file: folder.path,
                    reason: "the folder cannot be written; changes made here (\(count)) wait until it can",
                    isMalformed: false))
            return
        }
        var batch: [Written] = []
        for (index, name) in names.enumerated() {
            try checkCancellation()
            try attempting(name) { sync in if let written = try sync.write(name) { batch.append(written) } }
            options.progress?(index + 1, count)
            if batch.count >= FolderSync.largestBatch { try finish(&batch) }
        }
        for (index, id) in new.enumerated() {
            try checkCancellation()
            try attempting(id) { sync in if let written = try sync.create(id) { batch.append(written) } }
            options.progress?(names.count + index + 1, count)
            if batch.count >= FolderSync.largestBatch { try finish(&batch) }
        }
        try finish(&batch)
    }

    /// As many files are open at once.
    private static let largestBatch = 100

    /// What was done about a file, or is done as soon as its bytes are on the disk.
    private enum Written {
        case row(FolderRow)
        case removal(FolderFile, FileStamp, FolderRow, [UInt8])
        case waiting(StagedFile, FolderRow, Contact, [UInt8])
        /// The file of a contact that has none; further names for it, should there be one of the first.
        case new(StagedFile, FolderRow, Contact, [UInt8], otherNames: [String])
    }

    /// Puts the files into their places and notes them, once all of them are on the disk and announced.
    private mutating func finish(_ batch: inout [Written]) throws {
        guard !batch.isEmpty else { return }
        for written in batch {
            switch written {
            case .row, .removal: continue
            case .waiting(let file, _, _, _), .new(let file, _, _, _, _): file.settle()
            }
        }
        try announce(batch.compactMap(announcement(of:)))
        var rows: [FolderRow] = []
        for written in batch {
            switch written {
            case .row(let row): rows.append(row)
            case .removal(let file, let stamp, let row, let bytes):
                try attempting(row.name) { sync in rows.append(try sync.removed(file, stamp, row, bytes)) }
            case .waiting(let file, let row, let contact, let bytes):
                try attempting(row.name) { sync in rows.append(try sync.taken(file, row, contact, bytes)) }
            case .new(let file, let row, let contact, let bytes, let names):
                try attempting(row.name) { sync in
                    rows.append(try sync.takenOrElse(names, file, row, contact, bytes))
                }
            }
        }
        batch = []
        try note(rows)
    }

    private func announcement(of written: Written) -> WriteIntent? {
        switch written {
        case .row: nil
        case .removal(_, _, let row, let bytes): WriteIntent(removing: bytes, row)
        case .waiting(_, let row, let contact, let bytes), .new(_, let row, let contact, let bytes, _):
            WriteIntent(of: bytes, as: row.name, for: contact)
        }
    }

    private mutating func taken(
        _ file: StagedFile, _ row: FolderRow, _ contact: Contact, _ bytes: [UInt8]
    ) throws -> FolderRow {
        let stamp = try file.take()
        report.written += 1
        return try noted(row, contact, bytes, stamp)
    }

    private mutating func takenOrElse(
        _ names: [String], _ file: StagedFile, _ row: FolderRow, _ contact: Contact, _ bytes: [UInt8]
    ) throws -> FolderRow {
        do {
            return try taken(file, row, contact, bytes)
        } catch FolderFile.Failure.exists {
            // Of somebody else: the next name.
            guard let name = names.first else { throw FolderFile.Failure.exists }
            var row = row
            row.name = name
            try announce([WriteIntent(of: bytes, as: row.name, for: contact)])
            let next = try FolderFile(name, in: folder.path).addition(bytes)
            return try takenOrElse(Array(names.dropFirst()), next, row, contact, bytes)
        }
    }

    /// Notes what was written, once the names are on the disk, too.
    private func note(_ rows: [FolderRow]) throws {
        locked.settle()
        let oldest = book.clock().timeIntervalSince1970 - Double(ContactBook.daysToUndoMerge) * 86_400
        try book.storage.write { db in
            for row in rows { try FolderRows.save(row, of: folder.key, in: db) }
            try WriteIntent.forgetAll(of: folder.key, in: db)
            try FolderRows.compact(before: oldest, in: db)
        }
    }

    /// Does what may fail for one file, and goes on with the others.
    private mutating func attempting(_ name: String, _ body: (inout FolderSync) throws -> Void) throws {
        do {
            try body(&self)
        } catch FolderFile.Failure.refused(let reason) {
            skip(name, MalformedInput(line: 1, reason: "cannot be written: \(reason)"), isMalformed: false)
        } catch FolderFile.Failure.changing, FolderFile.Failure.missing, FolderFile.Failure.exists {
            // Somebody else was quicker. The next reading brings both together.
        } catch let fault as MalformedInput {
            skip(name, fault, isMalformed: true)
        }
    }

    // MARK: Files that are known

    private mutating func write(_ name: String) throws -> Written? {
        let found = try book.storage.read { db in
            try FolderRows.find(name, of: folder.key, in: db).map { row in
                (row: row, contact: try FolderSync.find(row.contact, in: db)?.contact)
            }
        }
        guard let (row, contact) = found else { return nil }
        guard let contact else { return try delete(row) }
        if row.removedAt != nil { return try bringBack(row, contact) }
        if row.hash == 0, row.stamp == .none { return try createAgain(row, contact) }
        let file = FolderFile(name, in: folder.path)
        let (bytes, stamp) = try file.read()
        // What was changed since it was read is read first; so is what was malformed then.
        guard StableHash.of(bytes) == row.hash else { return nil }
        let card = try CardFile(bytes, region: book.region)
        let new = try CardPatch.bytes(of: card, saying: contact, now: book.clock(), region: book.region)
        if new == bytes { return .row(try noted(row, contact, bytes, stamp)) }
        return .waiting(try file.replacement(of: stamp, by: new), row, contact, new)
    }

    /// What is known after a file was written. It is read as others will read it.
    private func noted(_ row: FolderRow, _ contact: Contact, _ bytes: [UInt8], _ stamp: FileStamp) throws -> FolderRow {
        let card = try CardFile(bytes, region: book.region)
        return FolderRow(
            name: row.name, contact: contact.id, stamp: stamp.settled, hash: StableHash.of(bytes),
            base: card.statements.fingerprints, identifier: card.identifier,
            contactModifiedAt: contact.modifiedAt?.timeIntervalSince1970)
    }

    /// Deletes the file of a contact that was removed here, and keeps its bytes for a while.
    private func delete(_ row: FolderRow) throws -> Written? {
        let file = FolderFile(row.name, in: folder.path)
        do {
            let (bytes, stamp) = try file.read()
            guard StableHash.of(bytes) == row.hash else { return nil }
            return .removal(file, stamp, row, bytes)
        } catch FolderFile.Failure.missing {
            // Removed on both sides.
            return .row(gone(row))
        }
    }

    private mutating func removed(
        _ file: FolderFile, _ stamp: FileStamp, _ row: FolderRow, _ bytes: [UInt8]
    ) throws -> FolderRow {
        do {
            try file.remove(stamp)
            report.deleted += 1
        } catch FolderFile.Failure.missing {
            // Somebody else has removed it meanwhile.
        }
        var row = gone(row)
        row.card = Data(bytes)
        return row
    }

    private func gone(_ row: FolderRow) -> FolderRow {
        var row = row
        row.removedAt = book.clock().timeIntervalSince1970
        return row
    }

    // MARK: Files that are new

    /// A contact that was removed with its file is there again: so is the file, as it was but for what the contact says now.
    private mutating func bringBack(_ row: FolderRow, _ contact: Contact) throws -> Written? {
        let card = try book.storage.read { db in try FolderRows.card(row.name, of: folder.key, in: db) }
        guard let card, let old = try? CardFile(Array(card), region: book.region) else {
            return try createAgain(row, contact)
        }
        let bytes = try CardPatch.bytes(of: old, saying: contact, now: book.clock(), region: book.region)
        return try createAgain(row, contact, bytes)
    }

    private mutating func createAgain(
        _ row: FolderRow, _ contact: Contact, _ bytes: [UInt8]? = nil
    ) throws -> Written? {
        let identifier = row.identifier.isEmpty ? FolderSync.identifier(of: contact) : row.identifier
        let bytes = bytes ?? contact.card(.version3, identifier: identifier)
        return .waiting(try FolderFile(row.name, in: folder.path).addition(bytes), row, contact, bytes)
    }

    /// Makes the file of a contact that has none.
    private mutating func create(_ id: String) throws -> Written? {
        guard let contact = try book.storage.read({ db in try FolderSync.find(id, in: db)?.contact }) else {
            return nil
        }
        let identifier = FolderSync.identifier(of: contact)
        let bytes = contact.card(.version3, identifier: identifier)
        let names = FolderSync.names(for: identifier, id: contact.id)
        guard let name = names.first else { return nil }
        let row = FolderRow(
            name: name, contact: contact.id, stamp: .none, hash: 0, base: Data(), identifier: identifier)
        let file = try FolderFile(name, in: folder.path).addition(bytes)
        return .new(file, row, contact, bytes, otherNames: Array(names.dropFirst()))
    }

    private static func identifier(of contact: Contact) -> String {
        contact.sourceUID.isEmpty ? contact.id : contact.sourceUID
    }

    /// The names that a new file may have, the best one first: `UID.vcf`, if every file system takes that.
    private static func names(for identifier: String, id: String) -> [String] {
        let isPlain = identifier.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: "+"): true
            default: false
            }
        }
        let isName = isPlain && !identifier.hasPrefix(".") && !identifier.isEmpty && identifier.utf8.count <= 200
        return (isName ? [identifier + ".vcf"] : []) + [id + ".vcf", id + "-" + ContactBook.newID() + ".vcf"]
    }
}
