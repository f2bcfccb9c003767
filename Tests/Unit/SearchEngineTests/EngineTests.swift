import Foundation
import SwitchboardSearchEngine
import SwitchboardTestSupport
import Synchronization
import Testing

@Suite struct EngineTests {
    static func index(_ names: [[String]], options: FieldOptions = [.wordSuffixes, .initials, .infix, .typos]) throws
        -> SearchIndex
    {
        var builder = IndexBuilder(fields: [options])
        for (number, name) in names.enumerated() {
            builder.beginDocument(id: Int64(number))
            builder.beginValue(field: 0)
            for word in name { builder.addWord([letters(word)]) }
        }
        return try builder.build(generation: 42, fingerprint: 7)
    }

    @Test func emptyIndexHasNoHits() throws {
        let index = try Self.index([])
        for match in SearchTier.Match.allMatches {
            let request = SearchRequest(queries: [SearchQuery(["abc"])], tiers: [SearchTier(field: 0, match)])
            #expect(try index.search(request).isEmpty)
        }
    }

    @Test func emptyAndForeignQueriesHaveNoHits() throws {
        let index = try Self.index([["ada", "lovelace"]])
        for words in [[], [""], ["жук"], ["\u{1F600}"], [String(repeating: "ada", count: 500)]] {
            let request = SearchRequest(
                queries: [SearchQuery(words)], tiers: SearchTier.Match.allKinds.map { SearchTier(field: 0, $0) })
            #expect(try index.search(request).isEmpty, "\(words)")
        }
    }

    @Test func tiersOfMissingFieldsAndQueriesAreSkipped() throws {
        let index = try Self.index([["ada"]])
        let request = SearchRequest(
            queries: [SearchQuery(["ada"])],
            tiers: [
                SearchTier(field: 9, .prefix), SearchTier(field: 0, .prefix, query: 3),
                SearchTier(field: 0, .prefix),
            ])
        #expect(try index.search(request).map(\.tier) == [2])
    }

    @Test func reopenedIndexReturnsTheSameHits() throws {
        let index = try Self.index([["ada", "lovelace"], ["alan", "turing"], ["grace", "hopper"]])
        let copy = try index.bytes.withUnsafeBytes { try SearchIndex(IndexBytes(copying: Array($0))) }
        #expect(copy.generation == 42 && copy.fingerprint == 7 && copy.documentCount == 3)
        for query in ["a", "love", "hoper", "at"] {
            let request = SearchRequest(
                queries: [SearchQuery([query])], tiers: SearchTier.Match.allKinds.map { SearchTier(field: 0, $0) })
            #expect(try index.search(request) == copy.search(request))
        }
    }

