import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardContacts
import SwitchboardStorage

// MARK: - From the book into the folder

extension FolderSync {
    /// Writes the cards of changed, new and removed contacts.
    mutating func exportContacts() throws {
        let (names, new) = try book.storage.read { db in
            (try FolderStore.namesToWrite(of: folder.key, in: db), try FolderStore.newContacts(for: folder.key, in: db))
        }
        let count = names.count + new.count
        guard count > 0 else { return }
        guard store.isWritable else {
            let source = folder.isAddressBook ? "address book" : "folder"
            report.skipped.append(
                SyncReport.Skipped(
                    file: folder.path,
                    reason: "the \(source) is not writable; changes made here (\(count)) wait until it is",
                    isMalformed: false))
            return
        }
        var batch: [PendingWrite] = []
        for (index, name) in (names + new).enumerated() {
            try checkCancellation()
            try skippingFailures(of: name) { sync in
                if let write = try index < names.count ? sync.update(name) : sync.create(name) { batch.append(write) }
            }
            options.progress?(index + 1, count)
            if batch.count >= FolderSync.largestBatch { try commit(&batch) }
        }
        try commit(&batch)
    }

    /// The maximum number of staged files, each of which is an open file descriptor.
    private static let largestBatch = 100

    /// A change of a file that is staged but not yet committed.
    private enum PendingWrite {
        /// The file is already up to date.
        case none(TrackedFile)
        case deletion(FileStamp, TrackedFile, [UInt8])
        /// A changed or new file, with further names to try if the name of a new one is taken.
        case write(any StagedCard, TrackedFile, Contact, [UInt8], otherNames: [String] = [])
    }

    /// Synchronizes staged files, records write intents, commits the files and records the result.
    private mutating func commit(_ batch: inout [PendingWrite]) throws {
        guard !batch.isEmpty else { return }
        for case .write(let staged, _, _, _, _) in batch { staged.synchronize() }
        try record(batch.compactMap(intent(of:)))
        var files: [TrackedFile] = []
        for write in batch {
            switch write {
            case .none(let file): files.append(file)
            case .deletion(let stamp, let file, let bytes):
                try skippingFailures(of: file.name) { sync in
                    files.append(try sync.delete(stamp, file, bytes))
                }
            case .write(let staged, let file, let contact, let bytes, let names):
                try skippingFailures(of: file.name) { sync in
                    files.append(try sync.write(staged, file, contact, bytes, otherNames: names))
                }
            }
        }
        batch = []
        try record(files)
    }

    private func intent(of write: PendingWrite) -> WriteIntent? {
        switch write {
        case .none: nil
        case .deletion(_, let file, let bytes): WriteIntent(deleting: bytes, file)
        case .write(_, let file, let contact, let bytes, _): WriteIntent(of: bytes, as: file.name, for: contact)
        }
    }

    private mutating func write(
        _ staged: any StagedCard, _ file: TrackedFile, _ contact: Contact, _ bytes: [UInt8], otherNames: [String]
    ) throws -> TrackedFile {
        do {
            let stored = try staged.commit()
            report.written += 1
            var file = file
            file.name = stored.name
            return try tracked(file, contact, stored.bytes, stored.stamp)
        } catch FolderFile.Failure.exists {
            guard let name = otherNames.first else { throw FolderFile.Failure.exists }
            var file = file
            file.name = name
            try record([WriteIntent(of: bytes, as: file.name, for: contact)])
            let staged = try store.stage(bytes, as: name, replacing: nil)
            return try write(staged, file, contact, bytes, otherNames: Array(otherNames.dropFirst()))
        }
    }

    private mutating func delete(
        _ stamp: FileStamp, _ file: TrackedFile, _ bytes: [UInt8]
    ) throws -> TrackedFile {
        do {
            try store.remove(file.name, stamp)
            report.deleted += 1
        } catch FolderFile.Failure.missing {
            // Another program removed the file first.
        }
        var file = tombstone(file)
        file.card = Data(bytes)
        return file
    }

    /// Records the state of written files once their directory entries are on the disk.
    private func record(_ files: [TrackedFile]) throws {
        store.synchronize()
        let oldest = book.clock().timeIntervalSince1970 - Double(ContactBook.daysToUndoMerge) * 86_400
        try book.storage.write { db in
            for file in files { try FolderStore.save(file, of: folder.key, in: db) }
            try WriteIntent.deleteAll(of: folder.key, in: db)
            try FolderStore.compact(before: oldest, in: db)
        }
    }

    /// Reports a failure that concerns one file, so the sync continues with the others.
    private mutating func skippingFailures(of name: String, _ body: (inout FolderSync) throws -> Void) throws {
        do {
            try body(&self)
        } catch FolderFile.Failure.refused(let reason) {
            report.addSkipped(
                path(name), MalformedInput(line: 1, reason: "cannot write the file: \(reason)"), isMalformed: false)
        } catch FolderFile.Failure.changed, FolderFile.Failure.missing, FolderFile.Failure.exists {
            // Another program changed the file. The next sync merges both changes.
        } catch let error as MalformedInput {
            report.addSkipped(path(name), error, isMalformed: true)
        }
    }

    // MARK: Known files

