import Foundation
import SwitchboardTestSupport
import Testing

@testable import SwitchboardContacts

@Suite("Phone numbers")
struct PhoneNumberTests {
    /// Numbers in ASCII international notation are parsed without the library; any other plus sign needs it.
    @Test("the fast path agrees with libphonenumber")
    func numbersInFull() throws {
        var random = SplitMix(seed: 3)
        var normalised = 0
        // All country codes with all first digits and with valid and invalid lengths.
        for code in 1...999 {
            for _ in 0..<40 {
                let length = Int(4 + random.next() % 14)
                let digits = (0..<length).map { _ in String(random.next() % 10) }.joined()
                let number = PhoneNumber("+\(code)\(digits)")
                let slow = PhoneNumber("\u{FF0B}\(code)\(digits)")
                // An expectation per number would be slow.
                let isSame =
                    number.e164 == slow.e164 && number.nationalNumber == slow.nationalNumber
                    && number.trunkNumber == slow.trunkNumber
                if !isSame { Issue.record("+\(code) \(digits): \(number) is not \(slow)") }
                if number.e164 != nil { normalised += 1 }
            }
        }
        #expect(normalised > 2_000)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let region: String?
        let e164: String?
        let readings: [String]
        var testDescription: String { "\(text) in \(region ?? "no region")" }

        init(_ text: String, _ region: String?, _ e164: String?, _ readings: [String]) {
            (self.text, self.region, self.e164, self.readings) = (text, region, e164, readings)
        }
    }

    @Test("libphonenumber is installed in a compatible version")
    func library() {
        #expect(PhoneNumber("+90 532 123 45 67").e164 == "+905321234567")
    }

    @Test(
        "parses numbers in any notation into search forms",
        arguments: [
            Case("0532 123 45 67", "TR", "+905321234567", ["+905321234567", "5321234567", "05321234567"]),
            Case("+90 (532) 123-45-67", nil, "+905321234567", ["+905321234567", "5321234567", "05321234567"]),
            Case("00905321234567", "DE", "+905321234567", ["+905321234567", "5321234567", "05321234567"]),
            Case("0090 532 123 45 67", nil, "+905321234567", ["+905321234567", "5321234567", "05321234567"]),
            Case("٠٥٣٢١٢٣٤٥٦٧", "tr", "+905321234567", ["+905321234567", "5321234567", "05321234567"]),
            Case("8 912 345-67-89", "RU", "+79123456789", ["+79123456789", "9123456789", "89123456789"]),
            Case("+1 (212) 555-0100", nil, "+12125550100", ["+12125550100", "2125550100", "12125550100"]),
            Case("06 1234 5678", "IT", "+390612345678", ["+390612345678", "0612345678"]),
            Case(
                "\u{202A}+44\u{A0}20\u{A0}7946\u{A0}0958\u{202C}", nil, "+442079460958",
                ["+442079460958", "2079460958", "02079460958"]),
            Case("+44 (0)20 7946 0958", nil, "+442079460958", ["+442079460958", "2079460958", "02079460958"]),
            Case("011 15-2345-6789", "AR", "+5491123456789", ["+5491123456789", "91123456789", "0111523456789"]),
            Case("06-20-123-4567", "HU", "+36201234567", ["+36201234567", "201234567", "06201234567"]),
            Case("1-800-FLOWERS", "US", "+18003569377", ["+18003569377", "8003569377", "18003569377"]),
            // Without a territory or too short: kept as typed.
            Case("0532 123 45 67", nil, nil, ["05321234567"]),
            Case("555-0100", "US", nil, ["5550100"]),
            Case("112", "DE", nil, ["112"]),
            Case("*100#", "RU", nil, ["100"]),
            Case("+12 3", nil, nil, ["+123"]),
            Case("hello", "US", nil, []),
            Case("", "US", nil, []),
            Case("0532 123 45 67", "XX", nil, ["05321234567"]),
            Case("0532 123 45 67", "T\u{0}R", nil, ["05321234567"]),
            Case(String(repeating: "9", count: 5000), "US", nil, [String(repeating: "9", count: 5000)]),
        ])
    func readings(_ example: Case) {
        let number = PhoneNumber(example.text, region: example.region)
        #expect(number.e164 == example.e164)
        #expect(number.searchReadings == example.readings)
        #expect(number.text == example.text)
    }

    @Test("an extension is separate and distinguishes numbers")
    func extensions() {
        let number = PhoneNumber("020 7946 0958 ext 12", region: "GB")
        #expect(number.e164 == "+442079460958")
        #expect(number.extensionNumber == "12")
        #expect(number.identity != PhoneNumber("020 7946 0958", region: "GB").identity)
    }

