// The examples of the doc comments, compiled with their surroundings. Scripts/check/docs compares them.

import Foundation
import GRDB
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTerminalInterface
import SwitchboardVCard
import SwitchboardWebFetch
import SwitchboardWebMarkup

private struct Note {
    let key: Int64
    let text: String
    let madeAt: Date

    static func fetch(_ key: Int64, in db: Database) throws -> Note {
        Note(key: key, text: try String.fetchOne(db, sql: "SELECT text FROM note") ?? "", madeAt: .now)
    }
}

private func issueToken() throws {
    let accounts = Accounts(storage: try Storage(at: "public.sqlite", migrations: [Accounts.migrations]))
    let issued = try accounts.issueToken(
        to: "ana", scopes: ScopeSet(parsing: "contacts,index:read"), creatingPerson: true)
    print(issued.secret)  // sb_…
    let access = try accounts.access(token: issued.secret)
    _ = access
}

private func driveInterface() {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    var requests = interface.start()
    requests += interface.handle(.key(.character("5")), at: .seconds(1))
    print(interface.screen().text)
    _ = requests
}

private func printNames(in text: String) throws {
    var reader = try VCardReader(ByteStream(Array(text.utf8)))
    while let card = try reader.next() {
        print(card.properties.first { $0.name == "FN" }?.text ?? "(no name)")
    }
}

private func nearestAirports(path: String) throws {
    let storage = try Storage(at: path, migrations: [Airports.migrations])
    let airports = Airports(storage: storage)
    let near = try airports.nearest(to: Coordinate(parsing: "59.93,30.33"))
    try airports.choose("LED")
    _ = near
}

private func searchAirports(in airports: Airports) throws {
    let search = AirportSearch(airports: airports)
    let results = try search.search("frankfrut")  // Frankfurt, although misspelled: stage 2
    let keys = try search.search(SearchInput(keys: "56636"))
    _ = (results, keys)
}

private func linkFolder(of book: ContactBook, in storage: Storage) throws {
    try storage.setStatus(.authorized, of: .contacts)
    let folder = try book.link("/home/ana/.contacts/personal")
    let report = try book.sync(folder)
    print(report.added, report.written)
}

private func importContacts() throws {
    let storage = try Storage(at: "people.sqlite", migrations: [ContactBook.migrations])
    let book = ContactBook(storage: storage, region: "TR")
    let report = try book.importContacts(from: [.file("people.vcf")])
    let ayse = try book.add(Contact(name: PersonName(splitting: "Ayşe Öztürk")))
    try book.recordCall(ayse.id)
    _ = report
}

private func inputs() throws {
    let text: SearchInput = "gonzales"
    let keys = try SearchInput(keys: "5646")  // Jogo
    _ = (text, keys)
}

private func listTexts(of contact: Contact) {
    for field in ContactTextField.all where !contact[field].isEmpty {
        print("\(field.label): \(contact[field])")
    }
}

private func searchContacts(in book: ContactBook) throws {
    let search = ContactSearch(book: book)
    let hits = try search.search(SearchInput(keys: "5646")).hits  // Jogo
    let more = try search.search("gonzales").hits  // González, although misspelled
    _ = (hits, more)
}

private func searchOnAThread(_ search: ContactSearch) async throws {
    let results = try await runCancellable { isCancelled in try search.search("ana", isCancelled: isCancelled) }
    _ = results
}

private func learn<Words: WordSource>(from entry: inout TextEntry<Words>, in storage: Storage) throws {
    let learning = KeypadLearning(storage: storage)
    try learning.record(entry.takeCommittedWords(), language: "en")
    let words = try learning.words(for: Array("3673".utf8), language: "en")  // chosen words come first
    _ = words
}

private func entry(of list: WordList, learning: KeypadLearning) throws -> TextEntry<PersonalWords> {
    var entry = TextEntry(words: PersonalWords(list, learning: { learning }))
    for key in try EntryKey.keys("8430") { try entry.press(key) }
    return entry
}

