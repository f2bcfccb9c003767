import Foundation
import SwitchboardTestSupport
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Returns the contacts and errors of a vCard text, read in pieces of a size.
func readCards(
    _ bytes: [UInt8], region: String? = "TR", pieceSize: Int = .max
) throws -> (contacts: [Contact], errors: [MalformedInput]) {
    var rest = bytes[...]
    var reader = try VCardReader(
        ByteStream {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(pieceSize) }
            return Array(rest.prefix(pieceSize))
        })
    var contacts: [Contact] = []
    var errors: [MalformedInput] = []
    while true {
        do {
            guard let card = try reader.next() else { return (contacts, errors) }
            contacts.append(try Contact(card, region: region))
        } catch let error as MalformedInput {
            errors.append(error)
        }
    }
}

func readCards(_ text: String, region: String? = "TR") throws -> (contacts: [Contact], errors: [MalformedInput]) {
    try readCards(Array(text.utf8), region: region)
}

@Suite("Reading vCards")
struct VCardReaderTests {
    static let android = """
        BEGIN:VCARD\r
        VERSION:2.1\r
        N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96zt=C3=BCrk;Ay=C5=9Fe;;;\r
        FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ay=C5=9Fe =C3=96zt=C3=BCrk\r
        TEL;CELL;PREF:0532 123 45 67\r
        TEL;WORK:+90-212-555-0100\r
        EMAIL;HOME:ayse@example.org\r
        NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:first line=0D=0Asecond =\r
        line, =C3=\r
        =96zel\r
        X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Ay;1;;;;;;;;;;;;;\r
        PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD\r
         AAAABBBBCCCCDDDD\r
        \r
        END:VCARD\r

        """

    @Test("reads version 2.1 of Android: quoted-printable, types without names, a private nickname property")
    func android21() throws {
        let (contacts, errors) = try readCards(Self.android)
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(contact.displayName == "Ayşe Öztürk")
        #expect(contact.name == PersonName(given: "Ayşe", family: "Öztürk"))
        #expect(contact.nickname == "Ay")
        #expect(contact.phones.map(\.label) == ["mobile", "work"])
        #expect(contact.phones.map(\.number.e164) == ["+905321234567", "+902125550100"])
        #expect(contact.phones.map(\.isPreferred) == [true, false])
        #expect(contact.emails == [Email(label: "home", address: "ayse@example.org")])
        #expect(contact.note == "first line\nsecond line, Özel")
        #expect(contact.photo?.mediaType == "image/jpeg")
        #expect(contact.photo?.data?.base64EncodedString() == "/9j/4AAQSkZJRgABAQAAAQABAADAAAABBBBCCCCDDDA=")
        #expect(contact.otherProperties.isEmpty)
    }

