import SeededRandom
import Testing

@testable import SwitchboardVCard

/// The fast path for plain content lines must agree with the general parser.
@Suite("Fast path for content lines")
struct ContentLineTests {
    private static func line(_ bytes: [UInt8]) -> ContentLine {
        var line = ContentLine()
        line.bytes = bytes
        return line
    }

    private static func described(_ property: VCardProperty) -> String {
        let parameters = property.parameters.map { "\($0.name)=\($0.values)" }
        return
            "\(property.group)|\(property.name)|\(parameters)|\(property.value)|\(property.isVersion21)|\(property.line)"
    }

    @Test(
        "accepts plain lines",
        arguments: [
            "FN:Ayşe Öztürk", "N:Öztürk;Ayşe;;;", "TEL;TYPE=CELL,VOICE:+90 532 123 45 67", "item1.tel;type=pref:112",
            "TEL;CELL;PREF:112", "TEL;VALUE=uri;PREF=1:tel:+34-91-123-45-67;ext=12", "NOTE:", "A.B.C:d", ".FN:x",
            "EMAIL;TYPE=:a@b.org", "URL;;X=a,,b;:http://example.org/?a=b", "X-ABLabel;=x:y", "FN;X-SLOT=1:z",
        ])
    func usual(_ text: String) throws {
        let line = Self.line(Array(text.utf8))
        let plain = try #require(line.fastProperty(isVersion21: false))
        #expect(Self.described(plain) == Self.described(try line.fullProperty(isVersion21: false)))
    }

    @Test(
        "leaves other lines to the general parser",
        arguments: [
            "FN", ":x", ";TYPE=x:y", "F N:x", "FN;TYPE=\"a,b\":x", "FN;X=a^nb:x", "FN;CHARSET=UTF-8:x", "FN;base64:x",
            "FN;encoding=b:x", "FN;QUOTED-PRINTABLE:x", "FN;ÜMLAUT=1:x", "TEL;X-CUSTOM(a):1", "FN:a\u{0}b", "a+b.FN:x",
        ])
    func careful(_ text: String) {
        #expect(Self.line(Array(text.utf8)).fastProperty(isVersion21: false) == nil)
    }

    @Test("agrees with the general parser on random lines")
    func random() {
        let pieces = [
            "FN", "tel", "N", ";", ";", ":", ":", ".", ",", "=", "TYPE", "type=CELL", "B", "base64", "ENCODING=B",
            "encoding=QUOTED-PRINTABLE", "CHARSET=latin1", "X-CUSTOM(", ")", "\"", "^n", "^", " ", "\t", "-", "_", "/",
            "+",
            "item1.", "=C3=BC", "ü", "\u{301}", "İ", "😀", "\r\n", "\u{0}", "8BIT", "PREF=1", "a", "Z9",
        ].map { Array($0.utf8) }
        var random = SplitMix(seed: 11)
        var plainCount = 0
        for _ in 0..<50_000 {
            var bytes: [UInt8] = []
            for _ in 0..<(1 + random.next() % 9) {
                let isNoise = random.next() % 40 == 0
                bytes += isNoise ? [UInt8(random.next() % 256)] : pieces[Int(random.next() % UInt64(pieces.count))]
            }
            let line = Self.line(bytes)
            guard let plain = line.fastProperty(isVersion21: true) else { continue }
            plainCount += 1
            let careful = try? line.fullProperty(isVersion21: true)
            #expect(Self.described(plain) == careful.map(Self.described), "\(bytes)")
        }
        #expect(plainCount > 300)
    }
}