    /// An index that is written as it is built is the same as one in memory, also with more stored bytes than one piece.
    @Test func writtenIndexIsTheSame() throws {
        let fields: [FieldOptions] = [.text, [.wordSuffixes, .initials, .infixByDocument], [.infix, .allTerms]]
        func add(to builder: inout IndexBuilder) {
            var generator = SplitMix(seed: 51)
            for number in 0..<3_000 {
                builder.beginDocument(id: Int64(number * 7 % 3_000), rank: .random(in: 0...900, using: &generator))
                for field in fields.indices {
                    builder.beginValue(field: field)
                    for _ in 0..<2 {
                        let letters = (0..<6).map { _ in UInt16.random(in: 97...103, using: &generator) }
                        builder.addWord([letters, Array(letters.reversed())])
                    }
                }
                if number % 3 > 0 { builder.store(Array(repeating: UInt8(number & 255), count: number % 4_000)) }
            }
        }
        var inMemory = IndexBuilder(fields: fields)
        add(to: &inMemory)
        let index = try inMemory.build(generation: 3, fingerprint: 4)
        let file = Mutex<[UInt8]>([])
        var inFile = IndexBuilder(fields: fields) { piece, offset in
            file.withLock { bytes in
                bytes += [UInt8](repeating: 0, count: max(0, offset + piece.count - bytes.count))
                bytes.replaceSubrange(offset..<offset + piece.count, with: piece)
            }
        }
        add(to: &inFile)
        #expect(file.withLock(\.count) > 1 << 20, "The stored bytes are written before all are known")
        try inFile.finish(generation: 3, fingerprint: 4)
        let written = try SearchIndex(IndexBytes(copying: file.withLock { $0 }), verifying: .eager)
        #expect(written.generation == 3 && written.fingerprint == 4 && written.documentCount == 3_000)
        for number in 0..<3_000 { #expect(try written.storedBytes(of: number) == index.storedBytes(of: number)) }
        for query in ["a", "abc", "gf", "cdeab", "abcdef"] {
            let tiers: [(Int, SearchTier.Match)] = [
                (0, .prefix), (0, .infix), (1, .infix), (1, .initials()), (2, .infix),
            ]
            for (field, match) in tiers {
                var request = SearchRequest(
                    queries: [SearchQuery([query])], tiers: [SearchTier(field: field, match)])
                request.limit = 0
                #expect(try written.search(request) == index.search(request))
            }
        }
    }

    @Test func errorOfTheOutputIsThrown() throws {
        struct Full: Error {}
        var builder = IndexBuilder(fields: [.text]) { _, offset in if offset > 0 { throw Full() } }
        builder.beginDocument(id: 1)
        builder.store([1])
        #expect(throws: Full.self) { try builder.finish() }
    }

    @Test func storedBytesBelongToTheirDocuments() throws {
        let stored: [[UInt8]] = [[1, 2, 3], [], Array(repeating: 7, count: 1_000), [0]]
        var builder = IndexBuilder(fields: [[.wordSuffixes]])
        for (number, bytes) in stored.enumerated() {
            builder.beginDocument(id: Int64(number), rank: UInt64(10 - number))
            builder.store(bytes)
        }
        let index = try builder.build()
        for (number, bytes) in stored.reversed().enumerated() { #expect(try index.storedBytes(of: number) == bytes) }
        for document in [-1, 4, .max] { #expect(try index.storedBytes(of: document).isEmpty) }
        #expect(try Self.index([["ada"]]).storedBytes(of: 0).isEmpty)
    }

    /// A search never verifies the whole section, so each document's bytes must tell on their own.
    @Test func corruptStoredBytesAreReported() throws {
        var builder = IndexBuilder(fields: [[.wordSuffixes]])
        let stored = (0..<20).map { number in (0..<40).map { UInt8($0 + number) } }
        for (number, bytes) in stored.enumerated() {
            builder.beginDocument(id: Int64(number))
            builder.store(bytes)
        }
        let intact = try builder.build().bytes.withUnsafeBytes { Array($0) }
        var reported = 0
        for (position, bit) in intact.indices.flatMap({ position in [4, 6, 7].map { (position, UInt8($0)) } }) {
            var corrupt = intact
            corrupt[position] ^= 1 << bit
            guard let index = try? SearchIndex(IndexBytes(copying: corrupt), verifying: .lazy) else { continue }
            for number in stored.indices {
                do {
                    #expect(try index.storedBytes(of: number) == stored[number])
                } catch {
                    #expect(error == .checksum)
                    reported += 1
                }
            }
            #expect(throws: IndexFormatError.checksum) { try index.verify() }
        }
        #expect(reported >= 20 * 44 * 3)
    }

    /// A value matches as a whole in each spelling of any of its words, also with a typo. In a value of many words this
    /// holds only from the word on that has several spellings; initials still match.
    @Test(arguments: [(2, .exact, .typo), (8, .exact, .typo), (9, .initials, nil)] as [(Int, MatchKind, MatchKind?)])
    func spellingsOfALaterWordMatchFromTheFirstWordOn(words: Int, kind: MatchKind, misspelt: MatchKind?) throws {
        var builder = IndexBuilder(fields: [[.wordSuffixes, .initials, .infix, .typos]])
        builder.beginDocument(id: 1)
        builder.beginValue(field: 0)
        for number in 1..<words { builder.addWord([letters("r\(number)")]) }
        builder.addWord([letters("muller"), letters("mueller")])
        let index = try builder.build()
        let first = (1..<words).map { "r\($0)" }.joined()
        func hit(_ typed: String) throws -> SearchHit? {
            try index.search(
                SearchRequest(
                    queries: [SearchQuery([typed])],
                    tiers: [.exact, .initials(), .typo(Fuzziness(one: 4, two: nil))].map { SearchTier(field: 0, $0) })
            ).first
        }
        #expect(try hit(first + "muller")?.kind == .exact)
        let found = try #require(try hit(first + "mueller"))
        #expect(found.kind == kind)
        #expect(found.matches.first?.spelling == 0 && found.matches.last?.spelling == 1)
        #expect(try hit(first + "muelelr")?.kind == misspelt)
    }

    @Test func documentedExampleHasTheDocumentedSize() throws {
        let index = try Self.index([["ana", "grande"], ["rio", "grande"], ["mario", "diaz"]])
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/engine.md"), encoding: .utf8)
        let claim = try #require(text.firstMatch(of: /index of the example has ([0-9,]+) bytes. ([0-9,]+) of them/))
        let numbers = [claim.1, claim.2].map { Int($0.filter(\.isNumber)) }
        let block = 16 * 8 * 8
        #expect(numbers == [index.bytes.withUnsafeBytes(\.count), block])
    }

    @Test func corruptBytesAreRejected() throws {
        let index = try Self.index([["ada", "lovelace"], ["alan", "turing"]])
        let bytes = index.bytes.withUnsafeBytes { Array($0) }
        for position in stride(from: 0, to: bytes.count, by: 7) {
            var corrupt = bytes
            corrupt[position] ^= 0x10
            #expect(throws: IndexFormatError.self) { try SearchIndex(IndexBytes(copying: corrupt)) }
        }
        for length in [0, 10, 63, 64, 100, bytes.count - 1] {
            #expect(throws: IndexFormatError.self) { try SearchIndex(IndexBytes(copying: bytes[..<length])) }
        }
    }

    /// With lazy verification, a search of a corrupt index returns the right hits or reports corruption.
    @Test func corruptionIsDetectedBeforeUse() throws {
        var random = SplitMix(seed: 5)
        let index = try Self.index((0..<300).map { ["name\($0 % 40)", "other\($0 * 7)"] })
        let bytes = index.bytes.withUnsafeBytes { Array($0) }
        let requests = ["nam", "name12", "oth7", "no", "ther2", "naem3", "other 14"].map { text in
            SearchRequest(
                queries: [SearchQuery(text.split(separator: " ").map(String.init))],
                tiers: SearchTier.Match.allKinds.map { SearchTier(field: 0, $0) })
        }
        let expected = try requests.map { try index.search($0) }
        var detected = 0
        for _ in 0..<400 {
            var corrupt = bytes
            corrupt[Int.random(in: 0..<corrupt.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let opened = try? SearchIndex(IndexBytes(copying: corrupt), verifying: .lazy) else {
                detected += 1
                continue
            }
            var isDetected = false
            for (request, hits) in zip(requests, expected) {
                do {
                    #expect(try opened.search(request) == hits)
                } catch IndexFormatError.checksum {
                    isDetected = true
                }
            }
            if isDetected { detected += 1 }
        }
        // The searches read nearly all bytes.
        #expect(detected > 370)
    }

    @Test func cancelledSearchThrows() throws {
        let names = (0..<5000).map { ["name\($0)", "other\($0 * 7)"] }
        let index = try Self.index(names)
        let calls = Mutex(0)
        let request = SearchRequest(
            queries: [SearchQuery(["namf12"])], tiers: SearchTier.Match.allKinds.map { SearchTier(field: 0, $0) },
            limit: 0
        ) {
            calls.withLock { count in
                count += 1
                return count > 3
            }
        }
        #expect(throws: CancellationError.self) { try index.search(request) }
        #expect(calls.withLock { $0 } == 4)
    }

    @Test func hitsAreInRankOrderWithinTheDocumentRange() throws {
        var builder = IndexBuilder(fields: [[.wordSuffixes]])
        for (id, rank) in [(1, 30), (2, 10), (3, 20)] as [(Int64, UInt64)] {
            builder.beginDocument(id: id, rank: rank)
            builder.beginValue(field: 0)
            builder.addWord([letters("ada")])
        }
        let index = try builder.build()
        var request = SearchRequest(queries: [SearchQuery(["a"])], tiers: [SearchTier(field: 0, .prefix)])
        #expect(try index.search(request).map(\.id) == [2, 3, 1])
        request.documents = 0..<2
        #expect(try index.search(request).map(\.id) == [2, 3])
        request.documents = 2..<Int.max
        #expect(try index.search(request).map(\.id) == [1])
    }

    @Test func rareLettersMatchByTheirEscapes() throws {
        // 900 Han words of one letter each: far more than the 254 codes.
        let han = (0..<900).map { [String(UnicodeScalar(0x4E00 + $0) ?? "x"), "ming"] }
        let index = try Self.index(han)
        index.expectInvariants()
        for number in stride(from: 0, to: 900, by: 37) {
            let request = SearchRequest(
                queries: [SearchQuery([han[number][0] + "mi"])], tiers: [SearchTier(field: 0, .prefix)])
            let hits = try index.search(request)
            #expect(hits.map(\.id) == [Int64(number)])
            #expect(hits.first?.matches.map(\.letters) == [0..<1, 0..<2])
        }
    }

    @Test(
        arguments: [
            ["gra"], ["anagrande"], ["rg"], ["grande", "mar"], ["dia", "mar", "gra"], ["io"], ["grnade"],
            ["mraio", "grande"],
        ]
    ) func matchesLocatedLaterAreThoseOfTheSearch(words: [String]) throws {
        let index = try Self.index([["ana", "grande"], ["rio", "grande"], ["mario", "diaz", "grande"]])
        // Alternatives, so that hits of a second expansion are covered.
        let query = SearchQuery(words: words.map { [letters($0 + "q"), letters($0)] })
        var request = SearchRequest(
            queries: [query],
            tiers: SearchTier.Match.allMatches.map { SearchTier(field: 0, $0) }, limit: 0)
        let whole = try index.search(request)
        request.includesMatches = false
        let bare = try index.search(request)
        #expect(!whole.isEmpty && whole.map(\.id) == bare.map(\.id))
        #expect(whole.allSatisfy { !$0.matches.isEmpty } && bare.allSatisfy(\.matches.isEmpty))
        #expect(bare.map { index.matches(of: $0, in: request) } == whole.map(\.matches))
    }

    @Test func wordsAcrossValuesAllowTyposInEachWord() throws {
        var builder = IndexBuilder(fields: [[.wordSuffixes, .initials, .typos]])
        for (id, values) in [(1, [["heathrow"], ["london"]]), (2, [["gatwick"], ["london"]])] as [(Int64, [[String]])] {
            builder.beginDocument(id: id)
            for value in values {
                builder.beginValue(field: 0)
                for word in value { builder.addWord([letters(word)]) }
            }
        }
        let index = try builder.build()
        let tiers = [
            SearchTier(field: 0, .wordsAcrossValues()),
            SearchTier(field: 0, .typo(otherFields: [])),
        ]
        let exact = try index.search(SearchRequest(queries: [SearchQuery(["lond", "gatw"])], tiers: tiers))
        #expect(exact.map(\.id) == [2] && exact.first?.kind == .words)
        let typo = try index.search(SearchRequest(queries: [SearchQuery(["lodnon", "hethrow"])], tiers: tiers))
        #expect(typo.map(\.id) == [1] && typo.first?.edits == 2)
    }

    /// Enough documents for the fields to be written on several threads.
    @Test func parallelBuildsAreDeterministic() throws {
        func build() throws -> SearchIndex {
            var random = SplitMix(seed: 5)
            var builder = IndexBuilder(fields: [
                [.wordSuffixes, .initials, .infix, .typos], [.wordSuffixes, .initials, .typos],
                [.wordSuffixes, .infixByDocument],
            ])
            for document in 0..<1_500 {
                builder.beginDocument(id: Int64(document), rank: UInt64.random(in: 0..<100, using: &random))
                for field in 0..<3 {
                    builder.beginValue(field: field)
                    for _ in 0..<3 {
                        builder.addWord([(0..<5).map { _ in UInt16.random(in: 97...102, using: &random) }])
                    }
                }
            }
            return try builder.build(generation: 1)
        }
        let first = try build()
        #expect(first.brokenInvariants() == [])
        let bytes = first.bytes.withUnsafeBytes { Array($0) }
        for _ in 0..<5 { #expect(try build().bytes.withUnsafeBytes { Array($0) } == bytes) }
    }

    /// The order of values, the alternatives and a crafted word are those of ``SpellingRules``.
    @Test func soundAlikesAreOrderedByCost() throws {
        let rules = SpellingRules([
            .init([letters("ei"), letters("ai")]), .init([letters("k"), letters("c")]),
            .init([letters("e"), []], place: .end),
            .init([letters("sch"), letters("sh")], place: .start),
        ])
        let index = try Self.index([["caiser"], ["kaiser"], ["keiser"], ["caise"], ["schein"], ["aschai"]])
        func hits(_ word: String) throws -> [Int64] {
            let tier = SearchTier(field: 0, .soundAlikes(rules))
            return try index.search(SearchRequest(queries: [SearchQuery([word])], tiers: [tier])).map(\.id)
        }
        #expect(try hits("keiser") == [2, 1, 0])
        #expect(try hits("kaise") == [1, 0, 2, 3])
        #expect(try hits("shain") == [4])
        #expect(try hits("ashei") == [])
        #expect(try hits("kei") == [2])
        #expect(try hits("xyz") == [])
        // No word of this index has the letters k and r.
        let other = try Self.index([["caise"], ["saise"]])
        let tier = SearchTier(field: 0, .soundAlikes(rules))
        let found = try other.search(SearchRequest(queries: [SearchQuery(["kaise"])], tiers: [tier])).map(\.id)
        #expect(found == [0])
        #expect(try other.search(SearchRequest(queries: [SearchQuery(["raise"])], tiers: [tier])).isEmpty)
    }
}
