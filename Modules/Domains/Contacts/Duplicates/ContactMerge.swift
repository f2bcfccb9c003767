import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardVCard

extension ContactBook {
    /// The number of days for which a merge can be undone. The next merge deletes the records of older ones.
    public static let daysToUndoMerge = 30

    /// Merges contacts of the same person in one transaction, or none if an identifier is unknown.
    ///
    /// The first contact keeps its name and identifier and receives all distinct numbers, addresses and notes of the
    /// others, which are removed. If a single-valued field differs, the first contact's value stays and the other is
    /// preserved in ``Contact/otherProperties``. Calls are added up; the result is a favorite if any contact was.
    /// ``undoMerge(_:discardingChanges:)`` undoes the merge.
    ///
    /// - Parameter ids: At least two identifiers, starting with the contact to keep.
    /// - Returns: The merged contact.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/mergedWithItself(id:)``,
    ///   ``ContactBookError/nothingToMerge``, ``ContactBookError/tooLong(field:limit:)``,
    ///   ``ContactBookError/tooMany(field:limit:)``.
    @discardableResult
    public func merge(_ ids: [String]) throws -> Contact {
        let now = clock()
        return try writing { db in
            var (merged, keys) = try ContactBook.merged(ids, in: db)
            merged.modifiedAt = now
            let rows = try JSONEncoder().encode(keys.map { try StoredRows(of: $0, in: db) })
            for key in keys.dropFirst() { try ContactBook.delete(key, in: db) }
            try ContactRows(db).replace(key: keys[0], by: PreparedContact(merged))
            try db.execute(
                sql: "INSERT INTO contact_merge (contact, mergedAt, callCount, rows) VALUES (?, ?, ?, ?)",
                arguments: [keys[0], now.timeIntervalSince1970, merged.callCount, rows])
            try db.execute(
                sql: "DELETE FROM contact_merge WHERE mergedAt < ?",
                arguments: [now.timeIntervalSince1970 - Double(ContactBook.daysToUndoMerge) * 86_400])
            return try ContactFetching.contact(merged.id, in: db).contact
        }
    }

    /// Returns the contact that ``merge(_:)`` would store, and changes nothing.
    ///
    /// - Throws: The errors of ``merge(_:)``.
    public func mergePreview(_ ids: [String]) throws -> Contact {
        try storage.read { db in try ContactBook.merged(ids, in: db).contact }
    }

    /// Returns the merged contact and the keys of the contacts, of which there are at least two.
    private static func merged(_ ids: [String], in db: Database) throws -> (contact: Contact, keys: [Int64]) {
        var named: Set<String> = []
        for id in ids where !named.insert(id).inserted { throw ContactBookError.mergedWithItself(id: id) }
        let found = try ids.map { try ContactFetching.contact($0, in: db) }
        guard var merged = found.first?.contact, found.count > 1 else { throw ContactBookError.nothingToMerge }
        let wereTooLarge = found.contains { $0.contact.excess != nil }
        for other in found.dropFirst() {
            merged = merged.absorbing(other.contact)
            if let excess = merged.excess, !wereTooLarge { throw excess }
        }
        return (merged, found.map(\.key))
    }

