/// The position of the smallest value in any range of an array, for "the best record between here and there".
///
/// The array is cut into blocks of 64. For each power of two a table holds the position of the smallest value of that
/// many blocks from each block on; a query looks at two table entries and at the values at its ends, where each
/// sixteen values are one look, for four bits tell which of them is the smallest: O(1). The table takes
/// `n/64 · log2(n/64)` words and `n/128` for the bits, about a quarter of a word for each value at a million values. Source: Bender
/// and Farach-Colton, "The LCA problem revisited" (LATIN 2000), with blocks scanned instead of tabulated.
struct RangeMinimum: Sendable {
    static let blockShift = 6
    static let block = 1 << blockShift
    static let partShift = 4
    static let part = 1 << partShift
    /// How many parts have their four bits in one word of the table.
    private static let partsInWord = 8

    let values: View<UInt32>
    /// Level by level; level k holds, for each block b, the position of the smallest value in blocks b ..< b + 2^k. Behind the levels
    /// four bits for each sixteen values, eight to a word, the lowest bits first.
    let table: View<UInt32>
    private let blocks: Int
    private let firstPart: Int

    init(values: View<UInt32>, table: View<UInt32>) {
        self.values = values
        self.table = table
        blocks = RangeMinimum.blocks(values.count)
        firstPart = RangeMinimum.levels(blocks) * blocks
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
        let level = RangeMinimum.levels(lastBlock - firstBlock) - 1
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

    /// The same within two blocks: value by value up to the first whole part and from the last one on, part by part between.
    private func scan(_ low: Int, _ high: Int) -> Int {
        var best = low
        var smallest = values[low]
        var position = low
        @inline(__always) func look(at place: Int) {
            let value = values[place]
            if value < smallest {
                smallest = value
                best = place
            }
        }
        let firstWhole = (position + RangeMinimum.part - 1) >> RangeMinimum.partShift
        let lastWhole = high >> RangeMinimum.partShift
        if firstWhole < lastWhole {
            while position < firstWhole << RangeMinimum.partShift {
                look(at: position)
                position += 1
            }
            for part in firstWhole..<lastWhole { look(at: self.smallest(ofPart: part)) }
            position = lastWhole << RangeMinimum.partShift
        }
        while position < high {
            look(at: position)
            position += 1
        }
        return best
    }

    /// The position of the smallest of sixteen values.
    @inline(__always)
    private func smallest(ofPart part: Int) -> Int {
        let word = table[firstPart + part / RangeMinimum.partsInWord]
        let bits = Int(word >> UInt32(part % RangeMinimum.partsInWord * RangeMinimum.partShift))
        return part << RangeMinimum.partShift + bits & (RangeMinimum.part - 1)
    }
}

// MARK: - Building

extension RangeMinimum {
    private static func blocks(_ count: Int) -> Int { (count + block - 1) >> blockShift }

    /// How many levels so many blocks have: the powers of two up to their number.
    @inline(__always)
    private static func levels(_ blocks: Int) -> Int { Int.bitWidth - blocks.leadingZeroBitCount }

    /// The table for an array. O(n + blocks · log blocks).
    static func table(for values: [UInt32]) -> [UInt32] {
        let blocks = blocks(values.count)
        guard blocks > 0 else { return [] }
        var rows: [UInt32] = []
        var row: [UInt32] = []
        row.reserveCapacity(blocks)
        for number in 0..<blocks {
            let start = number << blockShift
            row.append(UInt32(smallest(of: values, in: start..<Swift.min(start + block, values.count))))
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
        return rows + partTable(for: values)
    }

    private static func partTable(for values: [UInt32]) -> [UInt32] {
        let parts = (values.count + part - 1) >> partShift
        var words = [UInt32](repeating: 0, count: (parts + partsInWord - 1) / partsInWord)
        for number in 0..<parts {
            let start = number << partShift
            let best = smallest(of: values, in: start..<Swift.min(start + part, values.count))
            words[number / partsInWord] |= UInt32(best - start) << UInt32(number % partsInWord * partShift)
        }
        return words
    }

    /// The first position of the smallest value in a range that is not empty.
    private static func smallest(of values: [UInt32], in range: Range<Int>) -> Int {
        var best = range.lowerBound
        for position in range where values[position] < values[best] { best = position }
        return best
    }
}
