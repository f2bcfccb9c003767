import SwitchboardTestSupport
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
            let spelling = word.spellings[0]
            #expect(spelling.letters.count == word.source.count, "word \(number) of “\(text)”")
            for letter in spelling.letters.indices {
                let start = word.source.lowerBound + letter
                #expect(spelling.source(of: letter..<letter + 1) == start..<start + 1, "“\(text)”")
            }
        }
        #expect(words[folded.count] == nil, "\(text)")
    }

    @Test("equal those of the folded text")
    func foldedWords() throws {
        let texts = [
            "", " ", "Ana", " Ana ", "Rio Grande", "O'Connor", "Anne-Marie", "a.b@example.org", "R2D2",
            "a\u{0}b\tc\u{7F}d", "_x_", "`x`",
            "José Núñez", "Łukasz Żółć", "Müller", "Gökçe Şahin", "İnönü Yıldız", "Đorđe Žižić", "Ståle Ørsted", "Əli",
            "Ŋ",
            "Юрий Ёлкин-Зайцев", "ООО «Быков»", "Ελένη Παπαδοπούλου", "Գարեգին", "გიორგი", "דוד לוי", "محمد علي",
            "أحمد",
            "東京", "孙勇2号", "さくらサクラ", "ﾊﾝﾀ", "a’b", "a，b", "☎ 12", "\u{80}",
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

    @Test("texts with letters that fold to several letters, with separate marks, or of Hangul are not plain")
    func otherLetters() {
        for text in ["Groß", "Æsir", "Jose\u{301}", "naïve ﬁ", "½", "김민수", "צ'רלי", "नमस्ते", "𠮷", "ｶﾞ", "a\u{200D}b"] {
            #expect(PlainWords(Array(text.utf8)[...]) == nil, "\(text)")
        }
        for bytes: [UInt8] in [[0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xD0, 0x41], [0xFF]] {
            #expect(PlainWords(bytes[...]) == nil, "\(bytes)")
        }
    }

    @Test("all letters agree with folding")
    func allLetters() throws {
        var count = 0
        for value in UInt32(0x80)...0xFFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["a\(scalar)b c", "д\(scalar)\(scalar)'я 東\(scalar)"]
            where PlainWords(Array(text.utf8)[...]) != nil {
                try check(text)
                count += 1
            }
        }
        #expect(count > 90_000)
    }

    @Test("only Latin letters and digits are Latin")
    func latin() {
        for text in ["", "José 2", "Łukasz, Ltd."] {
            #expect(PlainWords(Array(text.utf8)[...])?.isLatin == true, "\(text)")
        }
        for text in ["José Ю", "東 a", "א"] {
            #expect(PlainWords(Array(text.utf8)[...])?.isLatin == false, "\(text)")
        }
    }
}