    /// Undoes the last merge of a contact and restores all merged contacts exactly.
    ///
    /// Calls since the merge stay with the contact. Earlier merges can be undone afterwards.
    ///
    /// - Parameters:
    ///   - id: The identifier of the merged contact.
    ///   - discardingChanges: `true` to discard changes since the merge instead of throwing an error.
    /// - Returns: The restored contacts in the order of the merge.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/notMerged(id:)``,
    ///   ``ContactBookError/changedSinceMerge(id:)``, ``ContactBookError/thereAgain(id:)``.
    @discardableResult
    public func undoMerge(_ id: String, discardingChanges: Bool = false) throws -> [Contact] {
        try writing { db in
            let (key, present) = try ContactFetching.contact(id, in: db)
            let merge = try Row.fetchOne(
                db,
                sql: """
                    SELECT key, mergedAt, callCount, rows FROM contact_merge WHERE contact = ?
                    ORDER BY key DESC LIMIT 1
                    """, arguments: [key])
            guard let merge else { throw ContactBookError.notMerged(id: id) }
            let json: Data = try merge.value(3)
            guard let rows = try? JSONDecoder().decode([StoredRows].self, from: json) else {
                throw ContactBookError.notMerged(id: id)
            }
            let mergedAt: Date = try merge.value(1)
            guard discardingChanges || present.modifiedAt == mergedAt else {
                throw ContactBookError.changedSinceMerge(id: id)
            }
            try ContactBook.delete(key, in: db)
            for stored in rows {
                if let identifier = stored.identifier, try ContactFetching.key(ifAny: identifier, in: db) != nil {
                    throw ContactBookError.thereAgain(id: identifier)
                }
                try stored.restore(in: db)
            }
            try ContactBook.addCalls(of: present, since: merge.value(2), to: key, in: db)
            try db.execute(sql: "DELETE FROM contact_merge WHERE key = ?", arguments: [try merge.value(0) as Int64])
            let contacts = try ContactFetching.contacts(rows.map(\.key), in: db)
            return rows.compactMap { contacts[$0.key] }
        }
    }

    private static func delete(_ key: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
    }

    /// Adds the calls since the merge to the restored contact.
    private static func addCalls(of present: Contact, since calls: Int, to key: Int64, in db: Database) throws {
        let (further, underflows) = present.callCount.subtractingReportingOverflow(calls)
        guard !underflows, further > 0 else { return }
        let before = try Int.fetchOne(db, sql: "SELECT callCount FROM contact WHERE key = ?", arguments: [key]) ?? 0
        let (sum, overflows) = before.addingReportingOverflow(further)
        try db.execute(
            sql: "UPDATE contact SET callCount = ?, lastCalledAt = ? WHERE key = ?",
            arguments: [overflows ? .max : sum, present.lastCalledAt?.timeIntervalSince1970, key])
    }
}

// MARK: - Merging two contacts

extension Contact {
    /// Returns this contact merged with another one at the user's request.
    ///
    /// Unlike ``merging(_:)``, this contact keeps its name, and the other name is preserved as `X-OTHER-NAME`. A job
    /// title at another organization is preserved together with that organization, as a second `ORG` and `TITLE`. Call
    /// counts are added up; the latest call and the earliest creation time are kept.
    fileprivate func absorbing(_ other: Contact) -> Contact {
        var other = other
        var merged = self
        let otherNames = [other.fullName, other.name.composed].filter { !$0.isEmpty }
        if fullName.isEmpty {
            merged.name = other.name
            merged.formattedName = other.formattedName
        }
        other.name = PersonName()
        other.formattedName = ""
        var otherPositions: [String] = []
        if !organization.isEmpty, !other.organization.isEmpty, organization != other.organization {
            otherPositions.append("ORG:" + VCardText.structured(other.organizationComponents))
            if !other.title.isEmpty { otherPositions.append("TITLE:" + VCardText.escaped(other.title)) }
            (other.organizationComponents, other.title) = ([], "")
        }
        merged = merged.merging(other)
        for name in otherNames where name != merged.fullName && name != merged.name.composed {
            merged.preserve("X-OTHER-NAME", name)
        }
        for line in otherPositions where !merged.otherProperties.contains(line) { merged.otherProperties.append(line) }
        let (calls, overflows) = callCount.addingReportingOverflow(other.callCount)
        merged.callCount = overflows ? .max : calls
        merged.lastCalledAt = [lastCalledAt, other.lastCalledAt].compactMap { $0 }.max()
        merged.createdAt = [createdAt, other.createdAt].compactMap { $0 }.min()
        return merged
    }
}

