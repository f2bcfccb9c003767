import Foundation
import Testing

@testable import SwitchboardBadges

@Suite("Parsing of badge payloads")
struct PayloadTests {
    static let understood: [(String, Badge)] = [
        ("José Ñandú\njose@example.org", Badge(name: "José Ñandú", email: "jose@example.org")),
        ("  王伟 \r\n\r\n wang@example.org \r\n", Badge(name: "王伟", email: "wang@example.org")),
        ("ana@example.org", Badge(email: "ana@example.org")),
        ("Ana Li <ana@example.org>", Badge(name: "Ana Li", email: "ana@example.org")),
        ("mailto:ana@example.org", Badge(email: "ana@example.org")),
        ("MAILTO:ana%2Bfair@example.org?subject=Hi&body=you", Badge(email: "ana+fair@example.org")),
        ("mailto:?to=ana@example.org", Badge(email: "ana@example.org")),
        ("mailto:ana@example.org,bo@example.org", Badge(email: "ana@example.org")),
        ("mailto:%22Ana%20Li%22%20%3Cana@example.org%3E", Badge(name: "Ana Li", email: "ana@example.org")),
        ("MATMSG:TO:ana@example.org;SUB:Hi;BODY:you;;", Badge(email: "ana@example.org")),
        (
            "MECARD:N:Nowak,Łukasz;ORG:A\\;B;TEL:+48225550123;EMAIL:l@example.org;EMAIL:l2@example.org;NOTE:CTO;;",
            Badge(
                name: "Łukasz Nowak", email: "l@example.org", phone: "+48225550123", organization: "A;B",
                note: "l2@example.org\nCTO")
        ),
        ("mecard:n:Ana;;", Badge(name: "Ana")),
        ("MECARD:N:佐藤,健;EMAIL:ken@example.org;;", Badge(name: "佐藤健", email: "ken@example.org")),
        ("BEGIN:VCARD\nVERSION:3.0\nN:佐藤;健;;;\nEND:VCARD", Badge(name: "佐藤健")),
        (
            "BIZCARD:N:Sean;X:Owen;T:Engineer;C:Initech;A:Street 1;B:+12125550123;E:sean@example.org;;",
            Badge(
                name: "Sean Owen", email: "sean@example.org", phone: "+12125550123", organization: "Initech",
                title: "Engineer")
        ),
        (
            "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Đặng;Văn;;;\r\nFN:Đặng Văn\r\nORG:A\\, B;Dept\r\nEMAIL:d@example.org\r\nTEL:1\r\n"
                + "TEL;TYPE=PREF:+84 24\r\nURL:https://example.org\r\nNOTE:one\\ntwo\r\nEND:VCARD",
            Badge(
                name: "Đặng Văn", email: "d@example.org", phone: "+84 24", organization: "A, B",
                url: "https://example.org", note: "1\none\ntwo")
        ),
        (
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Nowak;=C5=81ukasz\nEMAIL;INTERNET:l@example.org\n"
                + "END:VCARD\n",
            Badge(name: "Łukasz Nowak", email: "l@example.org")
        ),
        (
            "BEGIN:VCARD\nVERSION:4.0\nFN:Ana\nTEL;VALUE=uri:tel:+1-212-555-0123\nEND:VCARD",
            Badge(name: "Ana", phone: "+1-212-555-0123")
        ),
        // Some badges omit END:VCARD, or have an EMAIL that is not an address.
        ("begin:vcard\nversion:3.0\nfn:Ana\nemail:none", Badge(name: "Ana", note: "none")),
    ]

    @Test("Every format is parsed", arguments: understood)
    func isUnderstood(_ payload: String, _ badge: Badge) throws {
        #expect(try Badge(payload: payload) == badge)
    }

    @Test("A written MECARD is read back, also with separators in its fields")
    func meCard() throws {
        let badge = Badge(
            name: "Ana; Maria: \"Li\"", email: "ana@example.org", phone: "+1 212 555 0100", organization: "A\\B, C",
            url: "https://example.org/a;b")
        #expect(try Badge(payload: badge.meCard) == badge)
    }

    @Test(
        "Other texts are unknown, and the error contains the text",
        arguments: [
            "", "https://example.org", "https://user@example.org/x", "WIFI:S:net;T:WPA;P:secret;;", "hello", "12345",
            "Ana\nBo", "Ana\nana@example.org\nmore", "tel:+12125550123", "a@b", "@example.org",
            "otpauth://totp/x?secret=y",
        ])
    func isRefused(_ payload: String) throws {
        #expect(throws: BadgePayload.ParsingError.unknown(text: payload)) { try Badge(payload: payload) }
    }

    @Test(
        "Payloads without a person are malformed",
        arguments: [
            "BEGIN:VCARD\nVERSION:9.9\nFN:Ana\nEND:VCARD", "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD", "MECARD:;;",
            "mailto:",
        ])
    func isMalformed(_ payload: String) throws {
        let refusal = try #require(throws: BadgePayload.ParsingError.self) { try Badge(payload: payload) }
        guard case .malformed(let text, let reason) = refusal else {
            Issue.record("not malformed: \(refusal)")
            return
        }
        #expect(text == payload)
        #expect(!reason.isEmpty)
    }

    @Test("Bytes that are not UTF-8 are read as Latin-1")
    func latin1() throws {
        let bytes = [UInt8]("Jos".utf8) + [0xE9, 0x0A] + [UInt8]("jose@example.org".utf8)
        #expect(try Badge(payload: bytes).name == "José")
        let card = [UInt8]("BEGIN:VCARD\nVERSION:3.0\nFN:Jos".utf8) + [0xE9] + [UInt8]("\nEND:VCARD".utf8)
        #expect(try Badge(payload: card).name == "José")
    }

    @Test("A badge survives a round trip through its vCard, whose lines are not folded")
    func roundTrip() throws {
        let badge = Badge(
            name: "Ana María; Ruiz, Soto", email: "ana@example.org", phone: "+34 91 555 01 23",
            organization: String(repeating: "Sociedad ", count: 12) + "A", title: "Jefa\\",
            url: "https://example.org/a?b=c;d",
            note: "eins\nzwei")
        #expect(try Badge(payload: badge.vCard) == badge)
        #expect(badge.vCard.contains(badge.organization))
        #expect(badge.vCard.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0\r\n"))
    }

    @Test("Random bytes do not trap")
    func anyBytes() {
        var random = SystemRandomNumberGenerator()
        let beginnings = ["", "BEGIN:VCARD\n", "MECARD:", "BIZCARD:", "mailto:", "MATMSG:"].map { [UInt8]($0.utf8) }
        for beginning in beginnings {
            for _ in 0..<300 {
                let rest = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? [UInt8](":;,\\\n=@N".utf8).randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255)
                }
                _ = try? Badge(payload: beginning + rest)
            }
        }
    }
}
