import Foundation
import Testing

@testable import SwitchboardBadges

/// Badges about which people complained to other readers.
@Suite("Badges that other readers get wrong")
struct ComplaintTests {
    private static func badges(_ file: [UInt8]) throws -> [Badge] {
        try BadgeReader().read(file).flatMap(\.badges).map { try $0.get() }
    }

    static let cases: [(String, [Badge])] = [
        ("10-white-on-transparent", [Badge(name: "Uta Adler", email: "uta@adler.example")]),
        ("4-kanji-mode", [Badge(name: "佐藤花子", email: "hanako@sato.example")]),
        ("4-shift-jis-bytes", [Badge(name: "佐藤花子", email: "hanako@sato.example")]),
        ("5-eci-gb18030", [Badge(name: "王小明", email: "wang@xm.example")]),
        ("5-eci-iso-8859-2", [Badge(name: "Łukasz Żółw", email: "l@zolw.example")]),
        ("5-eci-iso-8859-5", [Badge(name: "Мария Соколова", email: "maria@sokol.example")]),
        (
            "6-structured-append",
            [
                Badge(
                    name: "Uta Adler", email: "uta.adler@adler-optik.example.org", phone: "+4930555010",
                    organization: "Adler Optik")
            ]
        ),
        ("8-mailto-in-email", [Badge(name: "Tove Holm", email: "tove@holm.example")]),
        ("9-mecard-comma", [Badge(name: "Ben Roth, Jr.", email: "ben@roth.example")]),
    ]

