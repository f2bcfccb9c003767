import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage

// MARK: - Changing

extension ContactBook {
    /// Adds a contact, with a new identifier if it has none and without duplicate numbers and addresses.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/nameless``, ``ContactBookError/tooLong(field:limit:)``,
    ///   ``ContactBookError/tooMany(field:limit:)``, ``ContactBookError/nulText(field:)``,
    ///   ``ContactBookError/notAPicture(reason:)``, ``ContactBookError/duplicateID(_:)``.
    @discardableResult
    public func add(_ contact: Contact) throws -> Contact {
        // Comparing all elements of a list takes quadratic time, so the sizes are checked first.
        try contact.checkSizes()
        if let excess = contact.photo?.data.flatMap({ ContactPhoto.excess(of: $0) }) {
            throw ContactBookError.notAPicture(reason: excess)
        }
        var contact = contact.deduplicated
        guard contact.isNameable else { throw ContactBookError.nameless }
        let now = clock()
        contact.createdAt = contact.createdAt ?? now
        contact.modifiedAt = now
        if contact.id.isEmpty { contact.id = Storage.newIdentifier() }
        let prepared = PreparedContact(contact)
        return try writing { db in
            if try ContactFetching.key(ifAny: contact.id, in: db) != nil {
                throw ContactBookError.duplicateID(contact.id)
            }
            _ = try ContactRows(db).insert(prepared)
            return prepared.contact
        }
    }

    /// Changes a contact.
    ///
    /// If the components of the name change and the formatted name does not, the formatted name is recomposed. The
    /// identifier and the times cannot be changed.
    ///
    /// - Parameters:
    ///   - id: The identifier of the contact.
    ///   - change: Modifies the contact. If it throws, nothing is changed.
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/nameless``,
    ///   ``ContactBookError/tooLong(field:limit:)``, ``ContactBookError/tooMany(field:limit:)``,
    ///   ``ContactBookError/nulText(field:)``, ``ContactBookError/notAPicture(reason:)``.
    @discardableResult
    public func edit(_ id: String, _ change: (inout Contact) throws -> Void) throws -> Contact {
        try writing { db in
            let (key, old) = try ContactFetching.contact(id, in: db)
            var new = old
            try change(&new)
            // A contact from a list has a photo without bytes.
            if let photo = new.photo, photo.data == nil { new.photo = old.photo }
            if new.name != old.name, new.formattedName == old.formattedName { new.formattedName = "" }
            if new.name.family != old.name.family, new.name.secondFamily == old.name.secondFamily {
                new.name.secondFamily = ""
            }
            if new.name.suffix != old.name.suffix, new.name.generation == old.name.generation {
                new.name.generation = ""
            }
            new.id = old.id
            new.createdAt = old.createdAt
            new.modifiedAt = old.modifiedAt
            try new.checkTexts()
            // A contact that was too large before can still be changed.
            if let excess = new.excess, old.excess == nil { throw excess }
            if new.photo != old.photo, let excess = new.photo?.data.flatMap({ ContactPhoto.excess(of: $0) }) {
                throw ContactBookError.notAPicture(reason: excess)
            }
            new = new.deduplicated
            guard new.isNameable else { throw ContactBookError.nameless }
            guard new != old else { return old }
            new.modifiedAt = clock()
            try ContactRows(db).replace(key: key, by: PreparedContact(new))
            return new
        }
    }

    /// The number of days for which a removed contact can be restored. Later, the next removal deletes it permanently.
    public static let daysToRestore = 30

    /// Removes contacts in one transaction, or none if an identifier is unknown. ``restore(_:)`` undoes the removal.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func remove(_ ids: [String]) throws {
        let now = clock().timeIntervalSince1970
        try writing { db in
            for id in ids.uniqued {
                let key = try ContactFetching.key(of: id, in: db)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO contact_removed (id, removedAt, rows) VALUES (?, ?, ?)",
                    arguments: [id, now, try JSONEncoder().encode(StoredRows(of: key, in: db))])
                try ContactRows.delete(key, in: db)
            }
            try db.execute(
                sql: "DELETE FROM contact_removed WHERE removedAt < ?",
                arguments: [now - Double(ContactBook.daysToRestore) * 86_400])
        }
    }

    /// Restores removed contacts exactly, or none if one cannot be restored. Their merges can no longer be undone.
    ///
    /// - Returns: The contacts in the order of the identifiers.
    /// - Throws: ``ContactBookError/notRemoved(id:)``, ``ContactBookError/duplicateID(_:)``.
    @discardableResult
    public func restore(_ ids: [String]) throws -> [Contact] {
        try writing { db in
            try ids.uniqued.map { id in
                if try ContactFetching.key(ifAny: id, in: db) != nil { throw ContactBookError.duplicateID(id) }
                let row = try Row.fetchOne(
                    db, sql: "SELECT rows FROM contact_removed WHERE id = ?", arguments: [id])
                guard let row else { throw ContactBookError.notRemoved(id: id) }
                let json: Data = try row.value(0)
                guard let rows = try? JSONDecoder().decode(StoredRows.self, from: json) else {
                    throw ContactBookError.notRemoved(id: id)
                }
                try rows.restore(in: db)
                try db.execute(sql: "DELETE FROM contact_removed WHERE id = ?", arguments: [id])
                return try ContactFetching.contact(id, in: db).contact
            }
        }
    }

    /// Sets or clears the favorite flag of a contact.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``.
    @discardableResult
    public func setFavourite(_ id: String, to isFavourite: Bool = true) throws -> Contact {
        try writing { db in
            let key = try ContactFetching.key(of: id, in: db)
            try db.execute(
                sql: "UPDATE contact SET isFavourite = ?1, modifiedAt = ?2 WHERE key = ?3 AND isFavourite <> ?1",
                arguments: [isFavourite, clock().timeIntervalSince1970, key])
            return try ContactFetching.contact(id, in: db).contact
        }
    }

    /// Records that a contact was chosen, with the current time.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``.
    @discardableResult
    public func recordCall(_ id: String) throws -> Contact {
        try writing { db in
            let key = try ContactFetching.key(of: id, in: db)
            try db.execute(
                sql: "UPDATE contact SET callCount = callCount + 1, lastCalledAt = ? WHERE key = ?",
                arguments: [clock().timeIntervalSince1970, key])
            return try ContactFetching.contact(id, in: db).contact
        }
    }
}
