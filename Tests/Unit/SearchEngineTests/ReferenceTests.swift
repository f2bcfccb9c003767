import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

/// The engine compared with ``NaiveIndex``: the same hits, in the same order, of the same kinds.
@Suite struct ReferenceTests {
    static let allOptions: FieldOptions = [.wordSuffixes, .initials, .infix, .typos]
    static let tiers: [SearchTier] = [
        SearchTier(field: 0, .exact), SearchTier(field: 0, .wholeWords),
        SearchTier(field: 0, .prefix),
        SearchTier(field: 0, .initials(.likely)), SearchTier(field: 0, .words(.likely)),
        SearchTier(field: 0, .initials()),
        SearchTier(field: 0, .words()), SearchTier(field: 0, .joined), SearchTier(field: 0, .infix),
        SearchTier(field: 0, .typo(Fuzziness(one: 3, two: 5))),
    ]

    static func index(_ naive: NaiveIndex, options: FieldOptions = allOptions) throws -> SearchIndex {
        var builder = IndexBuilder(fields: [options])
        for (rank, document) in naive.documents.enumerated() {
            builder.beginDocument(id: document.id, rank: UInt64(rank))
            for value in document.values {
                builder.beginValue(field: 0)
                for word in value { builder.addWord(word) }
            }
        }
        return try builder.build(generation: 1)
    }

    static func expectSame(_ naive: NaiveIndex, _ index: SearchIndex, _ query: [[UInt16]], limit: Int) throws {
        let expected = naive.search(query, tiers: tiers, limit: limit)
        let hits = try index.search(
            SearchRequest(queries: [SearchQuery(words: query.map { [$0] })], tiers: tiers, limit: limit))
        let got = hits.map { NaiveIndex.Hit(id: $0.id, tier: $0.tier, kind: $0.kind, edits: $0.edits) }
        #expect(got == expected, "query \(query.map { String(decoding: $0, as: UTF16.self) }), limit \(limit)")
        for hit in hits { expectPlausible(hit, naive, query) }
    }

    /// The matched letters are those of the query, except for typos, and are within the words of the match.
    static func expectPlausible(_ hit: SearchHit, _ naive: NaiveIndex, _ query: [[UInt16]]) {
        guard let document = naive.documents.first(where: { $0.id == hit.id }) else {
            Issue.record("hit \(hit.id) has no document")
            return
        }
        #expect(!hit.matches.isEmpty)
        var marked: [UInt16] = []
        for match in hit.matches {
            let word = document.values[match.value][match.word]
            #expect(match.spelling < word.count && match.letters.upperBound <= word[match.spelling].count)
            marked += word[match.spelling][match.letters]
        }
        let typed = Array(query.joined())
        switch hit.kind {
        case .exact, .prefix, .joined, .infix, .initials: #expect(marked == typed)
        case .words: #expect(marked.sorted() == typed.sorted())
        case .typo: #expect(abs(marked.count - typed.count) <= 2)
        }
    }

    /// All queries of up to four letters over two letters, on sets of names from a small grammar.
    @Test func agreesOnAllSmallCases() throws {
        let words = ["a", "b", "ab", "ba", "aab"].map { [letters($0)] }
        var names: [NaiveIndex.Value] = words.map { [$0] }
        for first in words { for second in words { names.append([first, second]) } }
        names.append([words[2], words[1], words[3]])
        names.append([words[0], words[1], words[0], words[1]])
        names.append([[letters("ab"), letters("ba")], [letters("b"), letters("aa")]])
        var queries: [[UInt16]] = [[]]
        var segment: [[UInt16]] = [[]]
        for _ in 0..<4 {
            segment = segment.flatMap { [$0 + letters("a"), $0 + letters("b")] }
            queries += segment
        }
        queries.removeFirst()
        for window in stride(from: 0, to: names.count, by: 4) {
            let group = names[window..<Swift.min(window + 7, names.count)]
            let naive = NaiveIndex(
                documents: group.enumerated().map {
                    NaiveIndex.Document(id: Int64($0.offset + 10), values: [$0.element])
                })
            let index = try Self.index(naive)
            index.expectInvariants()
            for query in queries {
                try Self.expectSame(naive, index, [query], limit: 0)
                for cut in 1..<Swift.max(query.count, 1) {
                    try Self.expectSame(naive, index, [Array(query[..<cut]), Array(query[cut...])], limit: 0)
                }
            }
        }
    }