    @Test("reads version 3.0 of iPhones: groups with custom labels, lowercase types")
    func iPhone30() throws {
        let (contacts, errors) = try readCards(
            """
            BEGIN:VCARD
            VERSION:3.0
            PRODID:-//Apple Inc.//iPhone OS 17.5//EN
            N:O'Connor;Anne-Marie;Ruth;Dr.;PhD
            FN:Dr. Anne-Marie Ruth O'Connor PhD
            NICKNAME:Annie,Rie
            ORG:Acme\\, Inc.;Research;Optics
            TITLE:Engineer
            X-PHONETIC-FIRST-NAME:an mari
            EMAIL;type=INTERNET;type=HOME;type=pref:anne@example.com
            TEL;type=CELL;type=VOICE;type=pref:+1 (212) 555-0100
            TEL;type=IPHONE;type=CELL;type=VOICE:+1 212 555 0101
            item1.TEL:+1 212 555 0102
            item1.X-ABLabel:Beach house
            item2.TEL:+1 212 555 0103
            item2.X-ABLabel:_$!<HomeFAX>!$_
            item3.ADR;type=HOME:;;1 Main St.\\nApt 4;Springfield;IL;62701;USA
            item3.X-ABADR:us
            item4.URL;type=pref:http\\://example.com
            item4.X-ABLabel:_$!<HomePage>!$_
            BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15
            NOTE:a\\, b\\; c\\nd \\\\ e
            UID:urn:uuid:4FBE8971
            END:VCARD
            """, region: nil)
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(
            contact.name
                == PersonName(prefix: "Dr.", given: "Anne-Marie", middle: "Ruth", family: "O'Connor", suffix: "PhD"))
        #expect(contact.formattedName.isEmpty)
        #expect(contact.nickname == "Annie, Rie")
        #expect(contact.organization == "Acme, Inc.")
        #expect(contact.department == "Research; Optics")
        #expect(contact.phones.map(\.label) == ["mobile", "mobile", "Beach house", "home fax"])
        #expect(contact.phones.first?.number.e164 == "+12125550100")
        let address = PostalAddress(
            label: "home", street: "1 Main St.\nApt 4", locality: "Springfield", region: "IL", postalCode: "62701",
            country: "USA")
        #expect(contact.addresses.count == 1 && contact.addresses[0].isSame(as: address))
        #expect(contact.addresses[0].parameters == ";X-GROUP=item3")
        #expect(contact.urls.map(\.url) == ["http://example.com"] && contact.urls[0].label == "HomePage")
        #expect(contact.urls[0].parameters == ";PREF=1")
        #expect(contact.birthday == "--04-15")
        #expect(contact.note == "a, b; c\nd \\ e")
        #expect(contact.sourceUID == "4FBE8971")
        #expect(contact.otherProperties == ["X-ABADR;X-GROUP=item3:us"])
    }

    @Test("reads version 4.0: tel URIs, quotation marks and carets in parameters")
    func version40() throws {
        let (contacts, errors) = try readCards(
            """
            BEGIN:VCARD
            VERSION:4.0
            FN:Carmen Luz Diaz
            TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+34-91-123-45-67;ext=12
            TEL;VALUE=uri;TYPE=cell:tel:+34612345678
            EMAIL;PREF=2:carmen@example.es
            BDAY:--0415
            GENDER:F
            RELATED;TYPE=friend;X-NAME="a^nb^'c":urn:uuid:f81d4fae
            END:VCARD
            """)
        #expect(errors.isEmpty)
        let contact = try #require(contacts.first)
        #expect(contact.name == PersonName(given: "Carmen", middle: "Luz", family: "Diaz"))
        #expect(contact.phones.map(\.number.e164) == ["+34911234567", "+34612345678"])
        #expect(contact.phones.map(\.number.extensionNumber) == ["12", nil])
        #expect(contact.phones.map(\.label) == ["home", "mobile"])
        #expect(contact.birthday == "--04-15")
        #expect(contact.otherProperties.count == 2)
    }

    @Test("reads cards of Evolution, Thunderbird and Outlook")
    func desktopPrograms() throws {
        let (contacts, errors) = try readCards(
            """
            BEGIN:VCARD
            VERSION:3.0
            N:Müller;Jürgen;;;
            FN:Jürgen Müller
            X-EVOLUTION-FILE-AS:Müller\\, Jürgen
            TEL;X-EVOLUTION-UI-SLOT=1;TYPE="WORK,VOICE":030 1234567
            END:VCARD
            begin:vcard
            fn:Jan van der Berg
            n:van der Berg;Jan
            email;internet:jan@example.nl
            tel;cell:06 12345678
            x-mozilla-html:FALSE
            version:2.1
            end:vcard
            BEGIN:VCARD
            VERSION:2.1
            N;LANGUAGE=de;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:Stra=DFer;Bj=F6rn
            TEL;WORK;VOICE:(030) 7654321
            TEL;WORK;FAX:(030) 7654322
            X-MS-OL-DEFAULT-POSTAL-ADDRESS:0
            END:VCARD
            """, region: "DE")
        #expect(errors.isEmpty)
        #expect(contacts.map(\.displayName) == ["Jürgen Müller", "Jan van der Berg", "Björn Straßer"])
        #expect(contacts.map { $0.phones.map(\.label) } == [["work"], ["mobile"], ["work", "work fax"]])
        #expect(contacts[0].otherProperties == ["X-EVOLUTION-FILE-AS:Müller\\, Jürgen"])
        #expect(contacts[1].name.family == "van der Berg")
    }

