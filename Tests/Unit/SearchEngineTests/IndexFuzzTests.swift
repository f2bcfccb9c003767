import Foundation
import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

/// Searches corrupt indexes. Their bytes are on the heap, so that the address sanitizer detects reads beyond them.
/// Corrupt files are covered by the tests of contacts.
@Suite("Damaged indexes")
struct IndexFuzzTests {
    /// `FUZZ_ROUNDS` sets the number of rounds, of which this test, whose rounds are slow, runs a hundredth.
    @Test("A search returns the hits of the intact index or reports corruption")
    func corruption() throws {
        let configured = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) }
        let rounds = configured.map { $0 / 100 } ?? 12
        let seed = configured == nil ? 7 : UInt64.random(in: .min ... .max)
        var random = SplitMix(seed: seed)
        var (round, rejected, detected, unnoticed, searches) = (0, 0, 0, 0, 0)
        while round < rounds {
            let index = try Self.index(&random)
            let bytes = index.bytes.withUnsafeBytes { Array($0) }
            let requests = (0..<12).map { _ in Self.request(&random) }
            let expected = try requests.map { try index.search($0) }
            for _ in 0..<min(60, rounds - round) {
                round += 1
                let corrupt = IndexBytes(copying: Corruption.random(of: bytes, using: &random))
                let opened: SearchIndex
                do throws(IndexFormatError) {
                    opened = try SearchIndex(corrupt, verifying: Bool.random(using: &random) ? .lazy : .eager)
                } catch {
                    rejected += 1
                    continue
                }
                var isDetected = false
                for number in requests.indices.shuffled(using: &random) {
                    searches += 1
                    do {
                        let hits = try opened.search(requests[number])
                        #expect(hits == expected[number], "seed \(seed), round \(round)")
                    } catch is IndexFormatError {
                        isDetected = true
                    }
                }
                if isDetected { detected += 1 } else { unnoticed += 1 }
            }
        }
        print(
            "Damaged blocks: \(round); rejected when opened: \(rejected), when used: \(detected),",
            "not read by any search: \(unnoticed); searches: \(searches)")
    }

    private static let fields: [FieldOptions] = [
        [.wordSuffixes, .initials, .infix, .typos], [.wordSuffixes, .infixByDocument], [.wordSuffixes],
    ]

    private static func word(_ random: inout SplitMix) -> String {
        let letters = Bool.random(using: &random) ? "abcé" : "0123456789"
        return String(
            (0..<Int.random(in: 1...9, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    private static func index(_ random: inout SplitMix) throws -> SearchIndex {
        var builder = IndexBuilder(fields: fields)
        for document in 0..<Int.random(in: 0...700, using: &random) {
            builder.beginDocument(id: Int64(document * 3), rank: UInt64.random(in: 0...99, using: &random))
            for field in fields.indices where Int.random(in: 0..<4, using: &random) > 0 {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    builder.beginValue(field: field)
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        let spellings = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                            Array(word(&random).utf16)
                        }
                        builder.addWord(spellings)
                    }
                }
            }
        }
        return try builder.build(generation: 1)
    }

    private static func request(_ random: inout SplitMix) -> SearchRequest {
        let words = (0..<Int.random(in: 1...2, using: &random)).map { _ in word(&random) }
        let tiers = fields.indices.flatMap { field in
            (SearchTier.Match.allKinds.dropLast() + [.typo(Fuzziness(one: 3, two: 6))]).map {
                SearchTier(field: field, $0)
            }
        }
        return SearchRequest(
            queries: [SearchQuery(words)], tiers: tiers.shuffled(using: &random),
            limit: [0, 1, 10].randomElement(using: &random) ?? 0)
    }
}

/// Random changes of bytes.
enum Corruption {
    static func random(of bytes: [UInt8], using random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        let start = Int.random(in: 0..<Swift.max(bytes.count, 1), using: &random)
        let end = Swift.min(bytes.count, start + Int.random(in: 1...4096, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3:
            for _ in 0..<8 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
        // The header and the directory are small, and most depends on them.
        case 4:
            bytes[Int.random(in: 0..<Swift.min(bytes.count, 2048), using: &random)] = .random(
                in: 0...255, using: &random)
        case 5: for position in start..<end { bytes[position] = 0 }
        case 6: bytes.removeSubrange(start...)
        default:
            bytes += (0..<Int.random(in: 1...4096, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        }
        return bytes
    }
}
