public import Foundation
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
/// - Sessions: ``beginSession(for:)``, ``access(session:)``, ``endSession(_:)``
/// - Pairing codes: ``issueCode(to:scopes:lifetime:creatingPerson:)``, ``redeem(code:)``
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
