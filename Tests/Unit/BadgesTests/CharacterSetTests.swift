import Foundation
import Testing

@testable import SwitchboardBadges

@Suite("Character sets of codes")
struct CharacterSetTests {
    /// The number of a character set, and a name in it.
    static let announced: [(set: Int, name: String)] = [
        (3, "José Ñandú"), (4, "Łukasz Żółw"), (5, "Ġorġ Ħal"), (6, "Jānis Bērziņš"), (7, "Мария Соколова"),
        (8, "محمد علي"), (9, "Γιώργος Νικολάου"), (10, "דוד כהן"), (11, "Işıl Çağlar"), (12, "Guðrún Šķēle"),
        (13, "สมชาย ใจดี"), (15, "Žydrūnė Šešok"), (16, "Siôn Ŵyn"), (17, "Zoë Œuvrard"), (18, "Ștefan Țurcanu"),
        (20, "佐藤花子"), (21, "Antonín Dvořák"), (22, "Юрій Їжак"), (23, "Jörg „Šimon“"), (24, "محمد علي"),
        (25, "王小明 Łódź"), (26, "Đặng Văn Ân"), (28, "陳小明"), (29, "王小明"), (30, "김철수"), (32, "欧阳娜娜"),
    ]

    /// zint's numbers of the kinds of codes.
    static let kinds = [("QR", 58), ("Aztec", 92), ("Data Matrix", 71), ("PDF417", 55)]

    @Test("The announced character set decides, in every kind of code", arguments: announced, kinds)
    func announcement(_ announced: (set: Int, name: String), _ kind: (String, Int)) throws {
        let text = announced.name + "\na@example.org"
        let codes = try BadgeReader().read(Encoders.zint(kind.1, text, "--eci=\(announced.set)"))
        #expect(codes.map(\.text) == [text])
        #expect(codes.map(\.badges) == [[.success(Badge(name: announced.name, email: "a@example.org"))]])
    }

    // MARK: - Pictures by three encoders

    /// Ten character sets with their numbers and three names in each.
    private static let sets: [(number: Int, encoding: TextEncoding, names: [String])] = [
        (4, .iso8859(part: 2), ["Łukasz Żółw", "Jiří Dvořák", "Árvíztűrő Tükör"]),
        (7, .iso8859(part: 5), ["Мария Соколова", "Пётр Ильин", "Ольга Щукина"]),
        (9, .iso8859(part: 7), ["Γιώργος Νικολάου", "Μαρία Παππά", "Ελένη Ιωάννου"]),
        (10, .iso8859(part: 8), ["דוד כהן", "רחל לוי", "שרה מזרחי"]),
        (11, .iso8859(part: 9), ["Işıl Çağlar", "Gökçe Şahin", "Çağrı Öztürk"]),
        (20, .shiftJIS, ["佐藤花子", "高橋みなみ", "株式会社テスト 鈴木一郎"]),
        (22, .windows1251, ["Мария Соколова", "Юлия Ёлкина", "Ирина Чехова"]),
        (26, .utf8, ["Zoë Łódź", "王小明 Ελένη", "محمد 👋🏽"]), (28, .big5, ["陳小明", "林志玲 公司", "張學友"]),
        (30, .eucKR, ["김철수", "주식회사 한국 이영희", "박지성"]),
    ]

    /// Eight kinds of code: by zint, which announces the character set, by qrencode and by dmtxwrite, which do not.
    private static let makers: [(name: String, make: @Sendable (String, [UInt8], Int) throws -> [UInt8])] = [
        ("QR", { text, _, set in try Encoders.zint(58, text, "--eci=\(set)") }),
        ("inverted QR", { text, _, set in try Encoders.zint(58, text, "--eci=\(set)", "--reverse") }),
        ("QR of bytes", { _, bytes, _ in try Encoders.qrencode(bytes, "--8bit", "--level=H") }),
        ("Aztec", { text, _, set in try Encoders.zint(92, text, "--eci=\(set)") }),
        ("Data Matrix", { text, _, set in try Encoders.zint(71, text, "--eci=\(set)", "--square") }),
        ("Data Matrix of bytes", { _, bytes, _ in try Encoders.dataMatrix(bytes) }),
        ("PDF417", { text, _, set in try Encoders.zint(55, text, "--eci=\(set)") }),
        ("compact PDF417", { text, _, set in try Encoders.zint(56, text, "--eci=\(set)") }),
    ]

