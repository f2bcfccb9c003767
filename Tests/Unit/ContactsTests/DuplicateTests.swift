import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardContacts

@Suite("Duplicates")
struct DuplicateTests {
    /// Two contacts and the facts that make them duplicates, if any.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var first: @Sendable (inout Contact) -> Void
        var second: @Sendable (inout Contact) -> Void
        var reasons: [SharedFact] = []

        var testDescription: String { name }
    }

    private static func phone(_ number: String, region: String? = "TR") -> [Phone] {
        [Phone(typed: number, region: region)]
    }

    private static func mail(_ address: String) -> [Email] { [Email(typed: address)] }

    static let cases: [Case] = [
        Case(name: "a number with trunk prefix and one with country code") {
            ($0.name.given, $0.phones) = ("Bob", phone("0532 123 45 67"))
        } second: {
            ($0.name.given, $0.phones) = ("Robert", phone("+90 532 123 45 67"))
        }.for([SharedFact(.phone, "+905321234567")]),
        Case(name: "a bare number with its trunk prefix") {
            ($0.name.given, $0.phones) = ("Ana", phone("+90 532 123 45 67"))
        } second: {
            ($0.name.given, $0.phones) = ("Ana", phone("0532 123 45 67", region: nil))
        }.for([SharedFact(.phone, "+905321234567")]),
        Case(name: "a bare national number") {
            ($0.name.given, $0.phones) = ("Ana", phone("5321234567", region: nil))
        } second: {
            ($0.name.given, $0.phones) = ("Ana", phone("00 90 532 123 45 67", region: nil))
        }.for([SharedFact(.phone, "+905321234567")]),
        Case(name: "two bare numbers, typed differently") {
            ($0.name.given, $0.phones) = ("Ana", phone("555-0123-9", region: nil))
        } second: {
            ($0.name.given, $0.phones) = ("Ana", phone("555 01239", region: nil))
        }.for([SharedFact(.phone, "55501239")]),
        Case(name: "two extensions of a number") {
            ($0.name.given, $0.phones) = ("Ana", phone("+1 212 555 0100 ext. 1"))
        } second: {
            ($0.name.given, $0.phones) = ("Ana", phone("+1 212 555 0100 ext. 2"))
        },
        Case(name: "a short code") {
            ($0.name.given, $0.phones) = ("Ana", phone("112"))
        } second: {
            ($0.name.given, $0.phones) = ("Bo", phone("112"))
        },
        Case(name: "an address in another case") {
            ($0.name.given, $0.emails) = ("Ana", mail("Ana@Example.org"))
        } second: {
            ($0.name.given, $0.emails) = ("A. Smith", mail("ana@example.org"))
        }.for([SharedFact(.email, "ana@example.org")]),
        Case(name: "an address, one contact without a name") {
            $0.emails = mail("ana@example.org")
        } second: {
            ($0.name.given, $0.emails) = ("Ana", mail("ana@example.org"))
        }.for([SharedFact(.email, "ana@example.org")]),
        Case(name: "different addresses at an organisation") {
            ($0.name.given, $0.emails) = ("Ana Smith", mail("ana@example.org"))
        } second: {
            ($0.name.given, $0.emails) = ("Ana Smith", mail("a.smith@example.org"))
        },
        Case(name: "a name alone") {
            ($0.name.given, $0.name.family, $0.phones) = ("John", "Smith", phone("+1 212 555 0100"))
        } second: {
            ($0.name.given, $0.name.family, $0.phones) = ("John", "Smith", phone("+1 212 555 0101"))
        },
        Case(name: "a folded name in another order and the organisation") {
            ($0.name.given, $0.name.family, $0.organization) = ("Ayşe", "Öztürk", "Initech GmbH")
        } second: {
            ($0.formattedName, $0.organization) = ("OZTURK Ayse", "INITECH GMBH")
        }.for([SharedFact(.name, "INITECH GMBH", beside: .organization)]),
        Case(name: "a name and the birthday") {
            ($0.name.given, $0.birthday) = ("Ana Smith", "1980-04-15")
        } second: {
            ($0.name.given, $0.birthday) = ("Ana Smith", "1980-04-15")
        }.for([SharedFact(.name, "1980-04-15", beside: .birthday)]),
        Case(name: "a name and another birthday") {
            ($0.name.given, $0.birthday) = ("Ana Smith", "1980-04-15")
        } second: {
            ($0.name.given, $0.birthday) = ("Ana Smith", "1981-04-15")
        },
        Case(name: "a name and the nickname") {
            ($0.name.given, $0.nickname) = ("Ana Smith", "Nan")
        } second: {
            ($0.name.given, $0.nickname) = ("Ana Smith", "nan")
        }.for([SharedFact(.name, "nan", beside: .nickname)]),
        Case(name: "a name and the postal address") {
            ($0.name.given, $0.addresses) = ("Ana Smith", [PostalAddress(street: "1 Long Lane", locality: "York")])
        } second: {
            ($0.name.given, $0.addresses) = ("Ana Smith", [PostalAddress(street: "1 Long Lane", locality: "York")])
        }.for([SharedFact(.name, ";;1 Long Lane;York;;;", beside: .address)]),
        Case(name: "a name and a page") {
            ($0.name.given, $0.urls) = ("Ana Smith", [WebAddress(url: "https://ana.example")])
        } second: {
            ($0.name.given, $0.urls) = ("Ana Smith", [WebAddress(url: "https://ana.example")])
        }.for([SharedFact(.name, "https://ana.example", beside: .url)]),
        Case(name: "an organisation alone") {
            ($0.name.given, $0.organization) = ("Ana Smith", "Initech")
        } second: {
            ($0.name.given, $0.organization) = ("Bo Lee", "Initech")
        },
    ]

    @Test("finds contacts that share a fact", arguments: cases)
    func facts(_ example: Case) throws {
        let book = try emptyBook()
        var (first, second) = (Contact(), Contact())
        example.first(&first)
        example.second(&second)
        let ids = Set([try book.add(first).id, try book.add(second).id])
        // An unrelated contact.
        try book.add(ContactBookTests.contact("Zed", phones: ["+1 305 555 0199"], emails: ["zed@example.com"]))
        let groups = try book.duplicates()
        #expect(groups.map(\.facts) == (example.reasons.isEmpty ? [] : [example.reasons]))
        if let group = groups.first { #expect(Set(group.contacts.map(\.id)) == ids) }
    }

    @Test("a number or address of an organisation only joins contacts of the same name")
    func company() throws {
        let book = try emptyBook()
        for number in 0..<300 {
            try book.add(
                ContactBookTests.contact(
                    "Worker \(number)", phones: ["+49 30 5550100"],
                    emails: ["info@example.com", "w\(number)@example.com"]))
        }
        let twins = try ["WORKER 7", "7, Worker"].map {
            try book.add(ContactBookTests.contact($0, phones: ["+49 30 5550100"])).id
        }
        let groups = try book.duplicates()
        #expect(groups.count == 1)
        let group = try #require(groups.first)
        #expect(group.contacts.count == 3)
        #expect(Set(group.contacts.map(\.id)).isSuperset(of: twins))
        #expect(group.facts == [SharedFact(.phone, "+49305550100")])
    }

    @Test("no chain of shared numbers joins more than three names")
    func chain() throws {
        let book = try emptyBook()
        for number in 0..<40 {
            try book.add(
                ContactBookTests.contact(
                    "Worker \(number)", phones: ["+90 532 100 \(1000 + number)", "+90 532 100 \(1001 + number)"]))
        }
        let groups = try book.duplicates()
        #expect(!groups.isEmpty)
        for group in groups { #expect(Set(group.contacts.map(\.displayName)).count <= DuplicateForest.maximumNames) }
    }

    @Test("a group joins through all facts, lists them, and starts with the most complete contact")
    func group() throws {
        let book = try emptyBook()
        var full = ContactBookTests.contact("Ana Smith", phones: ["0532 123 45 67"], emails: ["ana@example.org"])
        full.organization = "Initech"
        full.note = "met in Bergen"
        let bare = try book.add(ContactBookTests.contact("Ana", emails: ["ana@example.org"])).id
        var some = ContactBookTests.contact("Ana Smith", phones: ["0532 123 45 67"])
        some.organization = "Initech"
        let second = try book.add(some).id
        let first = try book.add(full).id
        let groups = try book.duplicates()
        #expect(groups.map { $0.contacts.map(\.id) } == [[first, second, bare]])
        #expect(groups.first?.facts.map(\.kind) == [.name, .email, .phone])
        #expect(try book.duplicates(limit: 0).isEmpty)
        try book.merge([first, second, bare])
        #expect(try book.duplicates().isEmpty)
    }

    @Test("ignores digits that are valid in two countries")
    func ambiguous() throws {
        let book = try emptyBook(region: nil)
        for (name, number) in [("Ana", "+1 212 555 0123"), ("Bo", "+90 212 555 01 23"), ("Cem", "2125550123")] {
            try book.add(ContactBookTests.contact(name, phones: [number]))
        }
        var typed = ContactBookTests.contact("Cem")
        typed.phones = [Phone(number: PhoneNumber("2125550123"))]
        let cem = try book.add(typed).id
        for group in try book.duplicates() {
            #expect(!(group.contacts.map(\.id).contains(cem) && Set(group.contacts.map(\.displayName)).count > 1))
        }
    }

    @Test("lists groups by name in a stable order, up to the limit")
    func order() throws {
        let book = try emptyBook()
        for number in 0..<250 {
            for _ in 0..<2 {
                try book.add(
                    ContactBookTests.contact("Twin \(1000 + (number * 7) % 250)", emails: ["t\(number)@example.org"]))
            }
        }
        let names = try book.duplicates().map { $0.contacts[0].displayName }
        #expect(names.count == 250)
        #expect(names == names.sorted())
        #expect(try book.duplicates(limit: 3).map { $0.contacts[0].displayName } == Array(names.prefix(3)))
        #expect(try book.duplicates() == book.duplicates())
    }
}

extension DuplicateTests.Case {
    fileprivate func `for`(_ reasons: [SharedFact]) -> Self {
        var example = self
        example.reasons = reasons
        return example
    }
}

@Suite("Duplicates that are none")
struct DifferentPeopleTests {
    @Test("names what speaks against a group")
    func contradictions() throws {
        let book = try emptyBook()
        var father = ContactBookTests.contact("John Roper", phones: ["0532 123 45 67"])
        father.birthday = "1950-01-02"
        var son = ContactBookTests.contact("John Roper Jr.", phones: ["0532 123 45 67"])
        (son.birthday, son.organization) = ("1980-03-04", "Acme")
        try book.add(father)
        try book.add(son)
        let group = try #require(try book.duplicates().first)
        #expect(group.contradictions.map(\.kind) == [.name, .birthday])
        #expect(Set(group.contradictions[1].values) == ["1950-01-02", "1980-03-04"])
        try book.add(ContactBookTests.contact("Ana", phones: ["0532 000 00 01"]))
        try book.add(ContactBookTests.contact("Ana", phones: ["0532 000 00 01"], emails: ["ana@example.org"]))
        #expect(try book.duplicates().first { $0.contacts.contains { $0.displayName == "Ana" } }?.contradictions == [])
    }

    @Test("a family with one landline is proposed by its names, with what speaks against it")
    func family() throws {
        let book = try emptyBook()
        for name in ["John Roper", "John Roper Jr.", "J. Roper", "Roper", "Dr. Joan Roper", "Ana Lima"] {
            try book.add(ContactBookTests.contact(name, phones: ["0532 123 45 67"]))
        }
        let groups = try book.duplicates()
        let names = Set(groups.flatMap(\.contacts).map(\.displayName))
        #expect(names.isSuperset(of: ["John Roper", "J. Roper"]) && !names.contains("Ana Lima"), "\(names)")
        #expect(groups.allSatisfy { $0.contacts.count <= 3 })
    }

    @Test("different people are not listed again, unless a third contact may be one of them")
    func different() throws {
        let book = try emptyBook()
        let ids = try ["Robert", "Bob"].map {
            try book.add(ContactBookTests.contact($0, phones: ["0532 123 45 67"])).id
        }
        #expect(try book.duplicates().count == 1)
        try book.markAsDifferent(ids)
        #expect(try book.duplicates().isEmpty && book.duplicates(limit: 1).isEmpty)
        let third = try book.add(ContactBookTests.contact("Rob", phones: ["0532 123 45 67"])).id
        #expect(try book.duplicates().first?.contacts.count == 3)
        try book.remove([third])
        try book.markAsDifferent(ids.reversed(), false)
        #expect(try book.duplicates().count == 1)
        #expect(throws: ContactBookError.nothingToMerge) { try book.markAsDifferent([ids[0], ids[0]]) }
        #expect(throws: ContactBookError.notFound(id: "x")) { try book.markAsDifferent([ids[0], "x"]) }
    }

    @Test("a preview is the contact that a merge stores")
    func preview() throws {
        let book = try emptyBook()
        let ids = try ["Robert", "Bob"].map {
            try book.add(ContactBookTests.contact($0, phones: ["0532 123 45 67"], emails: ["\($0)@example.org"])).id
        }
        let preview = try book.mergePreview(ids)
        #expect(try book.count() == 2)
        var merged = try book.merge(ids)
        merged.modifiedAt = preview.modifiedAt
        #expect(merged == preview)
    }
}
