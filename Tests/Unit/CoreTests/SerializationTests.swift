import SwitchboardTestSupport
import SwitchboardTextNormalization
import Testing

@Suite("Serialization of folded text")
struct SerializationTests {
    static let samples = [
        "", "John Smith", "Müller", "Straße", "Юрий Жуков", "محمد علي", "王小明", "김민수", "a b c d e f", "👍", "O'Connor",
        "cafe\u{301}",
        "Η Αθήνα και ο Γιώργος", "דוד בן־גוריון", "𝒜𝒷 𠀀",
    ]

    @Test("A text survives serialization", arguments: samples)
    func roundTrip(source: String) {
        let text = FoldedText(source)
        var bytes: [UInt8] = []
        text.serialize(into: &bytes)
        #expect(FoldedText(serialized: bytes) == text)
    }

    @Test("Several texts share a buffer")
    func several() {
        var bytes: [UInt8] = []
        for sample in Self.samples { FoldedText(sample).serialize(into: &bytes) }
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            for sample in Self.samples { #expect(FoldedText(serialized: buffer, at: &offset) == FoldedText(sample)) }
            #expect(offset == buffer.count)
        }
    }

    @Test("Random texts survive serialization", arguments: 0..<4)
    func random(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            let text = FoldedText(SourceTests.randomText(&random, length: 25))
            var bytes: [UInt8] = []
            text.serialize(into: &bytes)
            #expect(FoldedText(serialized: bytes) == text)
        }
    }

    @Test("Another version, truncated bytes and trailing bytes are rejected")
    func refused() {
        var bytes: [UInt8] = []
        FoldedText("Юрий Müller").serialize(into: &bytes)
        for count in 0..<bytes.count { #expect(FoldedText(serialized: Array(bytes[..<count])) == nil) }
        #expect(FoldedText(serialized: bytes + [0]) == nil)
        bytes[0] += 1
        #expect(FoldedText(serialized: bytes) == nil)
    }

    @Test("Corrupt bytes never trap, and decoded texts are consistent", arguments: 0..<4)
    func garbage(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var good: [UInt8] = []
        FoldedText("Straße Юрий 王 محمد Müller").serialize(into: &good)
        for round in 0..<3000 {
            var bytes = good
            if round % 3 == 0 {
                bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                if !bytes.isEmpty { bytes[0] = FoldedText.serializationVersion }
            } else {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 1..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            guard let text = FoldedText(serialized: bytes) else { continue }
            for word in text.words {
                #expect(!word.spellings.isEmpty)
                for spelling in word.spellings {
                    let source = spelling.source(of: 0..<spelling.letters.count)
                    #expect(source.lowerBound >= word.source.lowerBound && source.upperBound <= word.source.upperBound)
                }
            }
        }
        for offset in [-5, 0, 3, 99_999] {
            var offset = offset
            _ = good.withUnsafeBytes { FoldedText(serialized: $0, at: &offset) }
        }
    }
}
