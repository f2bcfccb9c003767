import Foundation
import SwitchboardTestSupport
import SwitchboardVCard
import Testing

@testable import SwitchboardContacts

/// Mutated vCards and CSV files are parsed or rejected with a position. Parsed contacts survive an export, and
/// importing them again changes nothing.
@Suite("Random vCards and CSV files")
struct CardFuzzTests {
    private static let cardPieces = [
        "BEGIN:VCARD\r\n", "END:VCARD\r\n", "VERSION:2.1\r\n", "VERSION:4.0\r\n", "AGENT:\r\n", "KIND:group\r\n",
        "MEMBER:a\r\n", ":", ";",
        ",", "=", "\\", "\\n", "\\,", "\"", "^n", "^'", ".", "\r", "\n", "\r\n ", "\n\t", "=\r\n", "=C3", "=0D=0A",
        "=ZZ", "\u{FEFF}", "\u{0}",
        "\u{301}", "ß", "İ", "山", "😀", "\u{2028}", "\u{202E}", "item1.", "ITEM1.X-ABLabel:_$!<Home>!$_\r\n",
        "X-LABEL=a,b;", "TEL;", "tel:",
        ";ext=5", "+90 532 123 45 67", "٠٥٣٢", "N:;;;;\r\n", "FN:\r\n", "ORG:a;b\\;c\r\n", "SORT-STRING:a,b\r\n",
        ";SORT-AS=\"x,y\"",
        "NICKNAME:a\\, b,c\r\n", "BDAY:16040229\r\n", ";X-APPLE-OMIT-YEAR=1604", "BDAY:--0230\r\n", ";CHARSET=UTF-16",
        ";CHARSET=SHIFT_JIS",
        ";CHARSET=ISO-2022-JP", ";ENCODING=QUOTED-PRINTABLE", ";ENCODING=b", ";BASE64",
        "PHOTO:data:image/png;base64,iVBO\r\n",
        "LOGO;TYPE=home,PNG;ENCODING=b:AAAA\r\n", "KEY:data:application/pgp;base64,AA\r\n", ";VALUE=uri",
        ";TYPE=\"a,b\"", ";PREF=1", "mailto:",
        "CATEGORIES:a,* starred,\\,\r\n", "X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;x\r\n", "* ", "_$!<",
        ">!$_",
    ]
    private static let tablePieces = [
        ",", ";", "\t", "\"", "\"\"", "\r\n", "\n", "\r", " ::: ", "sep=;\r\n", "\u{FEFF}", "\u{0}", "\u{301}", "😀",
        "'", "=\"", "* ", "--04-12",
        "First Name", "Phone 1 - Value", "Phone 99 - Label", "Phone 0 - Value", "E-mail 1 - Value",
        "Address 1 - Formatted", "Categories",
        "Other Properties", "PHOTO;ENCODING=b:AAAA", "0/0/00", "+90 532 123 45 67", "a@example.org",
    ]

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let samples: [String]
        let pieces: [String]
        var testDescription: String { name }
    }

    static let kinds = [
        Kind(name: "cards", samples: Samples.cards.map { $0 + ".vcf" } + Samples.found(".vcf"), pieces: cardPieces),
        Kind(name: "tables", samples: Samples.tables.map { $0 + ".csv" } + Samples.found(".csv"), pieces: tablePieces),
    ]

    /// `FUZZ_ROUNDS` sets the number of rounds, of which this test, whose rounds are slow, runs a tenth with a random
    /// seed.
    @Test("mutated files are parsed or rejected, and contacts survive an export", arguments: kinds)
    func mutations(_ kind: Kind) throws {
        let configured = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) }
        let rounds = configured.map { $0 / 10 } ?? 90
        var random = SplitMix(seed: configured == nil ? 7 : UInt64.random(in: .min ... .max))
        let corpus = try kind.samples.map(Samples.bytes)
        let pieces = kind.pieces.map { Array($0.utf8) }
        var (files, contacts, errors, longest) = (0, 0, 0, 0.0)
        while files < rounds {
            let file = Self.mutated(corpus, pieces, &random)
            let start = Date()
            let read = kind.name == "cards" ? try readCards(file, region: "TR") : try Self.readTableOrReject(file)
            longest = max(longest, Date().timeIntervalSince(start))
            let lines = file.reduce(2) { $1 == 0x0A || $1 == 0x0D ? $0 + 1 : $0 }
            for error in read.errors where error.line < 1 || error.line > lines || error.column ?? 1 < 1 {
                Self.report(file, "an error outside the file: \(error)")
            }
            for contact in read.contacts {
                let changes =
                    try kind.name == "cards" ? changesByExport(contact, region: "TR") : Self.changesByTable(contact)
                if !changes.isEmpty { Self.report(file, changes.joined(separator: "\n")) }
            }
            if files % 16 == 0 { try Self.importTwice(file, name: kind.name == "cards" ? "a.vcf" : "a.csv") }
            files += 1
            contacts += read.contacts.count
            errors += read.errors.count
        }
        #expect(contacts > 0 && errors > 0)
        print(
            "\(kind.name): \(files) files, \(contacts) contacts, \(errors) errors; the longest took \(Int(longest * 1000)) ms"
        )
    }

    @Test("handles the findings of earlier runs", arguments: Samples.found(""))
    func found(_ name: String) throws {
        let file = try Samples.bytes(name)
        if name.hasSuffix(".vcf") {
            for contact in try readCards(file, region: "TR").contacts {
                #expect(try changesByExport(contact, region: "TR") == [])
            }
        } else {
            for contact in try Self.readTableOrReject(file).contacts {
                #expect(try Self.changesByTable(contact) == [])
            }
        }
        try Self.importTwice(file, name: name)
    }

    private static func report(_ file: [UInt8], _ problem: String) {
        Issue.record("\(problem)\n\(Data(file).base64EncodedString())")
    }

    private static func mutated(_ corpus: [[UInt8]], _ pieces: [[UInt8]], _ random: inout SplitMix) -> [UInt8] {
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }
        var file = corpus[below(corpus.count)]
        if below(4) == 0 {
            // Inserts a part of another file.
            let other = corpus[below(corpus.count)]
            let start = below(other.count)
            file.insert(contentsOf: other[start..<min(other.count, start + below(400))], at: below(file.count))
        }
        for _ in 0...below(12) {
            let place = below(file.count + 1)
            let removed = place..<min(file.count, place + below(5))
            let piece = below(3) == 0 ? [UInt8(below(256))] : pieces[below(pieces.count)]
            file.replaceSubrange(removed, with: repeatElement(piece, count: below(200) == 0 ? 3000 : 1).joined())
        }
        return file
    }

    private static func readTableOrReject(_ file: [UInt8]) throws -> (contacts: [Contact], errors: [MalformedInput]) {
        do {
            return try readTable(file)
        } catch let error as MalformedInput {
            return ([], [error])
        }
    }

    private static func changesByTable(_ contact: Contact) throws -> [String] {
        let contact = contact.deduplicated
        var widths = CSVWriter.Widths()
        widths.include(contact)
        let writer = CSVWriter(widths: widths)
        let (again, errors) = try readTableOrReject(Array((writer.header + writer.row(of: contact)).utf8))
        guard var new = again.first?.deduplicated else { return ["lost: \(errors)"] }
        if contact.sourceUID.isEmpty { new.sourceUID = "" }
        return differences(contact, new)
    }

    /// Imports a file twice, keeping well-formed cards. The second import must add nothing.
    private static func importTwice(_ file: [UInt8], name: String) throws {
        let book = try emptyBook(region: "TR")
        let source = ImportSource.bytes(file, name: name)
        let first = try book.importContacts(from: [source])
        let second = try book.importContacts(from: [source])
        if first.skipped != second.skipped || second.added > 0 {
            report(file, "imported twice: \(first), \(second)")
        }
    }
}

extension Samples {
    /// The findings of earlier runs.
    static func found(_ ending: String) -> [String] {
        guard let folder = Bundle.module.url(forResource: "Samples/Found", withExtension: nil) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().map { "Found/" + $0 }
    }
}