    @Test(arguments: 0..<12) func agreesOnRandomCases(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let alphabet = Array("abcdefg".utf16).prefix(seed % 3 == 0 ? 3 : 7)
        func word(_ random: inout SplitMix) -> NaiveIndex.Word {
            (0..<(Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1)).map { _ in
                (0..<Int.random(in: 1...7, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 97 }
            }
        }
        let pool = (0..<40).map { _ in word(&random) }
        let naive = NaiveIndex(
            documents: (0..<150).map { number in
                NaiveIndex.Document(
                    id: Int64(1000 - number),
                    values: (0..<Int.random(in: 1...2, using: &random)).map { _ in
                        (0..<Int.random(in: 1...(number % 16 == 0 ? 6 : 4), using: &random)).map { _ in
                            Bool.random(using: &random) ? pool.randomElement(using: &random) ?? [] : word(&random)
                        }
                    })
            })
        let byDocument = try Self.index(naive, options: [.wordSuffixes, .initials, .typos, .infixByDocument])
        let index = try Self.index(naive)
        index.expectInvariants()
        for _ in 0..<20 {
            let document = naive.documents.randomElement(using: &random) ?? naive.documents[0]
            let value = document.values[0]
            let track = Int.random(in: 0...1, using: &random)
            var typed = value.flatMap { word in
                word[Swift.min(track, word.count - 1)].prefix(Int.random(in: 1...7, using: &random))
            }
            if Bool.random(using: &random), typed.count > 2 {
                typed[Int.random(in: 0..<typed.count, using: &random)] = alphabet.randomElement(using: &random) ?? 97
            }
            typed = Array(typed.prefix(9))
            for limit in [0, 1, 10] {
                try Self.expectSame(naive, index, [typed], limit: limit)
                try Self.expectSame(naive, byDocument, [typed], limit: limit)
                if typed.count > 2 {
                    let cut = Int.random(in: 1..<typed.count, using: &random)
                    try Self.expectSame(naive, index, [Array(typed[..<cut]), Array(typed[cut...])], limit: limit)
                }
            }
        }
    }

    /// Enough documents for deep tries, blocks and heaps. The reference is slow, so only a few queries.
    @Test func agreesOnAThousandNames() throws {
        var random = SplitMix(seed: 99)
        let vowels = Array("aeiou".utf16)
        let consonants = Array("bdklmnrst".utf16)
        func name(_ random: inout SplitMix) -> [UInt16] {
            (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
                [consonants.randomElement(using: &random) ?? 98, vowels.randomElement(using: &random) ?? 97]
            }
        }
        let pool = (0..<600).map { _ in [name(&random)] }
        let naive = NaiveIndex(
            documents: (0..<1500).map { number in
                NaiveIndex.Document(
                    id: Int64(number),
                    values: [
                        (0..<Int.random(in: 1...4, using: &random)).map { _ in pool.randomElement(using: &random) ?? []
                        }
                    ])
            })
        let index = try Self.index(naive)
        index.expectInvariants()
        for number in 0..<40 {
            let value = naive.documents[number * 31].values[0]
            var typed = Array(value.flatMap { $0[0] }.prefix(number % 8 + 1))
            if number % 3 == 0, typed.count > 4 { typed.swapAt(1, 2) }
            try Self.expectSame(naive, index, [typed], limit: number % 2 == 0 ? 10 : 0)
        }
    }

    /// More nodes than have signatures, and letters that no document has. Other tiers of the reference are too slow.
    @Test func agreesOnTyposInManyNames() throws {
        var random = SplitMix(seed: 7)
        func name(_ length: ClosedRange<Int>, _ letters: ClosedRange<UInt16>) -> [UInt16] {
            (0..<Int.random(in: length, using: &random)).map { _ in UInt16.random(in: letters, using: &random) }
        }
        let names = (0..<30_000).map { _ in name(3...10, 97...104) }
        let naive = NaiveIndex(
            documents: names.enumerated().map { NaiveIndex.Document(id: Int64($0), values: [[[$1]]]) })
        let index = try Self.index(naive, options: [.wordSuffixes, .typos])
        let tiers = [SearchTier(field: 0, .typo(Fuzziness(one: 3, two: 6)))]
        for number in 0..<30 {
            var typed = names[number * 999]
            if number % 2 > 0 { typed.replaceSubrange(typed.count - 2..<typed.count - 1, with: name(0...2, 97...106)) }
            let hits = try index.search(
                SearchRequest(queries: [SearchQuery(words: [[typed]])], tiers: tiers, limit: 0))
            let expected = naive.search([typed], tiers: tiers, limit: 0)
            #expect(
                Dictionary(uniqueKeysWithValues: hits.map { ($0.id, $0.edits) })
                    == Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0.edits) }), "\(typed)")
        }
    }
}

func letters(_ text: String) -> [UInt16] { Array(text.utf16) }
