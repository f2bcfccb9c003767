import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@testable import SwitchboardContacts

@Suite("Identity of people in imports")
struct PersonIdentityTests {
    typealias Imports = ImportTests

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let cards: [String]
        /// The names of the contacts afterwards, sorted.
        let names: [String]
        var testDescription: String { name }

        init(_ name: String, _ cards: [[String]], _ names: [String]) {
            self.name = name
            self.cards = cards.map {
                "BEGIN:VCARD\r\nVERSION:3.0\r\n" + $0.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
            }
            self.names = names
        }
    }

    private static let number = "TEL:+49 30 901820"

    /// People of one file whom an import must keep apart, and those whom it may join.
    static let cases: [Case] = [
        Case(
            "a family with one landline",
            [
                ["UID:1", "FN:John Roper", "BDAY:1950-01-02", number], ["UID:2", "FN:John Roper Jr.", number],
                ["UID:3", "FN:J. Roper", number], ["UID:4", "FN:Roper", number],
                ["UID:5", "FN:Dr. Joan Roper", number],
            ], ["Dr. Joan Roper", "J. Roper", "John Roper", "John Roper Jr.", "Roper"]),
        Case(
            "different UIDs, everything else equal",
            [["UID:1", "FN:Wei Ng", number], ["UID:2", "FN:Wei Ng", number]],
            ["Wei Ng", "Wei Ng"]),
        Case(
            "one UID for all cards, no common word",
            [["UID:0", "FN:Orla Finch", number], ["UID:0", "FN:Piet Zwart"], ["UID:0", "FN:Sana Aziz", number]],
            ["Orla Finch", "Piet Zwart", "Sana Aziz"]),
        Case(
            "one UID for all cards, common words",
            [["UID:0", "FN:Ana Lima"], ["UID:0", "FN:Ana Costa"], ["UID:0", "FN:Rui Lima"]],
            ["Ana Costa", "Ana Lima", "Rui Lima"]),
        Case("one UID for two companies", [["UID:0", "ORG:Acme"], ["UID:0", "ORG:Bcme"]], ["Acme", "Bcme"]),
        Case(
            "one UID for names with other marks", [["UID:0", "FN:Hoà Lê"], ["UID:0", "FN:Hoá Lê"]],
            ["Hoà Lê", "Hoá Lê"]),
        Case("one UID for names of signs", [["UID:0", "FN:❤️"], ["UID:0", "FN:🐝"]], ["❤️", "🐝"]),
        Case(
            "one UID for father and son",
            [["UID:0", "FN:Al Ek", "BDAY:1950-01-02"], ["UID:0", "FN:Al Ek", "BDAY:1980-01-02"]], ["Al Ek", "Al Ek"]),
        Case(
            "one UID for a name and its junior", [["UID:0", "FN:Al Ek"], ["UID:0", "FN:Al Ek Jr."]],
            ["Al Ek", "Al Ek Jr."]),
        Case("one UID for a compatible name", [["UID:0", "FN:Al Ek"], ["UID:0", "FN:A. Ek", number]], ["Al Ek"]),
        Case("one UID for names with other emoji", [["UID:0", "FN:Mom"], ["UID:0", "FN:Mom ❤️"]], ["Mom", "Mom ❤️"]),
        Case("marks, one number", [["FN:Hoà Lê", number], ["FN:Hoá Lê", number]], ["Hoà Lê", "Hoá Lê"]),
        Case("marks, nothing else", [["FN:Đường An", number], ["FN:Dương An"]], ["Dương An", "Đường An"]),
        Case("a mark, one number", [["FN:Béla Kun", number], ["FN:Bela Kun", number]], ["Bela Kun", "Béla Kun"]),
        Case("signs, nothing else", [["FN:C++ Club", number], ["FN:C# Club"]], ["C# Club", "C++ Club"]),
        Case("signs between letters", [["FN:A&B", number], ["FN:A/B"], ["FN:A B"]], ["A B", "A&B", "A/B"]),
        Case("emoji, one number", [["FN:Mom ❤️", number], ["FN:Mom 🐝", number]], ["Mom ❤️", "Mom 🐝"]),
        Case("names of signs, one number", [["FN:❤️", number], ["FN:🐝", number], ["FN:!!!"]], ["!!!", "❤️", "🐝"]),
        Case("digits and dots", [["FN:1.1"], ["FN:1-1", number]], ["1-1", "1.1"]),
        Case(
            "another birthday, one number",
            [["FN:Al Ek", "BDAY:1950-01-02", number], ["FN:Al Ek", "BDAY:1980-05-06", number]], ["Al Ek", "Al Ek"]),
        Case(
            "the same birthday without the year, one number",
            [["FN:Al Ek", "BDAY:1950-01-02", number], ["FN:Al Ek", "BDAY:--0102", number]], ["Al Ek"]),
        Case(
            "a suffix that only the components have, one number",
            [["FN:Al Ek", "N:Ek;Al;;;", number], ["FN:Al Ek", "N:Ek;Al;;;Jr.", number]], ["Al Ek", "Al Ek"]),
        Case(
            "another organization, one number",
            [["FN:Support", "ORG:Acme", number], ["FN:Support", "ORG:Bcme", number]], ["Support", "Support"]),
        Case(
            "one web address of two firms",
            [
                ["FN:Support", "TEL:+49 30 901821", "URL:https://x.example"],
                ["FN:Support", number, "URL:https://x.example"],
            ],
            ["Support", "Support"]),
        Case(
            "one name, number and organization in other case",
            [["FN:Al Ek", "ORG:Acme", number], ["FN:AL  EK", "ORG:ACME", number, "TITLE:Cook"]], ["Al Ek"]),
        Case(
            "codes are not their digits", [["FN:Al Ek", "TEL:*100#"], ["FN:Al Ek", "TEL:100"]], ["Al Ek", "Al Ek"]),
        Case(
            "letters are not their digits",
            [["FN:Roadside", "TEL:1-800-222-HELP"], ["FN:Roadside", "TEL:1-800-222-TOWS"]], ["Roadside", "Roadside"]),
    ]

    @Test("cards of one file become one contact only with proof, and a second import changes nothing", arguments: cases)
    func proof(_ example: Case) throws {
        for cards in [example.cards, example.cards.reversed()] {
            let book = try emptyBook()
            let source = Imports.source(cards.joined())
            let report = try book.importContacts(from: [source])
            let contacts = try book.list()
            // Either spelling of a name may stay.
            func folded(_ names: [String]) -> [NameAsTyped] {
                names.map { NameAsTyped($0) }.sorted { $0.text < $1.text }
            }
            #expect(folded(contacts.map(\.displayName)) == folded(example.names))
            #expect(report.added == example.names.count && report.merges.count == report.merged)
            let again = try book.importContacts(from: [source])
            #expect(again.unchanged == cards.count && again.added + again.merged == 0, "\(again)")
            #expect(try book.list() == contacts)
        }
    }

    @Test("a card of another device joins the contact with another UID, unless the file has that UID too")
    func otherDevice() throws {
        let phone = Imports.card("UID:1", "FN:Al Ek", Self.number)
        let other = Imports.card("UID:2", "FN:Al Ek", Self.number, "TITLE:Cook")
        let book = try emptyBook()
        #expect(try book.importContacts(from: [Imports.source(phone)]) == Imports.report(added: 1))
        let report = try book.importContacts(from: [Imports.source(other, name: "other.vcf")])
        #expect(report.merged == 1)
        #expect(
            report.merges == [
                ImportMerge(kept: "Al Ek", merged: "Al Ek", reason: "same name and number", file: "other.vcf", line: 1)
            ])
        #expect(try book.count() == 1)
        // The second card comes first, before the one whose contact it resembles.
        for cards in [other + phone, phone + other] {
            let book = try emptyBook()
            #expect(try book.importContacts(from: [Imports.source(phone)]) == Imports.report(added: 1))
            #expect(try book.importContacts(from: [Imports.source(cards)]) == Imports.report(added: 1, unchanged: 1))
            #expect(try book.list().map(\.title).sorted() == ["", "Cook"])
            #expect(try book.importContacts(from: [Imports.source(cards)]) == Imports.report(unchanged: 2))
        }
    }

    @Test("two cards of another device do not join one contact")
    func twoCardsOfOtherDevice() throws {
        let book = try emptyBook()
        #expect(
            try book.importContacts(from: [Imports.source(Imports.card("UID:1", "FN:Al Ek", Self.number))]).added == 1)
        let cards = Imports.card("UID:a", "FN:Al Ek", Self.number) + Imports.card("UID:b", "FN:Al Ek", Self.number)
        let report = try book.importContacts(from: [Imports.source(cards)])
        #expect(report.added == 1 && report.merged == 1, "\(report)")
        let again = try book.importContacts(from: [Imports.source(cards)])
        #expect(again.unchanged == 2, "\(again)")
    }

    @Test("a newer export updates the contact with its UID, also a corrected name, and loses nothing")
    func newerExport() throws {
        let book = try emptyBook()
        let old = Imports.card("UID:1", "FN:Hoa Le", Self.number, "BDAY:1950-01-02", "ORG:Acme")
        let new = Imports.card("UID:1", "FN:Hoà Lê", Self.number, "BDAY:1950-01-03", "ORG:Bcme")
        #expect(try book.importContacts(from: [Imports.source(old)]) == Imports.report(added: 1))
        #expect(try book.importContacts(from: [Imports.source(new)]).merged == 1)
        let contact = try #require(try book.list().first)
        #expect(contact.displayName == "Hoa Le")
        #expect(contact.otherProperties == ["X-OTHER-NAME:Hoà Lê", "ORG:Bcme", "X-OTHER-BDAY:1950-01-03"])
        #expect(
            try book.importContacts(from: [Imports.source(old), Imports.source(new)]) == Imports.report(unchanged: 2))
    }

    @Test("components that differ under one formatted name are kept, and the name stays as it is displayed")
    func components() throws {
        let book = try emptyBook()
        let first = Imports.card("FN:J. Smith", "N:Smith;John;;;", Self.number)
        let second = Imports.card("FN:J. Smith", "N:Smith;James;;Dr.;", Self.number)
        #expect(try book.importContacts(from: [Imports.source(first), Imports.source(second)]).merged == 1)
        let contact = try #require(try book.list().first)
        #expect(contact.displayName == "J. Smith" && contact.name.given == "John")
        #expect(contact.otherProperties == ["X-OTHER-NAME:Dr. James Smith"])
        #expect(try book.importContacts(from: [Imports.source(first + second)]) == Imports.report(unchanged: 2))
    }

    @Test("a UID that several people have is reported with its first line")
    func sharedUID() throws {
        let cards = ["Orla Finch", "Piet Zwart", "Sana Aziz"].map { Imports.card("UID:0", "FN:\($0)") }
        let report = try emptyBook().importContacts(from: [Imports.source(cards.joined())])
        #expect(report.added == 3)
        #expect(report.notes.map(\.line) == [6])
        #expect(
            report.notes.first?.reason
                == "2 cards have the UID of another person, such as “Piet Zwart” and “Orla Finch” with “0”; they are kept apart"
        )
    }

    @Test("many cards with one UID take little time and stay apart")
    func manyCardsWithOneUID() throws {
        let cards = (0..<1_500).map { Imports.card("UID:0", "FN:P\($0) Q\($0 % 40)") }
        let book = try emptyBook()
        #expect(try book.importContacts(from: [Imports.source(cards.joined())]).added == 1_500)
        #expect(try book.importContacts(from: [Imports.source(cards.joined())]).unchanged == 1_500)
    }

    /// A random address book of families, colleagues, codes, marks, signs and emoji.
    private struct RandomBook {
        struct Card {
            let uid: String
            let name: String
            let numbers: [String]
            let email: String
            let birthday: String

            var text: String {
                var lines = ["FN:\(name)"] + numbers.map { "TEL:\($0)" }
                if !uid.isEmpty { lines.append("UID:\(uid)") }
                if !email.isEmpty { lines.append("EMAIL:\(email)") }
                if !birthday.isEmpty { lines.append("BDAY:\(birthday)") }
                return "BEGIN:VCARD\r\nVERSION:3.0\r\n" + lines.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
            }
        }

        let cards: [Card]

        init(seed: UInt64) {
            var random = SplitMix(seed: seed)
            func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
            let names = [
                "Ana Lima", "ana lima", "Aña Lima", "A. Lima", "Ana Lima Jr.", "Lima", "Mom", "Mom ❤️", "Mom 🐝", "❤️",
                "🐝",
                "C++ Club", "C# Club", "Hoà Lê", "Hoá Lê", "A&B", "A/B", "山田 太郎", "Support",
            ]
            let numbers = [
                "+49 30 901820", "030 901820", "*100#", "100", "#100#", "*43#", "#43#", "43", "1-800-GO-FEDEX", "1800",
                "12345678,1", "1234567,81", "555 0100p1", "555-0100", "+4930901820,,1#",
            ]
            cards = (0..<(3 + Int(random.next() % 12))).map { index in
                Card(
                    uid: pick(["", "", "0", "uid-\(index)", "uid-\(index)"]), name: pick(names),
                    numbers: (0..<(random.next() % 4)).map { _ in pick(numbers) },
                    email: pick(["", "", "a@example.org", "b@example.org"]),
                    birthday: pick(["", "", "", "1950-01-02", "1980-05-06"]))
            }
        }
    }

    @Test("every name and number of a random address book is in one contact, and people stay apart", arguments: 0..<60)
    func conservation(seed: Int) throws {
        let random = RandomBook(seed: UInt64(seed))
        let book = try emptyBook()
        let source = Imports.source(random.cards.map(\.text).joined())
        let report = try book.importContacts(from: [source])
        #expect(report.added + report.merged + report.unchanged == random.cards.count)
        let contacts = try book.list()
        func name(_ text: String) -> [Substring] { text.lowercased().split(separator: " ") }
        for card in random.cards {
            let numbers = card.numbers.map { PhoneNumber($0, region: "TR") }
            let holder = contacts.first { contact in
                let names =
                    [contact.displayName]
                    + contact.otherProperties.filter { $0.hasPrefix("X-OTHER-NAME:") }.map {
                        String($0.dropFirst(13))
                    }
                // Of cards with one UID, the fuller name stays.
                let hasName = names.contains { other in
                    name(other) == name(card.name)
                        || card.uid == "0" && NameAsTyped(card.name).isContained(in: NameAsTyped(other))
                }
                return hasName
                    && numbers.allSatisfy { number in contact.phones.contains { $0.number.isSame(as: number) } }
                    && (card.email.isEmpty || contact.emails.contains { $0.address == card.email })
                    && (card.birthday.isEmpty || contact.birthday == card.birthday)
            }
            #expect(holder != nil, "\(card)")
        }
        let uids = Set(random.cards.map(\.uid).filter { $0.hasPrefix("uid-") })
        #expect(Set(contacts.map(\.sourceUID)).isSuperset(of: uids))
        let again = try book.importContacts(from: [source])
        #expect(again.unchanged == random.cards.count, "\(again)")
        #expect(try book.list() == contacts)
    }
}