    @Test("The pictures of the complaints are read", arguments: cases)
    func pictures(_ name: String, _ badges: [Badge]) throws {
        let url = try #require(
            Bundle.module.url(forResource: "Resources/cases/aib-\(name).png", withExtension: nil))
        #expect(try Self.badges([UInt8](Data(contentsOf: url))) == badges)
    }

    // MARK: - One badge, one person

    private static let long =
        "BEGIN:VCARD\nVERSION:3.0\nFN:Zoë Adler\nEMAIL:zoe@adler-optik.example.org\nTEL:+4930555010\nEND:VCARD"

    /// The parts of a vCard as QR codes.
    private static func parts(_ count: Int, text: String = long, sequence: Int = 7) throws -> [[UInt8]] {
        let bytes = Array(text.utf8)
        let size = (bytes.count + count - 1) / count
        return try (0..<count).map { index in
            let part = Array(bytes[min(index * size, bytes.count)..<min((index + 1) * size, bytes.count)])
            return try Encoders.png(
                "zint",
                [
                    "--barcode=58", "--binary", "--input=INPUT", "--direct", "--filetype=PNG", "--scale=3",
                    "--whitesp=5", "--vwhitesp=5", "--structapp=\(index + 1),\(count),\(sequence)",
                ], input: part)
        }
    }

    @Test("The parts of a structured append are one badge, in any order and between other codes", arguments: [2, 3, 4])
    func joined(count: Int) throws {
        let parts = try Self.parts(count)
        let badge = Badge(name: "Zoë Adler", email: "zoe@adler-optik.example.org", phone: "+4930555010")
        #expect(try BadgeReader().read(.row(parts)).map { try $0.badge.get() } == [badge])
        let other = try QRCode("ana@example.org").png(moduleSize: 3)
        let codes = try BadgeReader().read(.row([other] + parts.reversed()))
        #expect(Set(try codes.map { try $0.badge.get() }) == [badge, Badge(email: "ana@example.org")])
    }

    @Test("Two badges of several codes each are two people")
    func twoSequences() throws {
        let second = Self.long.replacingOccurrences(of: "Zoë", with: "Bo").replacingOccurrences(of: "zoe@", with: "bo@")
        let files = try Self.parts(2) + Self.parts(2, text: second, sequence: 9)
        let codes = try BadgeReader().read(.row(files))
        #expect(Set(try codes.map { try $0.badge.get().name }) == ["Zoë Adler", "Bo Adler"])
    }

    @Test("An incomplete structured append is refused", arguments: [[0], [1], [0, 2], [1, 2]])
    func incomplete(_ indices: [Int]) throws {
        let parts = try Self.parts(3)
        let codes = try BadgeReader().read(.row(indices.map { parts[$0] }))
        #expect(codes.count == 1)
        let missing = 3 - indices.count
        guard case .failure(let error) = try #require(codes.first).badge else {
            Issue.record("a part is taken for a badge")
            return
        }
        #expect(error.message.contains("\(missing) of them \(missing == 1 ? "is" : "are") missing"))
    }

    @Test("Several vCards in one code are several people")
    func severalCards() throws {
        let cards = ["Ana Li", "Bo Ek", "王伟"].map { "BEGIN:VCARD\nVERSION:3.0\nFN:\($0)\nEND:VCARD\n" }
        let codes = try BadgeReader().read(QRCode(cards.joined()).png(moduleSize: 3))
        #expect(try codes.flatMap(\.badges).map { try $0.get().name } == ["Ana Li", "Bo Ek", "王伟"])
        // The last one has no end, or one of them cannot be read.
        let unended = cards[0] + cards[1].replacingOccurrences(of: "END:VCARD\n", with: "")
        #expect(try Badge.all(in: CodeContents(Array(unended.utf8))).map { try $0.get().name } == ["Ana Li", "Bo Ek"])
        let broken = cards[0].replacingOccurrences(of: "3.0", with: "9.9") + cards[1]
        let results = Badge.all(in: CodeContents(Array(broken.utf8)))
        #expect(results.count == 2 && results.compactMap { try? $0.get().name } == ["Bo Ek"])
    }

    // MARK: - Layouts of payloads

    static let payloads: [(String, Badge)] = [
        ("MECARD:N:Adler\\, Optik & Co;;", Badge(name: "Adler, Optik & Co")),
        ("MECARD:N:Roth\\, Jr.,Ben\\;Otto;;", Badge(name: "Ben;Otto Roth, Jr.")),
        ("MECARD:N:Ek\\\\,Bo;;", Badge(name: "Bo Ek\\")),
        (
            "MECARD:N:Holm,Tove;EMAIL:mailto:tove@holm.example;TEL:tel:+47-22-34-56;;",
            Badge(name: "Tove Holm", email: "tove@holm.example", phone: "+47-22-34-56")
        ),
        (
            "MECARD:N:Holm,Tove;EMAIL:MAILTO\\:tove%2Bfair@holm.example?subject=Hi;TEL:TEL\\:+4722;;",
            Badge(name: "Tove Holm", email: "tove+fair@holm.example", phone: "+4722")
        ),
        ("MECARD:EMAIL:Tove Holm <tove@holm.example>;;", Badge(name: "Tove Holm", email: "tove@holm.example")),
        ("MECARD:N:Holm,Tove;EMAIL:Work <tove@holm.example>;;", Badge(name: "Tove Holm", email: "tove@holm.example")),
        (
            "BIZCARD:N:Sean;X:Owen;B:tel:+12125550123;E:mailto:sean@example.org;;",
            Badge(name: "Sean Owen", email: "sean@example.org", phone: "+12125550123")
        ),
        ("MATMSG:TO:<ana@example.org>;SUB:Hi;BODY:you;;", Badge(email: "ana@example.org")),
        ("Ana Li\nmailto:ana@example.org", Badge(name: "Ana Li", email: "ana@example.org")),
        ("<ana@example.org>", Badge(email: "ana@example.org")),
        (
            "BEGIN:VCARD\nVERSION:4.0\nFN:Tove\nEMAIL;VALUE=uri:mailto:tove@holm.example?subject=x\n"
                + "TEL;VALUE=uri:tel:+47-22;ext=12\nEND:VCARD",
            Badge(name: "Tove", email: "tove@holm.example", phone: "+47-22 ext. 12")
        ),
        (
            "BEGIN:VCARD\nVERSION:3.0\nEMAIL:Tove Holm <tove@holm.example>\nEND:VCARD",
            Badge(name: "Tove Holm", email: "tove@holm.example")
        ),
        (
            "BEGIN:VCARD\nVERSION:3.0\nFN:Tove\nEMAIL:<tove@holm.example>\nEMAIL:a@b.example;c@d.example\nEND:VCARD",
            Badge(name: "Tove", email: "tove@holm.example", note: "a@b.example\nc@d.example")
        ),
        (
            "BEGIN:VCARD\nVERSION:3.0\nFN:Tove\nEMAIL:\"Holm, Tove\" <tove@holm.example>\nEND:VCARD",
            Badge(name: "Tove", email: "tove@holm.example")
        ),
        (
            "BEGIN:VCARD\n    VERSION:3.0\n    FN:Uta Adler\n    NOTE:one\n      two\n    EMAIL;TYPE=work:uta@adler.example\nEND:VCARD",
            Badge(name: "Uta Adler", email: "uta@adler.example", note: "one     two")
        ),
        ("\tBEGIN:VCARD\r\n\tVERSION:3.0\r\n\tFN:Uta\r\n\tEND:VCARD", Badge(name: "Uta")),
        ("  BEGIN:VCARD\n   VERSION:3.0\n     FN:Uta\n   X-A:b\n  END:VCARD", Badge(name: "Uta")),
        (
            "BEGIN:VCARD\\nVERSION:3.0\\nFN:Uta Adler\\nEMAIL:uta@adler.example\\nEND:VCARD",
            Badge(name: "Uta Adler", email: "uta@adler.example")
        ),
        (
            "BEGIN:VCARD VERSION:3.0 FN:Uta Adler EMAIL:uta@adler.example END:VCARD",
            Badge(name: "Uta Adler", email: "uta@adler.example")
        ),
    ]

    @Test("Addresses, numbers and layouts of other programs are read", arguments: payloads)
    func layouts(_ payload: String, _ badge: Badge) throws {
        #expect(try Badge(payload: payload) == badge)
    }

    // MARK: - Pictures

    private static let text = "Uta Adler\nuta@adler.example"

    @Test(
        "Light modules on a transparent ground are read",
        arguments: [
            ["--fg=FFFFFF", "--nobackground"], ["--fg=FFEE88", "--nobackground"], ["--fg=FFFFFFC0", "--bg=FFFFFF00"],
            ["--fg=000000", "--nobackground"], ["--fg=00000000", "--bg=FFFFFF"],
        ])
    func transparent(_ options: [String]) throws {
        let file = try Encoders.png(
            "zint",
            [
                "--barcode=58", "--data=" + Self.text, "--direct", "--filetype=PNG", "--scale=3", "--whitesp=5",
                "--vwhitesp=5",
            ] + options)
        #expect(try BadgeReader().read(file).map(\.text) == [Self.text])
    }

    @Test("An inverted code beside normal ones is read", arguments: [58, 92, 71, 97])
    func inverted(kind: Int) throws {
        let text = kind == 97 ? "bo@ek.example" : "Bo Ek\nbo@ek.example"
        let inverted = try GreyPicture(file: Encoders.zint(kind, text)).inverted
        // The only Aztec code that zxing-cpp looks for is in the middle.
        let normal = try QRCode("ana@example.org").picture(moduleSize: 3)
        let picture = GreyPicture.row(kind == 92 ? [normal, inverted, normal] : [normal, inverted])
        #expect(Set(try BadgeReader().read(picture).map(\.text)) == ["ana@example.org", text])
    }

    @Test("Codes of different kinds in one picture are read")
    func kinds() throws {
        let texts = ["a@example.org", "b@example.org", "c@example.org"]
        let files = try zip([58, 71, 55], texts).map { try Encoders.zint($0, $1) }
        #expect(Set(try BadgeReader().read(.row(files)).map(\.text)) == Set(texts))
    }

    @Test("A code without a quiet zone is read", arguments: [58, 71, 92, 55])
    func quietZone(kind: Int) throws {
        let file = try Encoders.zint(kind, Self.text, "--whitesp=0", "--vwhitesp=0")
        #expect(try BadgeReader().read(file).map(\.text) == [Self.text])
    }
}
