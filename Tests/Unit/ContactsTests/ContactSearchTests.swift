import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTestSupport
import Synchronization
import Testing

@testable import SwitchboardContacts

/// The rules of `docs/matching.md` for contacts, each on a small book.
@Suite("Contact search")
struct ContactSearchTests {
    static func search(_ names: [String], region: String? = nil, _ change: (inout Contact) -> Void = { _ in }) throws
        -> ContactSearch
    {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: region)
        for name in names {
            var contact = Contact(name: PersonName(splitting: name))
            change(&contact)
            _ = try book.add(contact)
        }
        return ContactSearch(book: book)
    }

    static func dial(_ digits: String, in search: ContactSearch, limit: Int = 10) throws -> [PersonHit<Contact>] {
        try search.search(SearchInput(keys: digits), limit: limit).hits
    }

    @Test("The members of a group are found as if there were no others")
    func groups() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        let people = [("Ana Smith", "Choir"), ("Anna Smithson", ""), ("Bo Smith", "choir"), ("Cleo Smyth", "Tennis")]
        for (name, group) in people {
            var contact = Contact(name: PersonName(splitting: name))
            contact.groups = group.isEmpty ? [] : [group]
            _ = try book.add(contact)
        }
        let search = ContactSearch(book: book)
        func found(_ text: String, _ group: String?, limit: Int = 0) throws -> [String] {
            let hits = try search.search(SearchInput(text), group: group, limit: limit).hits
            if let group, limit == 0 { #expect(try search.count(SearchInput(text), group: group) == hits.count) }
            return hits.map(\.person.displayName)
        }
        #expect(try found("smith", "Choir") == ["Ana Smith", "Bo Smith"])
        #expect(try found("smith", "Choir", limit: 1) == ["Ana Smith"])
        #expect(try found("", "choir") == ["Ana Smith", "Bo Smith"])
        // Others are called Smith, too.
        #expect(try found("smith", "Tennis") == ["Cleo Smyth"])
        #expect(try Set(found("smith", nil)).isSuperset(of: ["Ana Smith", "Anna Smithson", "Bo Smith"]))
        #expect(throws: ContactBookError.unknownGroup("Chess")) { try found("smith", "Chess") }
        let keys = try search.search(SearchInput(keys: "76"), group: "Choir").hits.map(\.person.displayName)
        #expect(keys == ["Ana Smith", "Bo Smith"])
    }

    @Test("All matches are found and counted, more than are weighed, too", arguments: ["alng", "al n", "n", "ng al"])
    func unlimited(_ typed: String) throws {
        let search = try Self.search(Array(repeating: "Al Ng", count: 2_500)) { $0.groups = ["Choir"] }
        #expect(try search.count(SearchInput(typed), group: "Choir") == 2_500)
        for limit in [0, .max, .max - 1, .max / 2] {
            #expect(try search.search(SearchInput(typed), limit: limit).hits.count == 2_500)
        }
    }

    @Test("The first matches are the same for each limit", arguments: [1, 2, 3] as [UInt64])
    func prefixes(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let givens = ["David", "Megan", "Stépha", "Stepha", "Hélène", "Matthew", "Ana", "飛", "Lei"]
        let families = ["Geisel", "Perez", "Pérez", "Hamel", "Muller", "Müller", "鈴木", "Davids", "Ng"]
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        for _ in 0..<300 {
            var contact = Contact(
                name: PersonName(
                    given: givens.randomElement(using: &generator)!, family: families.randomElement(using: &generator)!)
            )
            if Int.random(in: 0..<8, using: &generator) == 0 {
                contact.nickname = givens.randomElement(using: &generator)!
            }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                contact.organization = families.randomElement(using: &generator)!
            }
            // Many numbers and names have the same digits: 32843 is also the beginning of David.
            let digits = ["32843", "634263", "434735", "71834", "5783"].randomElement(using: &generator)!
            contact.phones = [Phone(typed: "0\(Int.random(in: 10..<99, using: &generator))\(digits)1", region: nil)]
            _ = try book.add(contact)
        }
        let search = ContactSearch(book: book)
        var inputs = (givens + families + ["d", "mü", "d g", "dave", "Muler", "5783", "hele perez"]).map {
            SearchInput($0)
        }
        inputs += try ["32843", "634", "434735", "5783", "3", "72843", "34"].map { try SearchInput(keys: $0) }
        for input in inputs {
            let all = try search.search(input, limit: 0).hits.map(\.person.id)
            #expect(Set(all).count == all.count, "\(input)")
            for limit in [1, 2, 5, 10, 11, 20, 32, 33, 50, 81, 100, 150] {
                let first = try search.search(input, limit: limit).hits.map(\.person.id)
                #expect(first == Array(all.prefix(limit)), "\(input), \(limit)")
            }
        }
    }

    @Test("A number finds its contact as it is shown, by text and by keys", arguments: [nil, "DE", "US"] as [String?])
    func shownNumbers(region: String?) throws {
        let numbers = [
            "+49 (0)30 1234567", "030/1234568", "+44 (0)20 7946 0018", "+20 0100 123 4567", "+1 305 555 0167 x22",
            "305.555.0168 ext. 22", "tel:+49301234569", "*100#", "##21#", "+4930555012,,1#", "12345678,1",
            "+49 30/901820", "<+4930901821>", "+49 30 901822,", "(030) 90 18 23", "+90 532 123 45 67",
        ]
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: region)
        for (index, number) in numbers.enumerated() {
            var contact = Contact(name: PersonName(given: "N\(index)"))
            contact.phones = [Phone(typed: number, region: region)]
            _ = try book.add(contact)
        }
        let shown = ContactSearch(book: book)
        for (index, number) in numbers.enumerated() {
            let text = try book.list().first { $0.displayName == "N\(index)" }?.phones.first?.number.text ?? number
            for typed in [number, text] {
                let found = try shown.search(SearchInput(typed), limit: 3).hits.map(\.person.displayName)
                #expect(found.first == "N\(index)", "\(typed): \(found)")
                #expect(
                    try Self.dial(typed, in: shown, limit: 3).map(\.person.displayName).contains("N\(index)"),
                    "\(typed)")
            }
        }
    }

    @Test("A vanity number is found by its letters and by its keys")
    func vanity() throws {
        for region in [nil, "US"] as [String?] {
            let search = try Self.search(["Flowers"], region: region) { contact in
                contact.phones = [Phone(typed: "1-800-FLOWERS", region: region)]
            }
            #expect(try search.search("1-800-FLOWERS", limit: 3).hits.count == 1, "\(region ?? "")")
            #expect(try Self.dial("18003569377", in: search).first?.match == .exact, "\(region ?? "")")
        }
    }

    /// Digits, name, kind of match, highlights of the name.
    static let keypadCases: [(String, String, ResultMatch, [Range<Int>])] = [
        ("5646", "Jogo", .exact, [0..<4]),
        ("74647", "Rio Grande", .prefix, [0..<3, 4..<6]),
        ("7460472", "Rio Grande", .prefix, [0..<3, 4..<7]),
        ("472", "Rio Grande", .prefix, [4..<7]),
        ("253", "Carmen Luz Diaz", .initials, [0..<1, 7..<8, 11..<12]),
        ("23429", "Carmen Luz Diaz", .initials, [0..<1, 11..<15]),
        ("34292", "Carmen Luz Diaz", .words, [0..<1, 11..<15]),
        ("34295", "Carmen Luz Diaz", .words, [7..<8, 11..<15]),
        ("2262", "Jacob", .infix, [1..<5]),
        ("26223", "Ana Anabel Smith", .prefix, [4..<9]),
        ("6279533", "Mary Ann Lee", .initials, [0..<4, 9..<12]),
        ("6279 533", "Mary Ann Lee", .initials, [0..<4, 9..<12]),
        ("6279266533", "Mary Ann Lee", .exact, [0..<4, 5..<8, 9..<12]),
        ("47677", "Groß", .exact, [0..<4]),
        ("23747", "Æsir", .exact, [0..<4]),
        ("58527", "Łukasz", .prefix, [0..<5]),
        ("266667", "O'Connor", .prefix, [2..<8]),
        ("6266667", "O'Connor", .exact, [0..<1, 2..<8]),
        ("61266667", "O'Connor", .exact, [0..<1, 2..<8]),
        ("60266667", "O'Connor", .exact, [0..<1, 2..<8]),
        ("26636274", "Anne-Marie", .prefix, [0..<4, 5..<9]),
        ("46668", "Ahmet İnönü", .prefix, [6..<11]),
    ]

    @Test("keypad queries match as documented")
    func keypadKinds() throws {
        for (digits, name, kind, highlights) in Self.keypadCases {
            let search = try Self.search([name])
            let hits = try Self.dial(digits, in: search)
            #expect(hits.first?.match == kind, "\(digits) · \(name)")
            #expect(hits.first?.highlights["name"] == highlights, "\(digits) · \(name)")
        }
    }

    @Test("matches four initials of a name of five words")
    func initials() throws {
        let search = try Self.search(["Ana Bela Costa Dias Esteves"])
        for digits in ["2233", "2323", "2233", "23", "22233"] {
            #expect(try Self.dial(digits, in: search).first != nil, "\(digits)")
        }
    }

    /// Name, digits of its own layout, digits of a Latin spelling.
    @Test(arguments: [
        ("Иван Петров", "4225", "4826"), ("Ганна Їжак", "22552", "42662"), ("Αλέξης", "253647", "253947"),
        ("דוד", "222", "32843"), ("محمد", "8685", "66426633"), ("გიორგი", "", "446744"), ("김철수", "", "546"),
        ("王伟", "", "9264934"), ("さくら", "", "725872"),
    ]) func everyScriptIsFoundByItsLayoutAndInLatin(name: String, own: String, latin: String) throws {
        let search = try Self.search([name, "Someone Else"])
        for digits in [own, latin] where !digits.isEmpty {
            #expect(try Self.dial(digits, in: search).first?.person.displayName == name, "\(name) by \(digits)")
        }
    }

    @Test func twoAlphabetsInOneName() throws {
        let search = try Self.search(["Maria Иванова"])
        #expect(try Self.dial("627424225", in: search).first?.person.displayName == "Maria Иванова")
        #expect(try Self.dial("627424826", in: search).first?.person.displayName == "Maria Иванова")
    }

    @Test("tolerates a typo from five digits on")
    func keypadTypos() throws {
        // Jacobson is 52262766. Each query has a wrong, missing, extra or swapped digit, or is incomplete.
        let search = try Self.search(["Jacobson", "Zed Quist"])
        for typo in ["52262767", "5226276", "522622766", "52226766", "5262766", "52626", "42262766"] {
            #expect(try Self.dial(typo, in: search).first?.person.displayName == "Jacobson", "\(typo)")
        }
        #expect(try Self.dial("5296", in: search).isEmpty)
    }

    /// 5224226 is Kaggabo with a wrong digit, and also Jac Ia Bo.
    @Test("ranks a slip in one name above a split into several longer pieces, but below initials and a name")
    func slips() throws {
        let search = try Self.search(["Jacob Ian Bohm", "Kaggabo Berg"])
        let wrong = try Self.dial("5224226", in: search)
        #expect(wrong.map(\.person.displayName) == ["Kaggabo Berg", "Jacob Ian Bohm"])
        #expect(wrong.map(\.match) == [.typo, .initials])
        // Fewer people type a name from its second word on.
        let later = try Self.dial("5224226", in: Self.search(["Jacob Ian Bohm", "Berg Kaggabo"]))
        #expect(later.map(\.person.displayName) == ["Jacob Ian Bohm", "Berg Kaggabo"])
        let initials = try Self.search(["John Fitzgerald Kennedy", "Leif Lennart Dy"])
        #expect(try Self.dial("535366339", in: initials).first?.match == .initials)
        #expect(try Self.dial("535366339", in: initials).first?.person.displayName == "John Fitzgerald Kennedy")
    }

    @Test("ranks a whole word above a prefix, and ignores typos across the words of a note")
    func wholeWords() throws {
        let search = try Self.search(["Al Smithe", "Ann Smith", "Smith Zed"])
        let hits = try search.search("smith").hits.map(\.person.displayName)
        #expect(hits == ["Ann Smith", "Smith Zed", "Al Smithe"])
        let noted = try Self.search(["José"]) { $0.note = "at the fair and at lunch" }
        #expect(try noted.search("anna").hits.isEmpty)
        #expect(try noted.search("lunhc").hits.count == 1)
    }

    @Test("matches nickname, phonetic name and organisation")
    func otherNames() throws {
        let search = try Self.search(["Robert Miller"]) {
            $0.nickname = "Bobby"
            $0.organization = "Acme Works"
            $0.phoneticGivenName = "Ruben"
        }
        #expect(try Self.dial("26229", in: search).first?.highlights == ["nickname": [0..<5]])
        #expect(try Self.dial("2263", in: search).first?.highlights == ["organization": [0..<4]])
        #expect(try Self.dial("78236", in: search).first?.highlights == ["phoneticName": [0..<5]])
        #expect(try search.search("acme").hits.first?.highlights == ["organization": [0..<4]])
    }

    // MARK: - Secondary fields

    static func gardener(_ contact: inout Contact) {
        contact.title = "Head Gardener"
        contact.department = "Hothouses"
        contact.birthday = "circa 1800"
        contact.addresses = [
            PostalAddress(street: "Fő utca 1", locality: "Budapest", postalCode: "1054"),
            PostalAddress(locality: "Szeged"),
        ]
        contact.urls = [WebAddress(url: "https://plants.example")]
        contact.groups = ["Choir", "Neighbours"]
        contact.otherProperties = [
            "X-ABRELATEDNAMES;X-LABEL=spouse:Otto Quill", "RELATED;VALUE=text;TYPE=parent:Vera\\, née Lux",
            "RELATED:urn:uuid:f81d4fae", "X-ANDROID-CUSTOM:vnd.android.cursor.item/relation;Milo;2;;",
            "item1.x-spouse:Nell", "X-JABBER:hothead@example.org",
        ]
    }

    @Test(
        "finds people by title, department, address, web address, group and related name",
        arguments: [
            ("gardener", "jobTitle", 5..<13), ("hothou", "department", 0..<6),
            ("budapest", "addresses.0.locality", 0..<8),
            ("szeged", "addresses.1.locality", 0..<6), ("utca", "addresses.0.street", 3..<7),
            ("1054", "addresses.0.postalCode", 0..<4), ("plants", "urls.0", 8..<14), ("neighb", "groups.1", 0..<6),
            ("quill", "relatedNames.0", 5..<10),
            ("vera", "relatedNames.1", 0..<4), ("milo", "relatedNames.2", 0..<4), ("nell", "relatedNames.3", 0..<4),
            ("circa", "birthday", 0..<5),
        ]) func secondaryFields(query: String, key: String, range: Range<Int>) throws
    {
        let search = try Self.search(["Zoë Hart"], Self.gardener)
        let hits = try search.search(SearchInput(query)).hits
        #expect(hits.first?.highlights == [key: [range]])
        #expect(Contact.isSecondaryField(key))
        #expect(try search.search(SearchInput("hart \(query)")).hits.first?.highlights[key] == [range])
        #expect(try search.search("urn").hits.isEmpty)
        #expect(try search.search("hothead").hits.first?.highlights == ["otherProperties.5": [9..<16]])
        #expect(!Contact.isSecondaryField("name") && !Contact.isSecondaryField("note"))
    }

    @Test("ranks a city after the start of a name, and does not dial it")
    func secondaryFieldsRankLower() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        var resident = Contact(name: PersonName(splitting: "Ada Alba"))
        resident.addresses = [PostalAddress(locality: "Paris")]
        resident.isFavourite = true
        _ = try book.add(resident)
        _ = try book.add(Contact(name: PersonName(splitting: "Zed Parison")))
        let search = ContactSearch(book: book)
        #expect(try search.search("paris").hits.map(\.person.displayName) == ["Zed Parison", "Ada Alba"])
        #expect(try Self.dial("72747", in: search).map(\.person.displayName) == ["Zed Parison"])
    }

    @Test("finds contacts that an earlier version stored, also after their removal is undone")
    func earlierTexts() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        var contact = Contact(name: PersonName(splitting: "Zoë Hart"))
        contact.note = "大阪"
        Self.gardener(&contact)
        let id = try book.add(contact).id
        var earlier = Contact(name: contact.name)
        earlier.note = contact.note
        func tokens() throws -> Data? {
            try book.storage.read { try Data.fetchOne($0, sql: "SELECT tokens FROM contact_search") }
        }
        func storeEarlierTexts() throws {
            try book.writing { db in
                try db.execute(
                    sql: "UPDATE contact_search SET tokens = ?", arguments: [PersonTexts.serialized(earlier.texts)])
            }
        }
        try storeEarlierTexts()
        let all = PersonTexts.serialized(contact.texts)
        #expect(try tokens() != all)
        try book.writing { db in
            try ContactRows.addSecondaryTexts(in: db)
            try ContactRows.addTextsOfAddresses(in: db)
            try ContactRows.addTextsOfProperties(of: .other, in: db)
            try ContactRows.addTextsOfBirthdays(in: db)
        }
        #expect(try tokens() == all)
        try storeEarlierTexts()
        try book.remove([id])
        try book.restore([id])
        #expect(try tokens() == contact.searchTexts)
        #expect(try ContactSearch(book: book).search("budapest").hits.count == 1)
    }

    // MARK: - Numbers

    static let turkish = "0532 123 45 67"

    @Test(arguments: [
        ("05321234567", ResultMatch.exact, [0..<14]), ("5321234567", .exact, [1..<14]),
        ("+905321234567", .exact, [0..<14]), ("00905321234567", .exact, [0..<14]), ("905321234567", .exact, [0..<14]),
        ("0532", .prefix, [0..<4]), ("532", .prefix, [1..<4]), ("+90532", .prefix, [0..<4]),
        ("90532", .prefix, [0..<4]),
        ("0090532", .prefix, [0..<4]), ("12345", .infix, [5..<11]), ("4567", .infix, [9..<14]),
        ("0532 123-45.67", .exact, [0..<14]), ("(0532) 123", .prefix, [0..<8]),
    ]) func aNumberIsFoundHoweverItIsWritten(query: String, kind: ResultMatch, highlight: [Range<Int>]) throws {
        let search = try Self.search(["Zz"], region: "TR") {
            $0.phones = [
                Phone(number: PhoneNumber("0212 999 88 77", region: "TR")),
                Phone(number: PhoneNumber(Self.turkish, region: "TR")),
            ]
        }
        let hit = try #require(try Self.dial(query, in: search).first)
        #expect(hit.match == kind)
        #expect(hit.person.phones.map(\.number.text) == ["0212 999 88 77", Self.turkish])
        #expect(hit.numberPosition == 1)
        #expect(hit.highlights["phones.1"] == highlight)
    }

    @Test("ranks names above numbers unless the query starts like a number")
    func namesBeforeNumbers() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: "TR")
        var ada = Contact(name: PersonName(splitting: "Kena"))
        ada.phones = [Phone(number: PhoneNumber("0212 111 22 33", region: "TR"))]
        var bob = Contact(name: PersonName(splitting: "Zz"))
        bob.phones = [Phone(number: PhoneNumber("0536 200 00 00", region: "TR"))]
        _ = try book.add(bob)
        _ = try book.add(ada)
        let search = ContactSearch(book: book)
        #expect(try Self.dial("536", in: search).map(\.person.displayName) == ["Kena", "Zz"])
        #expect(try Self.dial("0536", in: search).map(\.person.displayName) == ["Zz", "Kena"])
    }

    // MARK: - Order

    @Test("ranks by kind of match, favourite, usage and name")
    func order() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        var ids: [String: String] = [:]
        for name in ["Anna Zoll", "Anna Berg", "Anna Adler", "Anna Cole", "Anna", "Hanna"] {
            ids[name] = try book.add(Contact(name: PersonName(splitting: name))).id
        }
        let search = ContactSearch(book: book)
        func names() throws -> [String] { try search.search("anna").hits.map(\.person.displayName) }
        #expect(try names() == ["Anna", "Anna Adler", "Anna Berg", "Anna Cole", "Anna Zoll", "Hanna"])
        _ = try book.recordCall(try #require(ids["Anna Zoll"]))
        #expect(try names() == ["Anna", "Anna Zoll", "Anna Adler", "Anna Berg", "Anna Cole", "Hanna"])
        _ = try book.setFavourite(try #require(ids["Anna Cole"]))
        #expect(try names() == ["Anna", "Anna Cole", "Anna Zoll", "Anna Adler", "Anna Berg", "Hanna"])
        try book.remove([try #require(ids["Anna"])])
        #expect(try names().first == "Anna Cole")
    }

    // MARK: - Text

    static let textCases: [(String, String, ResultMatch)] = [
        ("rio grande", "Rio Grande", .exact), ("riogrande", "Rio Grande", .exact), ("rio gr", "Rio Grande", .prefix),
        ("grande", "Rio Grande", .prefix), ("gr rio", "Rio Grande", .words), ("ri gr", "Rio Grande", .initials),
        ("diaz luz", "Carmen Luz Diaz", .words), ("cld", "Carmen Luz Diaz", .initials),
        ("car men", "Carmen Luz Diaz", .words),
        ("muller", "Jürgen Müller", .prefix), ("mueller", "Jürgen Müller", .prefix),
        ("müller", "Jürgen Mueller", .prefix),
        ("gross", "Anna Groß", .prefix), ("connor", "Mia O'Connor", .prefix), ("oconnor", "Mia O'Connor", .prefix),
        ("o connor", "Mia O'Connor", .prefix), ("o'connor", "Mia O’Connor", .prefix), ("marie", "Anne-Marie", .prefix),
        ("annemarie", "Anne-Marie", .exact), ("ivan", "Иван", .exact), ("иван", "Иван", .exact),
        ("zhukov", "Жуков", .exact),
        ("jukov", "Жуков", .exact), ("lukasz", "Łukasz", .exact), ("ismail", "İSMAİL", .exact),
        ("ırmak", "Irmak", .exact),
        ("cob", "Jacob", .infix), ("jaocb", "Jacob", .typo), ("jakob", "Jacob", .typo), ("acob", "Jacob", .infix),
        ("kacob", "Jacob", .typo), ("gonzalse", "Maria Gonzales", .typo), ("gonsalse", "Maria Gonzales", .typo),
        ("maira gonzales", "Maria Gonzales", .typo), ("gonzales maira", "Maria Gonzales", .typo),
        ("wang", "王伟", .prefix), ("王", "王伟", .prefix), ("wangwei", "王伟", .exact), ("kim", "김철수", .prefix),
    ]

    @Test("text queries match as documented")
    func textKinds() throws {
        for (text, name, kind) in Self.textCases {
            let hits = try Self.search([name, "Xxxx Yyyy"]).search(SearchInput(text)).hits
            #expect(hits.first?.person.displayName == name, "\(text) · \(name)")
            #expect(hits.first?.match == kind, "\(text) · \(name)")
        }
    }

    @Test("tolerates no typo in short words")
    func shortWords() throws {
        let search = try Self.search(["Bob Ray"])
        for text in ["bov", "rax", "bo x"] { #expect(try search.search(SearchInput(text)).hits.isEmpty, "\(text)") }
    }

    @Test("searches e-mail addresses, notes and numbers")
    func otherFields() throws {
        let search = try Self.search(["Zoe"], region: "DE") {
            $0.emails = [Email(label: "", address: "mail@x.org"), Email(label: "", address: "zoe.larsen@example.com")]
            $0.note = "met at the harbour fair"
            $0.phones = [Phone(number: PhoneNumber("030 1234567", region: "DE"))]
        }
        #expect(try search.search("larsen").hits.first?.highlights == ["emails.1": [4..<10]])
        #expect(try search.search("zoe.larsen@ex").hits.first?.highlights["emails.1"] != nil)
        #expect(try search.search("harbour").hits.first?.highlights == ["note": [11..<18]])
        #expect(try search.search("zoe harb").hits.first?.match == .words)
        #expect(try search.search("030 123").hits.first?.highlights == ["phones.0": [0..<7]])
        #expect(try search.search("+49 30 1234567").hits.first != nil)
    }

    @Test("an empty query returns all contacts")
    func emptyQuery() throws {
        let search = try Self.search(["B", "A", "C"])
        #expect(try search.search("").hits.map(\.person.displayName) == ["A", "B", "C"])
        #expect(try search.search("  …").hits.map(\.person.displayName) == ["A", "B", "C"])
        #expect(try Self.dial("", in: search, limit: 2).count == 2)
        #expect(try Self.dial("", in: search, limit: 0).count == 3)
    }

    // MARK: - Changes and files

    @Test("a change invalidates cached contacts")
    func cache() throws {
        let book = try emptyBook()
        let search = ContactSearch(book: book)
        let ana = try book.add(ContactBookTests.contact("Ana Mayer"))
        for _ in 0..<2 { #expect(try search.search("mayer").hits.map(\.person.title) == [""]) }
        _ = try book.edit(ana.id) { $0.title = "Captain" }
        let hits = try search.search("mayer").hits
        #expect(hits.map(\.person.title) == ["Captain"])
        #expect(try ContactSearch(book: book).search("mayer").hits.map(\.highlights) == hits.map(\.highlights))
        #expect(try search.search("").hits.map(\.person.title) == ["Captain"])
        #expect(try search.search("ana").hits.first?.highlights == ["name": [0..<3]])
    }

    @Test("reads the generation once per search, and nothing else once the index is open")
    func generation() throws {
        let book = try emptyBook()
        try book.add(ContactBookTests.contact("Ana Mayer"))
        let search = ContactSearch(book: book)
        try search.warmUp()
        for input: SearchInput in ["ana", "maier", ""] {
            for _ in 0..<2 {
                let statements = Mutex<[String]>([])
                let hits = try book.storage.read { db in
                    db.trace { event in statements.withLock { $0.append(event.description) } }
                    defer { db.trace(nil) }
                    return try search.search(input).hits
                }
                #expect(hits.count == 1)
                let reads = statements.withLock { $0 }
                #expect(reads.count == 1 && reads[0].contains("FROM storage_generation"), "\(input.text): \(reads)")
            }
        }
    }

    @Test("the async form returns the same hits and ends when its task is cancelled")
    func asynchronous() async throws {
        let search = try Self.search(["Ana Mayer", "Bo Mayer"])
        let hits = try await search.search("mayer", limit: 1).hits
        #expect(hits.map(\.person.displayName) == ["Ana Mayer"])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await search.search("mayer").hits.count
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("sees changes of another process and rebuilds a missing or corrupt index")
    func otherProcess() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite").path
        let first = ContactBook(storage: try Storage(at: path, migrations: [ContactBook.migrations]), region: nil)
        let second = ContactBook(storage: try Storage(at: path, migrations: [ContactBook.migrations]), region: nil)
        let search = ContactSearch(book: first)
        #expect(try search.search("ada").hits.isEmpty)
        let ada = try second.add(Contact(name: PersonName(splitting: "Ada Lovelace")))
        #expect(try search.search("ada").hits.count == 1)
        let index = folder.appending(path: "a.index/contacts.index")
        let bytes = try Data(contentsOf: index)
        #expect(try ContactSearch(book: second).search("ada").hits.count == 1)
        // Empty, truncated, corrupt, or of another generation.
        for damage in [
            Data(), bytes.dropLast(9), Data(bytes.map { $0 ^ 1 }), bytes.prefix(40) + Data([9]) + bytes.dropFirst(41),
        ] {
            try damage.write(to: index)
            #expect(try ContactSearch(book: second).search("ada").hits.count == 1)
        }
        try FileManager.default.removeItem(at: index.deletingLastPathComponent())
        #expect(try ContactSearch(book: second).search("ada").hits.count == 1)
        try second.remove([ada.id])
        #expect(try search.search("ada").hits.isEmpty)
    }
}
