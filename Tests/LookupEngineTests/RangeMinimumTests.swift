import Testing

@testable import LookupEngine

/// The best of a range against a look at every value.
@Suite struct RangeMinimumTests {
    /// Around the ends of parts (16), blocks (64) and levels.
    @Test(arguments: [1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300, 1_000])
    func everyRangeGivesItsFirstSmallestValue(count: Int) {
        var generator = SeededGenerator(state: UInt64(count))
        for largest: UInt32 in [3, 1_000_000] {
            let values = (0..<count).map { _ in UInt32.random(in: 0...largest, using: &generator) }
            let table = RangeMinimum.table(for: values)
            values.withUnsafeBufferPointer { valueBytes in
                table.withUnsafeBufferPointer { tableBytes in
                    guard let first = valueBytes.baseAddress, let start = tableBytes.baseAddress else { return }
                    let minima = RangeMinimum(
                        values: View(base: first, count: count), table: View(base: start, count: table.count))
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