    private mutating func update(_ name: String) throws -> PendingWrite? {
        let found = try book.storage.read { db in
            try FolderStore.find(name, of: folder.key, in: db).map { file in
                (file: file, contact: try FolderSync.find(file.contact, in: db)?.contact)
            }
        }
        guard let (file, contact) = found else { return nil }
        if file.contact.hasPrefix(ContactBook.groupCardPrefix) { return try updateGroup(file) }
        guard let contact else { return try stageDeletion(of: file) }
        if file.removedAt != nil { return try restore(file, contact) }
        if file.hash == 0, file.stamp == .none { return try recreate(file, contact) }
        let (bytes, stamp) = try store.reading(name)
        // A file that changed since the import, or was malformed then, is imported first by the next sync.
        guard StableHash.of(bytes) == file.hash else { return nil }
        let card = try CardFile(bytes, region: book.region)
        let described = try book.storage.read { db in
            try GroupCards.withoutListedGroups(contact, except: card.contact.groups, in: db)
        }
        let new = try CardPatch.bytes(of: card, describing: described, now: book.clock(), region: book.region)
        if new == bytes { return .none(try tracked(file, contact, bytes, stamp)) }
        return .write(try store.stage(new, as: name, replacing: stamp), file, contact, new)
    }

    /// Writes the members of a group's card that were changed in the book.
    private mutating func updateGroup(_ file: TrackedFile) throws -> PendingWrite? {
        let (bytes, stamp) = try store.reading(file.name)
        guard StableHash.of(bytes) == file.hash else { return nil }
        let (members, number) = try book.storage.read { db in
            (try GroupCards.members(of: file.contact, in: db), try FolderStore.lastChange(in: db))
        }
        // Stands for the group, with the number of the change.
        var group = Contact(id: file.contact)
        group.modifiedAt = Date(timeIntervalSince1970: number)
        let new = GroupCardPatch.bytes(
            of: try CardFile(bytes, region: book.region), listing: members, now: book.clock())
        if new == bytes { return .none(try tracked(file, group, bytes, stamp)) }
        return .write(try store.stage(new, as: file.name, replacing: stamp), file, group, new)
    }

    /// Returns the state of a written file, as the next import would parse it.
    private func tracked(
        _ file: TrackedFile, _ contact: Contact, _ bytes: [UInt8], _ stamp: FileStamp
    ) throws -> TrackedFile {
        let card = try CardFile(bytes, region: book.region)
        return TrackedFile(
            name: file.name, contact: contact.id, stamp: stamp.reliable, hash: StableHash.of(bytes),
            base: card.canonical.fingerprints, identifier: card.identifier,
            contactModifiedAt: contact.modifiedAt?.timeIntervalSince1970)
    }

    /// Stages the deletion of a removed contact's file, whose bytes are kept for undoing.
    private func stageDeletion(of file: TrackedFile) throws -> PendingWrite? {
        do {
            let (bytes, stamp) = try store.reading(file.name)
            guard StableHash.of(bytes) == file.hash else { return nil }
            return .deletion(stamp, file, bytes)
        } catch FolderFile.Failure.missing {
            // Removed on both sides.
            return .none(tombstone(file))
        }
    }

    private func tombstone(_ file: TrackedFile) -> TrackedFile {
        var file = file
        file.removedAt = book.clock().timeIntervalSince1970
        return file
    }

    // MARK: New files

    /// Restores the deleted file of a contact that was restored, with the contact's current facts.
    private mutating func restore(_ file: TrackedFile, _ contact: Contact) throws -> PendingWrite? {
        let card = try book.storage.read { db in try FolderStore.card(file.name, of: folder.key, in: db) }
        guard let card, let old = try? CardFile(Array(card), region: book.region) else {
            return try recreate(file, contact)
        }
        let bytes = try CardPatch.bytes(of: old, describing: contact, now: book.clock(), region: book.region)
        return try recreate(file, contact, bytes)
    }

    private mutating func recreate(
        _ file: TrackedFile, _ contact: Contact, _ bytes: [UInt8]? = nil
    ) throws -> PendingWrite? {
        let identifier = file.identifier.isEmpty ? FolderSync.identifier(of: contact) : file.identifier
        let bytes = bytes ?? contact.card(.version3, identifier: identifier)
        return .write(try store.stage(bytes, as: file.name, replacing: nil), file, contact, bytes)
    }

    /// Stages the file of a contact that has none.
    private mutating func create(_ id: String) throws -> PendingWrite? {
        guard let contact = try book.storage.read({ db in try FolderSync.find(id, in: db)?.contact }) else {
            return nil
        }
        let identifier = FolderSync.identifier(of: contact)
        let bytes = contact.card(.version3, identifier: identifier)
        let names = store.names(for: identifier, id: contact.id)
        guard let name = names.first else { return nil }
        let file = TrackedFile(
            name: name, contact: contact.id, stamp: .none, hash: 0, base: Data(), identifier: identifier)
        let staged = try store.stage(bytes, as: name, replacing: nil)
        return .write(staged, file, contact, bytes, otherNames: Array(names.dropFirst()))
    }

    private static func identifier(of contact: Contact) -> String {
        contact.sourceUID.isEmpty ? contact.id : contact.sourceUID
    }
}
