public import Crypto
public import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Addresses that tell who

extension Accounts {
    /// The secret part of the address under which a phone's calendar finds a person's reminders.
    ///
    /// It can be shown again, since it is made from a key of this server; what is kept to find it is a hash.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func calendarSecret(of person: String) throws -> String {
        try storage.write { db in try calendarSecret(of: person, in: db) }
    }

    /// Gives the calendar another address; the old one is gone.
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

    /// Whose calendar has that address; nil if nobody's.
    public func person(calendarSecret secret: String) throws -> Person? {
        let hash = Secret.hash(secret)
        return try storage.read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM person WHERE calendarHash = ?", arguments: [hash]),
                Secret.isSame(try row.value("calendarHash"), hash)
            else { return nil }
            return try Person(row)
        }
    }
}

// MARK: - Counting without knowing whom

extension Accounts {
    /// A keyed hash of a person and something they chose: the same for the same two, and nobody can tell from it who it was.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - target: what they chose.
    ///   - key: that of ``voteKey()``.
    /// - Returns: HMAC-SHA256, 32 bytes (RFC 2104).
    public static func vote(of person: String, for target: String, key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data("\(person)\n\(target)".utf8), using: key))
    }

    /// The key of votes, made when first needed.
    ///
    /// - Throws: `StorageError`.
    public func voteKey() throws -> SymmetricKey {
        let known = try storage.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM person_key WHERE name = 'vote'")
        }
        if let known { return SymmetricKey(data: known) }
        return try storage.write { db in try key("vote", in: db) }
    }

    /// A key of this server, made when first needed.
    private func key(_ name: String, in db: Database) throws -> SymmetricKey {
        if let known = try Data.fetchOne(db, sql: "SELECT value FROM person_key WHERE name = ?", arguments: [name]) {
            return SymmetricKey(data: known)
        }
        let key = SymmetricKey(size: .bits256)
        try key.withUnsafeBytes { bytes in
            try db.execute(
                sql: "INSERT INTO person_key (name, value) VALUES (?, ?)", arguments: [name, Data(bytes)])
        }
        return key
    }
}
