import Crypto
public import Foundation
@_exported public import SwitchboardErrors
public import SwitchboardStorage

/// The accounts of a server: people, their access tokens and their browser sessions.
///
/// Accounts are in the shared database; the data of each person is in a separate one. Only hashes of tokens, sessions
/// and pairing codes are stored, so a copy of the database does not allow signing in.
///
/// For example:
///
/// ```swift
/// let accounts = Accounts(storage: try Storage(at: "public.sqlite", migrations: [Accounts.migrations]))
/// let issued = try accounts.issueToken(
///     to: "ana", scopes: ScopeSet(parsing: "contacts,index:read"), creatingPerson: true)
/// print(issued.secret)  // sb_…
/// let access = try accounts.access(token: issued.secret)
/// ```
///
/// ## Topics
///
/// - People: ``person(named:creating:)``, ``person(matching:)``, ``rename(_:to:)``, ``list()``, ``delete(_:)``
/// - Tokens: ``issueToken(to:scopes:label:lifetime:creatingPerson:)``, ``access(token:)``, ``tokens(of:)``, ``revoke(_:of:)``
/// - Sessions: ``beginSession(for:device:)``, ``access(session:)``, ``endSession(_:)``, ``sessions(of:)``, ``endSession(id:of:)``
/// - Pairing codes: ``issueCode(to:scopes:lifetime:creatingPerson:)``, ``redeem(code:device:)``
/// - Calendar addresses: ``calendarSecret(of:)``, ``renewCalendarSecret(of:)``, ``person(calendarSecret:)``
/// - Push: ``pushKey()``, ``subscribe(_:for:session:)``, ``unsubscribe(_:of:)``, ``pushReceivers()``
/// - Votes: ``vote(of:for:key:)``
public struct Accounts: Sendable {
    /// The lifetime of an unused session in seconds, 30 days.
    public static let sessionLifetime: TimeInterval = 30 * 86_400
    /// The default lifetime of a pairing code in seconds.
    public static let codeLifetime: TimeInterval = 600
    /// The minimum interval between two records of a token's use, in seconds.
    static let useInterval: TimeInterval = 3_600

    /// The shared database.
    package let database: any SQLDatabase
    let clock: @Sendable () -> Date
    /// Called within the transaction before a new person is stored, and before a known one gets a token or code. If it
    /// throws, nothing is stored.
    package var prepare: @Sendable (_ person: Person, _ isNew: Bool) throws -> Void = { _, _ in }

    /// Creates the accounts of a database.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with ``migrations``.
    ///   - clock: The source of the current time.
    public init(storage: Storage, clock: @escaping @Sendable () -> Date = { Date() }) {
        storage.register(Accounts.migrations)
        self.init(database: storage, clock: clock)
    }

    /// Creates the accounts of a database with the tables of ``migrations`` or ``clusterMigrations``.
    package init(database: any SQLDatabase, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.database = database
        self.clock = clock
    }

    /// Returns a number that changes with each change to a person, a token or a session.
    ///
    /// - Throws: `StorageError`.
    public func generation() throws(StorageError) -> Int64 { try database.generation(of: Accounts.module) }

    /// Changes the tables in one transaction.
    func write<T>(_ body: (any SQLTransaction) throws -> T) throws -> T {
        try database.writing(changing: Accounts.module, body)
    }
}

/// A user of the server.
public struct Person: Hashable, Sendable {
    /// The identifier in lowercase letters and digits, also the name of the person's database.
    public let id: String
    /// The unique name.
    public let name: String
    /// The time of creation.
    public let createdAt: Date
}

extension Accounts {
    /// The maximum length of a name in bytes.
    public static let maximumNameLength = 200