    @Test("reads pieces of any size, folds within a character, any line ending, byte order marks and UTF-16")
    func transports() throws {
        let expected = try readCards(Self.android).contacts
        let bytes = Array(Self.android.utf8)
        for pieceSize in [1, 2, 3, 7, 64] {
            #expect(try readCards(bytes, pieceSize: pieceSize).contacts == expected)
        }
        #expect(try readCards([0xEF, 0xBB, 0xBF] + bytes).contacts == expected)
        #expect(try readCards(bytes.filter { $0 != 0x0D }).contacts == expected)
        #expect(try readCards(bytes.filter { $0 != 0x0A }).contacts == expected)
        let units = Array(Self.android.utf16)
        for pieceSize in [1, 5, 1000] {
            let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
            #expect(try readCards(little, pieceSize: pieceSize).contacts == expected)
        }
        #expect(try readCards(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }).contacts == expected)

        let name = Array("FN:Łukasz Żółć 山田".utf8)
        for fold in 1..<name.count {
            let folded = name[..<fold] + Array("\r\n ".utf8) + name[fold...]
            let card = Array("BEGIN:VCARD\r\nVERSION:3.0\r\n".utf8) + folded + Array("\r\nEND:VCARD\r\n".utf8)
            #expect(try readCards(card).contacts.map(\.displayName) == ["Łukasz Żółć 山田"])
        }
    }

    @Test(
        "displays a card without a name by another property",
        arguments: [
            ("N:Diaz;Carmen;;;", "Carmen Diaz"), ("FN:\nN:;;;;\nORG:Acme;Sales", "Acme"), ("NICKNAME:Bob", "Bob"),
            ("EMAIL:a@example.org", "a@example.org"), ("TEL:0532 123 45 67", "0532 123 45 67"),
            ("FN:Acme\nORG:Acme", "Acme"), ("X-SKYPE;TYPE=skype;X-OSSO-VALID=yes:river.fox", "river.fox"),
            ("IMPP;X-SERVICE-TYPE=Jabber:xmpp:mo@example.org", "mo@example.org"),
            ("X-messaging/irc-All:owenr", "owenr"), ("TEL;TYPE=x-handle:@mo", "@mo"),
            ("NOTE:first\\nsecond\nX-JABBER:mo@example.org", "mo@example.org"), ("NOTE:first\\nsecond", "first"),
            ("URL:https://example.org", "https://example.org"), ("ADR:;;1 Road;Town;;;", "1 Road, Town"),
        ])
    func names(_ lines: String, _ name: String) throws {
        let (contacts, errors) = try readCards("BEGIN:VCARD\nVERSION:3.0\n\(lines)\nEND:VCARD\n")
        #expect(errors.isEmpty)
        #expect(contacts.map(\.displayName) == [name])
    }

    struct ErrorCase: Sendable, CustomTestStringConvertible {
        let name: String
        let text: [UInt8]
        let line: Int
        let column: Int?
        let reason: String
        let kept: Int
        var testDescription: String { name }

        init(_ name: String, _ text: String, line: Int, column: Int? = nil, _ reason: String, kept: Int = 1) {
            self.init(name, bytes: Array(text.utf8), line: line, column: column, reason, kept: kept)
        }

        init(_ name: String, bytes: [UInt8], line: Int, column: Int? = nil, _ reason: String, kept: Int = 1) {
            (self.name, self.text, self.line, self.column) = (name, bytes, line, column)
            (self.reason, self.kept) = (reason, kept)
        }
    }

    static let good = "BEGIN:VCARD\nVERSION:3.0\nFN:Good One\nEND:VCARD\n"

