public import Crypto
public import Foundation
import SwitchboardStorage

// Each `unsafe` is safe because the bytes of the key are copied within the closure.

// MARK: - Calendar addresses

extension Accounts {
    /// Returns the secret part of the URL at which a calendar app finds the reminders of a token's owner.
    ///
    /// The URL is valid as long as the token. The secret is derived from a server key, so it can be shown again. Only
    /// its hash is stored.
    ///
    /// - Throws: ``AccountsError/unknownToken(_:)``, `StorageError`.
    public func calendarSecret(of token: String) throws -> String {
        try database.writing(changing: nil) { db in try calendarSecret(of: token, in: db) }
    }

    /// Replaces the calendar secret of a token and invalidates earlier ones.
    ///
    /// - Throws: ``AccountsError/unknownToken(_:)``, `StorageError`.
    public func renewCalendarSecret(of token: String) throws -> String {
        try write { db in
            try db.execute("DELETE FROM person_calendar WHERE token = ?1", [token])
            try db.execute(
                "UPDATE person_token SET calendarVersion = calendarVersion + 1 WHERE id = ?1", [token])
            return try calendarSecret(of: token, in: db)
        }
    }

    private func calendarSecret(of token: String, in db: any SQLTransaction) throws -> String {
        guard
            let version = try db.row("SELECT calendarVersion FROM person_token WHERE id = ?1", [token])?.integer(0)
        else { throw AccountsError.unknownToken(token) }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(token)\n\(version)".utf8), using: try key("calendar", in: db))
        let secret = Data(code).base64URL
        try db.execute(
            "INSERT INTO person_calendar (hash, token) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            [Secret.hash(secret), token])
        return secret
    }

    /// Returns the person with a calendar secret; nil if it is unknown or its token is no longer valid.
    public func person(calendarSecret secret: String) throws -> Person? {
        let (hash, now) = (Secret.hash(secret), clock())
        return try database.reading { db in
            try db.row(
                Token.selection() + """
                     JOIN person_calendar ON person_calendar.token = person_token.id WHERE person_calendar.hash = ?1
                    """, [hash]
            ).map { try Token($0) }
        }.flatMap { $0.isValid(at: now) ? $0.person : nil }
    }
}

// MARK: - Anonymous votes

extension Accounts {
    /// Returns a keyed hash of a person and a target that does not reveal the person.
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
        SymmetricKey(data: try key("vote", creating: Self.randomBytes))
    }

    private func key(_ name: String, in db: any SQLTransaction) throws -> SymmetricKey {
        SymmetricKey(data: try key(name, creating: Self.randomBytes, in: db))
    }

    private static func randomBytes() -> Data {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Data($0) }
    }

    /// Returns the bytes of a key of this server, created if missing.
    func key(_ name: String, creating make: () -> Data) throws -> Data {
        try database.reading { db in try knownKey(name, in: db) }
            ?? database.writing(changing: nil) { db in try key(name, creating: make, in: db) }
    }

    private func key(_ name: String, creating make: () -> Data, in db: any SQLTransaction) throws -> Data {
        if let known = try knownKey(name, in: db) { return known }
        let key = make()
        try db.execute("INSERT INTO person_key (name, value) VALUES (?1, ?2)", [name, key])
        return key
    }

    private func knownKey(_ name: String, in db: any SQLTransaction) throws -> Data? {
        try db.row("SELECT value FROM person_key WHERE name = ?1", [name])?.data(0)
    }
}
