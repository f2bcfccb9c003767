import Foundation
import GRDB
import SwitchboardAirports
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTesting

/// Encodes a response as a front end does.
private func encode(_ answer: some Encodable) throws {
    _ = try OrderedJSON.bytes(answer)
}

/// A database with rows in every table, and the calls that read them.
struct CorruptionSample {
    /// A call of a front end.
    struct Call {
        let name: String
        let run: (Switchboard) throws -> Void
    }

    private let store: TemporaryStore
    private let contacts: [String]
    private let prospects: [String]
    private let removedContact: String
    private let reminder: String
    private let activity: String
    private let token: ChangeToken

    /// The path of the database.
    var path: String { store.database }

    /// The tables of all modules.
    static let tables: [String] = {
        guard let store = try? TemporaryStore(), (try? store.storage(Switchboard.migrations)) != nil,
            let columns = try? UnconstrainedDatabase.columns(of: store.database)
        else { return [] }
        return Set(columns.map(\.table)).sorted()
    }()

    // MARK: - Contents

    init() throws {
        store = try TemporaryStore()
        let switchboard = Switchboard(Settings(database: store.database, region: "GB", isShortLived: true))
        let book = try switchboard.contacts
        let folder = store.path("cards")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try store.file("cards/one.vcf", Self.card("Filed", "Ana").utf8)
        _ = try book.importContacts(from: [.bytes(Array(SampleData.vCards.utf8), name: "sample.vcf")])
        _ = try book.importContacts(from: [.bytes(Array(Self.cards.utf8), name: "more.vcf")])
        try switchboard.storage.setStatus(.authorized, of: .contacts)
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        try switchboard.storage.setStatus(.authorized, of: .location)
        _ = try book.sync(try book.link(folder, options: LinkOptions()))
        token = try ContactCards(book: book).token()
        let all = try book.list()
        contacts = all.filter { ["Fay Full", "Twin Twin", "Ana Filed"].contains($0.displayName) }.map(\.id)
        let twins = all.filter { $0.displayName.hasPrefix("Twin") }.map(\.id)
        try book.merge(Array(twins.prefix(2)))
        for contact in all where !contact.displayName.hasPrefix("Twin") { try book.recordCall(contact.id) }
        removedContact = try book.add(Contact(name: PersonName(given: "Gone"))).id
        try book.remove([removedContact])
        try book.markAsDifferent(Array(contacts.prefix(2)))
        // The last import has added one contact and changed another.
        try book.add(Contact(name: PersonName(given: "Una")))
        let last = Self.card("", "Una", "NOTE:new") + Self.card("Last", "Lea")
        _ = try book.importContacts(from: [.bytes(Array(last.utf8), name: "last.vcf")])

        _ = try ContactCards(book: book).write(Array(Self.card("Sent", "Sia", "UID:sia").utf8), as: "sia.vcf") { _ in
            true
        }
        _ = try ContactCards(book: book).list()
        let group = Self.card("Crew", "", "KIND:group", "UID:crew", "MEMBER:nobody")
        _ = try ContactCards(book: book).write(Array(group.utf8), as: "crew.vcf") { _ in true }
        // The next reading of the cards adds a member to it.
        let sia = try book.list().first { $0.displayName == "Sia Sent" }
        try book.edit(sia?.id ?? "") { $0.groups = ["Crew"] }

        let people = try switchboard.prospects
        let met = [
            Prospect(name: "Zoë Jogo", email: "zoe@example.org", phone: "+44 7700 900177"),
            Prospect(name: "Bo Guest", email: "bo@example.org"), Prospect(name: "Gone Guest"),
        ]
        prospects = try met.map { try people.add($0).prospect.id }
        _ = try people.add(met[0])
        try people.setContacted([prospects[1]])
        try people.remove([prospects[2]])
        try people.setMe(MyDetails(name: "Mia Me"))
        reminder = try switchboard.remind(of: prospects[0]).reminder.id
        if let task = try switchboard.tasks.task(reminder + ".ics") {
            _ = try switchboard.writeTask(task.bytes, as: task.resource.name) { _ in true }
        }

        let items = try switchboard.items()
        try items.declare(CustomAttribute(key: "channel", type: .text, isSearchable: true))
        try items.put(json: Array(SampleData.items.utf8))
        try items.put(json: Array(Self.items.utf8))
        try items.engage("show-1", query: "wint")
        try items.setOwner(
            ItemOwner(domain: "texts", application: "org.example.Texts", urlTemplate: "texts:{id}", action: "open"))
        try items.setSynonyms([["wint", "cold"]])
        try items.setIndexed(true, "startDate")
        let activities = try switchboard.activities
        activity = try activities.becomeCurrent(UserActivity(json: Array(Self.activity.utf8))).id
        if let entry = PublicEntry(try items.item("page-1").item) {
            let index = PublicIndex(storage: try switchboard.storage, threshold: 1) { Data(($0 + $1).utf8) }
            _ = try index.engage(with: entry, by: "ana")
            try index.withdraw("https://example.org/other")
        }

        try switchboard.storage.write { db in
            try db.execute(sql: "INSERT INTO item_expired SELECT NULL, key, 'old', 'notes', 'Old', 1e9 FROM item_index")
            // A text of an earlier version.
            try db.execute(
                sql: """
                    INSERT INTO item_unfolded SELECT item FROM item_text;
                    INSERT INTO item_body (rowid, text) SELECT item, text FROM item_text;
                    """)
            // As after a sync that was killed after removing a file.
            try db.execute(
                sql: """
                    INSERT INTO contact_file_announced
                    SELECT folder, 'gone.vcf', contact, hash, contactModifiedAt, x'00' FROM contact_file
                    """)
        }
        let airports = try switchboard.airports
        _ = try airports.update(snapshot: try airports.snapshot(), from: "https://example.org", entityTag: "one")
        // A few rows are as good as all.
        try switchboard.storage.write { db in try db.execute(sql: "DELETE FROM airports_popular WHERE position >= 5") }
        _ = try airports.choose("LHR")
        try switchboard.recordChoice(of: DeepLink(kind: .contact, id: contacts[0]), for: "jogo")
        _ = try airports.setLocation(try Coordinate(latitude: 52.5, longitude: 13.4))

        let learning = KeypadLearning(storage: try switchboard.storage)
        let words = [
            CommittedWord(text: "good", keys: Array("4663".utf8), wasChosen: true),
            CommittedWord(text: "home", keys: Array("4663".utf8), previous: "good", wasChosen: true),
        ]
        try learning.record(words, language: "en")
        switchboard.close()
    }