    @Test(
        "reports the position of a malformed card and reads the others",
        arguments: [
            ErrorCase("cut at the end", good + "BEGIN:VCARD\nVERSION:3.0\nFN:Cut", line: 5, "without END:VCARD"),
            ErrorCase(
                "cut before the next", "BEGIN:VCARD\nFN:Cut\n" + good, line: 1,
                "no END:VCARD before the next one in line 3"),
            ErrorCase("no BEGIN", "FN:Stray\nTEL:1\nEND:VCARD\n" + good, line: 1, "expected BEGIN:VCARD"),
            ErrorCase("no vCard at all", "hello\nworld\n", line: 1, "expected BEGIN:VCARD", kept: 0),
            ErrorCase(
                "unknown version", "BEGIN:VCARD\nVERSION:5.0\nFN:A\nEND:VCARD\n" + good, line: 2, "version \"5.0\""),
            ErrorCase("nothing", "BEGIN:VCARD\nVERSION:3.0\nN:;;;;\nUID:1\nEND:VCARD\n" + good, line: 1, "is empty"),
        ])
    func errors(_ example: ErrorCase) throws {
        let (contacts, errors) = try readCards(example.text)
        #expect(contacts.count == example.kept)
        let error = try #require(errors.first)
        #expect(errors.count == 1)
        #expect(error.line == example.line)
        #expect(error.column == example.column)
        #expect(error.reason.contains(example.reason), "\(error)")
    }

