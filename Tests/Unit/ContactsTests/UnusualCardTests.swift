import Foundation
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Unusual notations of other programs.
@Suite("Unusual vCards")
struct UnusualCardTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let card: [UInt8]
        let check: @Sendable (Contact) -> Bool
        var testDescription: String { name }

        /// Creates a card from the lines between BEGIN and END.
        init(_ name: String, _ version: String, _ lines: String, _ check: @escaping @Sendable (Contact) -> Bool) {
            self.name = name
            card =
                Array("BEGIN:VCARD\r\nVERSION:\(version)\r\n".utf8)
                + Array(lines.replacing("\n", with: "\r\n").utf8) + Array("\r\nEND:VCARD\r\n".utf8)
            self.check = check
        }
    }

    static let quotedPrintable = [
        Case(
            "soft line breaks within a character", "2.1", "FN;ENCODING=QUOTED-PRINTABLE:=C3=\n=96zt=\n=C3=BC=\nrk"
        ) {
            $0.displayName == "Öztürk"
        },
        Case("spaces after a soft line break", "2.1", "FN;ENCODING=QUOTED-PRINTABLE:ab= \ncd=\t\nef") {
            $0.displayName == "abcdef"
        },
        Case("an encoding without parameter name", "2.1", "FN;QUOTED-PRINTABLE:J=C3=BCrg") { $0.displayName == "Jürg" },
        Case("CHARSET without ENCODING", "2.1", "FN;CHARSET=UTF-8:J=C3=BCrg =3D") { $0.displayName == "Jürg =" },
        Case("CHARSET without ENCODING on two lines", "2.1", "FN;CHARSET=UTF-8:J=C3=\n=BCrg") {
            $0.displayName == "Jürg"
        },
        Case("CHARSET and other equals signs", "2.1", "FN;CHARSET=UTF-8:a=C3 b=D\nURL;CHARSET=UTF-8:x?y=") {
            $0.displayName == "a=C3 b=D" && $0.urls.map(\.url) == ["x?y="]
        },
        Case("another CHARSET", "2.1", "FN;CHARSET=ISO-8859-9;ENCODING=QUOTED-PRINTABLE:=DDzmir") {
            $0.displayName == "İzmir"
        },
        Case("lowercase names", "2.1", "fn;encoding=quoted-printable:=c3=96z") { $0.displayName == "Öz" },
        Case(
            "a soft line break at the end of the value", "2.1",
            "FN:A\nNOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0A=\n\nTEL:112"
        ) {
            $0.note == "a\n" && $0.phones.count == 1
        },
        Case(
            "Android's label in a parameter", "2.1",
            "FN:A\nTEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,K=C3=B6y):112"
        ) {
            $0.phones.map(\.label) == ["Köy"]
        },
    ]

    static let shapes = [
        Case("types alone", "2.1", "FN:A\nTEL;CELL;VOICE;PREF:112\nEMAIL;INTERNET;WORK:a@b.org") {
            $0.phones.map(\.label) == ["mobile"] && $0.phones[0].isPreferred && $0.emails.map(\.label) == ["work"]
        },
        Case("a custom label keeps its case", "3.0", "FN:A\nTEL;TYPE=X-Beach house:112") {
            $0.phones.map(\.label) == ["Beach house"]
        },
        Case("a group's label", "3.0", "FN:A\nitem1.TEL;type=pref:112\nitem1.X-ABLabel:Boat") {
            $0.phones.map(\.label) == ["Boat"] && $0.otherProperties.isEmpty
        },
        Case(
            "a group's label before its property in another case", "3.0", "FN:A\nITEM1.X-ABLABEL:Boat\nitem1.TEL:112"
        ) {
            $0.phones.map(\.label) == ["Boat"]
        },
        Case(
            "a group's label of a preserved property", "3.0",
            "FN:A\na.X-ABDATE:2010-01-02\na.X-ABLabel:_$!<Anniversary>!$_"
        ) {
            $0.otherProperties == ["X-ABDATE;X-LABEL=Anniversary:2010-01-02"]
        },
        Case("a number as a URI", "4.0", "FN:A\nTEL;VALUE=uri;TYPE=\"voice,cell\":tel:+1-201-555-0123;ext=5") {
            $0.phones.map(\.number.e164) == ["+12015550123"] && $0.phones[0].number.extensionNumber == "5"
        },
        Case("a local number with its context", "4.0", "FN:A\nTEL;VALUE=uri:tel:555-0123;phone-context=+1201") {
            $0.phones.map(\.number.e164) == ["+12015550123"]
        },
        Case("an e-mail address as a URI", "4.0", "FN:A\nEMAIL;VALUE=uri:mailto:a@b.org") {
            $0.emails.map(\.address) == ["a@b.org"]
        },
        Case("the label of a postal address alone", "4.0", "FN:A\nADR;LABEL=\"1 Main St^nTown\":;;;;;;") {
            $0.addresses.map(\.street) == ["1 Main St\nTown"]
        },
        Case("an organisation by KIND", "4.0", "KIND:org\nFN:Acme Rockets") {
            $0.organization == "Acme Rockets" && $0.name.isEmpty && $0.displayName == "Acme Rockets"
        },
        Case("an empty N before another one", "3.0", "N:;;;;\nN:Diaz;Ana;;;\nFN:Ana Diaz") {
            $0.name.family == "Diaz"
        },
        Case("the name in another script", "4.0", "N;ALTID=1:山田;太郎;;;\nN;ALTID=1;LANGUAGE=en:Yamada;Taro;;;\nFN:山田太郎") {
            $0.name.family == "山田" && $0.otherProperties == ["N;ALTID=1;LANGUAGE=en:Yamada;Taro;;;"]
        },
        Case("nicknames on several lines", "4.0", "FN:A\nNICKNAME:Bo,Bob\nNICKNAME;ALTID=2:Rob") {
            $0.nickname == "Bo, Bob, Rob"
        },
        Case("a phonetic name in SORT-AS", "4.0", "N;SORT-AS=\"やまだ,たろう\":山田;太郎;;;") {
            $0.phoneticFamilyName == "やまだ" && $0.phoneticGivenName == "たろう" && $0.otherProperties.isEmpty
        },
        Case("a sort name in the same script", "3.0", "N:van der Berg;Jan;;;\nSORT-STRING:Berg") {
            $0.phoneticName.isEmpty && $0.otherProperties == ["SORT-STRING:Berg"]
        },
        Case("a phonetic organisation name", "4.0", "N:A;B\nORG;SORT-AS=\"ABC\":Aye Bee See") {
            $0.organization == "Aye Bee See" && $0.otherProperties == ["X-PHONETIC-ORG:ABC"]
        },
        Case("phonetic names", "3.0", "N:山田;太郎;;;\nX-PHONETIC-LAST-NAME:やまだ\nX-PHONETIC-FIRST-NAME:たろう") {
            $0.phoneticName == "たろう やまだ"
        },
        Case(
            "the additional components of a name and an address", "4.0",
            "FN:A\nN:García López;Ana;;;Jr.;López;Jr.\nADR:;;12 Main St;Town;;;;;;;12;Main St;;;;;;North"
        ) {
            $0.name.secondFamily == "López" && $0.name.generation == "Jr."
                && $0.addresses.map(\.extendedComponents) == [
                    ["", "", "", "12", "Main St", "", "", "", "", "", "North"]
                ]
        },
        Case(
            "private parameters of a number and a photo", "3.0",
            "FN:A\nTEL;X-EVOLUTION-UI-SLOT=1;TYPE=\"WORK,VOICE\":112\nEMAIL;X-A=\"b;c\":a@b.org\n"
                + "PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&6&6;ENCODING=b;TYPE=JPEG:/9j/AAAA"
        ) {
            $0.phones.map(\.parameters) == [";X-EVOLUTION-UI-SLOT=1"] && $0.emails.map(\.parameters) == [";X-A=\"b;c\""]
                && $0.photo?.parameters == ";X-ABCROP-RECTANGLE=ABClipRect_1&0&0&6&6"
        },
        Case("a birthday without a year", "4.0", "FN:A\nBDAY:--0412") { $0.birthday == "--04-12" },
        Case("a birthday without a year, with dashes", "3.0", "FN:A\nBDAY;VALUE=date:--04-12") {
            $0.birthday == "--04-12"
        },
        Case("a birthday with a placeholder year", "3.0", "FN:A\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29") {
            $0.birthday == "--02-29"
        },
        Case("the same without dashes", "3.0", "FN:A\nBDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:16040229") {
            $0.birthday == "--02-29"
        },
        Case("a birthday in words", "4.0", "FN:A\nBDAY;VALUE=text:circa 1800") { $0.birthday == "circa 1800" },
        Case(
            "an embedded AGENT card", "2.1",
            "FN:A\nAGENT:\nBEGIN:VCARD\nVERSION:2.1\nFN:B\nNOTE:C:\\new\nEND:VCARD\nTEL:112"
        ) {
            $0.displayName == "A" && $0.phones.count == 1
                && $0.otherProperties == ["AGENT:BEGIN:VCARD\\nVERSION:3.0\\nFN:B\\nNOTE:C:\\\\\\\\new\\nEND:VCARD"]
        },
        Case("an agent as a text", "3.0", "FN:A\nAGENT:BEGIN:VCARD\\nFN:B\\nEND:VCARD\\n") {
            $0.otherProperties.count == 1
        },
        Case("a literal backslash", "2.1", "FN:A\nX-PATH:C:\\new\\;x") {
            $0.otherProperties == ["X-PATH:C:\\\\new\\;x"]
        },
        Case("escaped parameter values", "4.0", "FN:A\nX-P;X-Q=\"a^nb^'c^^,d\":e") {
            $0.otherProperties == ["X-P;X-Q=\"a^nb^'c^^,d\":e"]
        },
        Case(
            "groups and Google's system groups", "3.0",
            "FN:A\nCATEGORIES:Family,myContacts,starred\nCATEGORIES:a\\,b,Family"
        ) {
            $0.groups == ["Family", "a,b"] && $0.isFavourite
        },
    ]

    static let otherPrograms = [
        Case(
            "commas that are not escaped", "3.0",
            "N:Ek, von;Petra;;;\nFN:Petra Ek, von\nORG:Brook, Fenn & Co., Ltd.;Loans, Savings\n"
                + "ADR;TYPE=work:;;Mill Lane 4, Floor 2;Leeds, West;;LS1 2AB;UK"
        ) {
            $0.name.family == "Ek, von" && $0.organization == "Brook, Fenn & Co., Ltd."
                && $0.department == "Loans, Savings" && $0.addresses.map(\.street) == ["Mill Lane 4, Floor 2"]
                && $0.addresses.map(\.locality) == ["Leeds, West"]
        },
        Case("the same in version 4.0", "4.0", "N:Kral;Ota\nFN:Ota Kral\nORG:Dom, s.r.o.") {
            $0.organization == "Dom, s.r.o."
        },
        Case(
            "the same in version 2.1", "2.1", "N:Weiss;Ida\nORG:Turm, Bau GmbH\nADR;WORK:;;Am Turm 3, Hof;Ulm;;89073;D"
        ) {
            $0.organization == "Turm, Bau GmbH" && $0.addresses.map(\.street) == ["Am Turm 3, Hof"]
        },
        Case("escaped and plain commas", "3.0", "FN:A\nORG:a\\, b, c,d\\;e") { $0.organization == "a, b, c,d;e" },
        Case("Apple's year without its parameter", "3.0", "FN:A\nBDAY:1604-12-03") { $0.birthday == "--12-03" },
        Case("the year 0", "3.0", "FN:A\nBDAY:0000-12-04") { $0.birthday == "--12-04" },
        Case("the year 0 in the basic format", "4.0", "FN:A\nBDAY:00001204") { $0.birthday == "--12-04" },
        Case("another placeholder year", "3.0", "FN:A\nBDAY;X-APPLE-OMIT-YEAR=1600:1600-12-03") {
            $0.birthday == "--12-03"
        },
        Case("an ordinary year beside the parameter", "3.0", "FN:A\nBDAY;X-APPLE-OMIT-YEAR=1604:1980-12-03") {
            $0.birthday == "1980-12-03"
        },
        Case("a birthday as a list of components", "3.0", "FN:A\nBDAY:1990-01-01;") { $0.birthday == "1990-01-01" },
        Case("a birthday with a remark", "3.0", "FN:A\nBDAY:1990-01-01;about") { $0.birthday == "1990-01-01;about" },
        Case("two birthdays", "3.0", "FN:A\nBDAY:1990-01-01\nBDAY;X-A=b:1991-02-02") {
            $0.birthday == "1990-01-01" && $0.otherProperties == ["X-OTHER-BDAY;X-A=b:1991-02-02"]
        },
        Case("the fuller of two names", "3.0", "FN:Sven Ek\nN:;Sven Ek;;;\nFN:Sven Ek\nN:Ek;Sven;;;") {
            $0.name == PersonName(given: "Sven", family: "Ek") && $0.otherProperties.isEmpty
        },
        Case("the fuller of two different names", "3.0", "FN:Sven Ek\nN;X-A=b:;Svenne;;;\nN:Ek;Sven;;;") {
            $0.name == PersonName(given: "Sven", family: "Ek") && $0.otherProperties == ["X-OTHER-N;X-A=b:;Svenne;;;"]
        },
        Case("a shorter second name", "3.0", "FN:Sven Ek\nN:Ek;Sven;;;\nN:Ekman;;;;") {
            $0.name.family == "Ek" && $0.otherProperties == ["X-OTHER-N:Ekman;;;;"]
        },
        Case("the displayed name in another script", "4.0", "N:Stone;Ray;;;\nFN:Ray Stone\nFN;LANGUAGE=ja:石") {
            $0.displayName == "Ray Stone" && $0.otherProperties == ["FN;LANGUAGE=ja:石"]
        },
        Case("white space in an address", "3.0", "FN:A\nADR;TYPE=work: ; ;Mill Lane 4 ;Leeds;; LS1 2AB;UK") {
            $0.addresses.map(\.components) == [["", "", "Mill Lane 4", "Leeds", "", "LS1 2AB", "UK"]]
        },
        Case(
            "the text of an address", "4.0",
            "FN:A\nADR;TYPE=home;LABEL=\"Ray Stone\\nFlat 2\\n9 Hill St^nLondon\":;;9 Hill St;London;;N1 1AA;UK"
        ) {
            $0.addresses.map(\.parameters) == [";LABEL=Ray Stone^nFlat 2^n9 Hill St^nLondon"]
                && $0.otherProperties.isEmpty
        },
        Case(
            "the text of an address as a property", "3.0",
            "FN:A\nADR;TYPE=home:;;1 Road;;;;\nADR;TYPE=work:;;2 Road;;;;\nLABEL;TYPE=home:1 Road\\nTown"
        ) {
            $0.addresses.map(\.parameters) == [";LABEL=1 Road^nTown", ""] && $0.otherProperties.isEmpty
        },
        Case("the text of no address", "3.0", "FN:A\nLABEL;TYPE=home:1 Road") {
            $0.otherProperties == ["LABEL;TYPE=home:1 Road"]
        },
        Case(
            "Apple's quotation marks in a parameter", "3.0", "FN:A\nX-LOC;X-ADDRESS=Torg \\\"Norr\\\" 5;X-T=Hall:geo:59"
        ) {
            $0.otherProperties == ["X-LOC;X-ADDRESS=Torg ^'Norr^' 5;X-T=Hall:geo:59"]
        },
        Case(
            "properties that belong together", "3.0",
            "FN:A\nitem1.ADR;type=HOME;type=pref:;;12 Allen Ave;Lagos;;;\nitem1.X-ABADR:ng\n"
                + "item2.ADR;type=HOME:;;3 Kings Rd;London;;;\nitem2.X-ABADR:gb\nitem2.X-ABLabel:Boat"
        ) {
            $0.addresses.map(\.parameters) == [";PREF=1;X-GROUP=item1", ";X-GROUP=item2"]
                && $0.addresses.map(\.label) == ["home", "Boat"]
                && $0.otherProperties == ["X-ABADR;X-GROUP=item1:ng", "X-ABADR;X-GROUP=item2;X-LABEL=Boat:gb"]
        },
        Case("a number that belongs to a note", "3.0", "FN:A\na.TEL:112\na.NOTE:b\nc.TITLE:d\nc.X-E:f") {
            $0.phones.map(\.parameters) == [";X-GROUP=a"] && $0.textParameters["NOTE"] == ";X-GROUP=a"
                && $0.textParameters["TITLE"] == ";X-GROUP=c" && $0.otherProperties == ["X-E;X-GROUP=c:f"]
        },
        Case("types that are no labels", "3.0", "FN:A\nADR;TYPE=dom,home,postal:;;1 Road;;;;\nTEL;TYPE=MSG,CELL:112") {
            $0.addresses.map(\.parameters) == [";TYPE=dom,postal"] && $0.addresses.map(\.label) == ["home"]
                && $0.phones.map(\.parameters) == [";TYPE=MSG"] && $0.phones.map(\.label) == ["mobile"]
        },
        Case("notes in two languages", "3.0", "FN:A\nNOTE;LANGUAGE=en:friend\nNOTE;LANGUAGE=fr:amie") {
            $0.note == "friend" && $0.otherProperties == ["NOTE;LANGUAGE=fr:amie"]
        },
        Case("an unreadable line", "3.0", "FN:A\nX-messaging/irc-All:owen,r\nTEL:112") {
            $0.otherProperties == ["X-UNREAD-LINE:X-messaging/irc-All:owen\\,r"]
        },
        Case("a line break in a name", "3.0", "FN:Nora Bela\n\nKis-Nagy\nTEL:112") {
            $0.displayName == "Nora Bela\n\nKis-Nagy" && $0.phones.count == 1
        },
    ]

    static let base64 = "iVBORw0KGgoAAAANSUhEUg=="
    static let photographs = [
        Case("2.1", "2.1", "FN:A\nPHOTO;PNG;ENCODING=BASE64:\n iVBORw0KGgoAAAAN\n SUhEUg==\n", isPNG),
        Case(
            "2.1, without indentation", "2.1",
            "FN:A\nPHOTO;ENCODING=BASE64;TYPE=PNG:iVBORw0K\nGgoAAAANSUhEUg==\n\nTEL:112", isPNG),
        Case("2.1, without parameter names", "2.1", "FN:A\nPHOTO;BASE64;PNG:" + base64, isPNG),
        Case("3.0", "3.0", "FN:A\nPHOTO;ENCODING=b;TYPE=PNG:" + base64, isPNG),
        Case(
            "3.0, a media type, no padding", "3.0", "FN:A\nPHOTO;ENCODING=B;TYPE=image/png:iVBORw0KGgoAAAANSUhEUg",
            isPNG),
        Case("4.0", "4.0", "FN:A\nPHOTO:data:image/png;base64," + base64, isPNG),
        Case("4.0, escaped", "4.0", "FN:A\nPHOTO:data:image/png\\;base64\\," + base64, isPNG),
        Case("a wrong media type", "3.0", "FN:A\nPHOTO;ENCODING=b;TYPE=JPEG:" + base64, isPNG),
        Case("a URI", "3.0", "FN:A\nPHOTO;VALUE=uri:https://example.org/a.jpg") {
            $0.photo == nil && $0.otherProperties == ["PHOTO;VALUE=uri:https://example.org/a.jpg"]
        },
        Case("invalid base64", "3.0", "FN:A\nPHOTO;ENCODING=b:?") {
            $0.photo == nil && $0.otherProperties == ["PHOTO;ENCODING=b:?"]
        },
        Case("two photos", "4.0", "FN:A\nPHOTO:data:image/png;base64,\(base64)\nPHOTO:data:image/gif;base64,R0lGODlh") {
            isPNG($0) && $0.otherProperties == ["PHOTO;ENCODING=b;TYPE=GIF:R0lGODlh"]
        },
    ]

    @Sendable static func isPNG(_ contact: Contact) -> Bool {
        contact.photo?.mediaType == "image/png" && contact.photo?.size == 16 && contact.photo?.isShowable == true
    }

    @Test(
        "interprets the card, and an export preserves it",
        arguments: quotedPrintable + shapes + otherPrograms + photographs)
    func cards(_ example: Case) throws {
        let (contacts, errors) = try readCards(example.card, region: "TR")
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(contacts.count == 1)
        #expect(example.check(contact), "\(contact)")
        #expect(try changesByExport(contact, region: "TR") == [])
    }

    /// Parameters that this book does not interpret.
    static let parameters: [String] = [
        "TEL;VALUE=text;PREF=2", "TEL;TYPE=CELL", "EMAIL", "ADR;TYPE=home",
        "ADR;PREF=1;GEO=\"geo:6.5,3.3\";TZ=Africa/Lagos;CC=NG",
        "URL;MEDIATYPE=text/html", "URL;PREF=1;X-COUCHDB-UUID=a-1", "FN", "N;LANGUAGE=de", "NICKNAME;TYPE=work",
        "ORG;LANGUAGE=en",
        "TITLE", "NOTE;LANGUAGE=fr", "BDAY;CALSCALE=gregorian", "CATEGORIES", "UID", "ROLE", "X-ANY", "PRONOUNS",
    ]

    @Test("keeps the parameters of every property when another field changes", arguments: parameters, ["3.0", "4.0"])
    func parametersStay(_ head: String, _ version: String) throws {
        let names = head.split(separator: ";")
        let values = [
            "TEL": "+441904000001", "EMAIL": "a@example.org", "ADR": ";;1 Road;Town;;;", "N": "Ek;Al;;;",
            "BDAY": version == "4.0" ? "19800203" : "1980-02-03", "ORG": "Acme;Sales",
        ]
        let name = String(names[0])
        let value = values[name] ?? "Al Ek"
        let fullName = name == "FN" ? "" : "FN:Al Ek\r\n"
        let text = "BEGIN:VCARD\r\nVERSION:\(version)\r\n\(fullName)\(head);X-VENDOR=\"a;b\":\(value)\r\nEND:VCARD\r\n"
        let book = try emptyBook()
        #expect(try book.importContacts(from: [.bytes(Array(text.utf8), name: "a.vcf")]).added == 1)
        let contact = try #require(try book.list().first)
        let edited = try book.edit(contact.id) { contact in
            contact[.pronouns] = name == "PRONOUNS" ? contact.pronouns : "they/them"
            contact.isFavourite = true
            // A form writes all addresses anew.
            contact.addresses = contact.addresses.map {
                PostalAddress(label: $0.label, street: $0.street, locality: $0.locality)
            }
            contact.urls = contact.urls.map { WebAddress(label: $0.label, url: $0.url) }
        }
        #expect(try book.contact(contact.id) == edited)
        let card = VCardWriter(version: version == "4.0" ? .version4 : .version3).card(of: edited)
        let lines = card.replacing("\r\n ", with: "").split(separator: "\r\n")
        let line = try #require(lines.first { $0.hasPrefix(name + ";") && $0.contains("X-VENDOR") }, "\(card)")
        var expected =
            names.dropFirst().filter { !$0.hasPrefix("TYPE") && !$0.hasPrefix("VALUE") } + ["X-VENDOR=\"a;b\""]
        if version == "3.0" { expected.removeAll { $0 == "PREF=1" } }
        for parameter in expected { #expect(line.contains(";" + parameter), "\(line)") }
        #expect(line.hasSuffix(":" + value))
        if head.contains("PREF=1"), version == "3.0" {
            #expect(line.contains("PREF") && line.contains("TYPE="), "\(line)")
        }
        var plain = edited
        (plain.id, plain.createdAt, plain.modifiedAt) = ("", nil, nil)
        #expect(try changesByExport(plain, region: nil) == [])
    }

    @Test("writes one name and one birthday, and the text of an address as the version has it")
    func onlyOnce() throws {
        var contact = Contact(name: PersonName(given: "Ana"))
        contact.birthday = "--07-11"
        contact.otherProperties = ["BDAY:1971-02-03", "N:Ek;Ana;;;", "FN;LANGUAGE=ja:石", "N;ALTID=1:山田;;;;"]
        contact.addresses = [PostalAddress(label: "home", street: "1 Road")]
        contact.addresses[0].parameters = ";LABEL=1 Road^nTown"
        let three = VCardWriter(version: .version3).card(of: contact)
        for line in [
            "BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-11", "X-OTHER-BDAY:1971-02-03", "N:;Ana;;;", "X-OTHER-N:Ek;Ana;;;",
            "FN:Ana",
            "X-OTHER-FN;LANGUAGE=ja:石", "X-OTHER-N;ALTID=1:山田;;;;", "ADR;TYPE=HOME:;;1 Road;;;;",
            "LABEL;TYPE=HOME:1 Road\\nTown",
        ] { #expect(three.contains("\r\n" + line + "\r\n"), "\(line): \(three)") }
        let four = VCardWriter(version: .version4).card(of: contact)
        for line in [
            "BDAY:--0711", "X-OTHER-BDAY:1971-02-03", "N;ALTID=1:山田;;;;", "FN;LANGUAGE=ja:石",
            "ADR;TYPE=home;LABEL=1 Road^nTown:;;1 Road;;;;",
        ] { #expect(four.contains("\r\n" + line + "\r\n"), "\(line): \(four)") }
        #expect(!four.contains("\r\nLABEL"))
        for card in [three, four] {
            let lines = card.split(separator: "\r\n")
            #expect(lines.count { $0.hasPrefix("BDAY") } == 1)
            #expect(lines.count { $0.hasPrefix("N:") } == 1)
        }
    }

    @Test("groups of two people stay apart")
    func groupsOfTwo() throws {
        func contact(_ street: String, _ country: String) throws -> Contact {
            let lines = "item1.ADR:;;\(street);;;;\nitem1.X-ABADR:\(country)"
            let card = "BEGIN:VCARD\nVERSION:3.0\nFN:A\n\(lines)\nEND:VCARD\n"
            return try #require(try readCards(card).contacts.first)
        }
        let (one, other) = (try contact("1 Road", "ng"), try contact("2 Road", "gb"))
        #expect(one.withGroups(apartFrom: one) == one)
        let apart = other.withGroups(apartFrom: one)
        #expect(apart.addresses[0].parameters == ";X-GROUP=item2")
        #expect(apart.otherProperties == ["X-ABADR;X-GROUP=item2:gb"])
    }

    @Test("accepts any line ending, byte order marks between cards, and folds within a character")
    func lineEndings() throws {
        let lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:Zoë", "NOTE:a", " b", "\tc", "END:VCARD", ""]
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            let text = lines.joined(separator: end)
            for pieceSize in [1, 2, 3, 1000] {
                let (contacts, errors) = try readCards(Array((text + "\u{FEFF}" + text).utf8), pieceSize: pieceSize)
                #expect(errors.isEmpty, "\(end.debugDescription), \(pieceSize)")
                #expect(contacts.map(\.note) == ["abc", "abc"], "\(end.debugDescription), \(pieceSize)")
            }
        }
    }

    @Test("skips deeply nested AGENT cards without recursion")
    func deepAgents() throws {
        let depth = 20_000
        let text =
            "BEGIN:VCARD\nVERSION:2.1\nFN:A\n" + String(repeating: "AGENT:\nBEGIN:VCARD\nFN:B\n", count: depth)
            + String(repeating: "END:VCARD\n", count: depth) + "TEL:112\nEND:VCARD\n"
        let (contacts, errors) = try readCards(text)
        #expect(errors.isEmpty)
        #expect(contacts.map(\.phones.count) == [1])
    }
}

/// Returns the differences after exporting a contact as vCard 3.0 and 4.0 and parsing it again.
func changesByExport(_ contact: Contact, region: String?) throws -> [String] {
    let contact = contact.deduplicated
    var changes: [String] = []
    for version in [VCardWriter.Version.version3, .version4] {
        let text = VCardWriter(version: version).card(of: contact)
        let (again, errors) = try readCards(Array(text.utf8), region: region)
        changes += errors.map { "\(version): \($0)" }
        changes +=
            again.first.map { differences(contact, forgettingUID($0.deduplicated, contact)) } ?? ["\(version): lost"]
    }
    return changes
}

/// Removes the UID that the export writes for a contact without a source UID.
private func forgettingUID(_ contact: Contact, _ original: Contact) -> Contact {
    var contact = contact
    if original.sourceUID.isEmpty { contact.sourceUID = "" }
    return contact
}