    /// Returns the person with a name, ignoring case.
    ///
    /// - Parameter creates: `true` to create the person if missing.
    /// - Throws: ``AccountsError/invalidName(_:)``, ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func person(named name: String, creating creates: Bool) throws -> Person {
        try write { db in try person(named: name, creating: creates, in: db) }
    }

    func person(named name: String, creating creates: Bool, in db: any SQLTransaction) throws -> Person {
        let name = try Accounts.validName(name)
        if let person = try Accounts.person(named: name, in: db) {
            try prepare(person, false)
            return person
        }
        guard creates else { throw AccountsError.unknownPerson(name) }
        let person = Person(id: Storage.newIdentifier(), name: name, createdAt: clock())
        try prepare(person, true)
        try db.execute(
            "INSERT INTO person (id, name, createdAt) VALUES (?1, ?2, ?3)",
            [person.id, person.name, person.createdAt.timeIntervalSince1970])
        return person
    }

    private static func validName(_ name: String) throws(AccountsError) -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.utf8.count <= Accounts.maximumNameLength,
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .invalidName(name) }
        return name
    }

    /// Returns the person with exactly this name, or else a person whose name differs only in case.
    private static func person(named name: String, in db: any SQLTransaction) throws -> Person? {
        let people = try db.rows(Person.selection + " ORDER BY createdAt, id", []).map { try Person($0) }
        let key = name.lowercased()
        return people.first { $0.name == name } ?? people.first { $0.name.lowercased() == key }
    }

    /// Returns the person with a name, ignoring case, or else with an identifier.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func person(matching nameOrID: String) throws -> Person {
        try database.reading { db in
            if let person = try Accounts.person(named: nameOrID, in: db) { return person }
            guard let row = try db.row(Person.selection + " WHERE id = ?1", [nameOrID]) else {
                throw AccountsError.unknownPerson(nameOrID)
            }
            return try Person(row)
        }
    }

    /// Renames a person.
    ///
    /// - Throws: ``AccountsError/invalidName(_:)``, ``AccountsError/nameInUse(_:)`` if another person has the name,
    ///   ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func rename(_ id: String, to name: String) throws {
        let name = try Accounts.validName(name)
        try write { db in
            if let other = try Accounts.person(named: name, in: db), other.id != id {
                throw AccountsError.nameInUse(name)
            }
            guard try db.execute("UPDATE person SET name = ?1 WHERE id = ?2", [name, id]) > 0 else {
                throw AccountsError.unknownPerson(id)
            }
        }
    }

    /// Returns all people, sorted by name.
    public func list() throws -> [Person] {
        try database.reading { db in
            try db.rows(Person.selection + " ORDER BY name", []).map { try Person($0) }
        }
    }

    /// Deletes a person with all tokens and sessions. The caller must delete the person's database.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func delete(_ id: String) throws {
        try write { db in
            guard try db.execute("DELETE FROM person WHERE id = ?1", [id]) > 0 else {
                throw AccountsError.unknownPerson(id)
            }
        }
    }
}

extension Person {
    fileprivate static let selection = "SELECT id, name, createdAt FROM person"

    /// - Parameter column: The first of three columns, as in ``selection``.
    init(_ row: any SQLRow, at column: Int = 0) throws {
        id = try row.text(column)
        name = try row.text(column + 1)
        createdAt = try row.time(column + 2)
    }
}

// MARK: - Databases of people

extension Accounts {
    private static let databasesKey = "databases"

    /// Returns `true` once every person has a database. Earlier versions created it on the first request.
    package func everyoneHasDatabase() throws -> Bool {
        try database.reading { db in
            try db.row("SELECT name FROM person_key WHERE name = ?1", [Accounts.databasesKey]) != nil
        }
    }

    /// Records that every person has a database from now on.
    package func recordDatabases() throws { _ = try key(Accounts.databasesKey) { Data() } }

    /// Returns the identifiers of the people who have used a token with a scope other than metrics.
    package func activePeople() throws -> Set<String> {
        try database.reading { db in
            let sql = "SELECT DISTINCT person FROM person_token WHERE usedAt IS NOT NULL AND scopes <> ?1"
            return Set(try db.rows(sql, ["metrics"]).map { try $0.text(0) })
        }
    }
}

// MARK: - Sessions

extension Accounts {
    /// The maximum number of sessions of a person. A further one ends the one that has gone longest without use.
    public static let maximumSessions = 200

    /// Begins a browser session.
    ///
    /// - Parameter device: A name of the browser for lists.
    /// - Returns: The value of the session cookie. The session ends with its token.
    public func beginSession(for token: Token, device: String = "") throws -> String {
        let secret = Secret.make()
        try database.writing(changing: nil) { db in
            try addSession(secret, token: token.id, person: token.person.id, device: device, in: db)
        }
        return secret
    }

