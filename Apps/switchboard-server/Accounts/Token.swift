public import Foundation
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
    /// The maximum number of tokens that a person can create; an operator can create more.
    public static let maximumTokens = 100

    /// The prefix of every token.
    public static let tokenPrefix = "sb_"

    /// Creates a token for a person.
    ///
    /// - Parameters:
    ///   - name: The name of the person.
    ///   - scopes: The scopes of the token.
    ///   - label: A label by which the owner recognizes the token.
    ///   - lifetime: The lifetime in seconds; nil for a token that does not expire.
    ///   - creates: `true` to create the person if missing.
    /// - Throws: ``AccountsError``, `StorageError`.
    public func issueToken(
        to name: String, scopes: ScopeSet, label: String = "", lifetime: TimeInterval? = nil,
        creatingPerson creates: Bool
    ) throws -> IssuedToken {
        let secret = Accounts.tokenPrefix + Secret.make()
        return try write { db in
            let person = try person(named: name, creating: creates, in: db)
            let token = try addToken(
                of: person, hash: Secret.hash(secret), scopes: scopes, label: label,
                expiresAt: lifetime.map { clock() + $0 }, in: db)
            return IssuedToken(secret: secret, token: token)
        }
    }

    func addToken(
        of person: Person, hash: Data?, scopes: ScopeSet, label: String, usedAt: Date? = nil, expiresAt: Date? = nil,
        in db: any SQLTransaction
    ) throws -> Token {
        let token = Token(
            id: Storage.newIdentifier(), person: person, scopes: scopes, label: label, createdAt: clock(),
            usedAt: usedAt, expiresAt: expiresAt)
        try db.execute(
            """
            INSERT INTO person_token (id, person, hash, scopes, label, createdAt, usedAt, expiresAt)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
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
        return try database.reading { db in
            try db.row(Token.selection() + " WHERE person_token.hash = ?1", [hash]).map { try Token($0) }
        }.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    /// Records the use of a token, at most once an hour.
    public func recordUse(of token: Token) throws {
        let now = clock()
        if let usedAt = token.usedAt, now.timeIntervalSince(usedAt) < Accounts.useInterval { return }
        _ = try database.writing(changing: nil) { db in
            try db.execute(
                "UPDATE person_token SET usedAt = ?1 WHERE id = ?2", [now.timeIntervalSince1970, token.id])
        }
    }

    /// Returns the tokens of a person, or of all people, newest first.
    public func tokens(of person: String? = nil) throws -> [Token] {
        try database.reading { db in
            try db.rows(
                Token.selection() + """
                     WHERE person_token.person = ?1 OR ?1 IS NULL
                    ORDER BY person_token.createdAt DESC, person_token.id
                    """, [person]
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
        try write { db in
            let sql = "DELETE FROM person_token WHERE id = ?1 AND (person = ?2 OR ?2 IS NULL)"
            guard try db.execute(sql, [id, person]) > 0 else { throw AccountsError.unknownToken(id) }
        }
    }
}

extension Token {
    /// Returns `true` unless the token has expired by a date.
    func isValid(at date: Date) -> Bool { expiresAt.map { date < $0 } ?? true }

    /// Returns the `SELECT` statement for the columns of tokens.
    ///
    /// - Parameter others: Further columns, with a leading comma.
    static func selection(_ others: String = "") -> String {
        """
        SELECT person.id, person.name, person.createdAt, person_token.id, person_token.scopes, person_token.label,
            person_token.createdAt, person_token.usedAt, person_token.expiresAt\(others)
        FROM person_token JOIN person ON person.id = person_token.person
        """
    }

    /// The number of columns of ``selection(_:)`` before the further ones.
    static let columnCount = 9

    init(_ row: any SQLRow) throws {
        person = try Person(row)
        id = try row.text(3)
        scopes = try ScopeSet(parsing: row.text(4))
        label = try row.text(5)
        createdAt = try row.time(6)
        usedAt = try row.optionalTime(7)
        expiresAt = try row.optionalTime(8)
    }
}

/// The scopes of a token.
///
/// The text form is a comma-separated list: `contacts`, `prospects`, `airports`, `index`, `activities`, `reminders` and
/// `me`, each alone or with `:read` or `:write`; `read` for all reading; `all`; `metrics`.
public struct ScopeSet: Hashable, Sendable {
    /// A domain of data.
    public enum Domain: String, Sendable, CaseIterable {
        /// Contacts.
        case contacts
        /// Prospects.
        case prospects
        /// The person's recently chosen airports.
        case airports
        /// Items of the searchable index.
        case index
        /// Activities.
        case activities
        /// Reminders and their calendar.
        case reminders
        /// The person's own badge and settings.
        case me
    }

    /// A kind of access.
    public enum Use: String, Sendable, CaseIterable {
        /// Reading.
        case read
        /// Writing.
        case write
    }

    /// The scopes, without duplicates, in the order of ``known``.
    public let words: [String]

    /// Full access.
    public static let all = ScopeSet(words: ["all"])

    /// What telephones and mail programs synchronize.
    public static let device = ScopeSet(words: ["contacts", "prospects:read", "reminders"])

    /// All scopes.
    public static var known: [String] {
        Domain.allCases.flatMap { domain in
            [domain.rawValue] + Use.allCases.map { "\(domain.rawValue):\($0.rawValue)" }
        } + ["read", "all", "metrics"]
    }

    private init(words: [String]) {
        self.words = words
    }

    /// Parses the text form.
    ///
    /// - Throws: ``AccountsError/unknownScope(_:)``, including for an empty string.
    public init(parsing text: String) throws(AccountsError) {
        var words: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            guard Self.known.contains(word) else { throw .unknownScope(word) }
            words.insert(word)
        }
        self.words = Self.known.filter(words.contains)
    }

    /// Returns whether the scopes permit a kind of access to a domain.
    public func permits(_ use: Use, of domain: Domain) -> Bool {
        words.contains { word in
            word == "all" || word == domain.rawValue || word == "\(domain.rawValue):\(use.rawValue)"
                || (use == .read && word == "read")
        }
    }

    /// `true` for full access.
    public var isAll: Bool { words.contains("all") }

    /// `true` if the scopes permit reading metrics.
    public var permitsMetrics: Bool { isAll || words.contains("metrics") }

    /// The text form.
    public var text: String { words.joined(separator: ",") }
}