    @Test("Badges in ten character sets and eight kinds of code are read", arguments: makers.indices, sets.indices)
    func pictures(_ maker: Int, _ set: Int) throws {
        let (maker, set) = (Self.makers[maker], Self.sets[set])
        for name in set.names {
            let text = name + "\na@example.org"
            let bytes = try #require(set.encoding.encode(text))
            let codes = try BadgeReader().read(maker.make(text, bytes, set.number))
            #expect(
                codes.map(\.badges) == [[.success(Badge(name: name, email: "a@example.org"))]],
                "\(maker.name), \(set.encoding), \(name): \(codes.map(\.text))")
        }
    }

    @Test("Names in kanji mode are Japanese", arguments: ["佐藤花子", "ＡＢＣ商事　鈴木×一郎", "渡辺\\\\直美"])
    func kanjiMode(_ name: String) throws {
        let bytes = try #require(TextEncoding.shiftJIS.encode("MECARD:N:\(name);EMAIL:hanako@sato.example;;"))
        let codes = try BadgeReader().read(Encoders.qrencode(bytes, "--kanji"))
        let badges = try codes.flatMap(\.badges).map { try $0.get() }
        let expected = name.replacingOccurrences(of: "\\\\", with: "\\")
        #expect(badges == [Badge(name: expected, email: "hanako@sato.example")])
    }

    @Test("A Micro QR code is read, also in kanji mode", arguments: ["ana@example.org", "山田@a.jp"])
    func microQR(_ text: String) throws {
        let picture =
            text.utf8.count == text.count
            ? try Encoders.zint(97, text) : try Encoders.zint(97, text, "--fullmultibyte", "--vers=4")
        #expect(try BadgeReader().read(picture).map(\.text) == [text])
    }

    @Test("Bytes in Data Matrix codes of another encoder are read", arguments: ["José Ñandú", "Łukasz Żółw", "王小明"])
    func otherEncoder(_ name: String) throws {
        let text = name + "\na@example.org"
        let codes = try BadgeReader().read(Encoders.dataMatrix(Array(text.utf8)))
        #expect(codes.map(\.text) == [text])
    }

    /// Bytes that no code announces.
    static let unannounced: [(TextEncoding, String)] = [
        (.shiftJIS, "佐藤,花子"), (.shiftJIS, "ｻﾄｳ ﾊﾅｺ"), (.shiftJIS, "株式会社テスト 鈴木一郎"), (.shiftJIS, "高橋みなみ"),
        (.gb18030, "王小明"), (.gb18030, "李明 北京大学"), (.big5, "陳小明"), (.big5, "林志玲 公司"),
        (.eucKR, "김철수"), (.eucKR, "주식회사 한국 이영희"), (.windows1251, "Мария Соколова"), (.windows1251, "АННА ПЕТРОВА"),
        (.koi8R, "Олег Иванов"), (.iso8859(part: 5), "Мария Соколова"), (.windows1253, "Γιώργος Νικολάου"),
        (.windows1250, "Łukasz Żółw"), (.iso8859(part: 2), "Łukasz Żółw"), (.windows1250, "Antonín Dvořák"),
        (.windows1250, "Šimůnek"), (.windows1250, "Árvíztűrő Tükör"), (.windows1252, "Jürgen Größe"),
        (.windows1252, "MÜLLER"),
        (.windows1252, "José Ñandú"), (.windows1252, "João Núñez"), (.windows1252, "Søren Ångström"),
        (.windows1252, "Élan"),
        (.windows1252, "Þór Guðmundsson"), (.windows1252, "Œuvrard – “Zoë”"), (.windows1254, "Işıl Çağlar"),
        (.windows1254, "Uğur Yıldız"),
        (.windows1255, "דוד כהן"), (.thai, "สมชาย ใจดี"), (.windows1257, "Jānis Bērziņš"),
    ]

    @Test("Without an announcement, the letters of a language decide", arguments: unannounced)
    func letters(_ encoding: TextEncoding, _ name: String) throws {
        let bytes = try #require(encoding.encode("MECARD:N:\(name);EMAIL:a@example.org;;"))
        let contents = CodeContents(bytes)
        #expect(contents.text == "MECARD:N:\(name);EMAIL:a@example.org;;")
        #expect(try BadgeReader().read(Encoders.qrencode(bytes, "--8bit")).map(\.text) == [contents.text])
    }

    @Test("Valid UTF-8 is UTF-8, also beside kanji mode and in UTF-16 with a mark")
    func unicode() {
        #expect(CodeContents(Array("Zoë 佐藤".utf8)).text == "Zoë 佐藤")
        #expect(
            CodeContents(protocol: Array("\\000020".utf8) + [0x8D, 0xB2] + Array("\\999999é\\\\".utf8)).text == "佐é\\")
        #expect(CodeContents([0xFE, 0xFF, 0x01, 0x41, 0x00, 0x61]).text == "Ła")
        #expect(CodeContents([0xFF, 0xFE, 0x41, 0x01, 0x61, 0x00]).text == "Ła")
    }

    @Test("A name with control characters is refused", arguments: ["A\u{8D}na", "A\u{1}na", "Ana\u{7F}"])
    func control(_ name: String) throws {
        let error = try #require(throws: BadgePayload.ParsingError.self) {
            try Badge(payload: "MECARD:N:\(name);EMAIL:a@example.org;;")
        }
        #expect(error.message.contains("control characters"))
        #expect(try Badge(payload: "MECARD:N:Ana\tLi;;").name == "Ana Li")
    }

    @Test("A vCard 2.1 that declares its own character sets is read with and without an announcement")
    func declared() throws {
        let card = "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=ISO-8859-2:Żółw;Łukasz\nEND:VCARD"
        let bytes = try #require(TextEncoding.iso8859(part: 2).encode(card))
        #expect(try Badge(payload: bytes).name == "Łukasz Żółw")
        let announced = CodeContents(protocol: Array("\\000004".utf8) + bytes)
        #expect(try Badge.all(in: announced).map { try $0.get().name } == ["Łukasz Żółw"])
        let japanese = try #require(
            TextEncoding.shiftJIS.encode("BEGIN:VCARD\nVERSION:3.0\nFN:佐藤花子\nEMAIL:h@sato.example\nEND:VCARD"))
        #expect(try Badge(payload: japanese).name == "佐藤花子")
    }
}

extension TextEncoding {
    /// Returns a text in the encoding; nil if it cannot be written in it.
    fileprivate func encode(_ text: String) -> [UInt8]? {
        text.unicodeScalars.reduce(into: [UInt8]?([])) { bytes, scalar in
            bytes = bytes.flatMap { bytes in encode(scalar).map { bytes + $0 } }
        }
    }
}
