import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Changing

extension ContactBook {
    /// Stores a new contact.
    ///
    /// Without an identifier it gets one. Numbers and addresses that stand there twice are stored once.
    ///
    /// - Returns: the contact as stored.
    /// - Throws: ``ContactBookError/nameless``, ``ContactBookError/duplicateID(_:)``.
    @discardableResult
    public func add(_ contact: Contact) throws -> Contact {
        var contact = contact.withoutRepeats
        guard contact.isNameable else { throw ContactBookError.nameless }
        let now = clock()
        contact.createdAt = contact.createdAt ?? now
        contact.modifiedAt = now
        if contact.id.isEmpty { contact.id = ContactBook.newID() }
        let prepared = PreparedContact(contact)
        return try writing { db in
            let known = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM contact WHERE id = ?)", arguments: [contact.id])
            if known ?? false { throw ContactBookError.duplicateID(contact.id) }
            _ = try ContactRows(db).insert(prepared)
            return prepared.contact
        }
    }

    /// Changes a contact.
    ///
    /// Where the parts of the name change and the whole name does not, the whole name is composed anew. The identifier and the
    /// times cannot be changed.
    ///
    /// - Parameters:
    ///   - id: which contact.
    ///   - change: what to change; if it throws, nothing is.
    /// - Returns: the contact as stored.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/nameless``.
    @discardableResult
    public func edit(_ id: String, _ change: (inout Contact) throws -> Void) throws -> Contact {
        try writing { db in
            let (key, old) = try ContactFetching.contact(id, in: db)
            var new = old
            try change(&new)
            // One that came from a list knows of its photograph, but does not have it.
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
            new = new.withoutRepeats
            guard new.isNameable else { throw ContactBookError.nameless }
            guard new != old else { return old }
            new.modifiedAt = clock()
            try ContactRows(db).replace(key: key, by: PreparedContact(new))
            return new
        }
    }

    /// Removes contacts, all of them or, if one is unknown, none.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func remove(_ ids: [String]) throws {
        try writing { db in
            // The same one named twice is one.
            var removed: Set<String> = []
            for id in ids where removed.insert(id).inserted {
                let key = try ContactFetching.key(of: id, in: db)
                try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
                // Whoever is removed is not kept for an undoing of merges either.
                try db.cachedStatement(sql: "DELETE FROM contact_merge WHERE contact = ?").execute(arguments: [key])
            }
        }
    }

    /// Makes a contact a favourite, or no longer one.
    ///
    /// - Returns: the contact as stored.
    /// - Throws: ``ContactBookError/notFound(id:)``.
    @discardableResult
    public func setFavourite(_ id: String, _ isFavourite: Bool = true) throws -> Contact {
        try writing { db in
            let key = try ContactFetching.key(of: id, in: db)
            try db.execute(
                sql: "UPDATE contact SET isFavourite = ?1, modifiedAt = ?2 WHERE key = ?3 AND isFavourite <> ?1",
                arguments: [isFavourite, clock().timeIntervalSince1970, key])
            return try ContactFetching.contact(id, in: db).contact
        }
    }

    /// Remembers that a contact was chosen: how often, and now.
    ///
    /// - Returns: the contact as stored.
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

    /// A new identifier: twelve letters and digits, 60 random bits, of which no two books make the same.
    package static func newID() -> String {
        // Crockford's alphabet has no letters that are read for another one.
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        var bits = UInt64.random(in: .min ... .max)
        var letters: [UInt8] = []
        for _ in 0..<12 {
            letters.append(alphabet[Int(bits & 31)])
            bits >>= 5
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
