import Foundation
import SwitchboardTestFixtures
import Testing

@testable import SwitchboardBadges

/// Mutates payloads and pictures of badges. Nothing may trap, every error has a reason, and a parsed badge survives a
/// round trip through its vCard.
@Suite("Random mutations of badges")
struct BadgeFuzzTests {
    private static let pieces = [
        "BEGIN:VCARD\r\n", "END:VCARD\r\n", "VERSION:2.1\r\n", "VERSION:4.0\r\n", "MECARD:", "BIZCARD:", "mailto:",
        "MATMSG:",
        "N:", "FN:", "EMAIL:", "TEL:", "TEL;VALUE=uri:tel:", "ORG:a;b\\;c\r\n", "NOTE:", "X:", "TO:", "?to=", "&to=",
        "%3C",
        "%", "%FF", "%00", "<", ">", "\"", ":", ";", ";;", ",", "\\", "\\n", "=", "=\r\n", "=C3", "@", ".", "\r", "\n",
        "\r\n ",
        "\u{0}", "\u{85}", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{301}", "ß", "山", "😀", "a@example.org",
        ";CHARSET=UTF-16", ";ENCODING=QUOTED-PRINTABLE", ";ENCODING=b", " ", "\t",
    ].map { Array($0.utf8) }

    /// Inputs that failed before, in base64.
    static let found = [
        // The name is NUL.
        "QklaQ0FSRDo7O247WDoAO1Q6RW5naW5lZXI7QzpJbml0ZWNoO0EuZXQgMTtCOisxMjEyNTU1MDEyMztFOnNlYW5AZXhhOi5vcmc7Ow=="
    ]

    private static let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 4_000

    @Test("Mutated payloads are parsed or refused, and parsed ones survive a round trip")
    func payloads() {
        let corpus =
            PayloadTests.understood.map { Array($0.0.utf8) } + SampleBadges.payloads.map { Array($0.utf8) }
            + Self.found.compactMap { Data(base64Encoded: $0).map { Array($0) } }
        var random = SystemRandomNumberGenerator()
        var (understood, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            let payload = Self.mutated(corpus, &random)
            switch Self.look(at: payload) {
            case .success(true): understood += 1
            case .success(false): refused += 1
            case .failure(let fault): Issue.record("\(fault.text)\n\(Data(payload).base64EncodedString())")
            }
        }
        #expect(understood > 0 && refused > 0)
        print("Payloads understood: \(understood), refused: \(refused)")
    }

    @Test("Inputs that failed before stay fixed", arguments: found)
    func foundBefore(_ payload: String) throws {
        _ = try Self.look(at: Array(try #require(Data(base64Encoded: payload)))).get()
    }

    struct Fault: Error {
        let text: String
    }

    /// Returns whether a payload is parsed, or a fault if it does not survive a round trip.
    private static func look(at payload: [UInt8]) -> Result<Bool, Fault> {
        let badge: Badge
        do throws(BadgePayload.ParsingError) {
            badge = try Badge(payload: payload)
        } catch {
            return error.message.isEmpty ? .failure(Fault(text: "refused without a reason")) : .success(false)
        }
        // The first vCard may lose what a vCard cannot hold, such as trailing whitespace; later ones are identical.
        guard let once = try? Badge(payload: badge.vCard) else {
            return .failure(Fault(text: "its own card is refused: \(badge)"))
        }
        guard (try? Badge(payload: once.vCard)) == once else {
            return .failure(Fault(text: "its card does not say the same: \(once)"))
        }
        return .success(true)
    }

    private static func mutated(_ corpus: [[UInt8]], _ random: inout SystemRandomNumberGenerator) -> [UInt8] {
        var bytes = corpus.randomElement(using: &random) ?? []
        for _ in 0...Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let removed = place..<min(bytes.count, place + Int.random(in: 0...6, using: &random))
            let piece =
                Int.random(in: 0..<4, using: &random) == 0
                ? [UInt8.random(in: 0...255, using: &random)] : pieces.randomElement(using: &random) ?? []
            bytes.replaceSubrange(removed, with: piece)
        }
        return bytes
    }

    /// A picture takes as long as a hundred payloads.
    @Test("Mutated pictures are decoded or refused")
    func pictures() throws {
        var corpus: [[UInt8]] = []
        for name in ["palette.png", "transparent.png", "empty.png", "grey.jpg", "progressive.jpg", "cmyk.jpg"] {
            let url = try #require(Bundle.module.url(forResource: "Resources/" + name, withExtension: nil))
            corpus.append(Array(try Data(contentsOf: url)))
        }
        corpus.append(try QRCode("ana@example.org").png(moduleSize: 2))
        var random = SystemRandomNumberGenerator()
        var (read, refused) = (0, 0)
        for _ in 0..<max(1, Self.rounds / 100) {
            var bytes = corpus.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0...8, using: &random) where !bytes.isEmpty {
                // The header contains the size and the layout.
                let range = Bool.random(using: &random) ? bytes.count : min(bytes.count, 100)
                let place = Int.random(in: 0..<range, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: bytes.removeSubrange(place...)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
                default: bytes[place] = .random(in: 0...255, using: &random)
                }
            }
            do {
                _ = try BadgeReader().read(bytes)
                read += 1
            } catch {
                #expect((error as? BadgeReadingError)?.description.isEmpty == false)
                refused += 1
            }
        }
        #expect(read + refused > 0)
        print("Pictures read: \(read), refused: \(refused)")
    }
}
