import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import Synchronization
import Testing

@testable import SwitchboardContacts

@Suite("Importing")
struct ImportTests {
    static func card(_ lines: String...) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\n" + lines.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
    }

    static func source(_ text: String, name: String = "a.vcf") -> ImportSource { .bytes(Array(text.utf8), name: name) }

    static func report(added: Int = 0, merged: Int = 0, unchanged: Int = 0) -> ImportReport {
        var report = ImportReport()
        (report.added, report.merged, report.unchanged) = (added, merged, unchanged)
        return report
    }

    @Test("rejects a card with a text that is too long, however it is written, and accepts a large photo")
    func limits() throws {
        let photo = Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x5A, count: 2 << 20)).base64EncodedString()
        let good = Self.card("FN:Ana", "item1.PHOTO;ENCODING=b;TYPE=JPEG:" + photo)
        let long = String(repeating: "a", count: 2_000_000)
        let folded = stride(from: 0, to: 2_000_000, by: 70).map { _ in " " + String(repeating: "a", count: 70) }
            .joined(separator: "\r\n")
        let bad = [
            Self.card("FN:" + long), Self.card("FN:Bo", "NOTE:" + long), Self.card("FN:Bo", "NOTE:" + folded),
            Self.card("FN:" + long.prefix(1_025)), Self.card("FN:Bo", "TEL:" + String(repeating: "1", count: 1_025)),
            Self.card("FN:Bo", (0..<15_000).map { "X-\($0):" + long.prefix(70) + "\r\n" }.joined() + "X-B:b"),
            Self.card("FN:Bo", "NOTE;ENCODING=QUOTED-PRINTABLE:" + String(repeating: "=41=\r\n", count: 300_000)),
        ]
        for card in bad {
            let book = try emptyBook()
            let report = try book.importContacts(from: [Self.source(good + card + good)])
            #expect(
                report.skipped.count == 1 && report.added == 1 && report.unchanged == 1,
                "\(card.prefix(60)): \(report)")
            #expect(report.skipped.first?.reason.contains("B") == true)
            #expect(try book.list().first?.photo?.size == (2 << 20) + 3)
        }
        let rows = "Name,Given Name,Notes\r\n,Ana,\r\n,Bo,\(long)\r\n"
        let report = try emptyBook().importContacts(from: [Self.source(rows, name: "a.csv")])
        #expect(report.added == 1 && report.skipped.first?.line == 3, "\(report)")
    }

    @Test("rejects a card with too many entries in little time")
    func longLists() throws {
        let names = (0..<150_000).map { String($0, radix: 36) }
        let pairs = stride(from: 0, to: 90_000, by: 2).map { "\(names[$0]),\(names[$0 + 1])" }
        let book = try emptyBook()
        let bad = [
            Self.card("FN:Bo", "CATEGORIES:" + names.joined(separator: ",")),
            Self.card("FN:Bo", pairs.map { "CATEGORIES:" + $0 }.joined(separator: "\r\n")),
            Self.card("FN:Bo", names.prefix(80_000).map { "NOTE:" + $0 }.joined(separator: "\r\n")),
            Self.card("FN:Bo", names.prefix(80_000).map { "NICKNAME:" + $0 }.joined(separator: "\r\n")),
            Self.card("FN:Bo", (0..<50_000).map { "TEL:+90532\(1_000_000 + $0)" }.joined(separator: "\r\n")),
            Self.card("FN:Bo", names.prefix(80_000).map { "X-A:" + $0 }.joined(separator: "\r\n")),
            Self.card("KIND:group", "FN:" + String(repeating: "g", count: 1_025)),
        ]
        let start = ContinuousClock.now
        let report = try book.importContacts(from: [Self.source(bad.joined())])
        #expect(report.skipped.count == bad.count && report.added == 0, "\(report)")
        // Comparing each entry with all others would take minutes.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(
        "reads contacts from JSON one at a time, and continues after a malformed one",
        arguments: [
            (#"[{"name": "Ana"}, {"name": "Bo"}]"#, 2, []),
            ("{\"q\": \"results\", \"results\": [\n{\"contact\": {\"name\": \"Ana\"}}], \"a\": []}", 1, []),
            ("{\"name\": \"Ana\"}\n\n{\"results\": [{\"name\": \"Bo\"}, [{\"name\": \"Cy\"}]]}\n", 3, []),
            ("[{\"name\": \"Ana\"},\n{\"name\": 3},\n{\"name\": \"B]o\\\"{\"}]", 2, [2]),
            ("[{\"name\": \"Ana\"},\n{\"name\" \"Bo\"}, {\"name\": \"Cy\"}]", 2, [2]),
            ("[{\"name\": \"Ana\"}\n{\"name\": \"Bo\"}]", 1, [2]), ("{\"results\": [{\"name\": \"Ana\"}\n", 1, [2]),
            ("{\"results\": [{\"name\": \"Ana\"}\n], \"a\": {}", 1, [2]), ("{\"results\": [\n{", 0, [2]),
            ("[\n[{\"name\": \"A", 0, [2]),
            ("[{\"name\": \"Ana\"},\n{\"name\": \"B\\u0000o\"}]", 1, [2]),
            ("[1]", 0, [1]), ("[{\"name\": \"Ana\"}] x", 1, [1]), ("{\"results\": [], \"a\": {}}", 0, [1]),
            (String(repeating: "[", count: 1_000), 0, [1]), ("[{\"name\": \"Ana\\", 0, [1]),
        ] as [(String, Int, [Int])])
    func json(text: String, count: Int, lines: [Int]) throws {
        let book = try emptyBook()
        let report = try book.importContacts(from: [Self.source(text, name: "a.json")])
        #expect(report.added == count && report.skipped.map(\.line) == lines, "\(report)")
        #expect(try book.list().count == count)
    }

    @Test("keeps the members of JSON that no field has, and finds them")
    func otherMembers() throws {
        let book = try emptyBook()
        let text =
            #"[{"name": "Ana", "hobby": "Chess, go", "age": 42, "pets": [{"kind": "heron"}], "none": [], "no": null, "phones": [{"number": "112", "ext": "7"}]}]"#
        let report = try book.importContacts(from: [
            Self.source(text, name: "a.json"), Self.source(#"{"hobby": "x"}"#, name: "b.json"),
        ])
        #expect(report.added == 1 && report.skipped.map(\.file) == ["b.json"])
        #expect(
            try book.list().first?.otherProperties == [
                "X-CUSTOM;X-LABEL=hobby:Chess\\, go", "X-CUSTOM;X-LABEL=age:42",
                #"X-CUSTOM;X-LABEL=pets:[{"kind": "heron"}]"#, "X-CUSTOM;X-LABEL=phones.0.ext:7",
            ])
        for query in ["chess", "42", "heron"] {
            #expect(try ContactSearch(book: book).search(SearchInput(query)).hits.count == 1, "\(query)")
        }
        #expect(try book.importContacts(from: [Self.source(text, name: "a.json")]).unchanged == 1)
    }

    @Test(
        "names a value of JSON that is no part of a contact, and what it should be",
        arguments: [
            (#"{"name": 3}"#, "name: not a string"), (#"{"favourite": "yes"}"#, "favourite: not true or false"),
            (#"{"name": "Ana", "phones": ["1"]}"#, "phones, row 1: not an object"),
            (#"{"name": "Ana", "phones": "1"}"#, "phones: not a list"),
            (#"{"name": "Ana", "callCount": "1"}"#, "callCount: not a number"),
            (#"{"name": "Ana", "emails": [null]}"#, "emails, row 1: null"),
            (#"{"name": "Ana", "createdAt": "now"}"#, "cannot read the time “now”; use ISO 8601"),
        ])
    func jsonReasons(text: String, reason: String) throws {
        let report = try emptyBook().importContacts(from: [Self.source(text, name: "a.json")])
        #expect(report.skipped.map(\.reason) == ["cannot read this JSON as an export of contacts: \(reason)"])
    }

    @Test("rejects a card whose facts would make a contact too large, and a photo with too many pixels")
    func merges() throws {
        let book = try emptyBook()
        func card(_ letter: String) -> String {
            Self.card("FN:Ana Smith", "TEL:0532 123 45 67", "NOTE:" + String(repeating: letter, count: 40_000))
        }
        #expect(try book.importContacts(from: [Self.source(card("a"))]) == Self.report(added: 1))
        let report = try book.importContacts(
            from: [Self.source(Self.card("FN:Bo") + card("b"))], options: ImportOptions(isStrict: true))
        #expect(report.added == 0 && report.skipped.first?.line == 5, "\(report)")
        #expect(report.skipped.first?.reason == "cannot merge with “Ana Smith”: note: longer than 64 KiB; shorten it")
        #expect(try book.importContacts(from: [Self.source(card("a"))]) == Self.report(unchanged: 1))
        let size: [UInt8] = [0, 0, 0xEA, 0x60]
        let png = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size + size
        let photo = Self.card("FN:Bo", "PHOTO;ENCODING=b;TYPE=PNG:" + Data(png).base64EncodedString())
        #expect(try book.importContacts(from: [Self.source(photo)]).skipped.first?.reason.contains("pixels") == true)
        #expect(try book.list().map(\.displayName) == ["Ana Smith"])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let first: String
        let second: String
        /// The expected number of contacts.
        let contacts: Int
        var testDescription: String { name }
    }

    @Test(
        "merges two cards if they are probably the same person",
        arguments: [
            Case(
                name: "the same number in two notations", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("FN:Ana Lima", "TEL:+90 532 1234567"), contacts: 1),
            Case(
                name: "the same number, an initial", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("FN:A. Lima", "TEL:05321234567", "EMAIL:a@example.org"), contacts: 2),
            Case(
                name: "the same number, the sorting form", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("FN:Lima, Ana", "TEL:05321234567"), contacts: 1),
            Case(
                name: "the same number, other accents", first: card("FN:Ayşe Öztürk", "TEL:0532 123 45 67"),
                second: card("FN:AYSE OZTURK", "TEL:05321234567"), contacts: 2),
            Case(
                name: "the same number, other case and spaces", first: card("FN:Ayşe Öztürk", "TEL:0532 123 45 67"),
                second: card("FN:AYŞE  öztürk", "TEL:05321234567"), contacts: 1),
            Case(
                name: "the same number, no name", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("TEL:05321234567"), contacts: 2),
            Case(
                name: "the same number, both without a name", first: card("TEL:0532 123 45 67"),
                second: card("TEL:+905321234567"), contacts: 1),
            Case(
                name: "the same number, nickname",
                first: card("FN:Roberto Lima", "NICKNAME:Beto", "TEL:0532 123 45 67"),
                second: card("FN:Beto", "TEL:05321234567"), contacts: 2),
            Case(
                name: "the same number, two people", first: card("FN:Ana Lima", "TEL:0212 555 01 00"),
                second: card("FN:Bruno Lima", "TEL:0212 555 01 00"), contacts: 2),
            Case(
                name: "the same number, other extensions", first: card("FN:Ana Lima", "TEL:0212 555 01 00 ext 1"),
                second: card("FN:Ana Lima", "TEL:0212 555 01 00 ext 2"), contacts: 2),
            Case(
                name: "the same e-mail address", first: card("FN:Ana Lima", "EMAIL:ana@example.org"),
                second: card("FN:Ana Lima", "EMAIL:Ana@Example.ORG"), contacts: 1),
            Case(
                name: "the same e-mail address, another name", first: card("FN:Ana Lima", "EMAIL:ana@example.org"),
                second: card("FN:Ana M. Lima", "EMAIL:Ana@Example.ORG"), contacts: 2),
            Case(
                name: "the same identifier, a compatible name", first: card("FN:Ana Lima", "UID:urn:uuid:7"),
                second: card("FN:Ana M. Lima", "UID:7"), contacts: 1),
            Case(
                name: "the same identifier, another name", first: card("FN:Ana Lima", "UID:urn:uuid:7"),
                second: card("FN:Ana Costa", "UID:7"), contacts: 2),
            Case(
                name: "the same name alone", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("FN:Ana Lima", "TEL:0532 123 45 68"), contacts: 2),
            Case(
                name: "the same name and company", first: card("FN:Ana Lima", "ORG:Acme", "TEL:0532 123 45 67"),
                second: card("FN:Ana Lima", "ORG:Acme", "TEL:0532 123 45 68"), contacts: 2),
            Case(
                name: "the same name and birthday", first: card("FN:Ana Lima", "BDAY:1980-04-15", "TEL:0532 123 45 67"),
                second: card("FN:Ana Lima", "BDAY:19800415", "EMAIL:a@example.org"), contacts: 2),
            Case(
                name: "the same name and postal address", first: card("FN:Ana Lima", "ADR:;;1 Main St;X;;;"),
                second: card("FN:Ana Lima", "ADR;TYPE=HOME:;;1 Main St;X;;;", "TEL:1234567"), contacts: 1),
            Case(name: "the same bare name", first: card("FN:Ana Lima"), second: card("FN:Ana Lima"), contacts: 1),
            Case(
                name: "the same name and nothing else", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("FN:Ana Lima"), contacts: 1),
            Case(
                name: "the same name and something else", first: card("FN:Ana Lima", "TEL:0532 123 45 67"),
                second: card("FN:Ana Lima", "NOTE:tall"), contacts: 2),
            Case(
                name: "the same short number", first: card("FN:Emergency", "TEL:112"),
                second: card("FN:Emergency", "TEL:112"), contacts: 1),
            Case(
                name: "the same company, no person", first: card("ORG:Acme", "TEL:0212 555 01 00"),
                second: card("ORG:Acme", "TEL:0212 555 01 00"), contacts: 1),
            Case(
                name: "two companies", first: card("ORG:Acme", "NOTE:x"), second: card("ORG:Bcme", "NOTE:x"),
                contacts: 2),
        ])
    func merging(_ example: Case) throws {
        // In one file, in two files, and in reverse order.
        for (texts, isOneFile) in [
            ([example.first, example.second], true), ([example.first, example.second], false),
            ([example.second, example.first], false),
        ] {
            let book = try emptyBook()
            let sources = isOneFile ? [Self.source(texts.joined())] : texts.map { Self.source($0) }
            let report = try book.importContacts(from: sources)
            #expect(try book.count() == example.contacts)
            #expect(report.added == example.contacts)
            #expect(report.added + report.merged + report.unchanged == 2)
            // A second import changes nothing.
            let before = try book.list()
            let generation = try book.storage.generation(of: ContactBook.module)
            #expect(try book.importContacts(from: sources) == Self.report(unchanged: 2))
            #expect(try book.list() == before)
            #expect(try book.storage.generation(of: ContactBook.module) == generation)
        }
    }

    @Test("a merge preserves all facts")
    func nothingLost() throws {
        let book = try emptyBook()
        let first = Self.card(
            "FN:Ana Lima", "UID:7", "TEL;TYPE=CELL:0532 123 45 67", "ORG:Acme", "NOTE:one", "NICKNAME:Aninha",
            "BDAY:1980-04-15", "GENDER:F")
        let second = Self.card(
            "FN:Ana Maria Lima", "UID:7", "TEL:+905321234567", "TEL;TYPE=WORK:0212 555 01 00", "ORG:Bcme", "NOTE:two",
            "NICKNAME:Ani",
            "EMAIL:ana@example.org", "X-SPOUSE:Bruno")
        let report = try book.importContacts(from: [Self.source(first), Self.source(second, name: "b.vcf")])
        #expect(report.added == 1 && report.merged == 1)
        #expect(
            report.merges == [
                ImportMerge(kept: "Ana Lima", merged: "Ana Maria Lima", reason: "same UID", file: "b.vcf", line: 1)
            ])
        let contact = try #require(try book.list().first)
        #expect(contact.displayName == "Ana Maria Lima")
        #expect(contact.phones.map(\.number.text) == ["0532 123 45 67", "0212 555 01 00"])
        #expect(contact.phones.map(\.label) == ["mobile", "work"])
        #expect(contact.organization == "Acme")
        #expect(contact.note == "one\n\ntwo")
        #expect(contact.nickname == "Aninha, Ani")
        #expect(contact.birthday == "1980-04-15")
        #expect(contact.emails.map(\.address) == ["ana@example.org"])
        #expect(contact.otherProperties == ["GENDER:F", "ORG:Bcme", "X-SPOUSE:Bruno"])
        #expect(try book.importContacts(from: [Self.source(second), Self.source(first)]) == Self.report(unchanged: 2))
    }

    @Test("a malformed card is skipped, or rejects its file and no other")
    func refusal() throws {
        let book = try emptyBook()
        let good = Self.card("FN:Good One") + Self.card("FN:Good Two")
        let bad =
            Self.card("FN:Before") + "BEGIN:VCARD\r\nFN:Broken\r\nVERSION:9.0\r\nEND:VCARD\r\n" + Self.card("FN:After")
        let sources = [
            Self.source(bad, name: "bad.vcf"), Self.source(good, name: "good.vcf"), Self.source("", name: "empty.vcf"),
            Self.source("code,city\nLHR,London\n", name: "airports.csv"),
        ]
        let report = try book.importContacts(from: sources, options: ImportOptions(isStrict: true))
        #expect(report.added == 2)
        #expect(report.skipped.map(\.file) == ["bad.vcf", "empty.vcf", "airports.csv"])
        #expect(report.skipped.map(\.line) == [7, 1, 1])
        #expect(report.isMalformed)
        #expect(try book.list().map(\.displayName) == ["Good One", "Good Two"])

        let kept = try book.importContacts(from: [Self.source(bad, name: "bad.vcf")])
        #expect(kept.added == 2)
        #expect(kept.skipped.map(\.line) == [7])
        #expect(try book.list().map(\.displayName) == ["After", "Before", "Good One", "Good Two"])
    }

    @Test("the report has the keys of the contract")
    func reportJSON() throws {
        var report = Self.report(added: 3, merged: 1)
        report.skipped = [MalformedInput(file: "a.vcf", line: 12, column: nil, reason: "x")]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(report), as: UTF8.self)
        #expect(
            json
                == #"{"added":3,"changed":[],"merged":1,"merges":[],"skipped":[{"file":"a.vcf","line":12,"reason":"x"}],"unchanged":0}"#
        )
    }

    @Test("imports cards that are not UTF-8 as Windows-1252 and notes it once")
    func notUTF8() throws {
        let book = try emptyBook()
        func card(_ name: [UInt8]) -> [UInt8] {
            Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:".utf8) + name + Array("\r\nEND:VCARD\r\n".utf8)
        }
        let file = card(Array("Ana".utf8)) + card([0x4A, 0xFC, 0x72, 0x67]) + card([0xC9, 0x76, 0x61])
        let report = try book.importContacts(from: [.bytes(file, name: "old.vcf")])
        #expect(report.added == 3 && report.skipped.isEmpty)
        #expect(report.notes.map(\.line) == [7] && report.notes.first?.file == "old.vcf")
        #expect(report.notes.first?.reason.contains("2 cards") == true)
        #expect(try book.list().map(\.displayName) == ["Ana", "Éva", "Jürg"])
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        #expect((json?["changed"] as? [Any])?.count == 1)
        #expect(try JSONDecoder().decode(ImportReport.self, from: JSONEncoder().encode(report)) == report)
    }

    @Test("a missing file is reported before anything is imported")
    func missingFile() throws {
        let book = try emptyBook()
        let good = Self.source(Self.card("FN:Good"))
        #expect(throws: ContactBookError.missingFile(path: "/nowhere/a.vcf")) {
            try book.importContacts(from: [good, .file("/nowhere/a.vcf")])
        }
        #expect(throws: ContactBookError.unreadable(path: "/", reason: "it is a folder")) {
            try book.importContacts(from: [.file("/")])
        }
        #expect(try book.count() == 0)
    }

    @Test("imports a large file in batches with progress, and a cancelled import leaves nothing")
    func largeFile() throws {
        var text = ""
        for number in 0..<3_000 {
            text += Self.card("FN:Person \(number)", "TEL:0532 \(1_000_000 + number)", "EMAIL:p\(number)@example.org")
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "import-\(UInt64.random(in: 0...(.max))).vcf"
        ).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let book = try emptyBook()
        let generation = try book.storage.generation(of: ContactBook.module)
        let seen = Mutex<[Int]>([])
        let stopped = ImportOptions(
            progress: { progress in seen.withLock { $0.append(progress.contacts) } },
            isCancelled: { seen.withLock { $0.count >= 2 } })
        #expect(throws: CancellationError.self) { try book.importContacts(from: [.file(path)], options: stopped) }
        #expect(try book.count() == 0)
        #expect(try book.storage.generation(of: ContactBook.module) == generation)
        let options = ImportOptions(progress: { progress in seen.withLock { $0.append(progress.contacts) } })
        #expect(try book.importContacts(from: [.file(path)], options: options) == Self.report(added: 3_000))
        #expect(seen.withLock { $0.last } == 3_000)
        #expect(try book.importContacts(from: [.file(path)]) == Self.report(unchanged: 3_000))
        #expect(Set(try book.list().map(\.id)).count == 3_000)
    }

    @Test("an export can be imported without loss", arguments: ExportFormat.allCases.filter { $0 != .json })
    func exportAndBack(_ format: ExportFormat) throws {
        let book = try emptyBook()
        _ = try book.add(ExportTests.full)
        for (name, phone) in [("Ayşe Öztürk", "0532 123 45 67"), ("山田太郎", "+81 90 1234 5678"), ("김민준", "112")] {
            _ = try book.add(ContactBookTests.contact(name, phones: [phone]))
        }
        var text = ""
        #expect(try book.export(format) { text += $0 } == 4)
        let contacts = try book.list()
        let again = try book.importContacts(from: [Self.source(text, name: "export")])
        #expect(again.added == 0)
        #expect(again.skipped.isEmpty)
        let other = try emptyBook()
        #expect(try other.importContacts(from: [Self.source(text, name: "export")]) == Self.report(added: 4))
        for (old, new) in zip(contacts, try other.list()) {
            var new = new
            new.id = old.id
            if old.sourceUID.isEmpty {
                #expect(new.sourceUID == old.id)
                new.sourceUID = ""
            }
            #expect(differences(old, new) == [])
        }
    }

    @Test("the JSON export is an object with the contacts under results")
    func exportJSON() throws {
        let book = try emptyBook()
        _ = try book.add(ExportTests.full)
        _ = try book.add(ContactBookTests.contact("Ana"))
        var text = ""
        try book.export(.json) { text += $0 }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let results = try #require(object["results"] as? [[String: Any]])
        #expect(results.compactMap { $0["kind"] as? String } == ["contact", "contact"])
        #expect(results.first?["title"] as? String == "Ana")
    }
}
