import Foundation
import SwitchboardTestSupport
import Synchronization
import Testing

@testable import SwitchboardSearchEngine

/// Searches index files that were written to do harm: their content is wrong, their checksums are right.
///
/// The tests pass if nothing traps, reads outside the file or runs without end. `FUZZ_ROUNDS` sets the number of
/// mutations, `FUZZ_SEED` their seed, `FUZZ_FIRST` the first round and `FUZZ_LOG` a file that has the round of a crash;
/// `Scripts/fuzz index` sets them. A round depends on nothing but the seed and its number.
@Suite("Crafted indexes")
struct CraftedIndexTests {
    @Test("No content of an index leads outside of it, traps or loops")
    func mutations() throws {
        let environment = ProcessInfo.processInfo.environment
        func number(_ name: String, or other: Int) -> Int { environment[name].flatMap { Int($0) } ?? other }
        let (rounds, first, seed) = (
            number("FUZZ_ROUNDS", or: 6_000), number("FUZZ_FIRST", or: 0), number("FUZZ_SEED", or: 1)
        )
        let log = environment["FUZZ_LOG"].map { open($0, O_CREAT | O_WRONLY, 0o644) }
        let shapes = try IndexShape.all()
        var (rejected, hits) = (0, 0)
        for round in first..<first + rounds {
            if let log {
                let line = "seed \(seed), round \(round)          \n"
                _ = line.withCString { pwrite(log, $0, line.utf8.count, 0) }
            }
            var random = SplitMix(seed: UInt64(seed) << 40 ^ UInt64(round))
            let shape = shapes[Int.random(in: 0..<shapes.count, using: &random)]
            var mutation = IndexMutation(shape.bytes)
            mutation.mutate(Int.random(in: 1...8, using: &random), shapes, using: &random)
            guard let found = try Self.search(mutation.repaired(), shape, "seed \(seed), round \(round)", &random)
            else {
                rejected += 1
                continue
            }
            hits += found
        }
        print("Crafted indexes: \(rounds) from seed \(seed); rejected when opened: \(rejected); hits: \(hits)")
    }

    /// Searches an index and returns the number of hits, or nil if it was rejected.
    private static func search(
        _ bytes: [UInt8], _ shape: IndexShape, _ round: String, _ random: inout SplitMix
    ) throws -> Int? {
        guard
            let index = try? SearchIndex(
                IndexBytes(copying: bytes), verifying: Bool.random(using: &random) ? .lazy : .eager)
        else { return nil }
        var found = 0
        for _ in 0..<3 {
            var request = shape.requests[Int.random(in: 0..<shape.requests.count, using: &random)]
            request.includesMatches = Bool.random(using: &random)
            // A search of a few documents takes a few thousand steps; it asks once in 512.
            let calls = Mutex(0)
            request.isCancelled = {
                calls.withLock {
                    $0 += 1
                    return $0 > 100_000
                }
            }
            do {
                let hits: [SearchHit]
                if Int.random(in: 0..<8, using: &random) == 0 {
                    hits = try SegmentedIndex(index).adding(shape.segment, changed: 0..<20).search(request) { ids in
                        Dictionary(ids.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
                    }
                } else {
                    hits = try index.search(request)
                    for hit in hits.prefix(3) {
                        #expect((0..<index.documentCount).contains(hit.document), "\(round)")
                        found += index.matches(of: hit, in: request).count
                        _ = index.rank(of: hit.document)
                        _ = try index.document(ofID: hit.id)
                    }
                }
                found += hits.count
            } catch is IndexFormatError {
            } catch is CancellationError {
                Issue.record("\(round) does not end")
            }
        }
        found += try index.best(3).count
        return found
    }
}

/// A kind of index file, with searches that find something in it.
private struct IndexShape {
    let bytes: [UInt8]
    let requests: [SearchRequest]
    /// A later segment of the same fields.
    let segment: SearchIndex

