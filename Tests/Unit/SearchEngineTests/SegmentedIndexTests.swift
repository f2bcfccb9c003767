import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

/// An index with changes on top of it, compared with a rebuilt one.
@Suite struct SegmentedIndexTests {
    struct Document {
        var id: Int64
        var rank: UInt64
        var values: [[[UInt16]]]
    }

    static let tiers: [SearchTier] =
        ReferenceTests.tiers.dropLast() + [
            SearchTier(field: 0, .wordsAcrossValues()),
            SearchTier(field: 0, .typo(Fuzziness(one: 3, two: 5), otherFields: [])),
        ]

    static func index(
        _ documents: some Sequence<Document>, replacing replaced: [DocumentSet] = []
    ) throws -> SearchIndex {
        var builder = IndexBuilder(fields: [ReferenceTests.allOptions], replacing: replaced)
        for document in documents {
            builder.beginDocument(id: document.id, rank: document.rank)
            for value in document.values {
                builder.beginValue(field: 0)
                for word in value { builder.addWord([word]) }
            }
        }
        return try builder.build()
    }

    static func document(_ id: Int64, _ random: inout SplitMix) -> Document {
        let alphabet = Array("abcde".utf16)
        let values = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...5, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 97 }
            }
        }
        return Document(id: id, rank: UInt64.random(in: 0..<1 << 40, using: &random), values: values)
    }

    /// The properties of hits that do not depend on segments.
    static func outline(_ hits: [SearchHit]) -> [String] {
        hits.map { "\($0.id) \($0.tier) \($0.kind) \($0.edits) \($0.matches)" }
    }

    /// Half of the seeds are of segments that store what they replace.
    @Test(arguments: 0..<20) func returnsTheHitsOfARebuiltIndex(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var documents = Dictionary(
            uniqueKeysWithValues: (0..<120).map { (Int64($0), Self.document(Int64($0), &random)) })
        var segmented = SegmentedIndex(try Self.index(documents.values.sorted { $0.id < $1.id }))
        for segment in 0..<3 {
            var changed: Set<Int64> = []
            for _ in 0..<12 {
                let id = Int64.random(in: 0..<Int64(130 + segment * 5), using: &random)
                changed.insert(id)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    documents[id] = nil
                } else {
                    documents[id] = Self.document(id, &random)
                }
            }
            let changedDocuments = changed.sorted().compactMap { documents[$0] }
            if seed < 10 {
                segmented = try segmented.adding(try Self.index(changedDocuments), changed: changed)
            } else {
                let older = segmented
                let replaced = try older.documents(ofIDs: changed.sorted())
                segmented = older.adding(try Self.index(changedDocuments, replacing: replaced))
                let tombstones = segmented.removingNewest().segments.map(\.tombstones.count)
                #expect(tombstones == older.segments.map(\.tombstones.count))
            }
            let whole = try Self.index(documents.values.sorted { $0.id < $1.id })
            #expect(segmented.documentCount == whole.documentCount)
            let ranks = documents.mapValues(\.rank)
            #expect(try segmented.best(0) { _ in ranks }.map(\.id) == whole.best(0).map(\.id))
            #expect(try segmented.best(7) { _ in ranks }.map(\.id) == whole.best(7).map(\.id))
            // Some of the documents are found as if there were no others.
            let some = documents.keys.filter { ($0 + Int64(seed)) % 4 == 0 }.sorted()
            let restricted = try segmented.restricted(toIDs: some + [-1, 1_000])
            let rest = try Self.index(some.compactMap { documents[$0] })
            #expect(restricted.documentCount == rest.documentCount)
            #expect(try restricted.best(0) { _ in ranks }.map(\.id) == rest.best(0).map(\.id))
            let isOne = { (id: Int64) in (id + Int64(seed)) % 4 == 0 }
            #expect(try segmented.best(9, accepting: isOne) { _ in ranks }.map(\.id) == rest.best(9).map(\.id))
            for _ in 0..<40 {
                let words = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    String(decoding: Self.document(0, &random).values[0][0], as: UTF16.self)
                }
                for limit in [0, 1, 5] {
                    let request = SearchRequest(queries: [SearchQuery(words)], tiers: Self.tiers, limit: limit)
                    let found = try segmented.search(request) { _ in ranks }
                    let expected = Self.outline(try whole.search(request))
                    let difference = zip(Self.outline(found), expected).first { $0 != $1 }
                    #expect(found.count == expected.count, "\(words), limit \(limit)")
                    #expect(difference == nil, "\(words), limit \(limit)")
                    let outline = Self.outline(try restricted.search(request) { _ in ranks })
                    #expect(try outline == Self.outline(rest.search(request)), "\(words), limit \(limit)")
                    let accepted = try segmented.search(request, accepting: isOne) { _ in ranks }
                    #expect(Self.outline(accepted) == outline, "\(words), limit \(limit)")
                }
            }
        }
    }

    @Test func sortKeysAreOnlyRequestedIfSeveralSegmentsMatch() throws {
        func document(_ id: Int64, _ name: String) -> Document {
            Document(id: id, rank: 0, values: [[Array(name.utf16)]])
        }
        let base = try Self.index([document(1, "anna"), document(2, "berta")])
        let segment = try Self.index([document(2, "annabel")])
        let segmented = try SegmentedIndex(base).adding(segment, changed: [2])
        var calls = 0
        func search(_ text: String) throws -> [Int64] {
            let request = SearchRequest(queries: [SearchQuery([text])], tiers: [SearchTier(field: 0, .prefix)])
            let hits = try segmented.search(request) { (ids: [Int64]) -> [Int64: Int64] in
                calls += 1
                return Dictionary(uniqueKeysWithValues: ids.map { ($0, -$0) })
            }
            return hits.map(\.id)
        }
        #expect(try search("annab") == [2])
        #expect(try search("berta") == [])
        #expect(calls == 0)
        #expect(try search("anna") == [2, 1])
        #expect(calls == 1)
    }
}