    private static func card(_ family: String, _ given: String, _ more: String...) -> String {
        let lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:\(given) \(family)", "N:\(family);\(given);;;"] + more
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private static let cards = [
        card(
            "Full", "Fay", "TEL;TYPE=CELL:+44 7700 900178", "TEL:020 7946 0018", "EMAIL:fay@example.org",
            "ADR;TYPE=HOME:;;1 Road;Town;;AB1 2CD;UK", "URL:https://example.org/fay", "BDAY:1980-04-15", "NOTE:A note",
            "ORG:Example", "NICKNAME:Fee", "CATEGORIES:Friends", "X-ELSE:else", "UID:fay",
            "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ),
        card("Twin", "Twin", "EMAIL:twin@example.org", "ORG:Same"),
        card("Twin", "Twin", "TEL:+44 7700 900199", "BDAY:1980-04-15"), card("Dup", "Dan", "ORG:Same"),
        card("Dup", "Dan", "ORG:Same", "TEL:+44 7700 900200"),
        [
            "BEGIN:VCARD", "VERSION:4.0", "KIND:group", "FN:Club", "MEMBER:urn:uuid:nobody", "MEMBER:fay", "END:VCARD",
            "",
        ].joined(separator: "\r\n"),
    ].joined()

    private static let items = """
        [{"id": "long-1", "domain": "texts", "title": "Long", "textContent": "The whole text of something winterly",
          "expiresAt": "2999-01-01T00:00:00Z", "custom": {"channel": "nine"}, "rating": 4, "startDate": "2026-01-04T20:00:00Z"},
         {"id": "page-1", "title": "A page", "url": "https://example.org/page", "eligibleForPublicIndexing": true,
          "expiresAt": null}]
        """

    private static let activity = """
        {"activityType": "com.example.show", "title": "Watching", "userInfo": {"show": "show-1"}, "eligibleForSearch": true,
         "contentAttributeSet": {"relatedUniqueIdentifier": "show-1"}}
        """

    // MARK: - Calls

    /// Returns the calls that read a table.
    func calls(of table: String) -> [Call] {
        switch table.prefix(while: { $0 != "_" }) {
        case "contact": contactCalls + cardCalls
        case "prospect": prospectCalls
        case "reminder": reminderCalls
        case "item", "activity", "public": itemCalls
        case "airports": airportCalls
        case "keypad": keypadCalls
        case "search":
            [
                Call(name: "choices") { _ = try $0.chosen() }, Call(name: "find") { try encode(try $0.search("jogo")) },
            ]
        default: contactCalls + cardCalls + itemCalls + maintenanceCalls
        }
    }

    private var maintenanceCalls: [Call] {
        [
            Call(name: "check") { _ = try $0.storage.check() },
            Call(name: "stats") { _ = try $0.storage.stats() },
            Call(name: "status") { _ = try $0.storage.status(of: .contacts) },
            Call(name: "generation") { _ = try $0.storage.generation(of: "ContactBook") },
        ]
    }

    private var cardCalls: [Call] {
        let card = Array(Self.card("Sent", "Sia", "UID:sia", "NOTE:new").utf8)
        return [
            Call(name: "cards") { _ = try ContactCards(book: $0.contacts).list() },
            Call(name: "card") { _ = try ContactCards(book: $0.contacts).card("sia.vcf") },
            Call(name: "card changes") { [token] in _ = try ContactCards(book: $0.contacts).changes(since: token) },
            Call(name: "contact changes") { [token] in _ = try $0.contacts.changes(since: token) },
            Call(name: "write card") {
                _ = try ContactCards(book: $0.contacts).write(card, as: "sia.vcf") { _ in true }
            },
            Call(name: "remove card") { try ContactCards(book: $0.contacts).remove("sia.vcf") { _ in true } },
            Call(name: "tasks") { _ = try $0.tasks.token() },
        ]
    }

    private var contactCalls: [Call] {
        let ids = contacts
        var calls = [
            Call(name: "list") { try encode(try $0.contacts.list().map { SearchResult($0) }) },
            Call(name: "count") { _ = try $0.contacts.count() },
            Call(name: "members") { _ = try $0.contacts.list(group: "Friends") },
            Call(name: "find") { try encode(try $0.searchContacts("jogo")) },
            Call(name: "find number") { try encode(try $0.searchContacts("7700")) },
            Call(name: "dial") { try encode(try $0.searchContacts(SearchInput(keys: "5646"))) },
            Call(name: "tidy") { try $0.contactSearch.compact() },
            Call(name: "duplicates") { _ = try $0.contacts.duplicates() },
            Call(name: "groups") { _ = try $0.contacts.groups() },
            Call(name: "forget strangers") { _ = try $0.contacts.forgetUnknownMembers() },
            Call(name: "folders") { _ = try $0.contacts.folders() },
            Call(name: "sync") { board in
                for folder in try board.contacts.folders() { _ = try board.contacts.sync(folder) }
            },
            Call(name: "unlink") { board in
                for folder in try board.contacts.folders() {
                    _ = try board.contacts.unlink(folder.path, removingContacts: true)
                }
            },
            Call(name: "import") {
                _ = try $0.contacts.importContacts(from: [.bytes(Array(Self.cards.utf8), name: "again.vcf")])
            },
            Call(name: "undo import") { _ = try $0.contacts.undoImport() },
            Call(name: "birthdays") { board in
                guard let today = CalendarDay("2026-11-21") else { return }
                _ = try board.contacts.birthdays(from: today, days: 366)
            },
            Call(name: "merge") { _ = try $0.contacts.merge(Array(ids.prefix(2))) },
            Call(name: "restore") { [removedContact] in _ = try $0.contacts.restore([removedContact]) },
        ]
        for format in ExportFormat.allCases {
            calls.append(Call(name: "export \(format)") { try $0.contacts.export(format) { _ in } })
        }
        for id in ids {
            calls += [
                Call(name: "show \(id)") { _ = SearchResult(try $0.contacts.contact(id)).details(language: "en") },
                Call(name: "photo \(id)") { _ = try $0.contacts.photo(of: id) },
                Call(name: "edit \(id)") { _ = try $0.contacts.edit(id) { $0.note += "!" } },
                Call(name: "call \(id)") { _ = try $0.contacts.recordCall(id) },
                Call(name: "undo merge \(id)") { _ = try $0.contacts.undoMerge(id, discardingChanges: true) },
                Call(name: "remove \(id)") { try $0.contacts.remove([id]) },
            ]
        }
        return calls
    }

    private var prospectCalls: [Call] {
        let ids = prospects
        return [
            Call(name: "list") { try encode(try $0.prospects.list(.everyone).map { SearchResult($0) }) },
            Call(name: "list by time") { _ = try $0.prospects.list(.everyone, sortedBy: .recent) },
            Call(name: "uncontacted") { _ = try $0.prospects.list(.uncontacted) },
            Call(name: "count") { _ = try $0.prospects.count(.contacted) },
            Call(name: "find") { try encode(try $0.searchProspects("jogo")) },
            Call(name: "dial") { try encode(try $0.searchProspects(SearchInput(keys: "5646"))) },
            Call(name: "tidy") { try $0.prospectSearch.compact() },
            Call(name: "show") { _ = SearchResult(try $0.prospects.prospect(ids[0])).details(language: "en") },
            Call(name: "contacted") { _ = try $0.setContacted([ids[0]]) },
            Call(name: "not contacted") { _ = try $0.setContacted([ids[1]], to: false) },
            Call(name: "edit") { _ = try $0.prospects.edit(ids[0]) { $0.note += "!" } },
            Call(name: "met again") { _ = try $0.prospects.add(Prospect(name: "Zoë Jogo", email: "zoe@example.org")) },
            Call(name: "same number") { _ = try $0.prospects.add(Prospect(name: "Zoë Jogo", phone: "07700 900177")) },
            Call(name: "remove") { try $0.removeProspects([ids[0]]) },
            Call(name: "restore") { _ = try $0.prospects.restore([ids[2]]) },
            Call(name: "me") { _ = try $0.prospects.me() },
            Call(name: "set me") { try $0.prospects.setMe(MyDetails()) },
            Call(name: "to contacts") { _ = try $0.addToContacts([ids[0]]) },
            Call(name: "remind") { _ = try $0.remind(of: ids[0]) },
            Call(name: "export") { try $0.prospects.export(.csv) { _ in } },
        ]
    }

    private var reminderCalls: [Call] {
        let (id, subject) = (reminder, prospects[0])
        return [
            Call(name: "list") { board in
                let reminders = try board.reminders.list()
                _ = ReminderCalendar.text(of: reminders, now: Date())
                try encode(reminders.map { ReminderResponse($0) })
            },
            Call(name: "show") { _ = try $0.reminders.reminder(id) },
            Call(name: "pending") { _ = try $0.reminders.pending(of: subject) },
            Call(name: "next") { _ = try $0.reminders.nextTry(on: "desktop") },
            Call(name: "remind") { _ = try $0.remind(of: subject) },
            Call(name: "snooze") { _ = try $0.reminders.snooze(id, until: .nextNine) },
            Call(name: "retitle") { try $0.reminders.retitle(subject, name: "a", title: "b", body: "c") },
            Call(name: "cancel") { _ = try $0.reminders.cancel(ids: [id]) },
            Call(name: "cancel of") { try $0.reminders.cancel(subjects: [subject]) },
            Call(name: "complete") { try $0.reminders.complete(subjects: [subject]) },
            Call(name: "reopen") { try $0.reminders.reopen(of: [subject]) },
            Call(name: "tasks") { _ = try $0.tasks.list() },
            Call(name: "task") { _ = try $0.tasks.task(id + ".ics") },
            Call(name: "write task") { board in
                guard let task = try board.tasks.task(id + ".ics") else { return }
                _ = try board.writeTask(task.bytes, as: task.resource.name) { _ in true }
            },
            Call(name: "remove task") { try $0.removeTask(id + ".ics") { _ in true } },
        ]
    }

    private var itemCalls: [Call] {
        let id = activity
        return [
            Call(name: "find") { try encode(try $0.searchItems("winter")) },
            Call(name: "find in texts") { try encode(try $0.searchItems("winterly")) },
            Call(name: "find misspelt") { try encode(try $0.searchItems("wintrely whloe")) },
            Call(name: "find public") { try encode(try $0.searchItems("page", index: "public")) },
            Call(name: "suggestions") { _ = try $0.itemSearch().suggestions(for: "win") },
            Call(name: "query") {
                try encode(try $0.queryItems("title == \"*winter*\"c || textContent == \"*whole*\""))
            },
            Call(name: "query custom") { try encode(try $0.queryItems("channel == \"nine\"")) },
            Call(name: "tidy") { try $0.itemSearch().compact() },
            Call(name: "show") { board in
                for id in ["show-1", "long-1", "page-1"] {
                    let item = try board.items().item(id)
                    _ = SearchResult(item).details(language: "en")
                }
            },
            Call(name: "list") { board in
                try board.items().forEach {
                    try encode(SearchResult($0))
                    return true
                }
            },
            Call(name: "stats") { _ = try $0.items().stats() },
            Call(name: "types") { _ = try $0.items().attributeTypes() },
            Call(name: "owners") { _ = try $0.items().owners() },
            Call(name: "synonyms") { _ = try $0.items().synonyms() },
            Call(name: "opening") { _ = try $0.opening(at: DeepLink(kind: .item, id: "long-1")) },
            Call(name: "client state") { _ = try $0.items().clientState() },
            Call(name: "reindex") { _ = try $0.items().requestReindexing(from: Forgetful()) },
            Call(name: "engage") { try $0.items().engage("show-1", query: "wint") },
            Call(name: "put") { _ = try $0.items().put(json: Array(SampleData.items.utf8)) },
            Call(name: "delete") { try $0.items().deleteItems(withIdentifiers: ["show-1"]) },
            Call(name: "delete domain") { _ = try $0.items().deleteItems(inDomains: ["shows"]) },
            Call(name: "delete all") { _ = try $0.items().deleteAllItems() },
            Call(name: "activities") { try encode(try $0.activities.list()) },
            Call(name: "current") { _ = try $0.activities.current() },
            Call(name: "handoff") { _ = try $0.activities.handoff() },
            Call(name: "continue") { _ = try $0.continueActivity(id) },
            Call(name: "resign") { _ = try $0.activities.resignCurrent() },
            Call(name: "delete activity") { try $0.activities.delete([id]) },
            Call(name: "find activities") { _ = try $0.searchActivities("watch") },
            Call(name: "vote") { board in
                guard let entry = PublicEntry(try board.items().item("page-1").item) else { return }
                let index = PublicIndex(storage: try board.storage, threshold: 1) { Data(($0 + $1).utf8) }
                _ = try index.engage(with: entry, by: "bo")
                try index.retract("https://example.org/page", by: "ana")
            },
        ]
    }

    /// A delegate that does not reindex anything.
    private struct Forgetful: SearchableIndexDelegate {
        func reindexItems(withIdentifiers ids: [String], in index: SearchableIndex) throws {}
    }

    private var airportCalls: [Call] {
        [
            Call(name: "popular") { try encode(try $0.popularAirports()) },
            Call(name: "snapshot") { _ = try $0.airports.snapshot() },
            Call(name: "recent") { try encode(try $0.recentAirports()) },
            Call(name: "choose") { _ = try $0.airports.choose("FRA") },
            Call(name: "show") { _ = try $0.row(of: try $0.airports.airport(code: "LHR")).details(language: "en") },
            Call(name: "suggestions") { _ = try $0.airports.suggestions() },
            Call(name: "place") { _ = try $0.airports.knownLocation() },
            Call(name: "origin") { _ = try $0.airports.popularOrigin() },
            Call(name: "due") { _ = try $0.isPopularDue() },
            Call(name: "claim") { _ = try $0.airports.claimRefresh() },
        ]
    }

    private var keypadCalls: [Call] {
        [
            Call(name: "words") { _ = try $0.words(for: "4663", language: "en") },
            Call(name: "type") { _ = try $0.type("4663 0 4663 0", language: "en") },
            Call(name: "is on") { _ = try KeypadLearning(storage: $0.storage).isOn() },
            Call(name: "all") { _ = try KeypadLearning(storage: $0.storage).words(language: "en") },
            Call(name: "after") {
                _ = try KeypadLearning(storage: $0.storage).suggestions(after: "good", language: "en")
            },
            Call(name: "pairs") {
                let learning = KeypadLearning(storage: try $0.storage)
                _ = try learning.words(for: Array("46".utf8), after: "good", language: "en")
            },
            Call(name: "add") { _ = try KeypadLearning(storage: $0.storage).add("gone", language: "en") },
            Call(name: "forget") { try KeypadLearning(storage: $0.storage).forget("good", language: "en") },
        ]
    }
}
