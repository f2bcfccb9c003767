import Foundation
import SwitchboardAccounts
import SwitchboardKit
import SwitchboardStorage

/// An error for a missing database of the server, which must not be mistaken for an empty one.
struct MissingDatabase: CodedError {
    let path: String

    var details: ErrorDetails {
        ErrorDetails(
            "dataMissing", .missing,
            "the database \(path) is missing; mount its volume, or restore it from a backup", file: path)
    }
}

// MARK: - Missing databases

extension DataStore {
    /// Returns whether there is a database at a path. An empty file does not count, although SQLite would accept it as
    /// a new database.
    private static func exists(_ path: String) -> Bool { FileIdentity(of: path) != nil }

    /// Returns whether a person's database can be used. The copies of a cluster are created when needed.
    func hasDatabase(of person: String) -> Bool { cluster != nil || Self.exists(file(of: person)) }

    func hasDatabase(ofAnyOf people: [Person]) -> Bool { people.contains { hasDatabase(of: $0.id) } }

    /// - Throws: ``MissingDatabase``.
    func requireDatabase(of person: String) throws(MissingDatabase) {
        guard hasDatabase(of: person) else { throw MissingDatabase(path: file(of: person)) }
    }

    /// Creates the database of a new person.
    func createDatabase(of person: String) throws(StorageError) {
        try Storage(at: file(of: person), migrations: Switchboard.migrations).close()
    }

    /// Checks that the accounts exist if the databases of people do.
    ///
    /// - Throws: ``MissingDatabase``.
    func requireAccounts() throws(MissingDatabase) {
        guard cluster == nil, !Self.exists(publicFile),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/people"),
            names.contains(where: { $0.hasSuffix(".sqlite") })
        else { return }
        throw MissingDatabase(path: publicFile)
    }

    /// Creates, only once, the databases of people who have none because they never signed in to an earlier version.
    ///
    /// Does nothing while a volume may be unmounted.
    func completeDatabases(_ accounts: Accounts) throws {
        guard try !accounts.everyoneHasDatabase() else { return }
        let (people, active) = (try accounts.list(), try accounts.activePeople())
        guard active.isEmpty || hasDatabase(ofAnyOf: people) else { return }
        for person in people where !active.contains(person.id) && !hasDatabase(of: person.id) {
            try createDatabase(of: person.id)
        }
        try accounts.recordDatabases()
    }

    /// Returns the databases that should be in the folder but are not.
    func missingFiles(_ accounts: Accounts) throws -> [String] {
        guard cluster == nil else { return [] }
        let people = try accounts.list().filter { !hasDatabase(of: $0.id) }.map { file(of: $0.id) }
        return (Self.exists(publicFile) ? [] : [publicFile]) + people
    }

    /// Returns whether the databases exist. Databases of individual people may be missing.
    func isAvailable(_ accounts: Accounts) throws -> Bool {
        guard cluster == nil else { return true }
        let people = try accounts.list()
        return Self.exists(publicFile) && (people.isEmpty || hasDatabase(ofAnyOf: people))
    }
}

/// The identity of a file, which a later file with the same name does not share.
struct FileIdentity: Hashable {
    private let device: UInt
    private let number: UInt

    /// - Returns: nil if there is no file, or an empty one.
    init?(of path: String) {
        guard let attributes = FileSystem.attributes(of: path), attributes.st_size > 0 else { return nil }
        (device, number) = (UInt(attributes.st_dev), UInt(attributes.st_ino))
    }
}
