import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchEngine

/// The candidates for initials and words in any order.
@Suite struct SegmentationTests {
    private static let segmentations = [
        SearchTier(field: 0, .initials()), SearchTier(field: 0, .words()),
    ]

    private static func index(_ names: [String]) throws -> SearchIndex {
        try ReferenceTests.index(
            NaiveIndex(
                documents: names.enumerated().map { number, name in
                    NaiveIndex.Document(
                        id: Int64(number), values: [name.split(separator: " ").map { [letters(String($0))] }])
                }))
    }

    private static func search(
        _ index: SearchIndex, _ query: String, tiers: [SearchTier] = segmentations, limit: Int = 0
    ) throws -> [Int] {
        let words = query.split(separator: " ").map { [letters(String($0))] }
        return try index.search(SearchRequest(queries: [SearchQuery(words: words)], tiers: tiers, limit: limit))
            .map(\.document)
    }

    @Test(
        "The entries of two pieces are those of the pairs that begin with them",
        arguments: ["abc", "abcdefghijklmnopqrst"])
    func pairsBeginWithPieces(alphabet: String) throws {
        var random = SplitMix(seed: 5)
        let words = (0..<400).map { _ in
            String(
                (0..<Int.random(in: 1...4, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" })
        }
        let names = stride(from: 0, to: words.count, by: 2).map { [words[$0], words[$0 + 1]] }
        let field = try Self.index(names.map { $0.joined(separator: " ") }).fields[0]
        let pairs = try #require(field.wordPairs)
        let pieces = Set(words.prefix(60).flatMap { word in (1...word.count).map { word.prefix($0) } })
        for first in pieces {
            for second in pieces {
                let known = [first, second].map { piece in
                    pairs.layout.letters(piece.utf16.map { field.alphabet.code(of: $0) ?? Alphabet.unknown }[...])
                }
                var found: Set<Int> = []
                pairs.forEachDocument(class: 0, known[0], known[1], others: 0) { found.insert($0) }
                let expected = names.indices.filter { number in
                    [names[number], names[number].reversed()].contains {
                        $0[0].hasPrefix(first) && $0[1].hasPrefix(second)
                    }
                }
                // The hash of a letter has collisions.
                if alphabet.count < 16 {
                    #expect(found == Set(expected), "\(first) \(second)")
                } else {
                    #expect(found.isSuperset(of: expected), "\(first) \(second)")
                }
                #expect(found.isEmpty || pairs.estimate(class: 0, known[0], known[1]) > 0, "\(first) \(second)")
            }
        }
    }

    @Test("Initials agree with the reference in values of any number of words")
    func wideValues() throws {
        var random = SplitMix(seed: 6)
        let naive = NaiveIndex(
            documents: (0..<50).map { number in
                NaiveIndex.Document(
                    id: Int64(number),
                    values: (0..<Int.random(in: 1...2, using: &random)).map { _ in
                        (0..<Int.random(in: 1...18, using: &random)).map { _ in
                            [
                                (0..<Int.random(in: 1...4, using: &random)).map { _ in
                                    UInt16.random(in: 97...104, using: &random)
                                }
                            ]
                        }
                    })
            })
        let index = try ReferenceTests.index(naive)
        #expect((index.fields[0].wideValues?.documents.count ?? 0) > 5)
        let tiers = [SearchTier(field: 0, .initials())]
        for number in 0..<50 {
            var typed = naive.documents[number].values[0].filter { _ in Bool.random(using: &random) }
                .flatMap { $0[0].prefix(Int.random(in: 1...3, using: &random)) }
            if number % 4 == 0, !typed.isEmpty { typed[typed.count - 1] = 97 }
            if !(2...7).contains(typed.count) { continue }
            let hits = try index.search(
                SearchRequest(queries: [SearchQuery(words: [[typed]])], tiers: tiers, limit: 0))
            #expect(hits.map(\.id) == naive.search([typed], tiers: tiers, limit: 0).map(\.id))
        }
    }

    @Test("Common letters are found in order of rank, and the search stops at the limit")
    func commonLetters() throws {
        let names = (0..<6_000).map { ["ba da", "da ba", "ba ca", "ca da ba"][$0 % 4] }
        let index = try Self.index(names)
        #expect(try Self.search(index, "b d", limit: 5) == [0, 4, 8, 12, 16])
        #expect(try Self.search(index, "bd", limit: 5) == [0, 4, 8, 12, 16])
        #expect(try Self.search(index, "d b", limit: 5) == [1, 3, 5, 7, 9])
        #expect(try Self.search(index, "cdb", limit: 3) == [3, 7, 11])
        #expect(try Self.search(index, "bdc", limit: 3) == [3, 7, 11])
        #expect(try Self.search(index, "b d").count == 4_500)
    }

    @Test("Among many documents with the letters of a query, those that the reference finds are found")
    func commonPieces() throws {
        var random = SplitMix(seed: 7)
        let naive = NaiveIndex(
            documents: (0..<10_000).map { number in
                NaiveIndex.Document(
                    id: Int64(number),
                    values: [
                        (0..<Int.random(in: 2...5, using: &random)).map { _ in
                            [(0..<3).map { _ in UInt16.random(in: 97...98, using: &random) }]
                        }
                    ])
            })
        let index = try ReferenceTests.index(naive)
        for tier in Self.segmentations {
            for letters in [3, 3, 4, 4, 5, 5, 6, 6, 7, 7] {
                let typed = (0..<letters).map { _ in UInt16.random(in: 97...98, using: &random) }
                let query = SearchQuery(words: [[typed]])
                let hits = try index.search(SearchRequest(queries: [query], tiers: [tier], limit: 0))
                #expect(hits.map(\.id) == naive.search([typed], tiers: [tier], limit: 0).map(\.id))
                let first = try index.search(SearchRequest(queries: [query], tiers: [tier], limit: 4))
                #expect(first.map(\.id) == hits.prefix(4).map(\.id))
            }
        }
    }

    @Test("Names that repeat one letter, whose segmentations are too many to list, are found")
    func tooManySegmentations() throws {
        let names = (0..<60).map { number in
            Array(repeating: String(repeating: "a", count: 10), count: number % 6 + 1).joined(separator: " ")
        }
        let index = try Self.index(names)
        for letters in [25, 35, 45, 60] {
            let expected = names.indices.filter { ($0 % 6 + 1) * 10 >= letters }
            #expect(try Self.search(index, String(repeating: "a", count: letters)) == expected)
        }
    }
}
