public import Foundation
import GRDB
import SwitchboardStorage

/// A token as it may be shown: everything but the secret.
public struct Token: Hashable, Sendable {
    /// Names it in lists and commands.
    public let id: String
    /// Whose it is.
    public let person: Person
    /// What it is good for.
    public let scopes: ScopeSet
    /// What it was made for, such as "paired"; may be empty.
    public let label: String
    /// When it was made.
    public let createdAt: Date
    /// When it was last used, to about an hour; nil if never.
    public let usedAt: Date?
}

/// A token that was just made: the only time its secret is known.
public struct IssuedToken: Sendable {
    /// `sb_` and 43 characters.
    public let secret: String
    /// What is kept of it.
    public let token: Token
}

/// Who asks, and what they may do.
public struct Access: Hashable, Sendable {
    /// The token, or that of the session.
    public let token: Token

    /// Who asks.
    public var person: Person { token.person }
    /// What they may do.
    public var scopes: ScopeSet { token.scopes }
}

// MARK: - Tokens

extension Accounts {
    /// What every token begins with.
    public static let tokenPrefix = "sb_"

    /// Makes a token for a person, who is made on first mention.
    ///
    /// - Parameters:
    ///   - name: whose it is.
    ///   - scopes: what it may be used for.
    ///   - label: what it is for.
    /// - Throws: ``AccountsError/invalidName(_:)``, `StorageError`.
    public func issueToken(to name: String, scopes: ScopeSet, label: String = "") throws -> IssuedToken {
        let secret = Accounts.tokenPrefix + Secret.make()
        return try storage.write(changing: Accounts.module) { db in
            let person = try person(named: name)
            let token = try addToken(of: person, hash: Secret.hash(secret), scopes: scopes, label: label, in: db)
            return IssuedToken(secret: secret, token: token)
        }
    }

    func addToken(
        of person: Person, hash: Data?, scopes: ScopeSet, label: String, in db: Database
    ) throws -> Token {
        let token = Token(
            id: Secret.identifier(), person: person, scopes: scopes, label: label, createdAt: clock(), usedAt: nil)
        try db.execute(
            sql: """
                INSERT INTO person_token (id, person, hash, scopes, label, createdAt) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.id, person.id, hash, scopes.text, label, token.createdAt.timeIntervalSince1970,
            ])
        return token
    }

    /// Whose a token is and what it is good for; nil if there is no such token.
    ///
    /// - Complexity: one look-up of its hash.
    public func access(token secret: String) throws -> Access? {
        guard secret.hasPrefix(Accounts.tokenPrefix), secret.utf8.count == Accounts.tokenPrefix.utf8.count + 43 else {
            return nil
        }
        let hash = Secret.hash(secret)
        return try storage.read { db in
            let statement = try db.cachedStatement(sql: Token.selection + " WHERE person_token.hash = ?")
            guard let row = try Row.fetchOne(statement, arguments: [hash]),
                Secret.isSame(try row.value("hash"), hash)
            else { return nil }
            return Access(token: try Token(row))
        }
    }

    /// Notes that a token is in use, unless that was noted within the hour.
    public func noteUse(of access: Access) throws {
        let now = clock()
        if let usedAt = access.token.usedAt, now.timeIntervalSince(usedAt) < Accounts.useInterval { return }
        try storage.write { db in
            try db.execute(
                sql: "UPDATE person_token SET usedAt = ? WHERE id = ?",
                arguments: [now.timeIntervalSince1970, access.token.id])
        }
    }

    /// The tokens of a person, or of all, the newest first.
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

    /// Ends a token and all sessions that stand for it.
    ///
    /// - Parameters:
    ///   - id: the identifier of the token.
    ///   - person: whose it must be; nil for anybody's.
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
    static let selection = """
        SELECT person_token.*, person.name AS personName, person.createdAt AS personCreatedAt
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
    }
}