private func addProspect() throws {
    let storage = try Storage(at: "people.sqlite", migrations: [Prospects.migrations])
    let prospects = Prospects(storage: storage)
    let added = try prospects.add(Prospect(name: "Łukasz Nowak", email: "lukasz@example.org", met: "FOSDEM"))
    try prospects.setContacted([added.prospect.id])
    let left = try prospects.list(.uncontacted, sortedBy: .recent)
    _ = left
}

private func deliverReminders(in storage: Storage) async throws {
    let reminders = Reminders(storage: storage)
    try reminders.schedule("ana", name: "Ana", title: "Contact Ana", body: "ana@example.org", at: .nextNine)
    let runner = ReminderRunner(reminders: reminders, delivery: .desktop())
    try await runner.run { event in print(event) }
}

private func continueActivity(of index: SearchableIndex) throws {
    let activities = UserActivities(index: index)
    var watching = UserActivity(activityType: "com.example.watching", title: "Breaking Dunes")
    watching.userInfo = ["show": .string("show-1")]
    watching.requiredUserInfoKeys = ["show"]
    let id = try activities.becomeCurrent(watching).id
    try activities.resignCurrent()
    let back = try activities.continuation(of: id)  // has the userInfo needed to resume
    _ = back
}

private func readItems(_ text: String, into changes: inout [ItemChange]) throws {
    var reader = ItemReader(Array(text.utf8))
    while let change = try reader.next() { changes.append(change) }
}

private func shareItems(
    in storage: Storage, about activity: UserActivity, key: String, hmac: @escaping @Sendable (String, String) -> Data
) throws {
    let shared = PublicIndex(storage: storage, threshold: 5) { person, target in hmac(key, person + "\n" + target) }
    if let entry = PublicEntry(activity) { try shared.engage(with: entry, by: "ana") }
    let hits = try ItemSearch(index: shared.index).search("dunes").hits
    _ = hits
}

private func filter(_ items: [some AttributeSource]) throws {
    let query = try AttributeQuery("keywords == \"drama\"c && rating >= 4")
    let predicate = query.predicate(at: Date(), in: .current)
    let dramas = items.filter { predicate.matches($0) }
    _ = dramas
}

private func queryItems(of index: SearchableIndex) throws {
    let dramas = try index.search(AttributeQuery("keywords == 'drama'c && rating >= 4"))
    _ = dramas
}

private func searchItems(of index: SearchableIndex) throws {
    let search = ItemSearch(index: index)
    let hits = try search.search("braking d").hits  // Breaking Dunes, in spite of the typo
    try index.engage("show-1", query: "braking d")  // ranks first next time
    _ = hits
}

private func putItems() throws {
    let storage = try Storage(at: "people.sqlite", migrations: [SearchableIndex.migrations])
    let index = SearchableIndex(storage: storage)
    var attributes = SearchableItemAttributeSet()
    attributes.title = "Breaking Dunes"
    attributes.keywords = ["drama", "desert"]
    try index.put([SearchableItem(uniqueIdentifier: "show-1", domainIdentifier: "tv-shows", attributeSet: attributes)])
    let hits = try ItemSearch(index: index).search("braking").hits
    try index.deleteItems(inDomains: ["tv-shows"])
    _ = hits
}

private func enterText(with list: WordList) throws {
    var entry = TextEntry(words: list)
    for key in try EntryKey.keys("#8430 3673*") { try entry.press(key) }
    print(try entry.text)  // The ford
    print(try entry.candidates)  // ford, dose, dope, …
}

private func readWords(_ bytes: [UInt8]) throws {
    let list = try WordList(bytes)
    print(list.candidates(for: Array("3673".utf8), limit: 3).map(\.text))  // ford, dose, dope
}

private func turkishWords() {
    let words = KeypadWords.list(for: "tr-TR")?.candidates(for: Array("648".utf8), limit: 3)
    _ = words
}

private func buildIndex() throws {
    var builder = IndexBuilder(fields: [[.wordSuffixes, .typos]])
    builder.beginDocument(id: 7, rank: 0)
    builder.beginValue(field: 0)
    builder.addWord([Array("ada".utf16)])
    builder.addWord([Array("lovelace".utf16)])
    let index = try builder.build(generation: 1)
    _ = index
}

