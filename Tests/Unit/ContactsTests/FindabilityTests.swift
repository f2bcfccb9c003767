import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTestSupport
import SwitchboardTextNormalization
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// The law that what is shown is found: each text that is displayed of a contact, typed, finds it in the first row, or
/// another contact that shows the same text.
@Suite("Findability")
struct FindabilityTests {
    /// The texts that lists and details display of a contact.
    private static func shown(_ contact: Contact) -> [String] {
        var texts = [contact.displayName, contact.phoneticName, contact.note]
        texts += ContactTextField.all.filter { $0 != .note }.compactMap(\.search).flatMap(contact.values)
        texts += contact.phones.map(\.number.text) + contact.phones.compactMap(\.number.e164)
        texts += contact.emails.map(\.address) + contact.addresses.map(\.locality) + contact.groups
        texts += ContactListField.all.flatMap { list in contact[list].map(\.text) }
        texts += contact.searchedProperties.map(\.trimmingWhitespace)
        // A note is found by its first 4,000 letters; a query has up to 256 words.
        return texts.filter { text in text.contains { $0.isLetter || $0.isNumber } && text.utf8.count < 200 }
    }

    private func expectFindable(_ book: ContactBook) throws {
        let search = ContactSearch(book: book)
        var (tried, failed) = (0, [String]())
        for contact in try book.list() {
            for text in Set(Self.shown(contact)) {
                tried += 1
                let first = try search.search(SearchInput(text), limit: 1).hits.first?.person
                // A group may be a company's name, too, which comes first.
                if let first, first.id == contact.id || Self.shown(first).contains(where: { $0.hasPrefix(text) }) {
                    continue
                }
                // A name comes before the value of another property, such as "A&B" before the handle "a@b".
                let isOther = contact.searchedProperties.contains { $0.trimmingWhitespace == text }
                if isOther, let first, NameKey(first.displayName).sortText.hasPrefix(NameKey(text).sortText) {
                    continue
                }
                failed.append("“\(text)” of \(contact.displayName): \(first?.displayName ?? "nothing")")
            }
        }
        #expect(tried > 100)
        #expect(failed.isEmpty, "\(failed.count) of \(tried): \(failed.prefix(40).joined(separator: "; "))")
    }

