public import Foundation
import SwitchboardStorage

// MARK: - Sessions

extension Accounts {
    /// Begins a browser session.
    ///
    /// - Returns: The value of the session cookie. The session ends with its token.
    public func beginSession(for token: Token) throws -> String {
        let secret = Secret.make()
        try database.writing(changing: nil) { db in try addSession(secret, token: token.id, in: db) }
        return secret
    }

    private func addSession(_ secret: String, token: String, in db: any SQLTransaction) throws {
        let now = clock().timeIntervalSince1970
        try db.execute("DELETE FROM person_session WHERE expiresAt <= ?1", [now])
        try db.execute(
            "INSERT INTO person_session (hash, token, expiresAt) VALUES (?1, ?2, ?3)",
            [Secret.hash(secret), token, now + Accounts.sessionLifetime])
    }

    /// Returns the token of a session; nil if it has ended or is unknown.
    ///
    /// Using a session extends its lifetime, at most once a day.
    public func access(session secret: String) throws -> Token? {
        guard secret.utf8.count == 43 else { return nil }
        let hash = Secret.hash(secret)
        let now = clock().timeIntervalSince1970
        let found = try database.reading { db -> (token: Token, expiresAt: Date)? in
            try db.row(
                Token.selection(", person_session.expiresAt") + """
                     JOIN person_session ON person_session.token = person_token.id
                    WHERE person_session.hash = ?1 AND person_session.expiresAt > ?2
                    """, [hash, now]
            ).map { row in try (Token(row), row.time(Token.columnCount)) }
        }
        guard let found, found.token.isValid(at: Date(timeIntervalSince1970: now)) else { return nil }
        if found.expiresAt.timeIntervalSince1970 - now < Accounts.sessionLifetime - 86_400 {
            _ = try database.writing(changing: nil) { db in
                try db.execute(
                    "UPDATE person_session SET expiresAt = ?1 WHERE hash = ?2", [now + Accounts.sessionLifetime, hash])
            }
        }
        return found.token
    }

    /// Ends a session.
    public func endSession(_ secret: String) throws {
        _ = try write { db in
            try db.execute("DELETE FROM person_session WHERE hash = ?1", [Secret.hash(secret)])
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
    ///   - lifetime: The lifetime of the code in seconds.
    ///   - creates: `true` to create the person if missing.
    /// - Throws: ``AccountsError``, `StorageError`.
    public func issueCode(
        to name: String, scopes: ScopeSet, lifetime: TimeInterval = codeLifetime, creatingPerson creates: Bool
    ) throws -> String {
        let secret = Secret.make()
        try write { db in
            let person = try person(named: name, creating: creates, in: db)
            let now = clock().timeIntervalSince1970
            try db.execute("DELETE FROM person_code WHERE expiresAt <= ?1", [now])
            try db.execute(
                "INSERT INTO person_code (hash, person, scopes, expiresAt) VALUES (?1, ?2, ?3, ?4)",
                [Secret.hash(secret), person.id, scopes.text, now + lifetime])
        }
        return secret
    }

    /// Begins a session with a pairing code and invalidates the code. The device gets its own token.
    ///
    /// - Returns: The value of the session cookie; nil if the code is unknown, used or expired.
    public func redeem(code: String) throws -> String? {
        guard code.utf8.count == 43 else { return nil }
        let now = clock().timeIntervalSince1970
        return try write { db in
            let row = try db.row(
                """
                SELECT person.id, person.name, person.createdAt, person_code.scopes
                FROM person_code JOIN person ON person.id = person_code.person
                WHERE person_code.hash = ?1 AND person_code.expiresAt > ?2
                """, [Secret.hash(code), now])
            guard let row else { return nil }
            try db.execute("DELETE FROM person_code WHERE hash = ?1", [Secret.hash(code)])
            let token = try addToken(
                of: try Person(row), hash: nil, scopes: try ScopeSet(parsing: row.text(3)), label: "paired",
                usedAt: clock(), in: db)
            let secret = Secret.make()
            try addSession(secret, token: token.id, in: db)
            return secret
        }
    }
}
