import SwitchboardSearchEngine
import Testing

/// The engine against ``NaiveIndex``: the same hits, in the same order, of the same kinds.
@Suite struct ReferenceTests {
    static let allOptions: LaneOptions = [.runs, .starts, .infix, .typos]
    static let tiers: [LookupTier] = [
        LookupTier(lane: 0, kind: .exact), LookupTier(lane: 0, kind: .prefix), LookupTier(lane: 0, kind: .initials),
        LookupTier(lane: 0, kind: .words), LookupTier(lane: 0, kind: .joined), LookupTier(lane: 0, kind: .infix),
        LookupTier(lane: 0, kind: .typo, typos: TypoAllowance(one: 3, two: 5)),
    ]

    static func index(_ naive: NaiveIndex) throws -> LookupIndex {
        var builder = IndexBuilder(lanes: [allOptions])
        for (rank, record) in naive.records.enumerated() {
            builder.beginRecord(id: record.id, rank: UInt64(rank))
            for field in record.fields {
                builder.beginField(lane: 0)
                for word in field { builder.addWord(word) }
            }
        }
        return try builder.build(generation: 1)
    }

    /// The same with the suffixes of each record instead of those of each word.
    static func byRecord(_ naive: NaiveIndex) throws -> LookupIndex {
        var builder = IndexBuilder(lanes: [[.runs, .starts, .typos, .infixByRecord]])
        for (rank, record) in naive.records.enumerated() {
            builder.beginRecord(id: record.id, rank: UInt64(rank))
            for field in record.fields {
                builder.beginField(lane: 0)
                for word in field { builder.addWord(word) }
            }
        }
        return try builder.build()
    }

    static func expectSame(_ naive: NaiveIndex, _ index: LookupIndex, _ query: [[UInt16]], limit: Int) throws {
        let expected = naive.search(query, tiers: tiers, limit: limit)
        let hits = try index.search(
            LookupRequest(queries: [LookupQuery(words: query.map { [$0] })], tiers: tiers, limit: limit))
        let got = hits.map { NaiveIndex.Hit(id: $0.id, tier: $0.tier, kind: $0.kind, edits: $0.edits) }
        #expect(got == expected, "query \(query.map { String(decoding: $0, as: UTF16.self) }), limit \(limit)")
        for hit in hits { expectPlausible(hit, naive, query) }
    }

    /// The letters that a hit marks are those of the query, except for typos, and lie inside the words they name.
    static func expectPlausible(_ hit: LookupHit, _ naive: NaiveIndex, _ query: [[UInt16]]) {
        guard let record = naive.records.first(where: { $0.id == hit.id }) else {
            Issue.record("hit \(hit.id) is no record")
            return
        }
        #expect(!hit.matches.isEmpty)
        var marked: [UInt16] = []
        for match in hit.matches {
            let word = record.fields[match.field][match.word]
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

    /// All queries of up to four letters over two letters, on every set of names that a small grammar makes.
    @Test func agreesOnEverySmallCase() throws {
        let words = ["a", "b", "ab", "ba", "aab"].map { [letters($0)] }
        var names: [NaiveIndex.Field] = words.map { [$0] }
        for first in words { for second in words { names.append([first, second]) } }
        names.append([words[2], words[1], words[3]])
        names.append([words[0], words[1], words[0], words[1]])
        names.append([[letters("ab"), letters("ba")], [letters("b"), letters("aa")]])
        var queries: [[UInt16]] = [[]]
        var layer: [[UInt16]] = [[]]
        for _ in 0..<4 {
            layer = layer.flatMap { [$0 + letters("a"), $0 + letters("b")] }
            queries += layer
        }
        queries.removeFirst()
        for window in stride(from: 0, to: names.count, by: 4) {
            let group = names[window..<Swift.min(window + 7, names.count)]
            let naive = NaiveIndex(
                records: group.enumerated().map { NaiveIndex.Record(id: Int64($0.offset + 10), fields: [$0.element]) })
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
        var random = SeededGenerator(state: UInt64(seed))
        let alphabet = Array("abcdefg".utf16).prefix(seed % 3 == 0 ? 3 : 7)
        func word(_ random: inout SeededGenerator) -> NaiveIndex.Word {
            (0..<(Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1)).map { _ in
                (0..<Int.random(in: 1...7, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 97 }
            }
        }
        let pool = (0..<40).map { _ in word(&random) }
        let naive = NaiveIndex(
            records: (0..<150).map { number in
                NaiveIndex.Record(
                    id: Int64(1000 - number),
                    fields: (0..<Int.random(in: 1...2, using: &random)).map { _ in
                        (0..<Int.random(in: 1...(number % 16 == 0 ? 6 : 4), using: &random)).map { _ in
                            Bool.random(using: &random) ? pool.randomElement(using: &random) ?? [] : word(&random)
                        }
                    })
            })
        let byRecord = try Self.byRecord(naive)
        let index = try Self.index(naive)
        index.expectInvariants()
        for _ in 0..<20 {
            let record = naive.records.randomElement(using: &random) ?? naive.records[0]
            let field = record.fields[0]
            let track = Int.random(in: 0...1, using: &random)
            var typed = field.flatMap { word in
                word[Swift.min(track, word.count - 1)].prefix(Int.random(in: 1...7, using: &random))
            }
            if Bool.random(using: &random), typed.count > 2 {
                typed[Int.random(in: 0..<typed.count, using: &random)] = alphabet.randomElement(using: &random) ?? 97
            }
            typed = Array(typed.prefix(9))
            for limit in [0, 1, 10] {
                try Self.expectSame(naive, index, [typed], limit: limit)
                try Self.expectSame(naive, byRecord, [typed], limit: limit)
                if typed.count > 2 {
                    let cut = Int.random(in: 1..<typed.count, using: &random)
                    try Self.expectSame(naive, index, [Array(typed[..<cut]), Array(typed[cut...])], limit: limit)
                }
            }
        }
    }

    /// Thousands of records, so that tries, blocks and heaps are deep; a few queries, since the reference is slow.
    @Test func agreesOnAThousandNames() throws {
        var random = SeededGenerator(state: 99)
        let vowels = Array("aeiou".utf16)
        let consonants = Array("bdklmnrst".utf16)
        func name(_ random: inout SeededGenerator) -> [UInt16] {
            (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
                [consonants.randomElement(using: &random) ?? 98, vowels.randomElement(using: &random) ?? 97]
            }
        }
        let pool = (0..<600).map { _ in [name(&random)] }
        let naive = NaiveIndex(
            records: (0..<1500).map { number in
                NaiveIndex.Record(
                    id: Int64(number),
                    fields: [
                        (0..<Int.random(in: 1...4, using: &random)).map { _ in pool.randomElement(using: &random) ?? []
                        }
                    ])
            })
        let index = try Self.index(naive)
        index.expectInvariants()
        for number in 0..<40 {
            let field = naive.records[number * 31].fields[0]
            var typed = Array(field.flatMap { $0[0] }.prefix(number % 8 + 1))
            if number % 3 == 0, typed.count > 4 { typed.swapAt(1, 2) }
            try Self.expectSame(naive, index, [typed], limit: number % 2 == 0 ? 10 : 0)
        }
    }
}