    @Test(
        "keeps a card with an unreadable line, and says so",
        arguments: [
            ("FN:A\nX-messaging/irc-All:owenr", 3, "“X-messaging/irc-All”", "X-UNREAD-LINE=X-messaging/irc-All:owenr"),
            ("FN:A\nX my line:b", 3, "invalid property name", "X-UNREAD-LINE=X my line:b"),
            ("FN:A\nME@home:b", 3, "invalid property name", "X-UNREAD-LINE=ME@home:b"),
            ("FN:A\nÜBER;A=b:c,d", 3, "invalid property name", "X-UNREAD-LINE=ÜBER;A=b:c,d"),
            ("FN:A\nTEL:1\n;TYPE=x:y", 4, "invalid property name", "X-UNREAD-LINE=;TYPE=x:y"),
            ("TEL:1\nnonsense", 3, "no colon; the line is kept", "X-UNREAD-LINE=nonsense"),
            ("FN:A\nB", 3, "no colon; it was added to FN", "FN=A\nB"),
            ("NOTE:a\n\n\nb\nc", 5, "no colon; it was added to NOTE", "NOTE=a\n\n\nb\nc"),
            ("FN;ENCODING=QUOTED-PRINTABLE:A=ZZ", 2, "not valid quoted-printable", "FN=A=ZZ"),
            ("FN;CHARSET=KLINGON:A", 2, "unknown character set “KLINGON”", "FN=A"),
            ("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jos=C3", 2, "became U+FFFD", "FN=Jos\u{FFFD}"),
            ("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E5=B1=B1=E7=94", 2, "U+FFFD", "FN=山\u{FFFD}"),
            ("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=FCrg", 2, "was read as Windows-1252", "FN=Jürg"),
        ])
    func unreadableLines(_ lines: String, _ line: Int, _ reason: String, _ property: String) throws {
        for end in ["\n", "\r\n"] {
            let text = "BEGIN:VCARD\n\(lines)\nX-AFTER:1\nEND:VCARD\n".replacing("\n", with: end)
            var reader = try VCardReader(ByteStream(Array(text.utf8)))
            let card = try #require(try reader.next())
            #expect(
                card.notes.first?.line == line && card.notes.first?.reason.contains(reason) == true, "\(card.notes)")
            #expect(card.properties.map { $0.name + "=" + $0.text }.contains(property), "\(card.properties)")
            #expect(card.properties.last?.name == "X-AFTER")
            #expect(try reader.next() == nil && reader.takeNotes().isEmpty)
        }
    }

    @Test(
        "reads the cards around text outside of them, and says so",
        arguments: [
            ("", "NULL", [6: "“NULL”"]), ("", "\u{0}\n \t\n\u{FEFF}\n\u{A0}\n", [:]),
            ("", "a\nb\n\nc\n", [6: "“a” and 2 more lines"]),
            ("exported by\n", "", [1: "“exported by”"]), ("\u{C}\n", "\u{1A}", [:]),
        ])
    func strayText(_ before: String, _ after: String, _ notes: [Int: String]) throws {
        let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Bo\nTEL:1\nEND:VCARD\n"
        var reader = try VCardReader(ByteStream(Array((before + card + after).utf8)))
        let (first, second) = (try reader.next(), try reader.next())
        #expect(first?.properties.count == 2 && second == nil)
        let found = reader.takeNotes()
        #expect(found.map(\.line) == notes.keys.sorted())
        for note in found { #expect(note.reason.contains(notes[note.line] ?? "?"), "\(note)") }
    }

    @Test(
        "reads files that were joined without a line break",
        arguments: [
            "END:VCARDBEGIN:VCARD", "END:VCARDNULL\nBEGIN:VCARD", "END:VCARD\nNULLBEGIN:VCARD",
            "END:VCARD \n\nBEGIN:VCARD ",
        ])
    func joinedFiles(_ joint: String) throws {
        let (contacts, errors) = try readCards("BEGIN:VCARD\nFN:A\n\(joint)\nFN:B\nEND:VCARD")
        #expect(errors.isEmpty && contacts.map(\.displayName) == ["A", "B"])
    }

    @Test("decodes values that are not UTF-8 as Windows-1252 and reports the line")
    func windows1252() throws {
        let latin = Array("BEGIN:VCARD\nVERSION:3.0\nN:M".utf8) + [0xFC] + Array("ller;J".utf8) + [0xFC]
        let rest = Array("rgen;;;\nFN:Jürgen Müller\nNOTE;X-A=".utf8) + [0xE4] + Array(":\u{20AC}: ".utf8)
        let end = Array("\nTEL:112\nNOTE;ENCODING=QUOTED-PRINTABLE:=80=FC\nEND:VCARD\n".utf8)
        var reader = try VCardReader(ByteStream(latin + rest + [0x80] + end))
        let card = try #require(try reader.next())
        #expect(card.firstAssumedLine == 3)
        #expect(card.properties.map(\.value) == ["Müller;Jürgen;;;", "Jürgen Müller", "â‚¬: €", "112", "€ü"])
        #expect(card.properties.map(\.isAssumedWindows1252) == [true, false, true, false, true])
        #expect(card.properties[2].values(of: "X-A") == ["ä"])
        var plain = try VCardReader(ByteStream(Array("BEGIN:VCARD\nFN:Jürgen\nEND:VCARD\n".utf8)))
        #expect(try plain.next()?.firstAssumedLine == nil)
    }

    @Test("a truncated card is an error or a card and never crashes")
    func tornAnywhere() throws {
        let bytes = Array(Self.android.utf8)
        for length in 0..<bytes.count {
            let (contacts, errors) = try readCards(Array(bytes[..<length]))
            #expect(contacts.count + errors.count <= 1)
        }
        var generator = SplitMix(seed: 42)
        for _ in 0..<300 {
            var noisy = bytes
            for _ in 0..<5 {
                noisy[Int(generator.next() % UInt64(noisy.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            _ = try readCards(noisy)
        }
    }

    @Test(
        "decodes the character sets of old phones",
        arguments: [
            ("ISO-8859-1", [0x4A, 0xFC, 0x72, 0x67], "Jürg"), ("Windows-1251", [0xC8, 0xE2, 0xE0, 0xED], "Иван"),
            ("ISO-8859-9", [0x41, 0x79, 0xFE, 0x65], "Ayşe"), ("Shift_JIS", [0x8E, 0x52, 0x93, 0x63], "山田"),
            ("KOI8-R", [0xE9, 0xD7, 0xC1, 0xCE], "Иван"), ("GBK", [0xCD, 0xF5, 0xD0, 0xA1], "王小"),
            ("Big5", [0xA4, 0xFD], "王"), ("EUC-KR", [0xB1, 0xE8], "김"), ("ISO-8859-15", [0xA4], "€"),
        ] as [(String, [UInt8], String)])
    func charsets(_ name: String, _ bytes: [UInt8], _ text: String) {
        #expect(Charset.decode(bytes[...], named: name) == text)
    }
}
