import Foundation
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// One bad line costs a line: the person is imported, and the report says what was not read as it is.
@Suite("Notes about an import")
struct ImportNoteTests {
    private static func card(_ lines: String) -> String { "BEGIN:VCARD\nVERSION:3.0\n\(lines)\nEND:VCARD\n" }

    private static func source(_ text: String, _ name: String = "a.vcf") -> ImportSource {
        .bytes(Array(text.utf8), name: name)
    }

    @Test("names the unreadable lines of a file once for each reason")
    func unreadableLines() throws {
        let odd = Self.card("FN:Owen Reed\nX-messaging/irc-All:owenr\nTEL:+441904000002")
        let second = Self.card("FN:Iris Hale\nX-messaging/irc-All:iris\nTEL:+441904000001")
        let book = try emptyBook()
        let report = try book.importContacts(from: [Self.source(odd + second + "NULL")])
        #expect(report.added == 2 && report.skipped.isEmpty)
        #expect(report.notes.map(\.line) == [4, 13])
        #expect(
            report.notes.map(\.reason) == [
                "invalid property name “X-messaging/irc-All”; use letters, digits and hyphens; the line is kept as "
                    + "X-UNREAD-LINE (and 1 more line)", "not imported: “NULL” outside a card",
            ])
        #expect(report.notes.allSatisfy { $0.file == "a.vcf" })
        #expect(try book.importContacts(from: [Self.source(odd + second)]).unchanged == 2)
    }

    @Test("an empty card is a note and does not reject its file")
    func emptyCard() throws {
        let nokia = Self.card("UID:abk-17\nX-SKYPE;TYPE=skype;X-OSSO-VALID=yes:river.fox")
        let book = try emptyBook()
        let report = try book.importContacts(from: [
            Self.source(nokia + Self.card("N:;;;;\nUID:1") + Self.card("FN:Good One"))
        ])
        #expect(report.added == 2 && report.skipped.isEmpty)
        #expect(report.notes.map(\.reason) == ["not imported: the card is empty"] && report.notes.map(\.line) == [6])
        #expect(try Set(book.list().map(\.displayName)) == ["river.fox", "Good One"])
        var text = ""
        try book.export(.vcard3) { text += $0 }
        #expect(try book.importContacts(from: [Self.source(text)]).unchanged == 2)
        let table = try book.importContacts(from: [Self.source("First Name,Mobile Phone\n,\nAna,112\n", "a.csv")])
        #expect(table.added == 1 && table.skipped.isEmpty && table.notes.map(\.line) == [2])
    }

    @Test(
        "notes numbers that a spreadsheet has rounded",
        arguments: [
            ("4.91721E+11", true), ("1.3055E+10", true), ("4,91721E+11", true), ("5e+9", true), ("+49 172 1", false),
            ("E+11", false), ("CAFE+11", false),
        ])
    func roundedNumbers(_ number: String, _ isNoted: Bool) throws {
        let table = "First Name,Mobile Phone\nEd,\"\(number)\"\n"
        let report = try emptyBook().importContacts(from: [Self.source(table, "a.csv")])
        #expect(report.added == 1)
        #expect(
            report.notes.contains { $0.line == 2 && $0.reason.contains("rounded the number “\(number)”") } == isNoted)
    }

    struct Encoded: Sendable, CustomTestStringConvertible {
        let name: String
        let encoding: String.Encoding
        let people: [[String]]
        /// The name that is detected.
        let detected: String
        var testDescription: String { name }

        var bytes: [UInt8] {
            let text = "First Name,Last Name,Notes\r\n" + people.map { $0.joined(separator: ",") + "\r\n" }.joined()
            return text.data(using: encoding).map(Array.init) ?? []
        }
    }

    static let encoded = [
        Encoded(
            name: "windows-1251", encoding: .windowsCP1251,
            people: [["Марфа", "Ключева", "заметка"], ["Їжак", "Щур", "добрий день"]], detected: "windows-1251"),
        Encoded(
            name: "windows-1250", encoding: .windowsCP1250,
            people: [["Łukasz", "Żółć", "wiadomość"], ["Małgorzata", "Wąsik", ""]], detected: "windows-1250"),
        Encoded(
            name: "windows-1250", encoding: .windowsCP1250,
            people: [["Tomáš", "Dvořák", "žlutý kůň"], ["Božena", "Němcová", ""]], detected: "windows-1250"),
        Encoded(
            name: "Shift_JIS", encoding: .shiftJIS, people: [["太郎", "山田", "やまだ"], ["汐里", "海野", "ウンノ"]],
            detected: "Shift_JIS"),
        Encoded(
            name: "GBK", encoding: String.Encoding(rawValue: 0x8000_0632),
            people: [["小明", "王", "上海市"], ["伟", "张", "深圳"], ["秀英", "赵", "中山"]], detected: "GBK"),
        Encoded(
            name: "windows-1252", encoding: .windowsCP1252,
            people: [["Jürgen", "Müller", "Straße"], ["Zoë", "Brontë", "cœur"], ["Åse", "Sørensen", "½ m³"]],
            detected: "Windows-1252"),
    ]

    @Test("detects the character set of a table, and says so", arguments: encoded)
    func detection(_ example: Encoded) throws {
        let book = try emptyBook()
        let report = try book.importContacts(from: [.bytes(example.bytes, name: "a.csv")])
        #expect(report.added == example.people.count)
        #expect(try Set(book.list().map(\.name.given)) == Set(example.people.map { $0[0] }))
        #expect(try Set(book.list().map(\.note)) == Set(example.people.map { $0[2] }))
        let note = try #require(report.notes.first)
        #expect(note.line == 2 && note.reason.hasPrefix("the text is not UTF-8; it was read as \(example.detected)"))
        let named = try emptyBook()
        let options = ImportOptions(encoding: example.name)
        #expect(try named.importContacts(from: [.bytes(example.bytes, name: "a.csv")], options: options).notes.isEmpty)
        #expect(try Set(named.list().map(\.name.family)) == Set(example.people.map { $0[1] }))
    }

    @Test(
        "does not guess the character set of short or similar texts",
        arguments: [
            ("Greek", String.Encoding.windowsCP1253, ["Γιώργος Παπαδόπουλος", "Ελένη Νικολάου", "Αθήνα σήμερα"]),
            ("Korean", String.Encoding(rawValue: 0x8000_0940), ["김민준", "이서연", "박지훈", "서울특별시", "안녕하세요"]),
            ("French", .windowsCP1252, ["Zoé Lefèvre", "Hélène Gonçalves", "cœur à gauche"]),
            ("Turkish", .windowsCP1254, ["Ayşe Öztürk", "Çağla Güneş", "İzmir"]),
            ("Danish", .windowsCP1252, ["Søren Ødegård", "Åse Bjørk", "Tomáš Ærø"]),
            ("Spanish", .windowsCP1252, ["Begoña Núñez", "¿Quién?", "José Ibáñez"]),
        ])
    func noGuess(_ language: String, _ encoding: String.Encoding, _ texts: [String]) throws {
        let bytes = try #require(texts.joined(separator: "\r\n").appending(",x\r\n").data(using: encoding))
        #expect(Charset.detected(in: Array(bytes)[...]) == nil)
    }

    @Test("reads cards in a named character set, and refuses an unknown one")
    func namedEncoding() throws {
        let text = Self.card("FN:Марфа\nN:;Марфа;;;\nTEL:112")
        let bytes = text.data(using: .windowsCP1251).map(Array.init) ?? []
        let book = try emptyBook()
        let source = ImportSource.bytes(bytes, name: "a.vcf")
        let report = try book.importContacts(from: [source], options: ImportOptions(encoding: "windows-1251"))
        #expect(report.added == 1 && report.notes.isEmpty)
        #expect(try book.list().map(\.displayName) == ["Марфа"])
        #expect(throws: ContactBookError.unknownEncoding("KLINGON")) {
            try book.importContacts(from: [source], options: ImportOptions(encoding: "KLINGON"))
        }
    }

    @Test("the same address has no white space around it, from a card and from a table")
    func whiteSpace() throws {
        let book = try emptyBook()
        _ = try book.importContacts(from: [
            Self.source(Self.card("UID:1\nFN:Kit Roe\nADR;TYPE=work:;;Mill Lane 4;Leeds;; LS1 2AB;UK"))
        ])
        var text = ""
        try book.export(.csv) { text += $0 }
        #expect(try book.importContacts(from: [Self.source(text, "a.csv")]).unchanged == 1)
    }

    @Test("a merge keeps the other birthday under a name of this book")
    func mergedBirthdays() throws {
        let book = try emptyBook()
        let ids = try ["1970-01-02", "1971-02-03"].map { date in
            var contact = ContactBookTests.contact("Ana Lima")
            contact.birthday = date
            return try book.add(contact).id
        }
        try book.merge(ids)
        for format in [ExportFormat.vcard3, .vcard4] {
            var text = ""
            try book.export(format) { text += $0 }
            #expect(text.split(separator: "\r\n").count { $0.hasPrefix("BDAY") } == 1)
            #expect(text.contains("\r\nX-OTHER-BDAY:1971-02-03\r\n"))
        }
    }
}
