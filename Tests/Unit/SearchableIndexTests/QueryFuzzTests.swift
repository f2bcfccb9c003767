import Foundation
import SwitchboardSearchableIndex
import Testing

@Suite("Random queries")
struct QueryFuzzTests {
    private static let pieces = [
        "title", "rating", "startDate", "allDay", "*", "==", "!=", "<", ">=", "&&", "||", "!", "(", ")", ",",
        "InRange(",
        "\"a*b\"cdwt", "\"é\"c", "'x'", "\\", "\"", "[cd]", "1e9", "-3", "$time.today(-3)", "$time.iso(2026-02-28)",
        "$time.this_year(10000)", "$time.now(-3e11)", "$", "\u{0}", "\u{301}", "😀", "½", "ß", " ",
    ]

    /// `Scripts/fuzz queries` runs more rounds.
    @Test("Mutated queries parse and evaluate, or throw with a valid column")
    func mutations() {
        let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 2_000
        let corpus =
            QueryTextTests.cases.map(\.query) + QueryValueTests.cases.map(\.query) + QueryErrorTests.cases.map(\.query)
        let item = SampleItem(attributes: [
            "title": [.text("Frédéric's NSWindow, paris-France ½ 王 \u{301}e")], "rating": [.number(.nan)],
            "startDate": [.date(.distantFuture)], "keywords": [.text("")], "allDay": [.text("wrong")],
        ])
        var read = 0
        var refused = 0
        for _ in 0..<rounds {
            var scalars = Array((corpus.randomElement() ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 1...4) {
                let start = Int.random(in: 0...scalars.count)
                let removed = start..<min(scalars.count, start + Int.random(in: 0...3))
                scalars.replaceSubrange(removed, with: Array((Self.pieces.randomElement() ?? "").unicodeScalars))
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            do {
                _ = try AttributeQuery(String(text)).predicate(at: Date(), in: .current).matches(item)
                read += 1
            } catch {
                #expect(error.column >= 1 && error.column <= text.count + 1, "\(text): \(error)")
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
        print("Queries read: \(read), refused: \(refused)")
    }
}
