import SwitchboardTestSupport
import SwitchboardTextNormalization
import Testing

@Suite("Source ranges")
struct SourceTests {
    @Test("Expanded, combined and romanized letters map to their source")
    func examples() throws {
        let street = try #require(FoldedText("Die Straße").words.last?.spellings.first)
        #expect(street.source(of: 4..<5) == 8..<9)
        #expect(street.source(of: 4..<6) == 8..<9)
        #expect(street.source(of: 0..<7) == 4..<10)
        let mueller = try #require(FoldedText("Müller").words.first?.spellings.last)
        #expect(mueller.source(of: 0..<3) == 0..<2)
        #expect(mueller.source(of: 3..<7) == 2..<6)
        let decomposed = try #require(FoldedText("Mu\u{308}ller").words.first?.spellings.first)
        #expect(decomposed.source(of: 0..<2) == 0..<3)
        let wang = try #require(FoldedText("王小").words.first?.spellings.last)
        #expect(wang.source(of: 0..<4) == 0..<1)
        #expect(wang.source(of: 1..<2) == 0..<1)
        let tatyana = try #require(FoldedText("Татьяна").words.first?.spellings.dropFirst().first)
        #expect(tatyana.text == "tatyana")
        #expect(tatyana.source(of: 0..<3) == 0..<3)
        #expect(tatyana.source(of: 0..<7) == 0..<7)
        let names = try #require(FoldedText("محمد").words.first?.spellings)
        let mohammed = try #require(names.first { $0.text == "mohammed" })
        #expect(mohammed.source(of: 0..<2) == 0..<1)
        #expect(mohammed.source(of: 0..<3) == 0..<2)
        #expect(mohammed.source(of: 0..<8) == 0..<4)
        let emoji = try #require(FoldedText("👍👍 ab").words.first?.spellings.first)
        #expect(emoji.source(of: 0..<2) == 3..<5)
    }

    @Test("Ranges out of bounds are clamped")
    func clamped() throws {
        let word = try #require(FoldedText("abc").words.first?.spellings.first)
        #expect(word.source(of: 1..<99) == 1..<3)
        #expect(word.source(of: 7..<9).isEmpty)
        #expect(word.source(of: -3..<1) == 0..<1)
    }

    static let alphabets: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x400...0x52F, 0x531...0x58F, 0x590...0x5F4,
        0x600...0x6FF,
        0x900...0x97F, 0xE00...0xE5B, 0x10A0...0x11FF, 0x1E00...0x1FFF, 0x2000...0x206F, 0x2150...0x218F,
        0x3041...0x30FF,
        0x3131...0x318E, 0x4E00...0x4FFF, 0xAC00...0xAFFF, 0xF900...0xFAFF, 0xFB00...0xFDFF, 0xFE70...0xFFEF,
        0x1F300...0x1F6FF, 0x1D400...0x1D7FF, 0x20000...0x20100, 0xE0000...0xE01EF, 0x0...0x10FFFF,
    ]

    /// Returns a text that mixes a few scripts.
    static func randomText(_ random: inout SplitMix, length: Int) -> String {
        var text = String.UnicodeScalarView()
        var alphabet = alphabets.randomElement(using: &random) ?? 0x61...0x7A
        for _ in 0..<length {
            if Int.random(in: 0..<6, using: &random) == 0 {
                alphabet = alphabets.randomElement(using: &random) ?? alphabet
            }
            if Int.random(in: 0..<9, using: &random) == 0 { text.append(" ") }
            if let scalar = Unicode.Scalar(UInt32.random(in: alphabet, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    @Test("Source ranges are ordered and within the word, for any text", arguments: 0..<8)
    func property(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<150 {
            let source = Self.randomText(&random, length: Int.random(in: 0...30, using: &random))
            let scalars = source.unicodeScalars.count
            var last = 0..<0
            for word in FoldedText(source).words {
                // Words do not overlap, except in a scalar such as ½.
                #expect(word.source.lowerBound >= max(last.lowerBound, last.upperBound - 1))
                #expect(word.source.upperBound >= last.upperBound && word.source.upperBound <= scalars)
                #expect(!word.source.isEmpty)
                last = word.source
                #expect(!word.spellings.isEmpty && word.spellings.count <= FoldedWord.maximumSpellings)
                for spelling in word.spellings {
                    #expect(!spelling.letters.isEmpty)
                    var last = word.source.lowerBound..<word.source.lowerBound
                    for index in spelling.letters.indices {
                        let range = spelling.source(of: index..<index + 1)
                        let isInside =
                            range.lowerBound >= last.lowerBound && range.upperBound >= last.upperBound
                            && range.upperBound <= word.source.upperBound && !range.isEmpty
                        #expect(isInside, "\(source.unicodeScalars.map(\.value)) \(spelling.text) \(index)")
                        last = range
                    }
                    #expect(spelling.source(of: 0..<spelling.letters.count).upperBound <= word.source.upperBound)
                }
            }
        }
    }

    @Test("Folding is idempotent", arguments: 100..<104)
    func idempotent(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let source = Self.randomText(&random, length: 20)
            for word in FoldedText(source, transliterating: false).words {
                let own = word.spellings[0].text
                #expect(words(own) == [own], "\(source.unicodeScalars.map(\.value))")
            }
        }
    }

    @Test("Long texts are folded")
    func long() {
        let count = 10_000
        for piece in [
            "a", "\u{301}", "é", "ж", "ς", "한", "か", "王", "א", "م", "ก", "👍", "\0", "ß", "\u{200D}", "'", "ㅎ", "ー",
        ] {
            let folded = FoldedText(String(repeating: piece, count: count))
            #expect(folded.words.allSatisfy { $0.source.upperBound <= count })
        }
    }
}
