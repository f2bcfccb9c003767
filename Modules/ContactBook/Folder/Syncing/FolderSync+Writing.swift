import Foundation
import GRDB
import Storage
import VCardFormat

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
        var noted: [FolderRow] = []
        for (index, name) in names.enumerated() {
            try checkCancellation()
            try attempting(name) { sync in if let row = try sync.write(name) { noted.append(row) } }
            options.progress?(index + 1, count)
            if noted.count >= 100 { try note(&noted) }
        }
        for (index, id) in new.enumerated() {
            try checkCancellation()
            try attempting(id) { sync in if let row = try sync.create(id) { noted.append(row) } }
            options.progress?(names.count + index + 1, count)
            if noted.count >= 100 { try note(&noted) }
        }
        try note(&noted)
    }

    /// Notes what was written, once the names are on the disk, too.
    private func note(_ rows: inout [FolderRow]) throws {
        guard !rows.isEmpty else { return }
        locked.settle()
        let oldest = book.clock().timeIntervalSince1970 - Double(ContactBook.daysToUndoMerge) * 86_400
        try book.storage.write { db in
            for row in rows { try FolderRows.save(row, of: folder.key, in: db) }
            try FolderRows.tidy(before: oldest, in: db)
        }
        rows = []
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

    private mutating func write(_ name: String) throws -> FolderRow? {
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
        if new == bytes { return try noted(row, contact, bytes, stamp) }
        let written = try file.replace(stamp, by: new)
        report.written += 1
        return try noted(row, contact, new, written)
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
    private mutating func delete(_ row: FolderRow) throws -> FolderRow? {
        let file = FolderFile(row.name, in: folder.path)
        var row = row
        do {
            let (bytes, stamp) = try file.read()
            guard StableHash.of(bytes) == row.hash else { return nil }
            try file.remove(stamp)
            row.card = Data(bytes)
            report.deleted += 1
        } catch FolderFile.Failure.missing {
            // Removed on both sides.
        }
        row.removedAt = book.clock().timeIntervalSince1970
        return row
    }

    // MARK: Files that are new

    /// A contact that was removed with its file is there again: so is the file, as it was but for what the contact says now.
    private mutating func bringBack(_ row: FolderRow, _ contact: Contact) throws -> FolderRow? {
        let card = try book.storage.read { db in try FolderRows.card(row.name, of: folder.key, in: db) }
        guard let card, let old = try? CardFile(Array(card), region: book.region) else {
            return try createAgain(row, contact)
        }
        let bytes = try CardPatch.bytes(of: old, saying: contact, now: book.clock(), region: book.region)
        return try createAgain(row, contact, bytes)
    }

    private mutating func createAgain(
        _ row: FolderRow, _ contact: Contact, _ bytes: [UInt8]? = nil
    ) throws -> FolderRow? {
        let identifier = row.identifier.isEmpty ? FolderSync.identifier(of: contact) : row.identifier
        let bytes = bytes ?? contact.card(.version3, identifier: identifier)
        let stamp = try FolderFile(row.name, in: folder.path).create(bytes)
        report.written += 1
        return try noted(row, contact, bytes, stamp)
    }

    /// Makes the file of a contact that has none.
    private mutating func create(_ id: String) throws -> FolderRow? {
        guard let contact = try book.storage.read({ db in try FolderSync.find(id, in: db)?.contact }) else {
            return nil
        }
        let identifier = FolderSync.identifier(of: contact)
        let bytes = contact.card(.version3, identifier: identifier)
        for name in FolderSync.names(for: identifier, id: contact.id) {
            do {
                let stamp = try FolderFile(name, in: folder.path).create(bytes)
                report.written += 1
                let row = FolderRow(
                    name: name, contact: contact.id, stamp: stamp, hash: 0, base: Data(), identifier: identifier)
                return try noted(row, contact, bytes, stamp)
            } catch FolderFile.Failure.exists {
                // Of somebody else: the next name.
            }
        }
        return nil
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
