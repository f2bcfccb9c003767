public import Foundation
import GRDB
import SwitchboardIncrementalIndex
public import SwitchboardJSON
import SwitchboardStorage
import SwitchboardVCard

/// The result of undoing an import.
public struct ImportUndo: Hashable, Sendable, JSONObjectEncodable {
    /// A contact that was changed after the import and stays as it is.
    public struct Kept: Hashable, Sendable, Encodable {
        /// The identifier of the contact.
        public let id: String
        /// The displayed name of the contact.
        public let name: String
    }

    /// The names of the imported files.
    public var files: [String] = []
    /// The time of the import.
    public var importedAt: Date
    /// The number of imported contacts that were removed.
    public var removed = 0
    /// The number of contacts that are again as they were before the import.
    public var restored = 0
    /// The contacts that were changed after the import and stay as they are, by name.
    public var kept: [Kept] = []
    /// The number of imported contacts that had already been removed or merged into others.
    public var missing = 0

    /// Encodes `{"files", "importedAt", "removed", "restored", "kept": [{"id", "name"}], "missing"}`.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("files", files)
        try members.addTime("importedAt", importedAt)
        try members.add("removed", removed)
        try members.add("restored", restored)
        try members.add("kept", kept)
        try members.add("missing", missing)
    }
}

extension ContactBook {
    /// Undoes the last import that changed the book: removes its contacts and restores those that it merged.
    ///
    /// A contact that was edited, called or merged after the import stays as it is and is reported. All files of one
    /// call of ``importContacts(from:options:)`` are undone together, in one transaction.
    ///
    /// - Parameter file: The name of the file whose import is to be undone; nil for the last import of any file.
    /// - Throws: ``ContactBookError/noImport`` if the last import is already undone, older than this feature or of another
    ///   file.
    /// - Complexity: O(*n* log *N*) for *n* imported and *N* contacts.
    public func undoImport(of file: String? = nil) throws -> ImportUndo {
        try writingMany { db in
            let undone = try ImportRecord.undo(of: file, in: db)
            try ContactBook.changes.trim(
                afterChanging: undone.removed + undone.restored, of: { try count(in: db) }, in: db)
            return undone
        }
    }
}

/// Records what an import of a file changes, so that it can be undone.
///
/// Added contacts have consecutive keys, so their range is enough. A contact that the import changes is copied before
/// the first change. Only the last import is kept: a new one replaces it with its first change.
struct ImportRecord {
    private let db: Database
    private let file: String
    private let importedAt: Double
    private let firstKey: Int64
    private let membersBefore: Set<UnresolvedMember>
    private var key: Int64?

    /// Begins the record of a file within the transaction of the import.
    ///
    /// - Parameter importedAt: The time of the import, which is the same for all files of one call.
    init(_ db: Database, file: String, importedAt: Date) throws {
        self.db = db
        self.file = file
        self.importedAt = importedAt.timeIntervalSince1970
        let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'contact'")
        firstKey = (last ?? 0) + 1
        membersBefore = try UnresolvedMember.all(in: db)
    }

