// Switchboard beside modules and types of the same names. A scoped import resolves a name that both declare.

import Contacts
import People
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardReminders
import SwitchboardSearchEngine
import SwitchboardStorage

import struct Reminders.Reminders
import struct Storage.Storage

func run() throws {
    let storage = Storage()
    let file = storage.folder.appending(path: "people.sqlite").path
    let contacts: [Contacts.Contact] = People.all
    var reminders = Reminders()

    let database = try SwitchboardStorage.Storage(
        at: file, migrations: [ContactBook.migrations, SwitchboardReminders.Reminders.migrations])
    let book = ContactBook(storage: database, region: "PT")
    var builder = IndexBuilder(fields: [[.wordSuffixes]])
    for (number, contact) in contacts.enumerated() {
        try book.add(SwitchboardContacts.Contact(name: PersonName(splitting: contact.name)))
        reminders.add("Call \(contact.name)")
        builder.beginDocument(id: Int64(number), rank: UInt64(number))
        builder.beginValue(field: 0)
        for word in contact.name.lowercased().split(separator: " ") { builder.addWord([Array(word.utf16)]) }
    }

    let request = SearchRequest(
        queries: [SearchQuery(["sou"])], tiers: [SearchTier(field: 0, .prefix)])
    let hits = try builder.build().search(request).map { contacts[Int($0.id)].name }
    let switchboard = Switchboard(Settings(database: file, region: "PT"))
    let dialed = try switchboard.searchContacts(SearchInput(keys: "62746")).results.map(\.title)
    let pending = try SwitchboardReminders.Reminders(storage: database).list([.pending])
    print("search: \(hits); keypad: \(dialed); reminders: \(reminders.titles.count) and \(pending.count)")
}

try run()
