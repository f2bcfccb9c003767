import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

/// Searches of single fields and words compared with requests.
@Suite struct FieldSearcherTests {
    private struct Found: Equatable {
        let document: Int
        let kind: MatchKind
        let edits: Double
        let matches: [WordMatch]
    }

    private static let fuzziness = Fuzziness(one: 3, two: 5)

    private static func word(_ length: ClosedRange<Int>, _ random: inout SplitMix) -> [UInt16] {
        (0..<Int.random(in: length, using: &random)).map { _ in UInt16.random(in: 97...100, using: &random) }
    }

    private static func index(documents: Int, _ random: inout SplitMix) throws -> SearchIndex {
        var builder = IndexBuilder(fields: [[.wordSuffixes, .typos]])
        for document in 0..<documents {
            builder.beginDocument(id: Int64(document), rank: UInt64(document))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                builder.beginValue(field: 0)
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    builder.addWord((0..<Int.random(in: 1...2, using: &random)).map { _ in word(1...9, &random) })
                }
            }
        }
        return try builder.build(generation: 1)
    }

    private static func requested(
        _ index: SearchIndex, _ spellings: [[UInt16]], _ tiers: [SearchTier], limit: Int
    ) throws -> [Found] {
        try index.search(SearchRequest(queries: [SearchQuery(words: [spellings])], tiers: tiers, limit: limit)).map {
            Found(document: $0.document, kind: $0.kind, edits: $0.edits, matches: $0.matches)
        }
    }

    @Test("Hits and matches equal those of a request", arguments: [1, 5, 300, 3_000])
    func agrees(documents: Int) throws {
        var random = SplitMix(seed: UInt64(documents))
        let index = try Self.index(documents: documents, &random)
        let searcher = try #require(try FieldSearcher(index, field: 0))
        let prefix = [SearchTier(field: 0, .exact), SearchTier(field: 0, .prefix)]
        let typo = [SearchTier(field: 0, .typo(Self.fuzziness))]
        for _ in 0..<400 {
            let spellings = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.word(1...12, &random) }
            for limit in [1, 7, 40, 0] {
                for (tiers, isExactOnly) in [(prefix, false), (Array(prefix.prefix(1)), true), (typo, false)] {
                    var hits: [CompactHit] = []
                    if tiers == typo {
                        try searcher.appendTypos(
                            of: spellings, fuzziness: Self.fuzziness, limit: limit, isCancelled: nil, to: &hits)
                    } else {
                        try searcher.appendPrefixMatches(
                            of: spellings, exactOnly: isExactOnly, limit: limit, isCancelled: nil, to: &hits)
                    }
                    let matcher = HitMatcher(
                        index, SearchRequest(queries: [SearchQuery(words: [spellings])], tiers: tiers))
                    let found = hits.map { hit in
                        Found(
                            document: Int(hit.document), kind: hit.kind, edits: hit.edits,
                            matches: matcher.matches(of: hit))
                    }
                    #expect(try found == Self.requested(index, spellings, tiers, limit: limit))
                }
            }
            let hasPrefix = try !Self.requested(index, spellings, prefix, limit: 1).isEmpty
            #expect(spellings.contains(where: searcher.containsPrefix) == hasPrefix)
        }
    }

    @Test("A field without word suffixes has no searcher")
    func missing() throws {
        let index = try IndexBuilder(fields: [[.infix]]).build()
        #expect(try FieldSearcher(index, field: 0) == nil && FieldSearcher(index, field: 1) == nil)
    }

    @Test("A search is cancelled")
    func cancelled() throws {
        var random = SplitMix(seed: 3)
        let index = try Self.index(documents: 3_000, &random)
        let searcher = try #require(try FieldSearcher(index, field: 0))
        var hits: [CompactHit] = []
        #expect(throws: CancellationError.self) {
            try searcher.appendPrefixMatches(of: [[97]], limit: 0, isCancelled: { true }, to: &hits)
        }
    }
}