    static func all() throws -> [IndexShape] {
        let people: [FieldOptions] = [
            [.wordSuffixes, .initials, .infix, .typos], [.wordSuffixes, .infixByDocument],
            [.wordSuffixes, .initials, .infix, .typos], [.wordSuffixes, .allTerms, .infix, .typos],
        ]
        let items: [FieldOptions] = [[.wordSuffixes, .initials, .typos], [.wordSuffixes, .allTerms, .infix, .typos]]
        let airports: [FieldOptions] = [[.wordSuffixes], [.wordSuffixes, .initials, .infix, .typos]]
        return [
            try IndexShape(people, documents: 60, words: 1...5, letters: "abcdefgh23456789"),
            try IndexShape(people, documents: 14, words: 1...4, letters: "23456789"),
            try IndexShape(items, documents: 12, words: 1...30, letters: "abcdefghijklmnopqrstuvwxyz"),
            try IndexShape(airports, documents: 25, words: 1...3, letters: String(letters(254..<600))),
            try IndexShape(people, documents: 1, words: 1...6, letters: "ab"),
            try IndexShape(people, documents: 0, words: 1...1, letters: "a"),
            try IndexShape(airports, documents: 530, words: 3...5, letters: "abc"),
        ]
    }

    /// Letters from the Han block.
    private static func letters(_ numbers: Range<Int>) -> [Character] {
        numbers.compactMap { Unicode.Scalar(UInt32(0x4E00 + $0)).map(Character.init) }
    }

    private init(_ fields: [FieldOptions], documents: Int, words: ClosedRange<Int>, letters: String) throws {
        var random = SplitMix(seed: UInt64(documents))
        let letters = Array(letters.utf16)
        var known: [[UInt16]] = [Array("ada".utf16)]
        func word(_ random: inout SplitMix) -> [UInt16] {
            if Int.random(in: 0..<3, using: &random) == 0 { return known.randomElement(using: &random) ?? [] }
            let word = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &random)]
            }
            known.append(word)
            return word
        }
        func index(_ documents: Int, _ random: inout SplitMix) throws -> SearchIndex {
            var builder = IndexBuilder(fields: fields)
            for document in 0..<documents {
                builder.beginDocument(id: Int64(document * 3), rank: UInt64.random(in: 0...9, using: &random))
                for field in fields.indices {
                    for _ in 0..<Int.random(in: 1...2, using: &random) {
                        builder.beginValue(field: field)
                        for _ in 0..<Int.random(in: words, using: &random) {
                            let spellings = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
                            builder.addWord((0..<spellings).map { _ in word(&random) })
                        }
                    }
                }
            }
            return try builder.build(generation: 1)
        }
        bytes = try index(documents, &random).bytes.withUnsafeBytes { Array($0) }
        segment = try index(3, &random)
        let tiers = fields.indices.flatMap { field -> [SearchTier] in
            let (fuzziness, others) = (Fuzziness(one: 3, two: 6), [(field + 1) % fields.count])
            let matches: [SearchTier.Match] = [
                .exact, .prefix, .wholeWords, .initials(), .words(), .wordsAcrossValues(otherFields: others), .joined,
                .infix, .typo(fuzziness), .typo(fuzziness, otherFields: others),
            ]
            return matches.map { SearchTier(field: field, $0) }
        }
        requests = (0..<300).map { number in
            var typed: [[UInt16]] = (0..<[1, 1, 2, 3][number % 4]).map { _ in
                let word = known[Int.random(in: 0..<known.count, using: &random)]
                return Array(word.dropFirst(number / 4 % 3 == 0 ? 1 : 0).prefix(Int.random(in: 1...9, using: &random)))
            }
            // A typed word may run into the next, and may have a typo.
            if number % 8 == 1 { typed = [typed[0] + (known.randomElement(using: &random) ?? []).prefix(2)] }
            if number % 5 == 0, typed[0].count > 2 { typed[0].swapAt(1, 2) }
            let kinds = number % 3 == 0 ? tiers : [tiers[Int.random(in: 0..<tiers.count, using: &random)]]
            return SearchRequest(
                queries: [SearchQuery(words: typed.map { [$0] })], tiers: kinds, limit: [1, 0, 10][number % 3])
        }
    }
}

