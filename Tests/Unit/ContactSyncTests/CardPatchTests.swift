import Foundation
import SwitchboardContacts
import SwitchboardVCard
import Testing

@testable import SwitchboardContactSync

@Suite("Updating a card file")
struct CardPatchTests {
    /// A change and the lines that it removes and adds. All other lines stay byte for byte and in order.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let lines: [String]
        let removed: [String]
        let added: [String]
        let change: @Sendable (inout Contact) -> Void

        init(
            _ name: String, _ lines: [String], removed: [String] = [], added: [String] = [],
            _ change: @escaping @Sendable (inout Contact) -> Void
        ) {
            (self.name, self.lines, self.removed, self.added, self.change) = (name, lines, removed, added, change)
        }

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case("nothing", ["TEL:1234567", "X-A:b"]) { _ in },
        Case("a title is added", ["X-A;B=\"c;d\":e\\,f"], added: ["TITLE:Captain\\, retired"]) {
            $0.title = "Captain, retired"
        },
        Case(
            "a title changes and keeps its parameters", ["TITLE;LANGUAGE=en:Mate"], removed: ["TITLE;LANGUAGE=en:Mate"],
            added: ["TITLE;LANGUAGE=en:Captain"]
        ) { $0.title = "Captain" },
        Case("a title is removed", ["TITLE:Mate", "ORG:Ship"], removed: ["TITLE:Mate"]) { $0.title = "" },
        Case("a second title stays", ["TITLE:Mate", "TITLE:Cook"], removed: ["TITLE:Mate"], added: ["TITLE:Captain"]) {
            $0.title = "Captain"
        },
        Case(
            "one of two numbers changes", ["TEL;TYPE=home,voice:0212 555 01 00", "TEL;TYPE=cell;X-Q=1:0532 123 45 67"],
            removed: ["TEL;TYPE=cell;X-Q=1:0532 123 45 67"], added: ["TEL;TYPE=cell;X-Q=1:0533 765 43 21"]
        ) { $0.phones[1].number = PhoneNumber("0533 765 43 21", region: "TR") },
        Case(
            "a number is added after the others", ["TEL:0212 555 01 00", "NOTE:a"],
            added: ["TEL;TYPE=WORK:+12125550123"]
        ) {
            $0.phones.append(Phone(typed: "work:+12125550123", region: nil))
        },
        Case(
            "a number is removed with its label",
            ["item1.TEL:0212 555 01 00", "item1.X-ABLabel:Boat", "item2.X-MASCOT:cat"],
            removed: ["item1.TEL:0212 555 01 00", "item1.X-ABLabel:Boat"]
        ) { $0.phones = [] },
        Case(
            "a shared label stays", ["g.TEL:0212 555 01 00", "g.X-ABLabel:Boat", "g.EMAIL:a@example.org"],
            removed: ["g.TEL:0212 555 01 00"]
        ) { $0.phones = [] },
        Case(
            "a custom label is added", ["EMAIL:a@example.org"], removed: ["EMAIL:a@example.org"],
            added: ["switchboard1.EMAIL;TYPE=INTERNET:a@example.org", "switchboard1.X-ABLabel:Boat"]
        ) { $0.emails[0].label = "Boat" },
        Case(
            "a new group name is unique", ["switchboard1.X-MASCOT:cat"],
            added: ["switchboard2.EMAIL;TYPE=INTERNET:a@example.org", "switchboard2.X-ABLabel:Boat"]
        ) { $0.emails = [Email(label: "Boat", address: "a@example.org")] },
        Case(
            "the same number twice stays twice", ["TEL;TYPE=HOME:0212 555 01 00", "TEL;TYPE=WORK:0212 555 01 00"],
            added: ["TITLE:Captain"]
        ) { $0.title = "Captain" },
        Case(
            "notes of two lines become one", ["NOTE:a", "X-A:b", "NOTE:c"], removed: ["NOTE:a", "NOTE:c"],
            added: ["NOTE:d\\ne"]
        ) { $0.note = "d\ne" },
        Case("a favourite", ["X-ABUID:1"], added: ["X-SWITCHBOARD-FAVOURITE:1"]) { $0.isFavourite = true },
        Case("no longer a favourite", ["X-ANDROID-STARRED:1"], removed: ["X-ANDROID-STARRED:1"]) {
            $0.isFavourite = false
        },
        Case("an unknown property is removed", ["X-A:b", "X-C;D=e:f"], removed: ["X-C;D=e:f"]) {
            $0.otherProperties.removeAll { $0.hasPrefix("X-C") }
        },
        Case(
            "quoted-printable becomes plain text", ["TITLE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:K=C3=B6ch"],
            removed: ["TITLE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:K=C3=B6ch"], added: ["TITLE:Kapitän"]
        ) { $0.title = "Kapitän" },
        Case(
            "the UID never changes, the revision does", ["UID:mine", "REV:20200101T000000Z"],
            removed: ["REV:20200101T000000Z"], added: ["REV:20231114T221320Z", "TITLE:Captain"]
        ) {
            $0.sourceUID = "other"
            $0.title = "Captain"
        },
        Case(
            "the name", ["NICKNAME:Bo"], removed: ["FN:Ana Smith", "N:Smith;Ana;;;"],
            added: ["FN:Ana Jones", "N:Jones;Ana;;;"]
        ) {
            $0.name.family = "Jones"
        },
    ]

    @Test("changes only the necessary lines", arguments: cases, ["\r\n", "\n"])
    func minimalChange(_ example: Case, _ end: String) throws {
        for version in ["3.0", "4.0"] where version == "3.0" || !example.added.contains(where: { $0.contains("TYPE") })
        {
            let lines =
                ["BEGIN:VCARD", "VERSION:\(version)", "FN:Ana Smith", "N:Smith;Ana;;;"] + example.lines + [
                    "END:VCARD", "",
                ]
            let old = lines.joined(separator: end)
            let file = try CardFile(Array(old.utf8), region: "TR")
            var contact = file.contact
            example.change(&contact)
            let bytes = try CardPatch.bytes(
                of: file, describing: contact, now: Date(timeIntervalSince1970: 1_700_000_000), region: "TR")
            let new = String(decoding: bytes, as: UTF8.self)
            var expected = lines
            for line in example.removed { expected.removeAll { $0 == line } }
            let kept = new.components(separatedBy: end).filter { !example.added.contains($0) }
            #expect(kept == expected)
            for line in example.added { #expect(new.contains(line + end), "\(new)") }
            #expect(new.components(separatedBy: end).count == expected.count + example.added.count)
            if end == "\n" { #expect(!new.contains("\r")) }
            let read = try CardFile(bytes, region: "TR").contact
            #expect(Set(CanonicalCard(read).properties) == Set(CanonicalCard(contact).properties))
        }
    }

    @Test("keeps folding and unusual notation of unchanged lines")
    func folds() throws {
        let start = "begin:vcard\r\nversion:3.0\r\nN:Smith;Ana\r\nfn:Ana Smith\r\nnote:one\r\n  two\r\n\tthree\r\n"
        let picture = "PHOTO;ENCODING=b;TYPE=JPEG:/9j/\r\n 4AAQ\r\n SkZJ\r\n"
        let file = try CardFile(Array((start + picture + "\r\nend:vcard").utf8), region: nil)
        var contact = file.contact
        contact.title = String(repeating: "ö", count: 60)
        let new = String(
            decoding: try CardPatch.bytes(of: file, describing: contact, now: Date(), region: nil), as: UTF8.self)
        #expect(new.hasPrefix(start + picture))
        #expect(new.hasSuffix("\r\nend:vcard"))
        #expect(new.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(try CardFile(Array(new.utf8), region: nil).contact.title == contact.title)
    }

    @Test("rewrites a card of version 2.1 or in UTF-16 with all its properties")
    func rewritten() throws {
        let old =
            "BEGIN:VCARD\r\nVERSION:2.1\r\nUID:u\r\nN:Smith;Ana\r\nTEL;CELL:0532 123 45 67\r\nX-A;B=c:d\r\nEND:VCARD\r\n"
        let wide = old.replacingOccurrences(of: "2.1", with: "3.0").replacingOccurrences(
            of: "TEL;CELL", with: "TEL;TYPE=CELL")
        let units: [UInt8] = wide.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for bytes: [UInt8] in [Array(old.utf8), [0xFF, 0xFE] + units] {
            let file = try CardFile(bytes, region: "TR")
            var contact = file.contact
            contact.title = "Captain"
            let new = try CardFile(
                try CardPatch.bytes(of: file, describing: contact, now: Date(), region: "TR"), region: "TR")
            #expect(new.card.version == "3.0")
            #expect(new.identifier == "u")
            #expect(Set(new.canonical.properties) == Set(CanonicalCard(contact).properties))
        }
    }

    /// The cards of the sample address book.
    private static let samples: [[UInt8]] = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        let file = folder.appendingPathComponent("Apps/switchboard/Samples/contacts.vcf")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "END:VCARD\r\n").dropLast().map { Array(($0 + "END:VCARD\r\n").utf8) }
    }()

    private static func change(_ contact: inout Contact) {
        contact.title = contact.title.isEmpty ? "Captain" : ""
        if contact.phones.count > 1 { contact.phones.removeFirst() }
        contact.emails.append(Email(label: "Boat", address: "boat@example.org"))
        contact.note += " and more"
        contact.isFavourite.toggle()
    }

    @Test("updates the sample cards and keeps every other line")
    func sample() throws {
        #expect(Self.samples.count > 300)
        for bytes in Self.samples {
            let file = try CardFile(bytes, region: "GB")
            #expect(try CardPatch.bytes(of: file, describing: file.contact, now: Date(), region: "GB") == bytes)
            var contact = file.contact
            Self.change(&contact)
            let new = try CardPatch.bytes(of: file, describing: contact, now: Date(), region: "GB")
            let read = try CardFile(new, region: "GB")
            #expect(Set(read.canonical.properties) == Set(CanonicalCard(contact).properties))
            guard file.card.version != "2.1" else { continue }
            let text = String(decoding: new, as: UTF8.self)
            var touched = ["TITLE", "TEL", "NOTE", "X-SWITCHBOARD-FAVOURITE", " "]
            // A contact without a name is displayed by its first number or address.
            if contact.fullName.isEmpty { touched += ["FN", "N:"] }
            for line in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
            where !touched.contains(where: line.hasPrefix) && !line.contains(".TEL") && !line.contains("X-AB") {
                #expect(text.contains(line + "\r\n") || line.isEmpty, "\(line) is missing in \(text)")
            }
        }
    }

    @Test("rejects or updates malformed cards without crashing")
    func malformed() throws {
        var numbers = SystemRandomNumberGenerator()
        let pieces = [
            ":", ";", "\r", "\n", "\r\n ", "=", "\\", ",", ".", "g.X-ABLabel:Boat\r\n", "END:VCARD", "\"", "\u{FEFF}",
        ]
        for round in 0..<1_500 {
            guard var bytes = Self.samples.randomElement(using: &numbers) else { return }
            for _ in 0...(round % 4) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                if Bool.random(using: &numbers) {
                    bytes[place] = UInt8.random(in: 0...255, using: &numbers)
                } else {
                    bytes.insert(contentsOf: Array((pieces.randomElement(using: &numbers) ?? "").utf8), at: place)
                }
            }
            guard let file = try? CardFile(bytes, region: nil) else { continue }
            var contact = file.contact
            Self.change(&contact)
            let new = try CardPatch.bytes(of: file, describing: contact, now: Date(), region: nil)
            let read = try CardFile(new, region: nil)
            #expect(
                Set(read.canonical.properties(named: "EMAIL"))
                    == Set(CanonicalCard(contact).properties(named: "EMAIL")),
                "\(String(decoding: bytes, as: UTF8.self)) became \(String(decoding: new, as: UTF8.self))")
        }
    }
}
