import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchEngine

/// Integers packed in bytes and in bits.
@Suite struct PackedSectionTests {
    /// The bounds of one, two, three and four bytes.
    @Test(arguments: [0, 1, 255, 256, 65_535, 65_536, 16_777_215, 16_777_216, UInt32.max])
    func integersRoundTrip(largest: UInt32) throws {
        var generator = SplitMix(seed: UInt64(largest))
        for count in [1, 2, 3, 100] {
            let values = (1..<count).map { _ in UInt32.random(in: 0...largest, using: &generator) } + [largest]
            try PackedView<UInt32>.section(of: values).withUnsafeBytes { section in
                let view = try #require(PackedView<UInt32>(section))
                #expect(view.count == count)
                #expect((0..<view.count).map { view[$0] } == values)
                let width = [1, 2, 3, 4].first { UInt64(largest) < 1 << UInt64(8 * $0) }
                #expect(section.count == 8 + count * (width ?? 0) + 3)
            }
        }
    }

    @Test func emptySectionIsValid() {
        let count = PackedView<UInt32>.section(of: [UInt32]()).withUnsafeBytes { PackedView<UInt32>($0)?.count }
        #expect(count == 0)
    }

    @Test func malformedSectionsAreRejected() {
        let section = PackedView<UInt32>.section(of: [1, 70_000] as [UInt32])
        func isSection(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PackedView<UInt32>($0)?.count } != nil }
        #expect(isSection(section))
        #expect(!isSection([]))
        #expect(!isSection(Array(section.prefix(10))))
        #expect(!isSection(section.dropLast()))
        for width: UInt8 in [0, 5, 255] { #expect(!isSection([width] + section.dropFirst())) }
    }

    @Test(
        arguments: [(0, 0, 0), (1, 1, 1), (99_872, 8, 14), (UInt32.max, 255, 255), (7, 0, 255)]
            as [(UInt32, UInt8, UInt8)])
    func suffixEntriesRoundTrip(_ largest: (document: UInt32, ordinal: UInt8, offset: UInt8)) throws {
        var generator = SplitMix(seed: UInt64(largest.document))
        for count in [0, 1, 2, 100] {
            let entries = (0..<count).map { number in
                number == count - 1
                    ? SuffixEntries.Entry(document: largest.document, ordinal: largest.ordinal, offset: largest.offset)
                    : SuffixEntries.Entry(
                        document: .random(in: 0...largest.document, using: &generator),
                        ordinal: .random(in: 0...largest.ordinal, using: &generator),
                        offset: .random(in: 0...largest.offset, using: &generator))
            }
            try Self.section(of: entries).withUnsafeBytes { section in
                let view = try #require(SuffixEntries(section))
                #expect((0..<view.count).map(view.entry) == entries)
                #expect((0..<view.count).map { view[$0] } == entries.map(\.document))
            }
        }
    }

    private static func section(of entries: [SuffixEntries.Entry]) -> [UInt8] {
        var writer = SuffixEntries.Writer(
            count: entries.count,
            largest: SuffixEntries.Entry(
                document: entries.map(\.document).max() ?? 0, ordinal: entries.map(\.ordinal).max() ?? 0,
                offset: entries.map(\.offset).max() ?? 0))
        for entry in entries { writer.append(entry) }
        return writer.finish()
    }

    @Test func malformedSuffixEntriesAreRejected() {
        let section = Self.section(of: [SuffixEntries.Entry(document: 1_000, ordinal: 3, offset: 9)])
        func isSection(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { SuffixEntries($0) != nil } }
        #expect(isSection(section))
        #expect(!isSection([]) && !isSection(Array(section.prefix(23))) && !isSection(section.dropLast()))
        // Counts that do not fit, one of which makes the product overflow, and impossible widths.
        for (position, value) in [(0, 9), (7, 127), (7, 255), (8, 33), (9, 9), (10, 200)] as [(Int, UInt8)] {
            var other = section
            other[position] = value
            #expect(!isSection(other), "\(position): \(value)")
        }
    }
}
