import SwitchboardTestSupport
import Testing

@testable import SwitchboardVCard

@Suite("Content lines")
struct ContentLineTests {
    private static func property(_ bytes: [UInt8], isVersion21: Bool = false) throws -> VCardProperty {
        var line = ContentLine()
        line.bytes = bytes
        return try line.property(isVersion21: isVersion21)
    }

    @Test(
        "are split into group, name, parameters and value",
        arguments: [
            ("FN:Ayşe Öztürk", "|FN||Ayşe Öztürk"), ("N:Öztürk;Ayşe;;;", "|N||Öztürk;Ayşe;;;"),
            ("TEL;TYPE=CELL,VOICE:+90 532", "|TEL|TYPE=CELL,VOICE|+90 532"),
            ("item1.tel;type=pref:1", "item1|TEL|TYPE=pref|1"),
            ("TEL;CELL;PREF:112", "|TEL|TYPE=CELL TYPE=PREF|112"), ("NOTE:", "|NOTE||"), ("A.B.C:d", "A.B|C||d"),
            ("TEL;VALUE=uri;PREF=1:tel:+34;ext=12", "|TEL|VALUE=uri PREF=1|tel:+34;ext=12"), (".FN:x", "|FN||x"),
            ("EMAIL;TYPE=:a@b.org", "|EMAIL|TYPE=|a@b.org"), ("X-ABLabel;=x:y", "|X-ABLABEL|=x|y"),
            ("URL;;X=a,,b;:http://example.org/?a=b", "|URL|X=a,,b|http://example.org/?a=b"),
            ("FN;TYPE=\"a,b\":x", "|FN|TYPE=a,b|x"), ("FN;X=\"a;b:c\",d:x", "|FN|X=a;b:c,d|x"),
            ("FN;X=a^nb:x", "|FN|X=a\nb|x"),
            ("FN;X=a^^b^'^x^:x", "|FN|X=a^b\"^x^|x"), ("FN;X=a\\nb\\Nc:x", "|FN|X=a\nb\nc|x"),
            ("FN;X=\"a\\nb;c\":x", "|FN|X=a\nb;c|x"), ("FN;X=C:\\new:x", "|FN|X=C|\\new:x"),
            ("FN;X=\"C:\\new\":x", "|FN|X=C:\\new|x"), ("FN;X=\"C:\\dir\\\":x", "|FN|X=C:\\dir\\|x"),
            ("FN;X=a \\\"b\\\" c;Y=d:x", "|FN|X=a \"b\" c Y=d|x"),
            ("FN;X=\"a \\\"b: c;\\\"\";Y=d:x", "|FN|X=a \"b: c;\" Y=d|x"), ("FN;X=a\\\\nb:x", "|FN|X=a\\\\nb|x"),
            ("FN;CHARSET=UTF-8:x", "|FN||x"),
            ("FN;base64:x", "|FN|ENCODING=base64|x"),
            ("FN;encoding=b:x", "|FN|ENCODING=b|x"), ("FN;QUOTED-PRINTABLE:=C3=BC", "|FN||ü"),
            ("FN;ÜMLAUT=1:x", "|FN|ÜMLAUT=1|x"),
            ("TEL;X-CUSTOM(a):1", "|TEL|TYPE=X-a|1"), ("FN:a\u{0}b", "|FN||ab"), ("TEL;TYPE=\"a:1", "|TEL|TYPE=a|1"),
        ])
    func parsing(_ text: String, _ expected: String) throws {
        let property = try Self.property(Array(text.utf8))
        let parameters = property.parameters.map { $0.name + "=" + $0.values.joined(separator: ",") }
        #expect(
            "\(property.group)|\(property.name)|\(parameters.joined(separator: " "))|\(property.value)" == expected)
    }

    @Test("need a valid name and a colon", arguments: ["FN", ":x", ";TYPE=x:y", "F N:x", "a+b.F+N:x"])
    func malformed(_ text: String) {
        #expect(throws: MalformedInput.self) { try Self.property(Array(text.utf8)) }
    }

    @Test("of random pieces are parsed or rejected without a trap")
    func random() {
        let pieces = [
            "FN", "tel", "N", ";", ";", ":", ":", ".", ",", "=", "TYPE", "type=CELL", "B", "base64", "ENCODING=B",
            "encoding=QUOTED-PRINTABLE", "CHARSET=latin1", "X-CUSTOM(", ")", "\"", "^n", "^", " ", "\t", "-", "_", "/",
            "+", "item1.", "=C3=BC", "ü", "\u{301}", "İ", "😀", "\r\n", "\u{0}", "8BIT", "PREF=1", "a", "Z9",
        ].map { Array($0.utf8) }
        var random = SplitMix(seed: 11)
        var parsedCount = 0
        for _ in 0..<50_000 {
            var bytes: [UInt8] = []
            for _ in 0..<(1 + random.next() % 9) {
                let isNoise = random.next() % 40 == 0
                bytes += isNoise ? [UInt8(random.next() % 256)] : pieces[Int(random.next() % UInt64(pieces.count))]
            }
            guard let property = try? Self.property(bytes, isVersion21: true) else { continue }
            parsedCount += 1
            #expect(!property.name.isEmpty && !property.value.utf8.contains(0), "\(bytes)")
        }
        #expect(parsedCount > 300)
    }
}
