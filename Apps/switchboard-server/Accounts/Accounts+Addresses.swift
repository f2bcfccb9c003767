public import Crypto
public import Foundation
import GRDB
import SwitchboardStorage

// Each `unsafe` is safe because the key is only read within the closure.

// MARK: - Calendar addresses

extension Accounts {
    /// Returns the secret part of the address where a calendar app finds a person's reminders.
    ///
    /// The secret is derived from a server key, so it can be shown again. Only its hash is stored.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func calendarSecret(of person: String) throws -> String {
        try storage.write { db in try calendarSecret(of: person, in: db) }
    }

    /// Replaces the secret of a person's calendar; the old one becomes invalid.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func renewCalendarSecret(of person: String) throws -> String {
        try storage.write(changing: Accounts.module) { db in
            try db.execute(
                sql: "UPDATE person SET calendarVersion = calendarVersion + 1 WHERE id = ?", arguments: [person])
            return try calendarSecret(of: person, in: db)
        }
    }

    private func calendarSecret(of person: String, in db: Database) throws -> String {
        guard
            let version = try Int64.fetchOne(
                db, sql: "SELECT calendarVersion FROM person WHERE id = ?", arguments: [person])
        else { throw AccountsError.unknownPerson(person) }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(person)\n\(version)".utf8), using: try key("calendar", in: db))
        let secret = Secret.base64URL(Data(code))
        try db.execute(
            sql: "UPDATE person SET calendarHash = ?1 WHERE id = ?2 AND calendarHash IS NOT ?1",
            arguments: [Secret.hash(secret), person])
        return secret
    }

    /// Returns the person with a calendar secret; nil if unknown.
    public func person(calendarSecret secret: String) throws -> Person? {
        let hash = Secret.hash(secret)
        return try storage.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM person WHERE calendarHash = ?", arguments: [hash])
                .map(Person.init)
        }
    }
}

// MARK: - Anonymous votes

extension Accounts {
    /// Returns a keyed hash of a person and a target, which does not reveal the person.
    ///
    /// - Parameters:
    ///   - person: The identifier of the person.
    ///   - target: The target of the vote.
    ///   - key: The key returned by ``voteKey()``.
    /// - Returns: An HMAC-SHA256 of 32 bytes (RFC 2104).
    public static func vote(of person: String, for target: String, key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data("\(person)\n\(target)".utf8), using: key))
    }

    /// Returns the key for votes, created if missing.
    ///
    /// - Throws: `StorageError`.
    public func voteKey() throws -> SymmetricKey {
        let known = try storage.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM person_key WHERE name = 'vote'")
        }
        if let known { return SymmetricKey(data: known) }
        return try storage.write { db in try key("vote", in: db) }
    }

    /// Returns a key of this server, created if missing.
    private func key(_ name: String, in db: Database) throws -> SymmetricKey {
        if let known = try Data.fetchOne(db, sql: "SELECT value FROM person_key WHERE name = ?", arguments: [name]) {
            return SymmetricKey(data: known)
        }
        let key = SymmetricKey(size: .bits256)
        try unsafe key.withUnsafeBytes { bytes in
            try unsafe db.execute(
                sql: "INSERT INTO person_key (name, value) VALUES (?, ?)", arguments: [name, Data(bytes)])
        }
        return key
    }
}
