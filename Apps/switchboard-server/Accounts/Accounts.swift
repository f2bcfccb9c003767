public import Foundation
import GRDB
public import SwitchboardStorage

/// Who uses a server, and what they may do there.
///
/// One database that all share knows the people, their tokens and their sessions; what a person has is in a database of their own, of
/// which this module knows only that it belongs to their identifier. Of tokens, sessions and codes only hashes are kept: who reads the
/// database can sign in as nobody. For example:
///
/// ```swift
/// let people = Accounts(storage: try Storage(at: "public.sqlite", migrations: [Accounts.migrations]))
/// let issued = try people.issueToken(to: "ana", scopes: ScopeSet(parsing: "contacts,index:read"))
/// print(issued.secret)                                    // sb_… : shown once
/// let access = try people.access(token: issued.secret)    // who, and what for
/// ```
///
/// ## What there is
///
/// - Accounts: ``person(named:)``, ``list()``, ``delete(_:)``, ``Person``
/// - Tokens: ``issueToken(to:scopes:label:)``, ``access(token:)``, ``tokens(of:)``, ``revoke(_:of:)``, ``ScopeSet``
/// - Browsers: ``beginSession(for:)``, ``access(session:)``, ``endSession(_:)``, ``issueCode(to:scopes:)``, ``redeem(code:)``
/// - Addresses that tell who: ``calendarSecret(of:)``, ``renewCalendarSecret(of:)``, ``person(calendarSecret:)``
/// - Counting without knowing whom: ``vote(of:for:key:)``
public struct Accounts: Sendable {
    /// How long a browser stays signed in without being used, in seconds: a month.
    public static let sessionLifetime: TimeInterval = 30 * 86_400
    /// How long a code for another device can be redeemed, in seconds.
    public static let codeLifetime: TimeInterval = 600
    /// How much time passes before the use of a token is noted again, in seconds.
    static let useInterval: TimeInterval = 3_600

    /// The database that all share.
    public let storage: Storage
    let clock: @Sendable () -> Date

    /// Accounts on a storage that has the tables of this module.
    ///
    /// - Parameters:
    ///   - storage: opened with the migrations of this module.
    ///   - clock: what tells the time.
    public init(storage: Storage, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.storage = storage
        self.clock = clock
    }
}

/// Somebody who uses the server.
public struct Person: Hashable, Sendable {
    /// Names the database of this person: small letters and digits only.
    public let id: String
    /// What they are called; each name once.
    public let name: String
    /// When they were first mentioned.
    public let createdAt: Date
}

extension Accounts {
    /// The longest name of a person, in bytes.
    public static let longestName = 200

    /// The person of a name, who is made on first mention.
    ///
    /// - Throws: ``AccountsError/invalidName(_:)``, `StorageError`.
    public func person(named name: String) throws -> Person {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.utf8.count <= Accounts.longestName,
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw AccountsError.invalidName(name) }
        return try storage.write(changing: Accounts.module) { db in
            if let row = try Row.fetchOne(db, sql: "SELECT * FROM person WHERE name = ?", arguments: [name]) {
                return try Person(row)
            }
            let person = Person(id: Secret.identifier(), name: name, createdAt: clock())
            try db.execute(
                sql: "INSERT INTO person (id, name, createdAt) VALUES (?, ?, ?)",
                arguments: [person.id, person.name, person.createdAt.timeIntervalSince1970])
            return person
        }
    }

    /// The person whom a command line means: by name, else by identifier.
    ///
    /// - Throws: ``AccountsError/unknownPerson(_:)``, `StorageError`.
    public func known(_ nameOrID: String) throws -> Person {
        try storage.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM person WHERE name = ?1 OR id = ?1 ORDER BY name = ?1 DESC",
                arguments: [nameOrID])
            guard let row else { throw AccountsError.unknownPerson(nameOrID) }
            return try Person(row)
        }
    }

    /// Everybody, by name.
    public func list() throws -> [Person] {
        try storage.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM person ORDER BY name").map(Person.init)
        }
    }

    /// Forgets a person with all tokens and sessions. Their database is another's to remove.
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
