import SwitchboardSearchEngine
import Testing

/// An index with changes on top of it answers as one that was made of the changed records.
@Suite struct LayeredIndexTests {
    struct Record {
        var id: Int64
        var rank: UInt64
        var fields: [[[UInt16]]]
    }

    static let tiers: [LookupTier] =
        ReferenceTests.tiers.dropLast() + [
            LookupTier(lane: 0, kind: .words, acrossFields: true),
            LookupTier(lane: 0, kind: .typo, acrossFields: true, typos: TypoAllowance(one: 3, two: 5)),
        ]

    static func index(_ records: some Sequence<Record>) throws -> LookupIndex {
        var builder = IndexBuilder(lanes: [ReferenceTests.allOptions])
        for record in records {
            builder.beginRecord(id: record.id, rank: record.rank)
            for field in record.fields {
                builder.beginField(lane: 0)
                for word in field { builder.addWord([word]) }
            }
        }
        return try builder.build()
    }

    static func record(_ id: Int64, _ random: inout SeededGenerator) -> Record {
        let alphabet = Array("abcde".utf16)
        let fields = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...5, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 97 }
            }
        }
        return Record(id: id, rank: UInt64.random(in: 0..<1 << 40, using: &random), fields: fields)
    }

    /// What of a hit does not depend on how the index is cut.
    static func outline(_ hits: [LookupHit]) -> [String] {
        hits.map { "\($0.id) \($0.tier) \($0.kind) \($0.edits) \($0.matches)" }
    }

    @Test(arguments: 0..<10) func answersAsTheWholeAnew(seed: Int) throws {
        var random = SeededGenerator(state: UInt64(seed))
        var records = Dictionary(uniqueKeysWithValues: (0..<120).map { (Int64($0), Self.record(Int64($0), &random)) })
        var layered = LayeredIndex(try Self.index(records.values.sorted { $0.id < $1.id }))
        for layer in 0..<3 {
            var changed: Set<Int64> = []
            for _ in 0..<12 {
                let id = Int64.random(in: 0..<Int64(130 + layer * 5), using: &random)
                changed.insert(id)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    records[id] = nil
                } else {
                    records[id] = Self.record(id, &random)
                }
            }
            layered = try layered.adding(
                try Self.index(changed.sorted().compactMap { records[$0] }), changed: changed)
            let whole = try Self.index(records.values.sorted { $0.id < $1.id })
            #expect(layered.recordCount == whole.recordCount)
            let ranks = records.mapValues(\.rank)
            #expect(try layered.best(0) { _ in ranks }.map(\.id) == whole.best(0).map(\.id))
            #expect(try layered.best(7) { _ in ranks }.map(\.id) == whole.best(7).map(\.id))
            for _ in 0..<40 {
                let words = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    String(decoding: Self.record(0, &random).fields[0][0], as: UTF16.self)
                }
                for limit in [0, 1, 5] {
                    let request = LookupRequest(queries: [LookupQuery(words)], tiers: Self.tiers, limit: limit)
                    let found = try layered.search(request) { _ in ranks }
                    let expected = Self.outline(try whole.search(request))
                    let difference = zip(Self.outline(found), expected).first { $0 != $1 }
                    #expect(found.count == expected.count, "\(words), limit \(limit)")
                    #expect(difference == nil, "\(words), limit \(limit)")
                }
            }
        }
    }

    @Test func keysAreAskedOnlyWhenLayersAnswerTogether() throws {
        func record(_ id: Int64, _ name: String) -> Record { Record(id: id, rank: 0, fields: [[Array(name.utf16)]]) }
        let base = try Self.index([record(1, "anna"), record(2, "berta")])
        let layer = try Self.index([record(2, "annabel")])
        let layered = try LayeredIndex(base).adding(layer, changed: [2])
        var asked = 0
        func search(_ text: String) throws -> [Int64] {
            let request = LookupRequest(queries: [LookupQuery([text])], tiers: [LookupTier(lane: 0, kind: .prefix)])
            let hits = try layered.search(request) { (ids: [Int64]) -> [Int64: Int64] in
                asked += 1
                return Dictionary(uniqueKeysWithValues: ids.map { ($0, -$0) })
            }
            return hits.map(\.id)
        }
        #expect(try search("annab") == [2])
        #expect(try search("berta") == [])
        #expect(asked == 0)
        #expect(try search("anna") == [2, 1])
        #expect(asked == 1)
    }
}
