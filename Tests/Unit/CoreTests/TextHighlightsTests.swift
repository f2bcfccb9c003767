import SwitchboardTestSupport
import SwitchboardTextNormalization
import Testing

@Suite("Ranges to highlight") struct TextHighlightsTests {
    @Test("Ranges of scalars are the same letters as ranges of the text")
    func ranges() {
        var random = SplitMix(seed: 7)
        let pieces = ["a", "é", "e\u{301}", "👩🏽‍🚀", "한", "ﷺ", " ", "z"]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let scalars = Array(text.unicodeScalars)
            let bounds = (0..<4).map { _ in Int.random(in: 0...scalars.count, using: &random) }
            let ranges = [bounds[0]..<max(bounds[0], bounds[1]), bounds[2]..<max(bounds[2], bounds[3])]
            #expect(
                text.ranges(ofScalars: ranges).map { Array(text.unicodeScalars[$0]) }
                    == ranges.map { Array(scalars[$0]) })
            let sorted = bounds.sorted()
            let marked = text.highlighted([sorted[0]..<sorted[1], sorted[2]..<sorted[3]], before: "", after: "")
            #expect(Array(marked.unicodeScalars) == scalars)
        }
    }

    @Test("Marks are around the ranges, and bounds outside are its ends")
    func marks() {
        #expect("Zoë Jogo".highlighted([0..<3, 4..<7]) == "[Zoë] [Jog]o")
        #expect("Ana".highlighted([1..<9], before: "<b>", after: "</b>") == "A<b>na</b>")
        #expect("Ana".highlighted(nil) == "Ana")
        #expect("Ana".highlighted([0..<2, 1..<3]) == "[An]a")
        #expect("Ana".ranges(ofScalars: [-2..<1]).map { "Ana"[$0] } == ["A"])
    }
}
