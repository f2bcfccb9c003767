import Foundation
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage

// MARK: - From a single server to a cluster, and back

extension DataStore {
    private static let sharedTables = Accounts.tables + SearchableIndex.voteTables

    /// Copies all data of a single server into this cluster, and returns the number of people.
    ///
    /// The accounts are copied last, so a failed import can be repeated.
    ///
    /// - Parameter temporary: A folder for a temporary copy.
    func importAll(from source: DataStore, through temporary: String) throws -> Int {
        guard let cluster else { return 0 }
        let shared = try source.publicStorage()
        let people = try source.accounts(shared).list()
        for person in people {
            try source.requireDatabase(of: person.id)
            try restore(person.id, from: source.file(of: person.id))
        }
        // The items become a journal; the other tables become rows of the cluster.
        let copy = temporary + "/import.sqlite"
        try shared.backup(to: copy)
        let items = try Storage(at: copy, migrations: Server.migrations)
        try items.writing(changing: nil) { db in
            for table in Self.sharedTables.reversed() { try table.removeAll(in: db) }
        }
        items.close()
        _ = try Storage.restore(
            at: publicFile, from: copy, migrations: Switchboard.migrations, options: options(for: Self.publicName))
        try cluster.database.writing(changing: Accounts.module) { target in
            try shared.reading { source in try Self.copy(from: source, to: target) }
        }
        return people.count
    }

    /// Copies all data of this cluster into a new data folder for a single server, and returns the number of people.
    func exportAll(to target: DataStore) throws -> Int {
        guard let cluster else { return 0 }
        let journals = Set(try cluster.journals.list().map(\.name))
        try FileManager.default.createDirectory(
            atPath: target.folder + "/people", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let people = try accounts().list()
        for person in people {
            // A person who has never signed in has no journal.
            guard journals.contains(person.id) else {
                try target.createDatabase(of: person.id)
                continue
            }
            try Switchboard(settings(of: person.id)).storage.backup(to: target.file(of: person.id))
        }
        try publicStorage().backup(to: target.publicFile)
        let shared = try target.publicStorage()
        try shared.writing(changing: Accounts.module) { db in
            for table in Self.sharedTables.reversed() { try table.removeAll(in: db) }
            try cluster.database.reading { source in try Self.copy(from: source, to: db) }
        }
        shared.close()
        return people.count
    }

    private static func copy(from source: any SQLTransaction, to target: any SQLTransaction) throws {
        for table in sharedTables { _ = try table.copy(from: source, to: target) }
    }

    /// Builds the database of a journal in the folder, and returns the problems found in it.
    func problems(of journal: String) throws -> [String] {
        do throws(StorageError) {
            let options = options(for: journal)
            let storage = try Storage(
                at: "\(folder)/\(journal).sqlite", migrations: Switchboard.migrations, options: options)
            return try storage.check().problems
        } catch {
            switch error {
            case .journalUnavailable, .damaged, .notADatabase: return [error.message]
            default: throw error
            }
        }
    }
}
