import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchEngine

/// The order of candidates by the evidence of their matches.
@Suite("Likelihood")
struct LikelihoodTests {
    /// An index of documents with a name and a company, whose identifiers are their positions.
    private static func index(_ documents: [(name: String, company: String)], preferring preferred: Set<Int> = [])
        throws
        -> SearchIndex
    {
        var builder = IndexBuilder(fields: [[.wordSuffixes, .initials, .infix, .typos]])
        let order = documents.indices.sorted {
            (preferred.contains($0) ? 0 : 1, $0) < (preferred.contains($1) ? 0 : 1, $1)
        }
        for (position, number) in order.enumerated() {
            builder.beginDocument(
                id: Int64(number), rank: SearchIndex.rank(at: position, isPreferred: preferred.contains(number)))
            for value in [documents[number].name, documents[number].company] where !value.isEmpty {
                builder.beginValue(field: 0)
                for word in value.split(separator: " ") { builder.addWord([letters(String(word))]) }
            }
        }
        return try builder.build(generation: 1, fingerprint: 1)
    }

    /// Tiers in two groups: beginnings, and everything else.
    private static let tiers = [SearchTier.Match.exact, .prefix, .words(), .infix, .typo(otherFields: [])].map {
        match in
        var tier = SearchTier(field: 0, match)
        tier.titleField = 0
        tier.group = match == .exact || match == .prefix ? 0 : 1
        return tier
    }

    private static func request(_ query: String, limit: Int = 10) -> SearchRequest {
        var request = SearchRequest(
            queries: [SearchQuery(query.split(separator: " ").map(String.init))], tiers: tiers, limit: limit)
        request.likelihood = .text
        return request
    }

    @Test("The first rows do not depend on the number of rows that are asked for, also among many candidates")
    func pages() throws {
        var random = SplitMix(seed: 8)
        func letter() -> String { String("abc".randomElement(using: &random) ?? "a") }
        let index = try Self.index(
            (0..<20_000).map { _ in
                ((0..<6).map { _ in letter() }.joined(separator: " "), "")
            })
        let tiers = [SearchTier.Match.initials(), .words(), .infix].map { match in
            var tier = SearchTier(field: 0, match)
            tier.titleField = 0
            return tier
        }
        var late = 0
        for number in 0..<20 {
            let query = (0..<5 + number % 2).map { _ in letter() }.joined()
            func found(_ limit: Int) throws -> [SearchHit] {
                let some = number % 4 < 2 ? tiers : [tiers[0]]
                var request = SearchRequest(queries: [SearchQuery([query])], tiers: some, limit: limit)
                request.likelihood = .text
                return try index.search(request)
            }
            let all = try found(30)
            late += all.count { $0.evidence == nil }
            for limit in [1, 5, 10, 20] {
                #expect(try found(limit).map(\.id) == all.prefix(limit).map(\.id), "\(query) \(limit)")
            }
        }
        #expect(late > 0)
    }

    @Test(
        "The edits between a typed word and the beginning of the one that was meant",
        arguments: [
            ("ana", "ana", 0, 0, false), ("aan", "ana", 1, 0, false), ("an", "ana", 0, 0, false),
            ("aa", "ana", 1, 0, false),
            ("anna", "ana", 0, 1, false), ("ama", "ana", 0, 1, false), ("bna", "ana", 0, 1, true),
            ("na", "ana", 1, 0, true), ("garcai", "garcia", 1, 0, false), ("gacrai", "garcia", 2, 0, false),
            ("marai", "maria", 1, 0, false), ("", "ab", 0, 0, false),
        ])
    func edits(typed: String, meant: String, near: Int, far: Int, isFirstLetterWrong: Bool) {
        var edits = TypingEdits()
        edits.add(typed: Array(typed.utf8)[...], meant: Array(meant.utf8)[...])
        #expect(edits.near == near)
        #expect(edits.far == far)
        #expect(edits.isFirstLetterWrong == isFirstLetterWrong)
    }

    @Test("A slip is located where its edits are the most likely")
    func slipLocation() throws {
        let index = try Self.index([("marat", ""), ("maria", "")])
        let hits = try index.search(Self.request("marai"))
        #expect(hits.map(\.id) == [1, 0])
        #expect(hits.first?.matches.map(\.letters) == [0..<5])
    }

    @Test("The summands of the evidence have names and add up to its bits")
    func summands() throws {
        let index = try Self.index([("maria lee", ""), ("marat", "")], preferring: [1])
        let hits = try index.search(Self.request("marai"))
        for hit in hits {
            let (evidence, likelihood) = (try #require(hit.evidence), try #require(hit.likelihood))
            let summands = likelihood.summands(evidence)
            #expect(summands.map(\.bits).reduce(0, +) == likelihood.bits(evidence))
            #expect(summands.allSatisfy { $0.bits != 0 && !$0.name.isEmpty })
        }
        let first = try #require(hits.first { $0.id == 0 })
        let names = Likelihood.text.summands(try #require(first.evidence)).map(\.name)
        #expect(names == ["a slip", "swapped or missing letters", "the share of words", "the share of letters"])
        let preferred = try #require(hits.first { $0.id == 1 }?.evidence)
        #expect(Likelihood.text.summands(preferred).last?.name == "a favorite or used before")
    }

    @Test("A slip in the name comes before slips spread over name and company")
    func slips() throws {
        let index = try Self.index([
            ("katie gross", "kelly"), ("katie penn", ""), ("kelley katie", ""), ("kelley kante", ""),
        ])
        #expect(try index.search(Self.request("kelley ktaie")).map(\.id).first == 2)
    }

    @Test("More of the name, a whole word and its beginning are more likely")
    func shares() throws {
        let index = try Self.index([("annabel lee", ""), ("ann marie louise smith", ""), ("ann lee", ""), ("ann", "")])
        #expect(try index.search(Self.request("ann")).map(\.id) == [3, 2, 1, 0])
    }

    @Test("A preferred document is lifted, but not to an exact match of another one")
    func preferred() throws {
        let documents = [("ann lee", ""), ("ann marie louise smith", ""), ("ann", "")]
        #expect(try Self.index(documents).search(Self.request("ann")).map(\.id) == [2, 0, 1])
        #expect(try Self.index(documents, preferring: [1]).search(Self.request("ann")).map(\.id) == [2, 1, 0])
    }

    @Test("A longer list begins with the shorter one", arguments: [1, 2, 3]) func prefixes(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let words = ["ana", "anna", "anne", "hanna", "lee", "li", "lea", "maria", "mario", "marie"]
        let index = try Self.index(
            (0..<300).map { _ in
                let name = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    words.randomElement(using: &random) ?? ""
                }
                return (
                    name.joined(separator: " "),
                    Bool.random(using: &random) ? "" : words.randomElement(using: &random) ?? ""
                )
            })
        for query in ["an", "ana", "anna le", "mrai", "marie ana", "nn"] {
            let all = try index.search(Self.request(query, limit: 0)).map(\.id)
            #expect(Set(all).count == all.count)
            for limit in [1, 5, 10, 33, 100] {
                #expect(
                    try index.search(Self.request(query, limit: limit)).map(\.id) == Array(all.prefix(limit)),
                    "\(query)")
            }
        }
    }
}
