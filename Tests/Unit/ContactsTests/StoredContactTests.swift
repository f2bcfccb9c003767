import Foundation
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTextNormalization
import Testing

@testable import SwitchboardContacts

/// What an index stores of a contact equals the contact in the database.
@Suite("Stored contacts")
struct StoredContactTests {
    private static let cards = """
        BEGIN:VCARD
        VERSION:4.0
        UID:urn:uuid:one
        FN:Dr. José "Pepe" Núñez\\, Jr.
        N:Núñez;José;Luis;Dr.;Jr.
        NICKNAME:Pepe
        ORG:Harbour Radio;News
        TITLE:Editor
        TEL;TYPE=cell,pref:+34 612 34 56 78
        TEL;TYPE=work:tel:+34-912-345-678;ext=12
        TEL:112
        EMAIL;TYPE=home:pepe@example.org
        EMAIL;PREF=1:news@example.org
        ADR;TYPE=home:;;Calle Mayor 3;Madrid;;28013;España
        URL:https://example.org
        NOTE:Likes \\"quotes\\"\\, tabs\\tand\\nlines
        BDAY:19800415
        CATEGORIES:Family,Friends
        RELATED;VALUE=text:Carmen
        PHOTO:data:image/png;base64,iVBORw0KGgo=
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        FN:
        N:;;;;
        ORG:Only Company
        TEL:020 7946 0018
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        N:佐藤;健;;;
        X-PHONETIC-FIRST-NAME:たける
        X-PHONETIC-LAST-NAME:さとう
        EMAIL:sato@example.org
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        N:शर्मा;अनिता;;;
        TEL:+91 98765 43210
        END:VCARD
        """

    private func book() throws -> ContactBook {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "GB")
        let cards = Self.cards.split(separator: "\n").joined(separator: "\r\n") + "\r\n"
        #expect(try book.importContacts(from: [.bytes(Array(cards.utf8), name: "cards.vcf")]).added == 4)
        for contact in try book.list() where contact.nickname == "Pepe" {
            _ = try book.setFavourite(contact.id)
            _ = try book.recordCall(contact.id)
        }
        return book
    }

    @Test("have the JSON and the values of the contact")
    func values() throws {
        let book = try book()
        let hits = try ContactSearch(book: book).search("", limit: 0).hits
        #expect(hits.count == 4)
        for hit in hits {
            let stored = try #require(hit.stored as? StoredContact)
            let contact = try #require(try book.list().first { $0.id == stored.id })
            #expect(hit.person == contact)
            #expect(stored.displayName == contact.displayName)
            #expect(try OrderedJSON.text(stored) == OrderedJSON.text(contact))
        }
    }

    @Test("name the matched number, and show the same highlights as the database")
    func highlights() throws {
        let book = try book()
        let search = ContactSearch(book: book)
        for query in [
            "jose", "pepe", "radio", "madrid", "carmen", "quotes", "912345678", "112", "健", "さとう", "अनिता", "example",
        ] {
            for hit in try search.search(SearchInput(query)).hits {
                let stored = try #require(hit.stored as? StoredContact)
                #expect(try OrderedJSON.text(stored) == OrderedJSON.text(hit.person), "\(query)")
                #expect(!hit.highlights.isEmpty, "\(query)")
                // The texts of the contact, folded as a whole.
                var whole = PersonTexts(Data(), of: hit.person)
                for (key, ranges) in hit.highlights where !key.hasPrefix("phones") {
                    let position = try #require(whole.indices.first { whole.key(of: $0) == key }, "\(key)")
                    let words = whole.text(position).words
                    for range in ranges {
                        #expect(words.contains { $0.source.overlaps(range) }, "\(query): \(key) \(range)")
                    }
                }
            }
        }
        let number = try #require(try search.search("912345678").hits.first)
        let position = try #require(number.numberPosition)
        #expect(number.person.phones[position].number.extensionNumber == "12")
        #expect(number.highlights.keys.sorted() == ["phones.\(position)"])
    }

    @Test("highlight the letters that were typed, in each script")
    func scripts() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "GB")
        let cards = ["Юрий Ёлкин", "孙勇", "צ'רלי כהן", "김민수", "東京 Tower", "さくら"].map {
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\($0)\r\nN:\($0);;;;\r\nEND:VCARD\r\n"
        }
        #expect(try book.importContacts(from: [.bytes(Array(cards.joined().utf8), name: "cards.vcf")]).added == 6)
        let search = ContactSearch(book: book)
        let queries: [(SearchInput, String)] = try [
            (SearchInput("елк"), "Ёлк"), (SearchInput("yurij"), "Юрий"), (SearchInput("勇"), "勇"),
            (SearchInput("כהן"), "כהן"), (SearchInput("צרלי"), "צ'רלי"), (SearchInput("민수"), "민수"),
            (SearchInput("tower"), "Tower"), (SearchInput(keys: "9874"), "Юри"), (SearchInput(keys: "86937"), "Tower"),
            (SearchInput(keys: "725"), "さく"),
        ]
        for (query, expected) in queries {
            let hit = try #require(try search.search(query).hits.first, "\(query)")
            let range = try #require(hit.highlights["name"]?.first, "\(query)")
            let scalars = hit.person.displayName.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)
            #expect(hit.stored != nil && String(String.UnicodeScalarView(scalars)) == expected, "\(query)")
        }
    }

    @Test("damaged bytes are read from the database, or lack what is damaged")
    func damage() throws {
        let book = try book()
        let hits = try ContactSearch(book: book).search("", limit: 0).hits
        #expect(StoredContact([]) == nil)
        for length in 0..<64 { #expect(StoredContact(Array(repeating: 0xFF, count: length)) == nil) }
        #expect(hits.allSatisfy { $0.stored != nil })
    }
}