extension Contact {
    /// Returns this contact merged with another one.
    ///
    /// If a single-valued field differs, the other value is preserved in ``otherProperties``; notes and nicknames are
    /// joined. Merging the same contact again changes nothing. The identifier and the times stay.
    package func merging(_ other: Contact) -> Contact {
        let other = other.withGroups(apartFrom: self)
        var merged = self
        merged.mergeName(of: other)
        for field in ContactTextField.all { merged.merge(field, of: other) }
        if other.sourceUID != id { merged.fill(\.sourceUID, from: other, property: "X-UID") }
        for phone in other.phones { merged.add(phone) }
        for email in other.emails { merged.add(email) }
        for address in other.addresses where !merged.addresses.contains(where: { $0.components == address.components })
        {
            merged.addresses.append(address)
        }
        for url in other.urls where !merged.urls.contains(where: { $0.url == url.url }) { merged.urls.append(url) }
        merged.isFavourite = merged.isFavourite || other.isFavourite
        for group in other.groups { merged.addGroup(group) }
        if merged.photo == nil {
            merged.photo = other.photo
        } else if merged.photo?.data != other.photo?.data, let line = other.photo?.line {
            if !merged.otherProperties.contains(line) { merged.otherProperties.append(line) }
        }
        for property in other.otherProperties where !merged.otherProperties.contains(property) {
            merged.otherProperties.append(property)
        }
        return merged
    }

    /// Adopts the other name if it contains this contact's name, and otherwise preserves it unless it adds nothing.
    private mutating func mergeName(of other: Contact) {
        if other.fullName.isEmpty { return }
        let (mine, theirs) = (NameAsTyped(self), NameAsTyped(other))
        if fullName.isEmpty || (mine != theirs && mine.isContained(in: theirs)) {
            name = other.name
            formattedName = other.formattedName
        } else if mine == theirs {
            let whole = fullName
            if name.prefix.isEmpty { name.prefix = other.name.prefix }
            if name.suffix.isEmpty { name.suffix = other.name.suffix }
            if name.secondFamily.isEmpty { name.secondFamily = other.name.secondFamily }
            if name.generation.isEmpty { name.generation = other.name.generation }
            if fullName != whole { formattedName = whole }
            // The same formatted name may have different components, such as "J. Smith".
            let (own, components) = (NameAsTyped(name.composed), NameAsTyped(other.name.composed))
            if !components.words.isEmpty, components != own, !components.isContained(in: own) {
                preserve("X-OTHER-NAME", other.name.composed)
            }
        } else if !theirs.isContained(in: mine) {
            preserve("X-OTHER-NAME", other.fullName)
        }
    }

    /// Merges a text field; names are merged as a whole.
    private mutating func merge(_ field: ContactTextField, of other: Contact) {
        switch field.merge {
        case .asPart: break
        case .preserving(let property):
            if self[field].isEmpty, !other[field].isEmpty { textParameters[field] = other.textParameters[field] }
            fill(field.path, from: other, property: property)
        case .appending(_, isList: true):
            for text in other[field].split(separator: ",").map({ String($0).trimmingWhitespace }) {
                let known = self[field].split(separator: ",").map { String($0).trimmingWhitespace }
                if !known.contains(text) { self[field] = (known + [text]).joined(separator: ", ") }
            }
        case .appending(let separator, isList: false):
            if other[field].isEmpty || self[field].contains(other[field]) { break }
            self[field] = self[field].isEmpty ? other[field] : self[field] + separator + other[field]
        }
    }

    private mutating func fill(_ field: WritableKeyPath<Contact, String>, from other: Contact, property: String) {
        let theirs = other[keyPath: field]
        if theirs.isEmpty || self[keyPath: field] == theirs { return }
        if self[keyPath: field].isEmpty {
            self[keyPath: field] = theirs
        } else {
            preserve(property, theirs)
        }
    }

    /// Adds a text to ``otherProperties`` unless present.
    mutating func preserve(_ property: String, _ text: String) {
        let line = property + ":" + VCardText.escaped(text)
        if !otherProperties.contains(line) { otherProperties.append(line) }
    }
}
