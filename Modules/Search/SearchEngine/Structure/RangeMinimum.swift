/// The position of the smallest value in any range of an array, for "the best document between here and there".
///
/// The array is cut into blocks of 64, or as many as its kind of values says. For each power of two a table holds the position of the
/// smallest value of that many blocks from each block on; a query looks at two table entries and at the values at its ends, where
/// each sixteen values are one look, for four bits tell which of them is the smallest: O(1). The table takes `n/64 · log2(n/64)`
/// positions and `n/32` bytes, about a quarter of a position for each value at a million values. Source: Bender and Farach-Colton, "The
/// LCA problem revisited" (LATIN 2000), with blocks scanned instead of tabulated.
struct RangeMinimum<Values: IntegerSequence>: Sendable {
    let values: Values
    private let levels: PackedView<UInt32>
    private let chunkMinima: View<UInt8>
    private let blocks: Int

    /// Over values, with the sections of their ``RangeMinimumTable``.
    init(values: Values, levels: PackedView<UInt32>, chunkMinima: View<UInt8>) {
        self.values = values
        self.levels = levels
        self.chunkMinima = chunkMinima
        blocks = RangeMinimumTable.blocks(values.count, Values.blockShift)
    }

    /// The position of the leftmost smallest value in `low ..< high`, which must not be empty.
    @inline(__always)
    func position(_ low: Int, _ high: Int) -> Int {
        let firstBlock = (low + 1 << Values.blockShift - 1) >> Values.blockShift
        let lastBlock = high >> Values.blockShift
        if firstBlock >= lastBlock {
            return scan(low, high)
        }
        var best = low
        let leftEnd = firstBlock << Values.blockShift
        if low < leftEnd { best = scan(low, leftEnd) }
        let level = RangeMinimumTable.levelCount(lastBlock - firstBlock) - 1
        let row = level * blocks
        let left = Int(levels[row + firstBlock])
        if values[left] < values[best] || low == leftEnd { best = left }
        let right = Int(levels[row + lastBlock - (1 << level)])
        if values[right] < values[best] { best = right }
        let rightStart = lastBlock << Values.blockShift
        if rightStart < high {
            let tail = scan(rightStart, high)
            if values[tail] < values[best] { best = tail }
        }
        return best
    }

    /// The same within two blocks: value by value up to the first whole part and from the last one on, part by part between.
    private func scan(_ low: Int, _ high: Int) -> Int {
        var best = low
        var smallest = values[low]
        var position = low
        @inline(__always) func visit(_ index: Int) {
            let value = values[index]
            if value < smallest {
                smallest = value
                best = index
            }
        }
        let firstChunk = (position + RangeMinimumTable.chunkSize - 1) >> RangeMinimumTable.chunkShift
        let lastChunk = high >> RangeMinimumTable.chunkShift
        if firstChunk < lastChunk {
            while position < firstChunk << RangeMinimumTable.chunkShift {
                visit(position)
                position += 1
            }
            for chunk in firstChunk..<lastChunk { visit(self.smallest(inChunk: chunk)) }
            position = lastChunk << RangeMinimumTable.chunkShift
        }
        while position < high {
            visit(position)
            position += 1
        }
        return best
    }

    /// The position of the smallest of sixteen values.
    @inline(__always)
    private func smallest(inChunk chunk: Int) -> Int {
        let bits = Int(chunkMinima[chunk >> 1] >> (chunk & 1 == 0 ? 0 : UInt8(RangeMinimumTable.chunkShift)))
        return chunk << RangeMinimumTable.chunkShift + bits & (RangeMinimumTable.chunkSize - 1)
    }
}

// MARK: - Building

/// What a ``RangeMinimum`` needs to know of its values.
struct RangeMinimumTable {
    static let chunkShift = 4
    static let chunkSize = 1 << chunkShift

    /// Level by level; level k holds, for each block b, the position of the smallest value in blocks b ..< b + 2^k.
    private(set) var levels: [UInt32] = []
    /// Four bits for each sixteen values, which of them is the smallest; two to a byte, the lower bits first.
    private(set) var chunkMinima: [UInt8]

    static func blocks(_ count: Int, _ blockShift: Int) -> Int { (count + 1 << blockShift - 1) >> blockShift }

    /// How many levels so many blocks have: the powers of two up to their number.
    @inline(__always)
    static func levelCount(_ blocks: Int) -> Int { Int.bitWidth - blocks.leadingZeroBitCount }

    /// The table for an array. O(n + blocks · log blocks).
    init(_ values: [UInt32], blockShift: Int) {
        chunkMinima = RangeMinimumTable.chunkMinima(of: values)
        let blocks = RangeMinimumTable.blocks(values.count, blockShift)
        guard blocks > 0 else { return }
        var row: [UInt32] = []
        row.reserveCapacity(blocks)
        for number in 0..<blocks {
            let start = number << blockShift
            let end = Swift.min(start + 1 << blockShift, values.count)
            row.append(UInt32(RangeMinimumTable.smallest(of: values, in: start..<end)))
        }
        levels += row
        var width = 1
        while width * 2 <= blocks {
            // Rows keep the length of the first one, so that a row starts at level · blocks; the tail is padding.
            var next = row
            for number in 0...(blocks - width * 2) {
                let left = row[number]
                let right = row[number + width]
                next[number] = values[Int(right)] < values[Int(left)] ? right : left
            }
            levels += next
            row = next
            width *= 2
        }
    }

    private static func chunkMinima(of values: [UInt32]) -> [UInt8] {
        let count = (values.count + chunkSize - 1) >> chunkShift
        var bytes = [UInt8](repeating: 0, count: (count + 1) / 2)
        for number in 0..<count {
            let start = number << chunkShift
            let best = smallest(of: values, in: start..<Swift.min(start + chunkSize, values.count))
            bytes[number / 2] |= UInt8(best - start) << UInt8(number % 2 * chunkShift)
        }
        return bytes
    }

    /// The first position of the smallest value in a range that is not empty.
    private static func smallest(of values: [UInt32], in range: Range<Int>) -> Int {
        var best = range.lowerBound
        for position in range where values[position] < values[best] { best = position }
        return best
    }
}
