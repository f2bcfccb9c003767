public import Foundation
import GRDB
import SwitchboardStorage

/// An access token without its secret.
public struct Token: Hashable, Sendable {
    /// The identifier in lists and commands.
    public let id: String
    /// The owner.
    public let person: Person
    /// The scopes of the token.
    public let scopes: ScopeSet
    /// A label such as "paired"; may be empty.
    public let label: String
    /// The time of creation.
    public let createdAt: Date
    /// The time of the last use, accurate to about an hour; nil if unused.
    public let usedAt: Date?
    /// The time from which the token is invalid; nil if it does not expire.
    public let expiresAt: Date?
}

/// A new token together with its secret, which is not stored.
public struct IssuedToken: Sendable {
    /// The secret: `sb_` and 43 characters.
    public let secret: String
    /// The stored token.
    public let token: Token
}

// MARK: - Tokens

extension Accounts {
    /// The prefix of every token.
    public static let tokenPrefix = "sb_"

    /// Creates a token for a person.
    ///
    /// - Parameters:
    ///   - name: The name of the person.
    ///   - scopes: The scopes of the token.
    ///   - label: A label to recognise the token by.
    ///   - lifetime: The lifetime in seconds; nil for a token that does not expire.
    ///   - creates: `true` to create the person if missing.
    /// - Throws: ``AccountsError``, `StorageError`.
    public func issueToken(
        to name: String, scopes: ScopeSet, label: String = "", lifetime: TimeInterval? = nil,
        creatingPerson creates: Bool
    ) throws -> IssuedToken {
        let secret = Accounts.tokenPrefix + Secret.make()
        return try storage.write(changing: Accounts.module) { db in
            let person = try person(named: name, creating: creates)
            let token = try addToken(
                of: person, hash: Secret.hash(secret), scopes: scopes, label: label,
                expiresAt: lifetime.map { clock() + $0 }, in: db)
            return IssuedToken(secret: secret, token: token)
        }
    }

    func addToken(
        of person: Person, hash: Data?, scopes: ScopeSet, label: String, usedAt: Date? = nil, expiresAt: Date? = nil,
        in db: Database
    ) throws -> Token {
        let token = Token(
            id: Storage.newIdentifier(), person: person, scopes: scopes, label: label, createdAt: clock(),
            usedAt: usedAt, expiresAt: expiresAt)
        try db.execute(
            sql: """
                INSERT INTO person_token (id, person, hash, scopes, label, createdAt, usedAt, expiresAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.id, person.id, hash, scopes.text, label, token.createdAt.timeIntervalSince1970,
                token.usedAt?.timeIntervalSince1970, token.expiresAt?.timeIntervalSince1970,
            ])
        return token
    }

    /// Returns the token with a secret; nil if it is unknown or has expired.
    ///
    /// - Complexity: One lookup of its hash.
    public func access(token secret: String) throws -> Token? {
        guard secret.hasPrefix(Accounts.tokenPrefix), secret.utf8.count == Accounts.tokenPrefix.utf8.count + 43 else {
            return nil
        }
        let (hash, now) = (Secret.hash(secret), clock())
        return try storage.read { db in
            let statement = try db.cachedStatement(sql: Token.selection + " WHERE person_token.hash = ?")
            return try Row.fetchOne(statement, arguments: [hash]).map { try Token($0) }
        }.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    /// Records that a token was used, unless that was recorded within the last hour.
    public func recordUse(of token: Token) throws {
        let now = clock()
        if let usedAt = token.usedAt, now.timeIntervalSince(usedAt) < Accounts.useInterval { return }
        try storage.write { db in
            try db.execute(
                sql: "UPDATE person_token SET usedAt = ? WHERE id = ?",
                arguments: [now.timeIntervalSince1970, token.id])
        }
    }

    /// Returns the tokens of a person, or of all people, newest first.
    public func tokens(of person: String? = nil) throws -> [Token] {
        try storage.read { db in
            try Row.fetchAll(
                db,
                sql: Token.selection + """
                     WHERE ?1 IS NULL OR person_token.person = ?1
                    ORDER BY person_token.createdAt DESC, person_token.id
                    """, arguments: [person]
            ).map { try Token($0) }
        }
    }

    /// Revokes a token and ends its sessions.
    ///
    /// - Parameters:
    ///   - id: The identifier of the token.
    ///   - person: The identifier of the required owner; nil for any owner.
    /// - Throws: ``AccountsError/unknownToken(_:)``, `StorageError`.
    public func revoke(_ id: String, of person: String? = nil) throws {
        try storage.write(changing: Accounts.module) { db in
            try db.execute(
                sql: "DELETE FROM person_token WHERE id = ?1 AND (?2 IS NULL OR person = ?2)", arguments: [id, person])
            if db.changesCount == 0 { throw AccountsError.unknownToken(id) }
        }
    }
}

extension Token {
    /// Returns whether the token has not expired.
    func isValid(at date: Date) -> Bool { expiresAt.map { date < $0 } ?? true }

    static let selection = """
        SELECT person_token.*, person_token.expiresAt AS tokenExpiresAt, person.name AS personName,
            person.createdAt AS personCreatedAt
        FROM person_token JOIN person ON person.id = person_token.person
        """

    init(_ row: Row) throws {
        id = try row.value("id")
        person = try Person(
            id: row.value("person"), name: row.value("personName"), createdAt: row.value("personCreatedAt"))
        scopes = try ScopeSet(parsing: row.value("scopes"))
        label = try row.value("label")
        createdAt = try row.value("createdAt")
        usedAt = try row.value("usedAt")
        expiresAt = try row.value("tokenExpiresAt")
    }
}
