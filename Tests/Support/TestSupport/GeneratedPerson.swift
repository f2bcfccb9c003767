/// An invented person with the values that an address book may not lose, written in several formats.
///
/// ``family(of:_:)`` generates the people that programs like to confuse: families with one landline and one name, colleagues
/// with one switchboard number, codes beside plain numbers, and names that differ by marks, signs or emoji.
public struct GeneratedPerson: Sendable {
    /// A value with the kind of vCard property that it belongs to.
    public struct Value: Hashable, Sendable, Comparable, CustomStringConvertible {
        /// The name of the property.
        public let kind: String
        /// The value as a person reads it.
        public let text: String

        /// Creates a value.
        public init(_ kind: String, _ text: String) { (self.kind, self.text) = (kind, text) }

        /// The kind and the text.
        public var description: String { "\(kind) “\(text)”" }

        /// Sorts by kind, then by text.
        public static func < (left: Value, right: Value) -> Bool {
            (left.kind, left.text) < (right.kind, right.text)
        }
    }

    /// A format in which people are written.
    public enum Format: String, CaseIterable, Sendable {
        case vCard21 = "2.1"
        case vCard3 = "3.0"
        case vCard4 = "4.0"
        case csv
        case json

        /// The name of a file in this format.
        public var fileName: String {
            switch self {
            case .csv: "people.csv"
            case .json: "people.json"
            default: "people.vcf"
            }
        }
    }

    /// The identifier.
    public let uid: String
    /// The given name.
    public let given: String
    /// The family name; may be empty.
    public let family: String
    /// The suffix, such as Jr.; may be empty.
    public let suffix: String
    /// The values without the name.
    public var values: [Value] = []

    /// The name as typed.
    public var name: String { [given, family, suffix].filter { !$0.isEmpty }.joined(separator: " ") }

    /// All values, sorted, with the name.
    public var allValues: [Value] { ([Value("FN", name)] + values).sorted() }

    init(_ uid: String, _ given: String, _ family: String, _ suffix: String = "") {
        (self.uid, self.given, self.family, self.suffix) = (uid, given, family, suffix)
    }
}

// MARK: - Generating

extension GeneratedPerson {
    private static let givens = [
        "John", "Joan", "Hoà", "Hoá", "Mom ❤️", "Mom 🐝", "Ana", "Ána", "Wei", "Łukasz", "İsmail", "Ismail", "Zoë", "A&B",
        "❤️", "张伟",
        "محمد", "Björn", "J.",
    ]
    private static let families = [
        "Roper", "Lê", "Ng", "", "Öztürk", "Ozturk", "von der Heide", "O'Neil", "C++ Club", "C# Club", "Żak",
        "García López",
    ]
    private static let codes = [
        "100", "*100#", "#100#", "*43#", "#43#", "43", "*31#+49 30 901820", "112", "1-800-GO-FEDEX", "1-800-TAXI-NOW",
        "1800",
        "12345678,1", "1234567,81", "555 0100,1", "5550,1001", "+49 30 5550123,,1#", "+1 650 253 0000 ext. 4321",
        "+1 650 253 0000", "0800 222 KAESE", "sip:1001@example.org", "Amazon",
    ]
    private static let notes = [
        "Plain", "Comma, semicolon; backslash \\ quote \"", "Two\nlines", "Ünïcode ❤️ 🐝", "Ends with space",
        "x,y;z\n\nlast",
    ]
    private static let properties = [
        ("X-SPOUSE", "Bruno"), ("X-EVOLUTION-FILE-AS", "Roper\\, John"), ("X-JABBER", "a@b"),
        ("IMPP", "xmpp:a@example.org"),
        ("GEO", "48.1;11.5"), ("ANNIVERSARY", "2010-05-20"), ("X-ABDATE", "2011-01-02"), ("ROLE", "Captain"),
    ]

