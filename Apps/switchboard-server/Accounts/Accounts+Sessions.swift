public import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Sessions

extension Accounts {
    /// Begins a browser session.
    ///
    /// - Returns: The value of the session cookie. The session ends with its token.
    public func beginSession(for token: Token) throws -> String {
        let secret = Secret.make()
        try storage.write { db in try addSession(secret, token: token.id, in: db) }
        return secret
    }

    private func addSession(_ secret: String, token: String, in db: Database) throws {
        let now = clock().timeIntervalSince1970
        try db.execute(sql: "DELETE FROM person_session WHERE expiresAt <= ?", arguments: [now])
        try db.execute(
            sql: "INSERT INTO person_session (hash, token, expiresAt) VALUES (?, ?, ?)",
            arguments: [Secret.hash(secret), token, now + Accounts.sessionLifetime])
    }

    /// Returns the token of a session; nil if it has ended or is unknown.
    ///
    /// Using a session extends its lifetime, at most once a day.
    public func access(session secret: String) throws -> Token? {
        guard secret.utf8.count == 43 else { return nil }
        let hash = Secret.hash(secret)
        let now = clock().timeIntervalSince1970
        let found = try storage.read { db -> (token: Token, expiresAt: Double)? in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT person_token.*, person_token.expiresAt AS tokenExpiresAt, person.name AS personName,
                        person.createdAt AS personCreatedAt, person_session.expiresAt AS sessionExpiresAt
                    FROM person_session JOIN person_token ON person_token.id = person_session.token
                        JOIN person ON person.id = person_token.person
                    WHERE person_session.hash = ? AND person_session.expiresAt > ?
                    """)
            return try Row.fetchOne(statement, arguments: [hash, now]).map { row in
                try (Token(row), row.value("sessionExpiresAt"))
            }
        }
        guard let found, found.token.isValid(at: Date(timeIntervalSince1970: now)) else { return nil }
        if found.expiresAt - now < Accounts.sessionLifetime - 86_400 {
            try storage.write { db in
                try db.execute(
                    sql: "UPDATE person_session SET expiresAt = ? WHERE hash = ?",
                    arguments: [now + Accounts.sessionLifetime, hash])
            }
        }
        return found.token
    }

    /// Ends a session.
    public func endSession(_ secret: String) throws {
        try storage.write(changing: Accounts.module) { db in
            try db.execute(sql: "DELETE FROM person_session WHERE hash = ?", arguments: [Secret.hash(secret)])
        }
    }
}

// MARK: - Pairing codes

extension Accounts {
    /// Creates a pairing code, which signs in one browser.
    ///
    /// - Parameters:
    ///   - name: The name of the person.
    ///   - scopes: The scopes of the browser.
    ///   - lifetime: The time in seconds within which the code can be used.
    ///   - creates: `true` to create the person if missing.
    /// - Throws: ``AccountsError``, `StorageError`.
    public func issueCode(
        to name: String, scopes: ScopeSet, lifetime: TimeInterval = codeLifetime, creatingPerson creates: Bool
    ) throws -> String {
        let secret = Secret.make()
        try storage.write(changing: Accounts.module) { db in
            let person = try person(named: name, creating: creates)
            let now = clock().timeIntervalSince1970
            try db.execute(sql: "DELETE FROM person_code WHERE expiresAt <= ?", arguments: [now])
            try db.execute(
                sql: "INSERT INTO person_code (hash, person, scopes, expiresAt) VALUES (?, ?, ?, ?)",
                arguments: [Secret.hash(secret), person.id, scopes.text, now + lifetime])
        }
        return secret
    }

    /// Begins a session with a pairing code, which becomes invalid. The device gets its own token.
    ///
    /// - Returns: The value of the session cookie; nil if the code is unknown, used or expired.
    public func redeem(code: String) throws -> String? {
        guard code.utf8.count == 43 else { return nil }
        let now = clock().timeIntervalSince1970
        return try storage.write(changing: Accounts.module) { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT person_code.scopes, person.* FROM person_code JOIN person ON person.id = person_code.person
                    WHERE person_code.hash = ? AND person_code.expiresAt > ?
                    """, arguments: [Secret.hash(code), now])
            guard let row else { return nil }
            try db.execute(sql: "DELETE FROM person_code WHERE hash = ?", arguments: [Secret.hash(code)])
            let token = try addToken(
                of: try Person(row), hash: nil, scopes: try ScopeSet(parsing: row.value("scopes")), label: "paired",
                usedAt: clock(), in: db)
            let secret = Secret.make()
            try addSession(secret, token: token.id, in: db)
            return secret
        }
    }
}
