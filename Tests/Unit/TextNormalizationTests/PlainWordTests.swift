import SeededRandom
import SwitchboardTextNormalization
import Testing

/// Words that are found without folding are those that folding finds.
@Suite("Plain words")
struct PlainWordTests {
    private func check(_ text: String) throws {
        let words = try #require(PlainWords(Array(text.utf8)[...]))
        let folded = FoldedText(text).words
        #expect(words.isEmpty == folded.isEmpty, "\(text)")
        for (number, word) in folded.enumerated() {
            #expect(words[number] == word.source, "word \(number) of “\(text)”")
            #expect(word.spellings.count == 1, "word \(number) of “\(text)”")
            #expect(word.spellings[0].source(of: 0..<1) == word.source.lowerBound..<word.source.lowerBound + 1)
        }
        #expect(words[folded.count] == nil, "\(text)")
    }

    @Test("equal those of the folded text")
    func foldedWords() throws {
        let texts = [
            "", " ", "Ana", " Ana ", "Rio Grande", "O'Connor", "Anne-Marie", "a.b@example.org", "R2D2",
            "a\u{0}b\tc\u{7F}d", "_x_", "`x`",
        ]
        for text in texts { try check(text) }
        var random = SplitMix(seed: 20_261_124)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0..<0x80, using: &random)
                    : Array("ab Z9'-.".utf8).randomElement(using: &random) ?? 0
            }
            try check(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("other characters than those of ASCII need folding")
    func otherCharacters() {
        #expect(PlainWords(Array("José".utf8)[...]) == nil)
    }
}