private func storeNotes() throws {
    let notes = ModuleMigrations(
        module: "Notes",
        [
            .init("1-notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        ])
    let storage = try Storage(at: "/home/ana/notes.sqlite", migrations: [notes])
    try storage.write(changing: notes) { db in
        try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["Buy milk"])
    }
    let count = try storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note") }
    _ = count
}

private func complete(
    _ switchboard: Switchboard, from server: AirportServer, isOutdated: @escaping @Sendable () -> Bool
) throws {
    let local = try switchboard.searchAirports("kazim")
    let both = try switchboard.completing(local, from: server) { isOutdated() }
    _ = both
}

private func dialContact() throws {
    let switchboard = Switchboard(Settings(database: "/home/ana/people.sqlite", region: "TR"))
    let answer = try switchboard.searchContacts(SearchInput(keys: "5646"))
    print(answer.results.first?.title ?? "no match")
}

private func checkRobots() {
    let robots = RobotsTxt(Array("User-agent: *\nDisallow: /private".utf8))
    let isAllowed = robots.allows("/private/x", agent: "switchboard")  // false
    _ = isAllowed
}

private func readPage(_ bytes: [UInt8]) throws {
    let page = try WebPage(html: bytes, contentType: "text/html; charset=koi8-r", url: "https://example.org/borscht")
    print(page.items.first?.attributes["title"] as Any)  // .text("Борщ")
}

private func readNotes(from rows: RowCursor) throws -> [Note] {
    var notes: [Note] = []
    while let row = try rows.next() {
        try notes.append(Note(key: row.value(0), text: row.value(1), madeAt: row.value(2)))
    }
    return notes
}

private func storeContacts(
    from reader: BatchReader, store: ([PreparedContact]) throws -> Void
) throws {
    let pipeline = BatchPipeline(reading: { reader.nextBatch }, preparing: PreparedContact.init)
    defer { pipeline.stop() }
    while let contacts = try pipeline.next() { try store(contacts) }
}

private struct BatchReader: Sendable {
    func nextBatch() throws -> [Contact] { [] }
}

private struct PreparedContact: Sendable {
    init(_ contact: Contact) {}
}

private func unfinishedTasks(in bytes: [UInt8]) throws {
    let calendar = try CalendarComponent(onlyOneIn: bytes)
    let tasks = calendar.components.filter { $0.name == "VTODO" }
    print(tasks.compactMap { $0.property("SUMMARY")?.text })
}

private func synchronize(_ bytes: [UInt8], with book: ContactBook, since token: ChangeToken) throws {
    let cards = ContactCards(book: book)
    let stored = try cards.write(bytes, as: "ana.vcf") { tag in tag == nil }
    let changes = try cards.changes(since: token)
    _ = (stored, changes)
}

private func printTasks(of reminders: Reminders, since token: ChangeToken) throws {
    let tasks = ReminderTasks(reminders: reminders)
    for resource in try tasks.list() { print(resource.name, resource.tag) }
    let changes = try tasks.changes(since: token)
    _ = changes
}

private func followNotes(in storage: Storage) throws {
    let journal = ChangeJournal(module: "Notes")
    let token = try storage.read { db in try journal.token(in: db) }
    // …
    let changes = try storage.read { db in try journal.changes(since: token, in: db) }
    _ = changes
}

private func setProfile(of contact: inout Contact) {
    contact[.socialProfiles] = [.init(typed: "mastodon:immy", in: .socialProfiles)]
}

private func searchNames() throws {
    var builder = IndexBuilder(fields: [.text])
    for (number, name) in ["Ana Grande", "Zoë Blüe"].enumerated() {
        builder.beginDocument(id: Int64(number), rank: UInt64(number))
        builder.add(name)
    }
    let ids = try builder.build().search("zoe bleu").map(\.id)  // [1]
    _ = ids
}

private func answer() {
    let choices = [ReminderChoice("inAnHour", label: "In einer Stunde"), ReminderChoice("open", label: "Öffnen")]
    _ = choices
}