    @Test("holds for the sample", arguments: ["GB", nil] as [String?])
    func sample(region: String?) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let file = root.appending(path: "Apps/switchboard/Samples/contacts.vcf")
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: region)
        _ = try book.importContacts(from: [.file(file.path)])
        try expectFindable(book)
    }

    @Test("holds for invented people with codes, signs, marks, emoji and namesakes", arguments: [UInt64](1...4))
    func invented(seed: UInt64) throws {
        let people = GeneratedPerson.book(seed: seed, count: 100)
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "DE")
        let format = GeneratedPerson.Format.vCard4
        _ = try book.importContacts(from: [
            .bytes(Array(GeneratedPerson.text(of: people, in: format).utf8), name: format.fileName)
        ]
        )
        try expectFindable(book)
    }

    @Test(
        "A property without a field is found by its value",
        arguments: [
            ("X-SKYPE:kim935", "kim935", 8..<14),
            ("IMPP;X-SERVICE-TYPE=Jabber:xmpp:zukowski@holm.example", "zukowski", 32..<40),
            ("ROLE:river\\, cloud\\nnine", "cloud nine", 13..<24),
            ("X-CUSTOM;X-A=\"a:b\":blue heron", "heron", 24..<29),
            ("HOBBY;LEVEL=high:Łyżwy", "lyzwy", 17..<22), ("X-OTHER-NAME:Piet Zwart", "zwart", 18..<23),
        ])
    func otherProperty(line: String, query: String, range: Range<Int>) throws {
        let search = try ContactSearchTests.search(["Ana Lima", "Otto Quill"]) {
            if $0.displayName == "Ana Lima" { $0.otherProperties = [line] }
        }
        let hits = try search.search(SearchInput(query)).hits
        #expect(hits.map(\.person.displayName) == ["Ana Lima"])
        let highlights = hits.first?.highlights.mapValues { ranges in ranges.map { [$0.lowerBound, $0.upperBound] } }
        #expect(highlights.map { Set($0.keys) } == ["otherProperties.0"], "\(highlights ?? [:])")
        let ranges = hits.first?.highlights["otherProperties.0"] ?? []
        #expect(
            ranges.first?.lowerBound == range.lowerBound && ranges.last?.upperBound == range.upperBound, "\(ranges)")
    }

    @Test(
        "Technical and binary values are not searched",
        arguments: [
            "PRODID:-//Quixotic//EN", "item1.X-ABLabel:Quixotic", "KEY;ENCODING=b:Quixotic",
            "SOUND;X=1;BASE64:Quixotic",
            "KEY:data:text/quixotic;base64,quixotic", "RELATED:urn:quixotic", "KIND:quixotic", "no colon quixotic",
        ])
    func unsearchedProperty(line: String) throws {
        let search = try ContactSearchTests.search(["Ana Lima"]) { $0.otherProperties = [line] }
        #expect(try search.search(SearchInput("quixotic")).hits.isEmpty)
    }

    @Test(
        "The spelling that was typed comes first",
        arguments: [
            ("müller", ["Muller Anna", "Müller Anna"]), ("béla", ["Bela Toth", "Béla Tóth"]),
            ("hoạ", ["Hoà Lê", "Hoá Lê", "Hoạ Lê"]),
            ("hoà", ["Hoạ Lê", "Hoá Lê", "Hoà Lê"]), ("dương an", ["Duong An", "Dương An"]),
            ("péché", ["Peche Rouge", "Péché Rouge"]),
            ("c#", ["C++ Club", "C# Club"]), ("c++", ["C# Club", "C++ Club"]), ("髙橋", ["高橋一郎", "髙橋一郎"]),
            ("mu\u{308}l", ["Muller Anna", "Müller Anna"]),
        ] as [(String, [String])])
    func typedSpelling(query: String, names: [String]) throws {
        let search = try ContactSearchTests.search(names)
        #expect(try search.search(SearchInput(query)).hits.map(\.person.displayName).first == names.last)
        #expect(try search.search(SearchInput(query), limit: 1).hits.map(\.person.displayName) == names.suffix(1))
        #expect(try search.search(SearchInput(query)).hits.count >= names.count - 1)
    }

    @Test("Many people whose names are spelled otherwise do not hide the one that was typed")
    func spellingAmongMany() throws {
        let search = try ContactSearchTests.search((0..<60).map { "Muller A\($0)" } + ["Müller Zoe"])
        let hits = try search.search(SearchInput("müller"), limit: 10).hits
        #expect(hits.count == 10 && hits.first?.person.displayName == "Müller Zoe")
    }

    @Test("Keys may lead from the end of a name into one of its numbers, if nothing else matches")
    func nameAndNumber() throws {
        let search = try ContactSearchTests.search(["Felix Ford", "Felix Fordham", "Otto Quill"], region: "US") {
            contact in
            let isFelix = contact.displayName == "Felix Ford"
            contact.phones = [Phone(typed: isFelix ? "+1 (305) 555-0167" : "+1 305 555 0999", region: "US")]
        }
        for digits in ["36731305", "3673305555016", "367313055550167"] {
            let hits = try ContactSearchTests.dial(digits, in: search)
            #expect(hits.first?.person.displayName == "Felix Ford", "\(digits): \(hits.map(\.person.displayName))")
        }
        #expect(try ContactSearchTests.dial("36739999", in: search).isEmpty)
        let hit = try #require(try ContactSearchTests.dial("36731305", in: search).first)
        #expect(hit.highlights == ["name": [6..<10], "phones.0": [1..<7]], "\(hit.highlights)")
    }

    @Test("The digits of an extension belong to the number")
    func extensions() throws {
        let search = try ContactSearchTests.search(["Office Desk"], region: "US") {
            $0.phones = [Phone(typed: "+1 305 555 0199 x4321", region: "US")]
        }
        for (digits, range) in [
            ("4321", 17..<21), ("01994321", 11..<21), ("13055550199", 1..<15), ("3055550199", 3..<15),
        ] {
            let hit = try #require(try ContactSearchTests.dial(digits, in: search).first, "\(digits)")
            #expect(hit.highlights == ["phones.0": [range]], "\(digits): \(hit.highlights)")
        }
        #expect(try search.search(SearchInput("305 555 0199 4321")).hits.count == 1)
    }
}