    /// Copies a contact that the import is about to change, unless it was added or copied by this import.
    mutating func copy(_ contact: Int64) throws {
        if contact >= firstKey { return }
        let record = try begin()
        let known = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM contact_imported WHERE contact = ?1)
                    OR EXISTS (SELECT 1 FROM contact_import WHERE ?1 BETWEEN firstContact AND lastContact)
                """)
        if try Bool.fetchOne(known, arguments: [contact]) ?? false { return }
        try db.cachedStatement(sql: "INSERT INTO contact_imported (contact, import, rows) VALUES (?, ?, ?)")
            .execute(arguments: [contact, record, try JSONEncoder().encode(StoredRows(of: contact, in: db))])
    }

    /// Completes the record when all contacts of the file are stored. An import that changed nothing leaves the previous
    /// record.
    mutating func finish() throws {
        let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'contact'") ?? 0
        let members = try UnresolvedMember.all(in: db)
        guard key != nil || last >= firstKey || members != membersBefore else { return }
        let changes = MemberChanges(
            added: members.subtracting(membersBefore), removed: membersBefore.subtracting(members))
        try db.execute(
            sql: "UPDATE contact_import SET lastContact = ?, members = ? WHERE key = ?",
            arguments: [last, try JSONEncoder().encode(changes), try begin()])
    }

    /// Replaces the record of the previous import. Returns the key of this one.
    private mutating func begin() throws -> Int64 {
        if let key { return key }
        try db.execute(sql: "DELETE FROM contact_import WHERE importedAt <> ?", arguments: [importedAt])
        try db.execute(
            sql: """
                INSERT INTO contact_import (importedAt, file, firstContact, lastContact, members) VALUES (?, ?, ?, ?, ?)
                """, arguments: [importedAt, file, firstKey, firstKey - 1, try JSONEncoder().encode(MemberChanges())])
        key = db.lastInsertedRowID
        return db.lastInsertedRowID
    }
}

// MARK: - Undo

extension ImportRecord {
    /// Matches contacts that were changed after the import, which gave its own time to all that it changed. A call does not
    /// change the time of modification.
    fileprivate static let isChanged = "(modifiedAt <> :time OR coalesce(lastCalledAt, 0) > :time)"

    /// Undoes the recorded import and deletes the record.
    static func undo(of file: String?, in db: Database) throws -> ImportUndo {
        let imports = try Row.fetchAll(
            db, sql: "SELECT importedAt, file, firstContact, lastContact, members FROM contact_import ORDER BY key")
        guard let first = imports.first else { throw ContactBookError.noImport }
        let time: Double = try first.value(0)
        var undone = ImportUndo(importedAt: Date(timeIntervalSince1970: time))
        for row in imports {
            undone.files.append(try row.value(1))
            if let file, undone.files != [file] { throw ContactBookError.noImport }
            try undone.removeAdded(row.value(2), through: row.value(3), at: time, in: db)
        }
        try undone.restoreMerged(at: time, in: db)
        for row in imports.reversed() {
            let changes = try decoded(MemberChanges.self, row.value(4))
            for member in changes.added { try member.delete(in: db) }
            for member in changes.removed { try member.insert(in: db) }
        }
        try db.execute(sql: "DELETE FROM contact_import")
        undone.kept.sort { ($0.name, $0.id) < ($1.name, $1.id) }
        return undone
    }

    /// Decodes a part of the record; a damaged one cannot be undone.
    fileprivate static func decoded<Value: Decodable>(_ type: Value.Type, _ json: Data) throws -> Value {
        guard let value = try? JSONDecoder().decode(type, from: json) else { throw ContactBookError.noImport }
        return value
    }
}

extension ImportUndo {
    fileprivate mutating func removeAdded(
        _ first: Int64, through last: Int64, at time: Double, in db: Database
    ) throws {
        let range = "key BETWEEN \(first) AND \(last)"
        let present = try Int.fetchOne(db, sql: "SELECT count(*) FROM contact WHERE \(range)") ?? 0
        missing += Int(last - first + 1) - present
        let changed = try Int64.fetchAll(
            db, sql: "SELECT key FROM contact WHERE \(range) AND \(ImportRecord.isChanged)", arguments: ["time": time])
        try keep(changed, in: db)
        let unchanged = "SELECT key FROM contact WHERE \(range) AND NOT \(ImportRecord.isChanged)"
        try db.execute(sql: "DELETE FROM contact_merge WHERE contact IN (\(unchanged))", arguments: ["time": time])
        // Deleting these by the foreign keys, contact by contact, takes half as long again.
        for table in ["contact_phone", "contact_email", "contact_detail", "contact_search"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE contact IN (\(unchanged))", arguments: ["time": time])
        }
        try db.execute(sql: "DELETE FROM contact WHERE key IN (\(unchanged))", arguments: ["time": time])
        removed += present - changed.count
    }

    fileprivate mutating func restoreMerged(at time: Double, in db: Database) throws {
        let isChanged = try db.cachedStatement(sql: "SELECT \(ImportRecord.isChanged) FROM contact WHERE key = :key")
        let copies = try Row.fetchCursor(db, sql: "SELECT contact, rows FROM contact_imported ORDER BY contact")
        while let row = try copies.next() {
            let key: Int64 = try row.value(0)
            switch try Bool.fetchOne(isChanged, arguments: ["time": time, "key": key]) {
            case true?: try keep([key], in: db)
            case nil: missing += 1
            case false?:
                let rows = try ImportRecord.decoded(StoredRows.self, row.value(1))
                try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
                try rows.restore(in: db)
                restored += 1
            }
        }
    }

    private mutating func keep(_ keys: [Int64], in db: Database) throws {
        let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
        kept += keys.compactMap { contacts[$0] }.map { Kept(id: $0.id, name: $0.displayName) }
    }
}

// MARK: - Members of groups

/// The unresolved members of groups that an import added and removed.
private struct MemberChanges: Codable {
    var added: Set<UnresolvedMember> = []
    var removed: Set<UnresolvedMember> = []
}

private struct UnresolvedMember: Codable, Hashable {
    let group: String
    let member: String

    static func all(in db: Database) throws -> Set<UnresolvedMember> {
        Set(
            try UnresolvedMembers.all(in: db).flatMap { group, members in
                members.map { UnresolvedMember(group: group, member: $0) }
            })
    }

    func insert(in db: Database) throws { _ = try UnresolvedMembers.add([member], to: group, in: db) }

    func delete(in db: Database) throws { try UnresolvedMembers.remove(member, of: group, in: db) }
}
