/// The position of the smallest value in any range of an array, for "the best record between here and there".
///
/// The array is cut into blocks of 64. For each power of two a table holds the position of the smallest value of that
/// many blocks from each block on; a query looks at two table entries and at most 128 values at its ends: O(1). The
/// table takes `n/64 · log2(n/64)` words, about a quarter of a word for each value at a million values. Source: Bender and
/// Farach-Colton, "The LCA problem revisited" (LATIN 2000), with blocks scanned instead of tabulated.
struct RangeMinimum: Sendable {
    static let blockShift = 6
    static let block = 1 << blockShift

    let values: View<UInt32>
    /// Level by level; level k holds, for each block b, the position of the smallest value in blocks b ..< b + 2^k.
    let table: View<UInt32>
    private let blocks: Int

    init(values: View<UInt32>, table: View<UInt32>) {
        self.values = values
        self.table = table
        blocks = (values.count + RangeMinimum.block - 1) >> RangeMinimum.blockShift
    }

    /// The position of the leftmost smallest value in `low ..< high`, which must not be empty.
    @inline(__always)
    func position(_ low: Int, _ high: Int) -> Int {
        let firstBlock = (low + RangeMinimum.block - 1) >> RangeMinimum.blockShift
        let lastBlock = high >> RangeMinimum.blockShift
        if firstBlock >= lastBlock {
            return scan(low, high)
        }
        var best = low
        let leftEnd = firstBlock << RangeMinimum.blockShift
        if low < leftEnd { best = scan(low, leftEnd) }
        let level = Int.bitWidth - 1 - (lastBlock - firstBlock).leadingZeroBitCount
        let row = level * blocks
        let left = Int(table[row + firstBlock])
        if values[left] < values[best] || low == leftEnd { best = left }
        let right = Int(table[row + lastBlock - (1 << level)])
        if values[right] < values[best] { best = right }
        let rightStart = lastBlock << RangeMinimum.blockShift
        if rightStart < high {
            let tail = scan(rightStart, high)
            if values[tail] < values[best] { best = tail }
        }
        return best
    }

    @inline(__always)
    private func scan(_ low: Int, _ high: Int) -> Int {
        var best = low
        var smallest = values[low]
        var position = low + 1
        while position < high {
            let value = values[position]
            if value < smallest {
                smallest = value
                best = position
            }
            position += 1
        }
        return best
    }

    /// The table for an array. O(n + blocks · log blocks).
    static func table(for values: [UInt32]) -> [UInt32] {
        let blocks = (values.count + block - 1) >> blockShift
        guard blocks > 0 else { return [] }
        var rows: [UInt32] = []
        var row: [UInt32] = []
        row.reserveCapacity(blocks)
        for number in 0..<blocks {
            let start = number << blockShift
            var best = start
            for position in start..<Swift.min(start + block, values.count) where values[position] < values[best] {
                best = position
            }
            row.append(UInt32(best))
        }
        rows += row
        var width = 1
        while width * 2 <= blocks {
            // Rows keep the length of the first one, so that a row starts at level · blocks; the tail is padding.
            var next = row
            for number in 0...(blocks - width * 2) {
                let left = row[number]
                let right = row[number + width]
                next[number] = values[Int(right)] < values[Int(left)] ? right : left
            }
            rows += next
            row = next
            width *= 2
        }
        return rows
    }
}
