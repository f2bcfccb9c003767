import GRDB
import SwitchboardContacts
import SwitchboardStorage

/// One sync of a folder: imports changed files into the book, then exports changed contacts to files.
///
/// The import is one transaction that also records the state of the files. The export commits write intents before it
/// changes files and records the result afterwards, so a killed process leaves a state from which the next sync
/// continues.
struct FolderSync {
    let book: ContactBook
    let folder: LinkedFolder
    let store: any CardStore
    let options: SyncOptions
    var report = SyncReport()

    mutating func run() throws -> SyncReport {
        let listing = try store.listing()
        try recoverIntents()
        for file in listing.unreadable {
            report.addSkipped(path(file.name), MalformedInput(line: 1, reason: file.reason), isMalformed: false)
        }
        let known = try book.storage.read { db in try FolderStore.stamps(of: folder.key, in: db) }
        var changed: [String] = []
        for (name, stamp) in listing.cards {
            if let file = known[name], !file.isRemoved, file.stamp == stamp {
                report.unchanged += 1
            } else {
                changed.append(name)
            }
        }
        // An unreadable file is not missing.
        let unreadable = Set(listing.unreadable.map(\.name))
        let missing = known.filter { name, file in
            !file.isRemoved && listing.cards[name] == nil && !unreadable.contains(name)
        }.keys.sorted()
        let files = known.values.filter { !$0.isRemoved }.count
        if missing.count > 1, missing.count == files, listing.cards.isEmpty, !options.acceptsEmptyFolder {
            throw ContactSyncError.folderEmptied(path: folder.path, count: files)
        }
        if !changed.isEmpty || !missing.isEmpty { try importFiles(changed.sorted(), missing: missing) }
        try exportContacts()
        return report
    }

    func path(_ name: String) -> String { store.path(of: name) }

    func checkCancellation() throws {
        if options.isCancelled?() ?? false { throw CancellationError() }
    }

    static func remove(_ id: String, in db: Database) throws {
        if let key = try ContactFetching.key(ifAny: id, in: db) { try ContactRows.delete(key, in: db) }
    }

    static func find(_ id: String, in db: Database) throws -> (key: Int64, contact: Contact)? {
        try ContactFetching.key(ifAny: id, in: db) == nil ? nil : ContactFetching.contact(id, in: db)
    }
}

extension SyncReport {
    mutating func addSkipped(_ file: String, _ error: MalformedInput, isMalformed: Bool) {
        skipped.append(
            Skipped(
                file: file, line: isMalformed ? error.line : nil, column: isMalformed ? error.column : nil,
                reason: error.reason, isMalformed: isMalformed))
    }

    mutating func addConflict(_ file: String, _ contact: Contact, _ fields: [String]) {
        conflicts.append(Conflict(file: file, id: contact.id, name: contact.displayName, fields: fields))
    }
}