    /// Numbers of which each is another one, in any of the given notations.
    static let distinct: [[String]] = [
        ["43"], ["*43#", "* 43 #", "＊４３＃"], ["#43#"], ["*#43#"], ["##43#"], ["4-3p1", "43 P 1"], ["43,1"], ["43;1"],
        ["100", "1-0 0", "(100)", "1.00", "1/00", "\u{202A}100\u{202C}", "١٠٠"], ["*100#"], ["#100#"], ["*1#00"],
        ["1800"], ["1-800-GO-FEDEX", "1800gofedex", "1 (800) GO.FEDEX"], ["1-800-TAXI-NOW"],
        ["12345678,9", "1234 5678,9"], ["1234567,89"], ["123456789"], ["*31#+49 30 901820"], ["#31#+4930901820"],
        ["+49 30 901820", "0049 30 901820", "+49/30/901820"], ["+49 30 901820 ext. 22", "+4930901820;ext=22"],
        ["+49 30 901820p123456#", "+49 30 901820 P 123456 #"], ["+49 30 901820,,1,,2"], ["1001"],
        ["sip:1001@example.org"],
        ["Amazon"], ["Vodafone"],
    ]

    @Test("notations of one number have one identity, and different numbers have different ones")
    func identities() {
        var known: [String: Int] = [:]
        for (index, notations) in Self.distinct.enumerated() {
            for text in notations {
                let identity = PhoneNumber(text).identity
                #expect(known[identity, default: index] == index, "\(text): \(identity)")
                known[identity] = index
            }
            #expect(Set(notations.map { PhoneNumber($0).identity }).count == 1, "\(notations)")
        }
        #expect(known.count == Self.distinct.count)
    }

    @Test("a contact keeps each of its numbers, whichever are added, and loses only the one that is removed")
    func lists() throws {
        let book = try emptyBook(region: nil)
        let texts = Self.distinct.map { $0[0] }
        var contact = Contact(name: PersonName(given: "Ana"))
        contact.phones = Self.distinct.flatMap { $0 }.map { Phone(number: PhoneNumber($0)) }
        let stored = try book.add(contact)
        #expect(stored.phones.map(\.number.text) == texts)
        for text in texts {
            let edited = try book.edit(stored.id) { contact in
                contact.phones.removeAll { $0.number.isSame(as: PhoneNumber(text)) }
            }
            #expect(edited.phones.map(\.number.text) == texts.filter { $0 != text })
            try book.edit(stored.id) { $0.phones = stored.phones }
        }
    }

    @Test("a number without a country code is the international one, but not with a code, an extension or a pause")
    func bareNumbers() {
        let whole = PhoneNumber("+49 30 901820")
        #expect(whole.isSame(as: PhoneNumber("030 901820")))
        #expect(PhoneNumber("030/901820").isSame(as: whole))
        for other in ["*31#030901820", "030901820p1", "030901820,1", "#030901820"] {
            #expect(!whole.isSame(as: PhoneNumber(other)) && !PhoneNumber(other).isSame(as: whole), "\(other)")
            #expect(!PhoneNumber("030901820").isSame(as: PhoneNumber(other)), "\(other)")
        }
        #expect(!PhoneNumber("+49 30 901820p123456#").isSame(as: PhoneNumber("030901820")))
        #expect(!PhoneNumber("+49 30 901820 ext. 22").isSame(as: PhoneNumber("030901820")))
    }

    @Test("parses random bytes without crashing")
    func anyBytes() {
        var generator = SplitMix(seed: 0x5EED)
        for _ in 0..<2_000 {
            let length = Int(generator.next() % 40)
            let alphabet = Array("0123456789+-() .;ext=x,#*/\u{202A}٣Ⅷ９é\u{0}\u{10FFFF}".unicodeScalars)
            var text = String.UnicodeScalarView()
            for _ in 0..<length { text.append(alphabet[Int(generator.next() % UInt64(alphabet.count))]) }
            let number = PhoneNumber(String(text), region: generator.next() % 2 == 0 ? "DE" : nil)
            #expect(number.e164.map { $0.hasPrefix("+") && $0.dropFirst().allSatisfy(\.isASCII) } ?? true)
        }
    }
}

@Suite("tel: URIs")
struct TelephoneURITests {
    /// The cases that the page is tested with, too: number, region, E.164 form, URI.
    private static let numbers: [[String]] = {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Support/telephone-uris.tsv")
        let text = (try? String(contentsOf: file.standardized, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }()

    @Test("A number is dialed with its codes, pauses, extension and letters", arguments: numbers)
    func uri(columns: [String]) throws {
        try #require(columns.count == 4)
        let number = PhoneNumber(columns[0], region: columns[1].isEmpty ? nil : columns[1])
        #expect(number.e164 ?? "" == columns[2])
        #expect(number.uri ?? "" == columns[3])
    }

    @Test("The cases are read")
    func count() { #expect(Self.numbers.count > 15) }
}
