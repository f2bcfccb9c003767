import Foundation
import GRDB
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchChoices
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTesting
import Testing

@Suite("Missing modules") struct MissingModuleTests {
    /// A call of a module.
    struct Entry: CustomTestStringConvertible, Sendable {
        let module: ModuleMigrations
        let name: String
        let call: @Sendable (Storage) throws -> Void

        init(_ module: ModuleMigrations, _ name: String, _ call: @escaping @Sendable (Storage) throws -> Void) {
            self.module = module
            self.name = name
            self.call = call
        }

        var testDescription: String { "\(module.module): \(name)" }
    }

    static let everything: [ModuleMigrations] = Switchboard.migrations + [Accounts.migrations]

    static let entries: [Entry] = [
        Entry(ContactBook.migrations, "add") {
            _ = try ContactBook(storage: $0, region: nil).add(Contact(name: PersonName(given: "Ana")))
        },
        Entry(ContactBook.migrations, "list") { _ = try ContactBook(storage: $0, region: nil).list() },
        Entry(ContactBook.migrations, "count") { _ = try ContactBook(storage: $0, region: nil).count() },
        Entry(ContactBook.migrations, "contact") { _ = try ContactBook(storage: $0, region: nil).contact("a") },
        Entry(ContactBook.migrations, "edit") {
            _ = try ContactBook(storage: $0, region: nil).edit("a") { $0.note = "b" }
        },
        Entry(ContactBook.migrations, "remove") { try ContactBook(storage: $0, region: nil).remove(["a"]) },
        Entry(ContactBook.migrations, "merge") { try ContactBook(storage: $0, region: nil).merge(["a", "b"]) },
        Entry(ContactBook.migrations, "duplicates") { _ = try ContactBook(storage: $0, region: nil).duplicates() },
        Entry(ContactBook.migrations, "groups") { _ = try ContactBook(storage: $0, region: nil).groups() },
        Entry(ContactBook.migrations, "import") {
            let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana\r\nEND:VCARD\r\n"
            _ = try ContactBook(storage: $0, region: nil).importContacts(from: [.bytes(Array(card.utf8), name: "a.vcf")]
            )
        },
        Entry(ContactBook.migrations, "export") { try ContactBook(storage: $0, region: nil).export(.vcard4) { _ in } },
        Entry(ContactBook.migrations, "folders") { _ = try ContactBook(storage: $0, region: nil).folders() },
        Entry(ContactBook.migrations, "unlink") { _ = try ContactBook(storage: $0, region: nil).unlink("/a") },
        Entry(ContactBook.migrations, "search") {
            _ = try ContactSearch(book: ContactBook(storage: $0, region: nil)).search(SearchInput("ana"))
        },
        Entry(ContactBook.migrations, "search by keypad") {
            _ = try ContactSearch(book: ContactBook(storage: $0, region: nil)).search(try SearchInput(keys: "262"))
        },

        Entry(Prospects.migrations, "add") { _ = try Prospects(storage: $0).add(Prospect(name: "Ana")) },
        Entry(Prospects.migrations, "list") { _ = try Prospects(storage: $0).list() },
        Entry(Prospects.migrations, "me") { _ = try Prospects(storage: $0).me() },
        Entry(Prospects.migrations, "search") {
            _ = try ProspectSearch(prospects: Prospects(storage: $0)).search(SearchInput("ana"))
        },

        Entry(Reminders.migrations, "schedule") {
            try $0.setStatus(.authorized, of: .notifications)
            try Reminders(storage: $0).schedule("a", name: "Ana", title: "Call", body: "", at: .nextNine)
        },
        Entry(Reminders.migrations, "list") { _ = try Reminders(storage: $0).list() },
        Entry(Reminders.migrations, "cancel") { try Reminders(storage: $0).cancel(subjects: ["a"]) },
        Entry(Reminders.migrations, "tasks") { _ = try ReminderTasks(reminders: Reminders(storage: $0)).list() },
        Entry(Reminders.migrations, "next") { _ = try Reminders(storage: $0).nextTry(on: "desktop") },

        Entry(SearchableIndex.migrations, "put") {
            _ = try SearchableIndex(storage: $0).put(json: Array(#"[{"id": "a", "title": "b"}]"#.utf8))
        },
        Entry(SearchableIndex.migrations, "item") { _ = try SearchableIndex(storage: $0).item("a") },
        Entry(SearchableIndex.migrations, "count") { _ = try SearchableIndex(storage: $0).count() },
        Entry(SearchableIndex.migrations, "delete all") { _ = try SearchableIndex(storage: $0).deleteAllItems() },
        Entry(SearchableIndex.migrations, "search") {
            _ = try ItemSearch(index: SearchableIndex(storage: $0)).search("ana")
        },
        Entry(SearchableIndex.migrations, "suggestions") {
            _ = try ItemSearch(index: SearchableIndex(storage: $0)).suggestions(for: "ana")
        },
        Entry(SearchableIndex.migrations, "query") {
            _ = try SearchableIndex(storage: $0).search(AttributeQuery("title == 'a'"))
        },
        Entry(SearchableIndex.migrations, "activities") {
            _ = try UserActivities(index: SearchableIndex(storage: $0)).list()
        },
        Entry(SearchableIndex.migrations, "withdraw") {
            let index = PublicIndex(storage: $0) { Data(($0 + $1).utf8) }
            try index.withdraw("https://example.org")
        },

        Entry(Airports.migrations, "choose") { _ = try Airports(storage: $0).choose("LHR") },
        Entry(Airports.migrations, "recent") { _ = try Airports(storage: $0).recent() },
        Entry(Airports.migrations, "suggestions") { _ = try Airports(storage: $0).suggestions() },
        Entry(Airports.migrations, "location") {
            try $0.setStatus(.authorized, of: .location)
            _ = try Airports(storage: $0).knownLocation()
        },
        Entry(Airports.migrations, "origin") { _ = try Airports(storage: $0).popularOrigin() },
        Entry(Airports.migrations, "search") {
            _ = try AirportSearch(airports: Airports(storage: $0)).search(SearchInput(""))
        },
        Entry(Airports.migrations, "shared") {
            let shared = Airports(storage: nil)
            _ = try Airports(storage: $0, sharing: shared).recent()
        },

        Entry(KeypadLearning.migrations, "is on") { _ = try KeypadLearning(storage: $0).isOn() },
        Entry(KeypadLearning.migrations, "words") {
            _ = try KeypadLearning(storage: $0).words(for: Array("46".utf8), language: "en")
        },
        Entry(KeypadLearning.migrations, "add") { _ = try KeypadLearning(storage: $0).add("good", language: "en") },

        Entry(SearchChoices.migrations, "is on") { _ = try SearchChoices(storage: $0).isOn() },
        Entry(SearchChoices.migrations, "record") {
            try SearchChoices(storage: $0).record("a", kind: "contact", query: "ana")
        },
        Entry(SearchChoices.migrations, "preferences") {
            _ = try SearchChoices(storage: $0).preferences(for: "ana", kind: "contact")
        },

        Entry(Accounts.migrations, "person") {
            _ = try Accounts(storage: $0).person(named: "ana", creating: true)
        },
        Entry(Accounts.migrations, "list") { _ = try Accounts(storage: $0).list() },
    ]

    @Test("The table has an entry of each module")
    func complete() {
        #expect(Set(Self.entries.map(\.module.module)) == Set(Self.everything.map(\.module)))
    }

    @Test(
        "A storage without the migrations of a module reports that, whatever other modules it has", arguments: entries)
    func missing(_ entry: Entry) throws {
        let others = Self.everything.filter { $0.module != entry.module.module }
        for migrations in [[], others] {
            let store = try TemporaryStore()
            let storage = try store.storage(migrations)
            // As a program does that uses the other modules first.
            for other in others { storage.register(other) }
            let error = #expect(throws: StorageError.missingModule(entry.module.module)) { try entry.call(storage) }
            #expect(error?.message.contains("add its migrations to Storage(at:migrations:)") ?? false)
        }
    }

    @Test("The lost tables of a module are reported as corruption", arguments: entries)
    func lostTables(_ entry: Entry) throws {
        let store = try TemporaryStore()
        let storage = try store.storage(Self.everything)
        let tables = try Storage.inMemory(migrations: [entry.module]).stats().tables.map(\.name)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: store.database, configuration: configuration)
        try queue.write { db in
            for table in tables where !table.hasPrefix("storage_") {
                try db.execute(sql: "DROP TABLE \(table.quotedDatabaseIdentifier)")
            }
        }
        try queue.close()
        let error = #expect(throws: StorageError.self) { try entry.call(storage) }
        #expect(error?.code == "damaged", "\(error?.message ?? "")")
    }
}
