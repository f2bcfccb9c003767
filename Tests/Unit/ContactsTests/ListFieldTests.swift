import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTestSupport
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Laws for each list of a contact that its other properties contain: an entry in the table is all that a list needs.
@Suite("Lists of a contact")
struct ListFieldTests {
    typealias Value = ContactListField.Value

    private static func book() throws -> ContactBook {
        ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "TR")
    }

    private static func contact(_ list: ContactListField, _ values: [Value]) -> Contact {
        var contact = Contact(name: PersonName(given: "Ana", family: "Lima"))
        contact[list] = values
        return contact
    }

    /// Returns different values; those of profiles with and without a service and an address.
    private static func values(_ list: ContactListField, _ random: inout SplitMix) -> [Value] {
        let texts = ["immy", "Zoë Quill", "a;b", "x\\y", "@q, r", "“s”", "e:f", "it's", "ünal", "Тест", "c=d\ne"]
        return (0...Int.random(in: 0...3, using: &random)).map { number in
            let text = (texts.randomElement(using: &random) ?? "") + "\(number)"
            if list.parts.count == 1 { return Value([text]) }
            let service = ["", "Mastodon", "home", "X, formerly", "Bluesky;2"].randomElement(using: &random) ?? ""
            let url = ["", "https://social.example/@immy,\(number)", "xmpp:a@b"].randomElement(using: &random) ?? ""
            return Value([service, text, url])
        }
    }

    private static func imported(_ text: String, as name: String) throws -> Contact {
        let book = try Self.book()
        #expect(try book.importContacts(from: [.bytes(Array(text.utf8), name: name)]).added == 1, "\(text)")
        return try #require(try book.list().first)
    }

    @Test(arguments: ContactListField.all, [UInt64](1...30))
    func surviveEveryFormatAndTheDatabase(list: ContactListField, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let values = Self.values(list, &random)
        let contact = Self.contact(list, values)
        #expect(contact[list] == values)
        let book = try Self.book()
        let id = try book.add(contact).id
        #expect(try book.contact(id)[list] == values)
        let json = try OrderedJSON.bytes(book.contact(id))
        #expect(try JSONDecoder().decode(Contact.self, from: Data(json)).otherProperties == contact.otherProperties)
        var members = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        members["otherProperties"] = nil
        let withoutProperties = try JSONSerialization.data(withJSONObject: members)
        #expect(try JSONDecoder().decode(Contact.self, from: withoutProperties)[list] == values)
        for version in [VCardWriter.Version.version3, .version4] {
            let card = VCardWriter(version: version).card(of: contact)
            #expect(try Self.imported(card, as: "a.vcf").otherProperties == contact.otherProperties, "\(card)")
        }
        let writer = CSVWriter(widths: CSVWriter.Widths())
        #expect(try Self.imported(writer.header + writer.row(of: contact), as: "a.csv")[list] == values)
    }

    @Test(arguments: ContactListField.all, [UInt64](1...10))
    func typedValuesStayAndMergeAndCanBeCleared(list: ContactListField, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var contact = Self.contact(list, Self.values(list, &random))
        contact.otherProperties.insert("X-A:b", at: 0)
        let before = contact
        try contact.set(list, toTyped: contact[list].map(\.text))
        #expect(contact == before)
        let other = Self.contact(list, [Value(typed: "another", in: list)])
        let merged = contact.merging(other)
        #expect(merged[list] == contact[list] + other[list] && merged.merging(other) == merged)
        try contact.set(list, toTyped: [" "])
        #expect(contact.otherProperties == ["X-A:b"])
    }

    @Test(arguments: ContactListField.all)
    func areFoundUnderTheirKey(list: ContactListField) throws {
        let book = try Self.book()
        _ = try book.add(Self.contact(list, [Value(typed: "aaa", in: list), Value(typed: "Quixotic", in: list)]))
        for search in [ContactSearch(book: book), ContactSearch(book: book)] {
            let hit = try #require(try search.search(SearchInput("quixotic")).hits.first)
            #expect(hit.highlights == ["\(list.key).1": [0..<8]])
        }
    }

    @Test(arguments: ContactListField.all)
    func haveLimitsThatNameThem(list: ContactListField) throws {
        var contact = Contact(name: PersonName(given: "Ana"))
        let long = String(repeating: "a", count: Contact.largestName + 1)
        #expect(throws: ContactBookError.tooLong(field: list.name, limit: Contact.largestName)) {
            try contact.set(list, toTyped: [long])
        }
        #expect(throws: ContactBookError.tooMany(field: list.name, limit: Contact.largestList)) {
            try contact.set(list, toTyped: (0...Contact.largestList).map { "a\($0)" })
        }
        #expect(contact.otherProperties.isEmpty)
        #expect(ContactBookError.tooLong(field: list.name, limit: 1).details.field == list.key)
    }

    @Test(
        "A profile is read in the notations of RFC 9554 and of Apple",
        arguments: [
            (
                "SOCIALPROFILE;SERVICE-TYPE=Mastodon;USERNAME=immy:https://social.example/@immy", "Mastodon", "immy",
                "https://social.example/@immy"
            ),
            ("SOCIALPROFILE;SERVICE-TYPE=SomeSite;VALUE=text:peter94", "SomeSite", "peter94", ""),
            ("X-SOCIALPROFILE;type=twitter:http://twitter.com/immy", "twitter", "", "http://twitter.com/immy"),
            ("X-SOCIALPROFILE;type=Flickr;x-user=immy:x-apple:immy", "Flickr", "immy", ""),
            (
                "X-SOCIALPROFILE;type=facebook;type=pref;x-user=a.b;x-userid=7:http://facebook.com/a.b", "facebook",
                "a.b", "http://facebook.com/a.b"
            ),
            ("item1.X-SOCIALPROFILE:x-apple:immy%20q\r\nitem1.X-ABLabel:Tea Club", "Tea Club", "immy q", ""),
            ("SOCIALPROFILE;TYPE=home:https://example.org/immy", "", "", "https://example.org/immy"),
        ])
    func notations(line: String, service: String, user: String, url: String) throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\n\(line)\r\nEND:VCARD\r\n"
        let contact = try Self.imported(card, as: "a.vcf")
        #expect(contact[.socialProfiles] == [Value([service, user, url])])
        for version in [VCardWriter.Version.version3, .version4] {
            let card = VCardWriter(version: version).card(of: contact)
            #expect(try Self.imported(card, as: "a.vcf").otherProperties == contact.otherProperties, "\(card)")
        }
    }

    @Test("Version 3.0 has Apple's notation, version 4.0 that of the RFC")
    func versions() {
        let contact = Self.contact(
            .socialProfiles,
            [Value(["Mastodon", "immy", "https://social.example/@immy"]), Value(["Flickr", "a, b", ""])])
        func lines(_ version: VCardWriter.Version) -> [Substring] {
            let card = VCardWriter(version: version).card(of: contact).replacing("\r\n ", with: "")
            return card.split(separator: "\r\n").filter { $0.contains("SOCIAL") }
        }
        #expect(
            lines(.version3) == [
                "X-SOCIALPROFILE;TYPE=Mastodon;X-USER=immy:https://social.example/@immy",
                "X-SOCIALPROFILE;TYPE=Flickr;X-USER=\"a, b\":x-apple:a\\, b",
            ])
        #expect(
            lines(.version4) == [
                "SOCIALPROFILE;SERVICE-TYPE=Mastodon;USERNAME=immy:https://social.example/@immy",
                "SOCIALPROFILE;SERVICE-TYPE=Flickr;USERNAME=\"a, b\";VALUE=text:a\\, b",
            ])
    }

    @Test("Profiles of an older database are found after the migration")
    func migration() throws {
        let book = try Self.book()
        let id = try book.add(Self.contact(.socialProfiles, [Value(["Mastodon", "quixotic", ""])])).id
        try book.writing { db in
            try db.execute(sql: "UPDATE contact_search SET tokens = x'01'")
            try ContactRows.addTextsOfProperties(of: ContactListField.socialProfiles.search, in: db)
        }
        let hit = try #require(try ContactSearch(book: book).search(SearchInput("quixotic")).hits.first)
        #expect(hit.person.id == id && hit.highlights == ["socialProfiles.0": [9..<17]])
    }
}