    /// Generates a book: families, colleagues and single people in random order.
    public static func book(seed: UInt64, count: Int) -> [GeneratedPerson] {
        var random = SplitMix(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        func chance(_ one: Int) -> Bool { below(one) == 0 }
        var people: [GeneratedPerson] = []
        while people.count < count {
            let family = families[below(families.count)]
            let shared = [
                Value("TEL", "+44 20 7946 \(1_000 + below(9_000))"),
                Value("ADR", "||\(below(99)) High Street|Leeds||LS1 1AA|England"),
                Value("ORG", ["Acme", "Brook, Fenn & Co., Ltd.", "Ünïon; Works"][below(3)]),
                Value("URL", "https://example.org/\(below(1_000))"),
                Value("EMAIL", "office\(below(1_000))@example.org"),
            ].filter { _ in chance(2) }
            let sameName = givens[below(givens.count)]
            for member in 0...below(4) {
                let isNamesake = chance(3)
                var person = GeneratedPerson(
                    "uid-\(seed)-\(people.count)", isNamesake ? sameName : givens[below(givens.count)], family,
                    member > 0 && chance(4) ? "Jr." : "")
                person.values = shared
                func add(_ kind: String, _ text: String) {
                    let value = Value(kind, text)
                    if !person.values.contains(value) { person.values.append(value) }
                }
                for _ in 0..<below(4) { add("TEL", codes[below(codes.count)]) }
                if chance(2) { add("TEL", "+44 7700 9\(10_000 + below(90_000))") }
                if chance(2) { add("EMAIL", "p\(people.count).\(below(100))@example.org") }
                if chance(3) { add("BDAY", "19\(10 + below(90))-0\(1 + below(9))-1\(below(10))") }
                if chance(4) { add("NICKNAME", ["Jo", "Żabka", "🐝"][below(3)]) }
                if chance(4) { add("TITLE", ["Captain", "Head of R&D; Europe"][below(2)]) }
                if chance(3) { add("NOTE", notes[below(notes.count)]) }
                for _ in 0..<(chance(3) ? 2 : 0) { add("CATEGORIES", ["Choir", "Rowing club", "Ünïon"][below(3)]) }
                if chance(5) {
                    let bytes: [UInt8] =
                        [0xFF, 0xD8, 0xFF, 0xE0] + (0..<(20 + below(200))).map { _ in UInt8(below(256)) }
                    add("PHOTO", base64(bytes))
                }
                if chance(3) {
                    let (name, value) = properties[below(properties.count)]
                    add(name, value)
                }
                people.append(person)
            }
        }
        people.shuffle(using: &random)
        return people
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | Int($1 < group.count ? group[start + $1] : 0) }
            for place in 0..<4 {
                text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}

// MARK: - Writing

extension GeneratedPerson {
    /// Writes people in a format. CSV has no identifiers and no private properties, JSON no photos.
    public static func text(of people: [GeneratedPerson], in format: Format, withUIDs: Bool = true) -> String {
        switch format {
        case .csv: table(of: people)
        case .json: "[" + people.map { $0.json(withUID: withUIDs) }.joined(separator: ",\n") + "]"
        default: people.map { $0.card(format, withUID: withUIDs) }.joined()
        }
    }

    /// The values that a format can have, sorted, with the name.
    public func values(in format: Format) -> [Value] {
        switch format {
        case .csv:
            let known: Set = [
                "FN", "TEL", "EMAIL", "ORG", "TITLE", "NICKNAME", "BDAY", "NOTE", "ADR", "URL", "CATEGORIES",
            ]
            return allValues.filter { known.contains($0.kind) }
        case .json: return allValues.filter { $0.kind != "PHOTO" }
        default: return allValues
        }
    }

    private func texts(_ kind: String) -> [String] { values.filter { $0.kind == kind }.map(\.text) }

    private func card(_ format: Format, withUID: Bool) -> String {
        let isOld = format == .vCard21
        func line(_ name: String, _ parts: [String], separator: String = ";") -> String {
            let escaped = parts.map { $0.escaped(commas: !isOld) }.joined(separator: separator)
            guard isOld, escaped.utf8.contains(where: { $0 > 0x7E || $0 == 0x0A }) else {
                return name + ":" + escaped.replacing("\n", with: "\\n")
            }
            let quoted = escaped.utf8.map { byte in
                let hex = String(byte, radix: 16, uppercase: true)
                return byte > 0x20 && byte < 0x7F && byte != 0x3D
                    ? String(UnicodeScalar(byte)) : "=" + (hex.count < 2 ? "0" : "") + hex
            }
            return name + ";CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:" + quoted.joined()
        }
        var lines = [
            "BEGIN:VCARD", "VERSION:" + format.rawValue, line("FN", [name]),
            line("N", [family, given, "", "", suffix]),
        ]
        if withUID { lines.append("UID:" + uid) }
        for value in values {
            switch value.kind {
            case "ADR":
                lines.append(
                    line("ADR", value.text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)))
            case "PHOTO" where format == .vCard4: lines.append("PHOTO:data:image/jpeg;base64," + value.text)
            case "PHOTO":
                lines.append("PHOTO;ENCODING=\(isOld ? "BASE64" : "b");TYPE=JPEG:" + value.text + (isOld ? "\r\n" : ""))
            case "TEL", "EMAIL", "ORG", "TITLE", "NICKNAME", "NOTE", "CATEGORIES":
                lines.append(line(value.kind, [value.text]))
            default: lines.append(value.kind + ":" + value.text)
            }
        }
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private static func table(of people: [GeneratedPerson]) -> String {
        func most(_ kind: String) -> Int { max(1, people.map { $0.texts(kind).count }.max() ?? 0) }
        let (phones, emails) = (most("TEL"), most("EMAIL"))
        var header = [
            "Name", "Given Name", "Family Name", "Name Suffix", "Nickname", "Birthday", "Notes", "Group Membership",
        ]
        header += (1...emails).map { "E-mail \($0) - Value" } + (1...phones).map { "Phone \($0) - Value" }
        header += ["Street", "City", "Postal Code", "Country"].map { "Address 1 - " + $0 }
        header += ["Organization 1 - Name", "Organization 1 - Title", "Website 1 - Value"]
        let rows = people.map { person in
            func list(_ kind: String, _ count: Int) -> [String] {
                let texts = person.texts(kind)
                return texts + Array(repeating: "", count: count - texts.count)
            }
            func text(_ kind: String) -> String { person.texts(kind).first ?? "" }
            let address = text("ADR").split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let place = address.count < 7 ? ["", "", "", ""] : [address[2], address[3], address[5], address[6]]
            let named = [
                person.name, person.given, person.family, person.suffix, text("NICKNAME"), text("BDAY"), text("NOTE"),
            ]
            return named + [person.texts("CATEGORIES").joined(separator: " ::: ")] + list("EMAIL", emails)
                + list("TEL", phones)
                + place + [text("ORG"), text("TITLE"), text("URL")]
        }
        return ([header] + rows).map { row in
            row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\r\n"
        }.joined()
    }

    private func json(withUID: Bool) -> String {
        func list(_ kind: String, _ key: String) -> String {
            "[" + texts(kind).map { "{\"\(key)\": \($0.json)}" }.joined(separator: ", ") + "]"
        }
        var members = [
            "\"name\": " + name.json, "\"givenName\": " + given.json, "\"familyName\": " + family.json,
            "\"nameSuffix\": " + suffix.json, "\"phones\": " + list("TEL", "number"),
            "\"emails\": " + list("EMAIL", "address"),
            "\"urls\": " + list("URL", "url"),
            "\"groups\": [" + texts("CATEGORIES").map(\.json).joined(separator: ", ") + "]",
        ]
        if withUID { members.append("\"uid\": " + uid.json) }
        let keys = [
            "ORG": "organization", "TITLE": "title", "NICKNAME": "nickname", "NOTE": "note", "BDAY": "birthday",
        ]
        var others: [String] = []
        for value in values {
            if let key = keys[value.kind] {
                members.append("\"\(key)\": " + value.text.json)
            } else if value.kind == "ADR" {
                let parts = value.text.split(separator: "|", omittingEmptySubsequences: false).map { String($0).json }
                members.append(
                    "\"addresses\": [{\"street\": \(parts[2]), \"locality\": \(parts[3]), \"postalCode\": \(parts[5]), "
                        + "\"country\": \(parts[6])}]")
            } else if !["TEL", "EMAIL", "URL", "CATEGORIES", "PHOTO"].contains(value.kind) {
                others.append((value.kind + ":" + value.text).json)
            }
        }
        members.append("\"otherProperties\": [" + others.joined(separator: ", ") + "]")
        return "{" + members.joined(separator: ", ") + "}"
    }
}

extension String {
    fileprivate func escaped(commas: Bool) -> String {
        let text = replacing("\\", with: "\\\\").replacing(";", with: "\\;")
        return commas ? text.replacing(",", with: "\\,") : text
    }

    fileprivate var json: String {
        let text = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"" + text + "\""
    }
}