    private func addSession(
        _ secret: String, token: String, person: String, device: String, in db: any SQLTransaction
    ) throws {
        let now = clock().timeIntervalSince1970
        try db.execute("DELETE FROM person_session WHERE expiresAt <= ?1", [now])
        try db.execute(
            """
            INSERT INTO person_session (hash, token, expiresAt, id, device, createdAt)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                Secret.hash(secret), token, now + Accounts.sessionLifetime, Storage.newIdentifier(), device, now,
            ])
        try db.execute(
            """
            DELETE FROM person_session WHERE token IN (SELECT id FROM person_token WHERE person = ?1)
                AND hash NOT IN (
                    SELECT person_session.hash FROM person_session
                        JOIN person_token ON person_token.id = person_session.token
                    WHERE person_token.person = ?1 ORDER BY person_session.expiresAt DESC LIMIT ?2)
            """, [person, Accounts.maximumSessions])
    }

    /// Returns the sessions of a person, the last used first.
    public func sessions(of person: String) throws -> [Session] {
        try database.reading { db in
            try db.rows(
                """
                SELECT person_session.id, person_session.device, person_session.token, person_session.createdAt,
                    person_session.expiresAt, person_session.hash
                FROM person_session JOIN person_token ON person_token.id = person_session.token
                WHERE person_token.person = ?1 AND person_session.expiresAt > ?2
                ORDER BY person_session.expiresAt DESC, person_session.id
                """, [person, clock().timeIntervalSince1970]
            ).map(Session.init)
        }
    }

    /// Ends a session of a person.
    ///
    /// - Throws: ``AccountsError/unknownSession(_:)``, `StorageError`.
    public func endSession(id: String, of person: String) throws {
        try write { db in
            let count = try db.execute(
                """
                DELETE FROM person_session WHERE id = ?1
                    AND token IN (SELECT id FROM person_token WHERE person = ?2)
                """, [id, person])
            guard count > 0 else { throw AccountsError.unknownSession(id) }
        }
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

/// A browser that is signed in.
public struct Session: Sendable {
    /// The identifier.
    public let id: String
    /// A name of the browser, such as `Firefox on Android`; empty if unknown.
    public let device: String
    /// The identifier of the token.
    public let token: String
    /// The time of signing in; nil for a session of an earlier version.
    public let createdAt: Date?
    /// The time of the last use, accurate to a day; nil before the first day.
    public let usedAt: Date?
    private let hash: Data

    fileprivate init(_ row: any SQLRow) throws {
        id = try row.text(0)
        device = try row.text(1)
        token = try row.text(2)
        createdAt = try row.optionalTime(3)
        usedAt = try row.time(4).addingTimeInterval(-Accounts.sessionLifetime)
        hash = try row.data(5)
    }

    /// Returns whether this is the session of a cookie.
    public func isSession(_ secret: String?) -> Bool { secret.map { Secret.hash($0) == hash } ?? false }
}

// MARK: - Pairing codes

extension Accounts {
    /// The maximum number of unused pairing codes of a person. A further one invalidates the one that expires first.
    public static let maximumCodes = 50

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
            try db.execute(
                """
                DELETE FROM person_code WHERE person = ?1 AND hash NOT IN (
                    SELECT hash FROM person_code WHERE person = ?1 ORDER BY expiresAt DESC, hash LIMIT ?2)
                """, [person.id, Accounts.maximumCodes])
        }
        return secret
    }

    /// Begins a session with a pairing code and invalidates the code. The device gets its own token.
    ///
    /// - Parameter device: A name of the browser for lists.
    /// - Returns: The value of the session cookie; nil if the code is unknown, used or expired.
    public func redeem(code: String, device: String = "") throws -> String? {
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
                of: try Person(row), hash: nil, scopes: try ScopeSet(parsing: row.text(3)),
                label: device.isEmpty ? "paired" : device, usedAt: clock(), in: db)
            let secret = Secret.make()
            try addSession(secret, token: token.id, person: row.text(0), device: device, in: db)
            return secret
        }
    }
}

/// Random secrets and their hashes.
///
/// A secret has 256 random bits and cannot be guessed, so a plain SHA-256 is as safe as a slow password hash.
enum Secret {
    /// Returns 256 random bits as 43 characters of base64url (RFC 4648, section 5).
    static func make() -> String {
        // Safe: the bytes are copied.
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Data($0).base64URL }
    }

    /// Returns the hash to store for a secret.
    static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }
}

/// An error about people or their tokens.
public enum AccountsError: CodedError, Equatable {
    /// A name is empty, too long or contains control characters.
    case invalidName(String)
    /// Another person has this name.
    case nameInUse(String)
    /// No person has this name or identifier.
    case unknownPerson(String)
    /// No token has this identifier.
    case unknownToken(String)
    /// No session has this identifier.
    case unknownSession(String)
    /// A scope does not exist.
    case unknownScope(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .invalidName(let name):
            .init(
                "invalidName", .usage,
                "invalid name “\(name)”; use 1 to \(Accounts.maximumNameLength) bytes without control characters")
        case .nameInUse(let name):
            .init("nameInUse", .usage, "another person is named “\(name)”; use a different name")
        case .unknownPerson(let name): .init("unknownPerson", .notFound, "unknown person “\(name)”")
        case .unknownToken(let id): .init("unknownToken", .notFound, "unknown token “\(id)”")
        case .unknownSession(let id): .init("unknownSession", .notFound, "unknown session “\(id)”")
        case .unknownScope(let scope):
            .init(
                "unknownScope", .usage,
                (scope.isEmpty ? "no scope given" : "unknown scope “\(scope)”")
                    + "; use \(ScopeSet.known.joined(separator: ", "))")
        }
    }
}
