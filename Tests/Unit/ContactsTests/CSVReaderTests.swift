import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Returns the contacts and errors of a CSV file.
func readTable(_ bytes: [UInt8], region: String? = "US") throws -> (contacts: [Contact], errors: [MalformedInput]) {
    var reader = try CSVReader(ByteStream(bytes))
    guard let header = try reader.next() else { return ([], []) }
    let columns = try ContactColumns(header: header)
    var contacts: [Contact] = []
    var errors: [MalformedInput] = []
    while true {
        do {
            guard let row = try reader.next() else { return (contacts, errors) }
            let contact = try Contact(row, columns: columns, region: region)
            if contact.isNameable { contacts.append(contact) }
        } catch let error as MalformedInput {
            errors.append(error)
        }
    }
}

func readTable(_ text: String, region: String? = "US") throws -> (contacts: [Contact], errors: [MalformedInput]) {
    try readTable(Array(text.utf8), region: region)
}

@Suite("Reading CSV")
struct CSVReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let rows: [[String]]
        var testDescription: String { name }
    }

    @Test(
        "reads rows in the variants of other programs",
        arguments: [
            Case(name: "quotation marks", text: "a,\"b,\"\"c\"\"\",d\n", rows: [["a", "b,\"c\"", "d"]]),
            Case(name: "line breaks", text: "a,\"b\r\nc\n\nd\"\r\ne,f", rows: [["a", "b\nc\n\nd"], ["e", "f"]]),
            Case(name: "empty fields", text: ",,\n\"\",\"\",\n", rows: [["", "", ""], ["", "", ""]]),
            Case(name: "empty lines", text: "\n\na,b\n\n\nc,d\n\n", rows: [["a", "b"], ["c", "d"]]),
            Case(name: "ragged", text: "a,b,c\n1\n1,2,3,4\n", rows: [["a", "b", "c"], ["1"], ["1", "2", "3", "4"]]),
            Case(name: "semicolons", text: "a;b,x;c\n1;\"2;3\";4\n", rows: [["a", "b,x", "c"], ["1", "2;3", "4"]]),
            Case(name: "tabs", text: "a\tb\n1\t2\n", rows: [["a", "b"], ["1", "2"]]),
            Case(name: "named separator", text: "sep=;\na;b\n", rows: [["a", "b"]]),
            Case(name: "CR alone", text: "a,b\r1,2\r", rows: [["a", "b"], ["1", "2"]]),
            Case(
                name: "combining mark", text: "a,\u{301}b\nc,d\u{2028}e\n",
                rows: [["a", "\u{301}b"], ["c", "d\u{2028}e"]]),
            Case(name: "leading and trailing spaces", text: " a , b\n", rows: [[" a ", " b"]]),
            Case(name: "a quotation mark inside a field", text: "5\" pipe,b\n", rows: [["5\" pipe", "b"]]),
        ])
    func rows(_ example: Case) throws {
        var reader = try CSVReader(ByteStream(Array(example.text.utf8)))
        var rows: [[String]] = []
        while let row = try reader.next() { rows.append(row.fields) }
        #expect(rows == example.rows)
    }

    @Test("reads Google's columns of 2024 with favourites, groups and several values in a field")
    func google2024() throws {
        let (contacts, errors) = try readTable(
            """
            First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 1 - Extended Address,Website 1 - Label,Website 1 - Value
            Carmen,Luz,Diaz,,,,,,Meme,,Acme,Engineer,Optics,1980-04-15,"two
            lines",https://x/y,* starred ::: * myContacts ::: Family,* Home,carmen@example.org ::: c@example.org,Mobile,(212) 555-0100 ::: +1 212 555 0101,Beach,+44 20 7946 0958,Home,"1 Main St
            Springfield",1 Main St,Springfield,,IL,62701,US,,Blog,https://example.org
            """)
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(contact.name == PersonName(given: "Carmen", middle: "Luz", family: "Diaz"))
        #expect(contact.nickname == "Meme")
        #expect(contact.isFavourite)
        #expect(contact.note == "two\nlines")
        #expect(contact.emails.map(\.address) == ["carmen@example.org", "c@example.org"])
        #expect(contact.emails.map(\.label) == ["home", "home"])
        #expect(contact.phones.map(\.number.e164) == ["+12125550100", "+12125550101", "+442079460958"])
        #expect(contact.phones.map(\.label) == ["mobile", "mobile", "Beach"])
        #expect(contact.addresses.map(\.locality) == ["Springfield"])
        #expect(contact.addresses.map(\.street) == ["1 Main St"])
        #expect(contact.urls == [WebAddress(label: "Blog", url: "https://example.org")])
        #expect(contact.groups == ["Family"])
        #expect(contact.otherProperties == ["X-CUSTOM;X-LABEL=Photo:https://x/y"])
    }

    @Test("reads Google's old columns")
    func googleOld() throws {
        let (contacts, errors) = try readTable(
            """
            Name,Given Name,Additional Name,Family Name,Yomi Name,Given Name Yomi,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title
            Ayşe Öztürk,Ayşe,,Öztürk,,,* myContacts,* Work,ayse@example.org,Mobile,+90 532 123 45 67,Acme,CEO
            Acme Support,,,,,,,,,Work,212-555-0100,,
            """)
        #expect(errors.isEmpty)
        #expect(contacts.map(\.displayName) == ["Ayşe Öztürk", "Acme Support"])
        #expect(contacts[0].phones.map(\.number.e164) == ["+905321234567"])
        #expect(contacts[0].emails == [Email(label: "work", address: "ayse@example.org", isPreferred: true)])
        #expect(contacts[0].organization == "Acme")
        #expect(contacts[0].title == "CEO")
    }

    static let outlook = """
        "Title","First Name","Middle Name","Last Name","Suffix","Company","Department","Job Title","Business Street","Business City","Business Postal Code","Business Country/Region","Home Phone","Mobile Phone","Business Phone","Business Fax","E-mail Address","E-mail 2 Address","Birthday","Notes","Web Page"\r
        "","Jürgen","","Müller","","Straßen GmbH","","","Hauptstr. 1","Köln","50667","Deutschland","","0171 1234567","0221 123456","0221 123457","j@example.de","","0/0/00","€ 5",""\r

        """

    @Test(
        "reads birthdays in the orders that Outlook writes",
        arguments: [
            ("3/14/1975", nil, "1975-03-14"), ("14/3/1975", "US", "1975-03-14"), ("3/4/1975", "US", "1975-03-04"),
            ("3/4/1975", "GB", "1975-04-03"), ("14.03.1975", "DE", "1975-03-14"), ("4.3.75", "US", "1975-03-04"),
            ("1975/3/14", "JP", "1975-03-14"), ("14-03-1975", "NL", "1975-03-14"), ("1975-03-14", nil, "1975-03-14"),
            ("3/14/29", nil, "2029-03-14"), ("31/2/1975", nil, "31/2/1975"), ("0/0/00", nil, ""),
            ("spring", nil, "spring"),
        ])
    func birthdays(text: String, region: String?, expected: String) throws {
        let table = "First Name,Mobile Phone,Birthday\nAna,0171 1234567,\(text)\n"
        let (contacts, errors) = try readTable(table, region: region)
        #expect(errors.isEmpty)
        #expect(contacts.first?.birthday == expected)
    }

    @Test("keeps relatives, other dates and custom fields of Google and Outlook, and Thunderbird's birth columns")
    func furtherColumns() throws {
        let google = try readTable(
            """
            First Name,Relation 1 - Label,Relation 1 - Value,Event 1 - Label,Event 1 - Value,Custom Field 1 - Label,Custom Field 1 - Value
            Ana,Spouse,Bo Lee,Anniversary,2001-05-06,Shoe size,38
            """
        ).contacts
        #expect(
            google.first?.otherProperties == [
                "X-CUSTOM;X-LABEL=Shoe size:38", "X-ABDATE;X-LABEL=Anniversary:2001-05-06",
                "X-ABRELATEDNAMES;X-LABEL=Spouse:Bo Lee",
            ])
        let outlook = try readTable("First Name,Spouse,Anniversary\nAna,Bo Lee,5/16/2001\n").contacts
        #expect(
            outlook.first?.otherProperties == [
                "X-ABDATE;X-LABEL=Anniversary:2001-05-16", "X-ABRELATEDNAMES;X-LABEL=Spouse:Bo Lee",
            ])
        let thunderbird = try readTable("First Name,Birth Year,Birth Month,Birth Day\nAna,1980,4,15\nBo,,4,15\n")
            .contacts
        #expect(thunderbird.map(\.birthday) == ["1980-04-15", "--04-15"])
    }

    @Test("splits Google's addresses, organizations and titles")
    func severalValues() throws {
        let (contacts, errors) = try readTable(
            """
            First Name,Organization Name,Organization Title,Organization Department,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - Postal Code,Address 1 - Country
            Ilse,Nordlicht ::: Suedlicht ::: West,Chefin ::: Gast,Rat ::: ,Home,"Lindenweg 1
            10115 Berlin ::: Seeweg 2
            18055 Rostock",Lindenweg 1 ::: Seeweg 2,Berlin ::: Rostock,10115 ::: 18055,DE ::: DE
            Bo,Acme,Cook,,Work,,1 Road ::: ,Town ::: City,,
            """)
        #expect(errors.isEmpty)
        let ilse = try #require(contacts.first)
        #expect(
            ilse.addresses == [
                PostalAddress(
                    label: "home", street: "Lindenweg 1", locality: "Berlin", postalCode: "10115", country: "DE"),
                PostalAddress(
                    label: "home", street: "Seeweg 2", locality: "Rostock", postalCode: "18055", country: "DE"),
            ])
        #expect(ilse.organization == "Nordlicht" && ilse.title == "Chefin" && ilse.department == "Rat")
        #expect(ilse.otherProperties == ["ORG:Suedlicht", "TITLE:Gast", "ORG:West"])
        #expect(contacts.last?.addresses.map(\.locality) == ["Town", "City"])
        #expect(contacts.last?.addresses.map(\.street) == ["1 Road", ""])
        let old = try readTable(
            "Given Name,Organization 1 - Name,Organization 2 - Name,Organization 2 - Title,Organization 2 - Department\nAna,Acme,Bcme,Cook,Galley\n"
        )
        #expect(old.contacts.first?.organization == "Acme")
        #expect(old.contacts.first?.otherProperties == ["ORG:Bcme;Galley", "TITLE:Cook"])
    }

    struct Header: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let header: String
        let row: String
        var postalCode = "10115"
        var birthday = ""
        var place = "home"
    }

    /// The same person in the exports of programs in other languages.
    static let headers = [
        Header(
            testDescription: "British Thunderbird",
            header:
                "First Name,Last Name,Organisation,Job Title,Primary Email,Mobile Number,Home Address,Home City,Home County,Home Post Code,Home Country,Notes",
            row: "Meg,Orr,Fenn,Clerk,meg@example.org,+441904000001,4 Elm Row,Leeds,Kent,10115,UK,hi"),
        Header(
            testDescription: "German Thunderbird",
            header:
                "Vorname,Nachname,Organisation,Arbeitstitel,Primäre E-Mail-Adresse,Mobil-Tel.-Nr.,Privat: Adresse,Privat: Ort,Privat: Bundesland,Privat: PLZ,Privat: Land,Notizen,Geburtsjahr,Geburtsmonat,Geburtstag",
            row: "Meg,Orr,Fenn,Clerk,meg@example.org,+441904000001,4 Elm Row,Leeds,Kent,10115,UK,hi,1980,4,15",
            birthday: "1980-04-15"),
        Header(
            testDescription: "German Outlook",
            header:
                "Vorname;Nachname;Firma;Position;E-Mail-Adresse;Mobiltelefon;Straße privat;Ort privat;Bundesland/Kanton privat;Postleitzahl privat;Land/Region privat;Notizen;Geburtstag",
            row: "Meg;Orr;Fenn;Clerk;meg@example.org;+441904000001;4 Elm Row;Leeds;Kent;10115;UK;hi;15.04.1980",
            birthday: "1980-04-15"),
        Header(
            testDescription: "French Outlook",
            header:
                "Titre,Prénom,Nom,Société,Titre,Adresse de messagerie,Tél. mobile,Rue (domicile),Ville (domicile),Dép/Région (domicile),Code postal (domicile),Pays/Région (domicile),Notes,Anniversaire",
            row: ",Meg,Orr,Fenn,Clerk,meg@example.org,+441904000001,4 Elm Row,Leeds,Kent,10115,UK,hi,15/04/1980",
            birthday: "1980-04-15"),
        Header(
            testDescription: "Spanish Outlook",
            header:
                "Tratamiento,Nombre,Apellidos,Organización,Puesto,Dirección de correo electrónico,Móvil,Calle del domicilio,Ciudad de residencia,Provincia o estado de residencia,Código postal de residencia,País o región del domicilio,Notas,Cumpleaños",
            row: ",Meg,Orr,Fenn,Clerk,meg@example.org,+441904000001,4 Elm Row,Leeds,Kent,10115,UK,hi,15/04/1980",
            birthday: "1980-04-15"),
        Header(
            testDescription: "a table of one's own, in English",
            header:
                "First Name,Last Name,Organization,Job Title,Email,Mobile,Street,City,State,Zip,Country,Notes",
            row: "Meg,Orr,Fenn,Clerk,meg@example.org,+441904000001,4 Elm Row,Leeds,Kent,10115,UK,hi", place: ""),
        Header(
            testDescription: "a table of one's own, in German",
            header: "Vorname;Nachname;Firma;Position;E-Mail;Handy;Straße;Ort;Bundesland;PLZ;Land;Notizen;Geburtstag",
            row: "Meg;Orr;Fenn;Clerk;meg@example.org;+441904000001;4 Elm Row;Leeds;Kent;10115;UK;hi;15.04.1980",
            birthday: "1980-04-15", place: ""),
    ]

    @Test("reads the columns of other languages", arguments: headers)
    func languages(_ example: Header) throws {
        let (contacts, errors) = try readTable(example.header + "\n" + example.row + "\n", region: "GB")
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(contact.displayName == "Meg Orr" && contact.organization == "Fenn" && contact.title == "Clerk")
        #expect(contact.emails.map(\.address) == ["meg@example.org"])
        #expect(contact.phones.map(\.label) == ["mobile"] && contact.phones.map(\.number.text) == ["+441904000001"])
        #expect(
            contact.addresses == [
                PostalAddress(
                    label: example.place, street: "4 Elm Row", locality: "Leeds", region: "Kent", postalCode: "10115",
                    country: "UK")
            ])
        #expect(contact.note == "hi" && contact.birthday == example.birthday)
    }

    @Test("keeps what is no number, no whole date and no known column")
    func oddValues() throws {
        let table = "First Name,Mobile Phone,Birth Year,Screen Name,Custom 1\nAna,ask Bo,1980,ana1,x\n"
        let contact = try #require(try readTable(table).contacts.first)
        #expect(contact.phones.isEmpty && contact.birthday == "1980")
        #expect(
            contact.otherProperties == [
                "TEL;X-LABEL=mobile:ask Bo", "X-CUSTOM;X-LABEL=Screen Name:ana1", "X-CUSTOM;X-LABEL=Custom 1:x",
            ])
    }

    @Test("reads the postal addresses of German Outlook")
    func germanAddresses() throws {
        let (contacts, errors) = try readTable(
            """
            Vorname;Straße geschäftlich;Straße geschäftlich 2;Ort geschäftlich;Postleitzahl geschäftlich;Land/Region geschäftlich;Straße privat;Ort privat;Bundesland/Kanton privat;Weiterer Ort
            Jürgen;Hauptstr. 1;Hinterhaus;Köln;50667;Deutschland;Am Ring 2;Bonn;NRW;Ulm
            """)
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(contact.addresses.map(\.label) == ["home", "work", "other"])
        #expect(contact.addresses.map(\.locality) == ["Bonn", "Köln", "Ulm"])
        #expect(contact.addresses[1].street == "Hauptstr. 1\nHinterhaus")
        #expect(contact.addresses[1].postalCode == "50667" && contact.addresses[1].country == "Deutschland")
        #expect(contact.addresses[0].region == "NRW")
    }

    @Test("keeps the values of unknown columns, names those that are not imported, and accepts a file with names only")
    func unreadColumns() throws {
        let book = ContactBook(storage: try Storage.inMemory(migrations: [ContactBook.migrations]), region: nil)
        let table = "First Name,Last Name,Hobby,,Priority,Private\nAna,Lee,\"Chess, go\",,Normal,\nBo,Lee,,42,,FALSE\n"
        let report = try book.importContacts(from: [.bytes(Array(table.utf8), name: "a.csv")])
        #expect(report.added == 2 && report.skipped.isEmpty)
        #expect(report.notes.map(\.reason) == ["not imported: the values of the columns “Priority”, “Private”"])
        let kept = try book.list().flatMap(\.otherProperties)
        #expect(kept == ["X-CUSTOM;X-LABEL=Hobby:Chess\\, go", "X-CUSTOM;X-LABEL=column 4:42"])
        #expect(try ContactSearch(book: book).search("chess").hits.map(\.person.displayName) == ["Ana Lee"])
        #expect(try book.importContacts(from: [.bytes(Array(table.utf8), name: "a.csv")]).unchanged == 2)

    }

    @Test("reads Outlook's columns in UTF-8, UTF-16 and Windows-1252, and with semicolons")
    func outlookEncodings() throws {
        let (expected, errors) = try readTable(Self.outlook, region: "DE")
        #expect(errors.isEmpty)
        let contact = try #require(expected.first)
        #expect(contact.displayName == "Jürgen Müller")
        #expect(contact.organization == "Straßen GmbH")
        #expect(contact.phones.map(\.label) == ["mobile", "work", "work fax"])
        #expect(contact.phones.map(\.number.e164) == ["+491711234567", "+49221123456", "+49221123457"])
        #expect(contact.emails.map(\.address) == ["j@example.de"])
        #expect(contact.addresses.map(\.locality) == ["Köln"])
        #expect(contact.birthday.isEmpty)
        #expect(contact.note == "€ 5")

        let utf16: [UInt8] =
            [0xFF, 0xFE] + Self.outlook.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
        #expect(try readTable(utf16, region: "DE").contacts == expected)
        let windows = Self.outlook.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
        #expect(try readTable(windows, region: "DE").contacts == expected)
        #expect(try readTable([0xEF, 0xBB, 0xBF] + Array(Self.outlook.utf8), region: "DE").contacts == expected)
        let semicolons = Self.outlook.replacing("\",\"", with: "\";\"")
        #expect(try readTable(semicolons, region: "DE").contacts == expected)
        let german = "Vorname;Nachname;Mobiltelefon;E-Mail-Adresse\r\nJürgen;Müller;0171 1234567;j@example.de\r\n"
        #expect(try readTable(german, region: "DE").contacts.first?.phones.first?.number.e164 == "+491711234567")
    }

    @Test("reports unknown columns at line 1")
    func wrongColumns() throws {
        let error = try #require(throws: MalformedInput.self) { try readTable("code,city,lat\nLHR,London,51\n") }
        #expect(error.line == 1)
        #expect(error.reason.contains("\"First Name\""))
        #expect(error.reason.contains("\"code\", \"city\", \"lat\""))
    }

    @Test("reports the line of a malformed row and reads the others")
    func malformedRows() throws {
        let header = "First Name,Mobile Phone\n"
        let surplus = try readTable(header + "\"A\nB\",1\nC,2,3\nD,4\n")
        #expect(surplus.contacts.map(\.displayName) == ["A\nB", "D"])
        #expect(surplus.errors.map(\.line) == [4])
        let letters = try readTable(header + "A,1\n\"B\"x,2\nD,4\n")
        #expect(
            letters.errors == [
                MalformedInput(
                    line: 3, column: 4, reason: "expected a separator after the closing quotation mark of field 1")
            ])
        #expect(letters.contacts.map(\.displayName) == ["A", "D"])
        let open = try readTable(header + "A,1\nB,\"2\nD,4\n")
        #expect(open.errors.map(\.line) == [3])
        #expect(open.errors.map(\.column) == [3])
        #expect(open.contacts.count == 1)
        let nobody = try readTable(header + ",\n,,\nA,1\n")
        #expect(nobody.errors.isEmpty && nobody.contacts.map(\.displayName) == ["A"])
    }
}
