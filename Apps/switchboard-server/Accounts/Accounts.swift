public import Foundation
import GRDB
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
/// let issued = try accounts.issueToken(to: "ana", scopes: ScopeSet(parsing: "contacts,index:read"))
/// print(issued.secret)  // sb_…
/// let access = try accounts.access(token: issued.secret)
/// ```
///
/// ## Topics
///
/// - People: ``person(named:)``, ``person(matching:)``, ``list()``, ``delete(_:)``
/// - Tokens: ``issueToken(to:scopes:label:)``, ``access(token:)``, ``tokens(of:)``, ``revoke(_:of:)``
/// - Sessions: ``beginSession(for:)``, ``access(session:)``, ``endSession(_:)``
/// - Pairing codes: ``issueCode(to:scopes:)``, ``redeem(code:)``
/// - Calendar addresses: ``calendarSecret(of:)``, ``renewCalendarSecret(of:)``, ``person(calendarSecret:)``
/// - Votes: ``vote(of:for:key:)``
public struct Accounts: Sendable {
    /// The lifetime of an unused session in seconds, 30 days.
    public static let sessionLifetime: TimeInterval = 30 * 86_400
    /// The lifetime of a pairing code in seconds.
    public static let codeLifetime: TimeInterval = 600
    /// The minimum interval between two records of a token's use, in seconds.
    static let useInterval: TimeInterval = 3_600

    /// The shared database.
    public let storage: Storage
    let clock: @Sendable () -> Date

    /// Creates the accounts of a database.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with ``migrations``.
    ///   - clock: The source of the current time.
    public init(storage: Storage, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.storage = storage
        self.clock = clock
    }
}

/// A user of the server.
public struct Person: Hashable, Sendable {
    /// The identifier, which names the person's database: lower-case letters and digits.
    public let id: String
    /// The unique name.
    public let name: String
    /// The time of creation.
    public let createdAt: Date
}

extension Accounts {
    /// The maximum length of a name in bytes.
    public static let maximumNameLength = 200

    /// Returns the person with a name, created if missing.
    ///
    /// - Throws: ``AccountsError/invalidName(_:)``, `StorageError`.
    public func person(named name: String) throws -> Person {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.utf8.count <= Accounts.maximumNameLength,
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw AccountsError.invalidName(name) }
        return try storage.write(changing: Accounts.module) { db in
            if let row = try Row.fetchOne(db, sql: "SELECT * FROM person WHERE name = ?", arguments: [name]) {
                return try Person(row)
            }
            let person = Person(id: Storage.newIdentifier(), name: name, createdAt: clock())
            try db.execute(
                sql: "INSERT INTO person (id, name, createdAt) VALUES (?, ?, ?)",
                arguments: [person.id, person.name, person.createdAt.timeIntervalSince1970])
            return person
        }
    }

    /// Returns the person with a name or, failing that, an identifier.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func person(matching nameOrID: String) throws -> Person {
        try storage.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM person WHERE name = ?1 OR id = ?1 ORDER BY name = ?1 DESC",
                arguments: [nameOrID])
            guard let row else { throw AccountsError.unknownPerson(nameOrID) }
            return try Person(row)
        }
    }

    /// Returns all people by name.
    public func list() throws -> [Person] {
        try storage.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM person ORDER BY name").map(Person.init)
        }
    }

    /// Deletes a person with all tokens and sessions. The caller must delete the person's database.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func delete(_ id: String) throws {
        try storage.write(changing: Accounts.module) { db in
            try db.execute(sql: "DELETE FROM person WHERE id = ?", arguments: [id])
            if db.changesCount == 0 { throw AccountsError.unknownPerson(id) }
        }
    }
}

extension Person {
    init(_ row: Row) throws {
        id = try row.value("id")
        name = try row.value("name")
        createdAt = try row.value("createdAt")
    }
}
