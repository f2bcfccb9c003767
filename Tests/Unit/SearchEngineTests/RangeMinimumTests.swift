import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchEngine

/// Range minima compared with a scan.
@Suite struct RangeMinimumTests {
    /// Around the bounds of chunks (16), blocks (64) and levels.
    @Test(arguments: [1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300, 1_000])
    func findsTheLeftmostMinimumOfEveryRange(count: Int) throws {
        var generator = SplitMix(seed: UInt64(count))
        for largest: UInt32 in [3, 1_000_000] {
            let values = (0..<count).map { _ in UInt32.random(in: 0...largest, using: &generator) }
            let table = RangeMinimumTable(values, blockShift: PackedView<UInt32>.blockShift)
            let (packed, levels) = (
                PackedView<UInt32>.section(of: values), PackedView<UInt32>.section(of: table.levels)
            )
            try packed.withUnsafeBytes { packed in
                try levels.withUnsafeBytes { levels in
                    try table.chunkMinima.withUnsafeBytes { chunks in
                        let packed = try #require(PackedView<UInt32>(packed))
                        let levels = try #require(PackedView<UInt32>(levels))
                        let chunks = try #require(View<UInt8>(chunks))
                        let minima = try #require(RangeMinimum(values: packed, levels: levels, chunkMinima: chunks))
                        for low in stride(from: 0, to: count, by: max(1, count / 130)) {
                            for high in stride(from: low + 1, through: count, by: max(1, count / 130)) {
                                let smallest = values[low..<high].min()
                                let expected = values[low..<high].firstIndex { $0 == smallest }
                                #expect(minima.position(low, high) == expected, "\(low)..<\(high) of \(count)")
                            }
                        }
                    }
                }
            }
        }
    }
}