/// An index file whose fields are changed one by one, and whose checksums are then made to match.
private struct IndexMutation {
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func load<Value: FixedWidthInteger>(_ offset: Int, as: Value.Type = Value.self) -> Value {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return 0 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    private mutating func store<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return }
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: Value.self) }
    }

    private var sectionCount: Int { min(Int(load(12, as: UInt32.self)), max(0, (bytes.count - 64) / 32)) }

    private func entry(_ number: Int) -> Int { 64 + 32 * number }

    /// The bytes of a section, clamped to the file.
    private func section(_ number: Int) -> Range<Int> {
        let offset = min(Int(truncatingIfNeeded: load(entry(number) + 8, as: UInt64.self) & 0xFFFF_FFFF), bytes.count)
        let length = Int(truncatingIfNeeded: load(entry(number) + 16, as: UInt64.self) & 0xFFFF_FFFF)
        return offset..<min(offset + length, bytes.count)
    }

    mutating func mutate(_ count: Int, _ shapes: [IndexShape], using random: inout SplitMix) {
        for _ in 0..<count where sectionCount > 0 {
            let number = Int.random(in: 0..<sectionCount, using: &random)
            switch Int.random(in: 0..<64, using: &random) {
            case 0..<36: changeElement(number, &random)
            case 36..<44: changeBytes(number, &random)
            case 44: changeHead(number, &random)
            case 45: changeEntry(number, &random)
            case 46: swapSections(number, Int.random(in: 0..<sectionCount, using: &random))
            case 47, 48: exchange(number, with: shapes[Int.random(in: 0..<shapes.count, using: &random)])
            case 49: changeHeader(&random)
            case 50: truncate(&random)
            case 51..<57: rearrange(number, &random)
            default: changeRun(number, &random)
            }
        }
    }

    /// The width of the elements of a section, and its first element.
    private func elements(_ number: Int) -> (start: Int, width: Int, count: Int) {
        let range = section(number)
        let (width, head): (Int, Int) =
            switch SectionTag(rawValue: load(entry(number))) {
            case .fieldOptions: (4, 0)
            case .alphabet: (2, 0)
            case .wordBytes, .trieLetters, .suffixOffsets, .wordSuffixChunkMinima, .nextLetters, .suffixChunkMinima:
                (1, 0)
            case .prefixSignatures, .wideSignatures, .wordSignatures: (8, 0)
            case .suffixEntries: (1, 16)
            default: (max(1, min(8, Int(load(range.lowerBound, as: UInt8.self)))), 8)
            }
        return (range.lowerBound + head, width, max(0, (range.count - head) / width))
    }

    private mutating func set(_ value: UInt64, at offset: Int, width: Int) {
        for byte in 0..<width where offset + byte < bytes.count {
            bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
        }
    }

    private func value(at offset: Int, width: Int) -> UInt64 {
        load(offset, as: UInt64.self) & (UInt64.max >> UInt64(64 - 8 * width))
    }

    /// Sets one element to a value at or beyond a limit, to that of another element, or to a random one.
    private mutating func changeElement(_ number: Int, _ random: inout SplitMix) {
        let (start, width, count) = elements(number)
        guard count > 0 else { return }
        // The first and the last elements are where ranges begin and end.
        let position = [0, count - 1, max(0, count - 2), Int.random(in: 0..<count, using: &random)]
            .randomElement(using: &random)
        let offset = start + (position ?? 0) * width
        let old = value(at: offset, width: width)
        let other = value(at: start + Int.random(in: 0..<count, using: &random) * width, width: width)
        let values: [UInt64] = [
            0, 1, .max, .max - 1, .max >> 1, UInt64(count), UInt64(count) &- 1, UInt64(count) + 1, old &+ 1, old &- 1,
            old ^ 1, old ^ 2, old << 8, other, other, UInt64(load(32, as: UInt32.self)),
            .random(in: 0...300, using: &random),
            .random(in: 0 ... .max, using: &random),
        ]
        set(values.randomElement(using: &random) ?? 0, at: offset, width: width)
    }

    private mutating func changeBytes(_ number: Int, _ random: inout SplitMix) {
        let range = section(number)
        guard !range.isEmpty else { return }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: range, using: &random)] = .random(in: 0...255, using: &random)
        }
    }

    /// Changes the width of packed integers, or the head of bit-packed entries.
    private mutating func changeHead(_ number: Int, _ random: inout SplitMix) {
        let start = section(number).lowerBound
        store(
            UInt8([0, 1, 2, 3, 4, 5, 8, 16, 32, 255].randomElement(using: &random) ?? 0),
            at: start + Int.random(in: 0..<11, using: &random))
    }

    private mutating func changeEntry(_ number: Int, _ random: inout SplitMix) {
        let offset = entry(number) + [0, 4, 8, 16].randomElement(using: &random)!
        let old: UInt32 = load(offset)
        let steps: [Int32] = [-64, -32, -8, -4, -3, -2, -1, 1, 2, 3, 4, 8, 32, 64, .max, .min]
        store(old &+ UInt32(bitPattern: steps.randomElement(using: &random)!), at: offset)
    }

    /// Swaps the tags and fields of two sections.
    private mutating func swapSections(_ one: Int, _ other: Int) {
        let (left, right): (UInt64, UInt64) = (load(entry(one)), load(entry(other)))
        store(right, at: entry(one))
        store(left, at: entry(other))
    }

    /// Overwrites a section with that of another index, as far as there is room.
    private mutating func exchange(_ number: Int, with shape: IndexShape) {
        let other = IndexMutation(shape.bytes)
        let tag: UInt32 = load(entry(number))
        guard let source = (0..<other.sectionCount).first(where: { other.load(other.entry($0)) == tag }) else { return }
        let (from, to) = (other.section(source), section(number))
        let count = min(from.count, to.count)
        bytes.replaceSubrange(to.prefix(count), with: other.bytes[from.prefix(count)])
    }

    private mutating func changeHeader(_ random: inout SplitMix) {
        let offset = [12, 16, 32, 36].randomElement(using: &random)!
        let old: UInt32 = load(offset)
        let values: [UInt32] = [0, 1, old &+ 1, old &- 1, old &* 2, 512, .max, .random(in: 0...999, using: &random)]
        store(values.randomElement(using: &random)!, at: offset)
    }

    private mutating func truncate(_ random: inout SplitMix) {
        bytes.removeLast(min(bytes.count - 64, 8 * Int.random(in: 0...64, using: &random)))
        store(UInt64(bytes.count), at: 16)
    }

    /// Swaps two elements, or reverses all.
    private mutating func rearrange(_ number: Int, _ random: inout SplitMix) {
        let (start, width, count) = elements(number)
        guard count > 1 else { return }
        let values = (0..<count).map { value(at: start + $0 * width, width: width) }
        if Bool.random(using: &random) {
            for (position, value) in values.reversed().enumerated() {
                set(value, at: start + position * width, width: width)
            }
        } else {
            let (one, other) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
            set(values[other], at: start + one * width, width: width)
            set(values[one], at: start + other * width, width: width)
        }
    }

    /// Sets a run of elements to one value.
    private mutating func changeRun(_ number: Int, _ random: inout SplitMix) {
        let (start, width, count) = elements(number)
        guard count > 0 else { return }
        let first = Int.random(in: 0..<count, using: &random)
        let value = [0, 1, 2, 3, UInt64(count), .max].randomElement(using: &random)!
        for position in first..<min(count, first + Int.random(in: 1...64, using: &random)) {
            set(value, at: start + position * width, width: width)
        }
    }

    /// The bytes with correct checksums.
    func repaired() -> [UInt8] {
        var copy = self
        func checksum(_ range: Range<Int>) -> UInt64 {
            copy.bytes.withUnsafeBytes { ByteHash.checksum(of: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        for number in 0..<sectionCount {
            let range = section(number)
            let end = min(padded(range.upperBound), bytes.count)
            copy.store(checksum(range.lowerBound..<end), at: entry(number) + 24)
        }
        let directoryEnd = entry(sectionCount)
        if directoryEnd <= bytes.count {
            copy.store(headChecksum(checksum(0..<40), checksum(48..<directoryEnd)), at: 40)
        }
        return copy.bytes
    }
}
