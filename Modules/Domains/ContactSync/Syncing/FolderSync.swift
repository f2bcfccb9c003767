import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardVCard

/// One bringing together of a folder and the book: first what the files say is stored, then what the book says is written.
///
/// What is stored goes into the database in one transaction together with what is then known of the files, so a process that is
/// killed has done all of it or nothing. What is done to files is announced in the database first, then done, then noted; after a kill
/// in between the next run looks at the announced files and notes what it finds done.
struct FolderSync {
    let book: ContactBook
    let folder: LinkedFolder
    let locked: LockedFolder
    let options: SyncOptions
    var report = SyncReport()

    init(book: ContactBook, folder: LinkedFolder, locked: LockedFolder, options: SyncOptions) {
        self.book = book
        self.folder = folder
        self.locked = locked
        self.options = options
    }

    mutating func run() throws -> SyncReport {
        try noteAnnounced()
        let listing = try FolderListing(of: folder.path)
        locked.sweep(listing.leftovers)
        for fault in listing.faults {
            skip(fault.name, MalformedInput(line: 1, reason: fault.reason), isMalformed: false)
        }
        let known = try book.storage.read { db in try FolderRows.stamps(of: folder.key, in: db) }
        var changed: [String] = []
        for (name, stamp) in listing.files {
            if let row = known[name], !row.isRemoved, row.stamp == stamp {
                report.unchanged += 1
            } else {
                changed.append(name)
            }
        }
        // What cannot be read is there all the same.
        let unreadable = Set(listing.faults.map(\.name))
        let missing = known.filter { name, row in
            !row.isRemoved && listing.files[name] == nil && !unreadable.contains(name)
        }.keys.sorted()
        let files = known.values.filter { !$0.isRemoved }.count
        if missing.count > 1, missing.count == files, listing.files.isEmpty, !options.believesEmpty {
            throw ContactBookError.folderEmptied(path: folder.path, count: files)
        }
        if !changed.isEmpty || !missing.isEmpty { try takeIn(changed.sorted(), missing: missing) }
        try writeOut()
        return report
    }

    // MARK: - Reporting

    func path(_ name: String) -> String { FolderFile(name, in: folder.path).path }

    mutating func skip(_ name: String, _ fault: MalformedInput, isMalformed: Bool) {
        report.skipped.append(
            SyncReport.Skipped(
                file: path(name), line: isMalformed ? fault.line : nil, column: isMalformed ? fault.column : nil,
                reason: fault.reason, isMalformed: isMalformed))
    }

    mutating func tellConflict(_ name: String, _ contact: Contact, _ fields: [String]) {
        report.conflicts.append(
            SyncReport.Conflict(file: path(name), id: contact.id, name: contact.displayName, fields: fields))
    }

    func checkCancellation() throws {
        if options.isCancelled?() ?? false { throw ContactBookError.cancelled }
    }

    /// Removes a contact that is there.
    static func remove(_ id: String, in db: Database) throws {
        guard let key = try Int64.fetchOne(db, sql: "SELECT key FROM contact WHERE id = ?", arguments: [id]) else {
            return
        }
        try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
        try db.cachedStatement(sql: "DELETE FROM contact_merge WHERE contact = ?").execute(arguments: [key])
    }

    static func find(_ id: String, in db: Database) throws -> (key: Int64, contact: Contact)? {
        do {
            return try ContactFetching.contact(id, in: db)
        } catch ContactBookError.notFound {
            return nil
        }
    }
}

/// A file that was read, made ready on any thread.
struct ReadFile: Sendable {
    let name: String
    let stamp: FileStamp
    let hash: UInt64
    let statements: CardStatements
    let identifier: String
    let prepared: PreparedContact

    init(_ name: String, _ file: CardFile, _ stamp: FileStamp) {
        self.name = name
        self.stamp = stamp
        hash = StableHash.of(file.bytes)
        statements = file.statements
        identifier = file.identifier
        prepared = PreparedContact(file.contact)
    }

    var contact: Contact { prepared.contact }

    /// What is then known of the file.
    ///
    /// - Parameter contactModifiedAt: nil if the contact says something that the file does not.
    func row(of contact: Contact, agreesAt contactModifiedAt: Date?) -> FolderRow {
        FolderRow(
            name: name, contact: contact.id, stamp: stamp.settled, hash: hash, base: statements.fingerprints,
            identifier: identifier, contactModifiedAt: contactModifiedAt?.timeIntervalSince1970)
    }
}

/// What became of a file that was to be read.
enum FileOutcome: Sendable {
    case read(ReadFile)
    /// It is malformed, or the system refuses it.
    case fault(name: String, MalformedInput, isMalformed: Bool)
    /// It is gone or being written: the next time will do.
    case passing(name: String)

    /// Reads files on other threads, ahead of whoever stores them.
    static func pipeline(
        _ names: [String], in folder: String, region: String?
    ) -> BatchPipeline<FileOutcome> {
        BatchPipeline(
            reading: {
                var rest = names[...]
                return {
                    let batch = Array(rest.prefix(256))
                    rest = rest.dropFirst(256)
                    return batch
                }
            },
            preparing: { name in outcome(of: name, in: folder, region: region) })
    }

    static func outcome(of name: String, in folder: String, region: String?) -> FileOutcome {
        do {
            let (bytes, stamp) = try FolderFile(name, in: folder).read()
            return .read(ReadFile(name, try CardFile(bytes, region: region), stamp))
        } catch let fault as MalformedInput {
            return .fault(name: name, fault, isMalformed: true)
        } catch FolderFile.Failure.refused(let reason) {
            return .fault(name: name, MalformedInput(line: 1, reason: reason), isMalformed: false)
        } catch is FolderFile.Failure {
            return .passing(name: name)
        } catch {
            return .fault(name: name, MalformedInput(line: 1, reason: String(describing: error)), isMalformed: true)
        }
    }
}
