// The best documents of a range of entries: range minima and the top k.
//
// Documents are numbered in order of rank, so the best document of a range has the smallest number. `RangeMinimum`
// finds it in constant time. `TopKIterator` then splits the range at that entry and puts both halves into a heap,
// ordered by their minima. The entries 2 ..< 4 of the word suffixes that begin with `gra` yield:
//
//     1. Range 2 ..< 4, minimum at entry 2: document 0 (ana grande).
//     2. Range 3 ..< 4, minimum at entry 3: document 1 (rio grande).
//
// Two overlapping entries of the sparse table cover the whole blocks of a range. Only its ends are scanned:
//
//     low                                                         high
//     |-scan-|============ 2^k blocks ============|         |      |
//     |      |         |============ 2^k blocks ============|-scan-|
//            first whole block              last whole block
//
// In `RangeMinimum`, each `unsafe` is safe because the loop stays within a range of values that was checked.

/// Finds the position of the smallest value in any range of an array: the best document of a range of entries.
///
/// The array is divided into blocks of 64 values, or of the size that ``IntegerSequence/blockShift`` defines. For each
/// power of two, a sparse table holds the position of the smallest value in that many blocks from each block on. A
/// query reads two table entries and scans the values at both ends. There, four bits per chunk of sixteen values give
/// the position of its minimum. O(1). The table takes `n/64 · log2(n/64)` positions and `n/32` bytes, about a quarter
/// of a position per value for a million values. Source: Bender and Farach-Colton, "The LCA problem revisited" (LATIN
/// 2000), with blocks scanned instead of tabulated.
struct RangeMinimum<Values: IntegerSequence>: Sendable {
    let values: Values
    private let levels: PackedView<UInt32>
    private let chunkMinima: View<UInt8>
    private let blocks: Int

    /// Creates a query structure from the sections of a ``RangeMinimumTable``, or returns nil if they do not fit the
    /// values.
    init?(values: Values, levels: PackedView<UInt32>, chunkMinima: View<UInt8>) {
        self.values = values
        self.levels = levels
        self.chunkMinima = chunkMinima
        blocks = RangeMinimumTable.blocks(values.count, Values.blockShift)
        guard levels.count == blocks * RangeMinimumTable.levelCount(blocks),
            chunkMinima.count == (RangeMinimumTable.chunks(values.count) + 1) / 2
        else { return nil }
    }

    /// Returns the position of the leftmost smallest value in `low ..< high`, which must not be empty. Whatever the
    /// table contains, the position is in that range.
    @inline(__always)
    func position(_ low: Int, _ high: Int) -> Int {
        guard low >= 0, low < high, high <= values.count else { return low }
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
        let left = Swift.min(Swift.max(Int(levels[row + firstBlock]), low), high - 1)
        if values[left] < values[best] || low == leftEnd { best = left }
        let right = Swift.min(Swift.max(Int(levels[row + lastBlock - (1 << level)]), low), high - 1)
        if values[right] < values[best] { best = right }
        let rightStart = lastBlock << Values.blockShift
        if rightStart < high {
            let tail = scan(rightStart, high)
            if values[tail] < values[best] { best = tail }
        }
        return best
    }

    /// Scans a range of at most two blocks: value by value at both ends, chunk by chunk between them. The range must be
    /// inside the values.
    private func scan(_ low: Int, _ high: Int) -> Int {
        var best = low
        var smallest = values[low]
        var position = low
        @inline(__always) func visit(_ index: Int) {
            // Safe: `index` is in `low ..< high`; a chunk is visited only if it is.
            let value = unsafe values[unchecked: index]
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

    /// Returns the position of the smallest value in a chunk of sixteen.
    @inline(__always)
    private func smallest(inChunk chunk: Int) -> Int {
        let bits = Int(chunkMinima[chunk >> 1] >> (chunk & 1 == 0 ? 0 : UInt8(RangeMinimumTable.chunkShift)))
        return chunk << RangeMinimumTable.chunkShift + bits & (RangeMinimumTable.chunkSize - 1)
    }
}

// MARK: - Building

/// The sections of a ``RangeMinimum``.
struct RangeMinimumTable {
    static let chunkShift = 4
    static let chunkSize = 1 << chunkShift

    /// The levels one after another. Level k holds, for each block b, the position of the smallest value in blocks b
    /// ..< b + 2^k.
    private(set) var levels: [UInt32] = []
    /// The position of the minimum of each sixteen values, in four bits: two per byte, the lower bits first.
    private(set) var chunkMinima: [UInt8]

    static func blocks(_ count: Int, _ blockShift: Int) -> Int { (count + 1 << blockShift - 1) >> blockShift }

    static func chunks(_ count: Int) -> Int { (count + chunkSize - 1) >> chunkShift }

    /// Returns the number of levels for a number of blocks.
    @inline(__always)
    static func levelCount(_ blocks: Int) -> Int { Int.bitWidth - blocks.leadingZeroBitCount }

    /// Computes the table of an array. O(n + blocks · log blocks).
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
        levels.reserveCapacity(blocks * RangeMinimumTable.levelCount(blocks))
        levels += row
        var width = 1
        while width * 2 <= blocks {
            // Rows keep the length of the first one, so that row k starts at k · blocks. The tail is padding.
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
        let count = chunks(values.count)
        var bytes = [UInt8](repeating: 0, count: (count + 1) / 2)
        for number in 0..<count {
            let start = number << chunkShift
            let best = smallest(of: values, in: start..<Swift.min(start + chunkSize, values.count))
            bytes[number / 2] |= UInt8(best - start) << UInt8(number % 2 * chunkShift)
        }
        return bytes
    }

    /// Returns the first position of the smallest value in a nonempty range.
    private static func smallest(of values: [UInt32], in range: Range<Int>) -> Int {
        var best = range.lowerBound
        for position in range where values[position] < values[best] { best = position }
        return best
    }
}

/// An iterator over the entries of ranges in order of their documents, best first, without sorting them. The minimum of
/// each range is in a heap; taking it splits its range in two. O(log entries taken so far) for the next entry.
struct TopKIterator<Documents: IntegerSequence>: IteratorProtocol {
    private struct Node: DocumentHeapNode {
        var document: UInt32
        var position: UInt32
        var low: UInt32
        var high: UInt32
    }

    private let minima: RangeMinimum<Documents>
    private var heap = DocumentHeap<Node>()

    init(_ minima: RangeMinimum<Documents>, _ ranges: [Range<Int>]) {
        self.minima = minima
        for range in ranges { add(range.lowerBound, range.upperBound) }
    }

    init(_ minima: RangeMinimum<Documents>, _ range: Range<Int>) {
        self.minima = minima
        add(range.lowerBound, range.upperBound)
    }

    @inline(__always)
    private mutating func add(_ low: Int, _ high: Int) {
        guard low < high else { return }
        let position = minima.position(low, high)
        heap.push(
            Node(
                document: minima.values[position], position: UInt32(position), low: UInt32(low), high: UInt32(high)))
    }

    /// Returns the next entry and its document.
    mutating func next() -> (document: Int, entry: Int)? {
        guard let top = heap.pop() else { return nil }
        let position = Int(top.position)
        add(Int(top.low), position)
        add(position + 1, Int(top.high))
        return (Int(top.document), position)
    }
}

/// An entry of a ``DocumentHeap``.
protocol DocumentHeapNode {
    /// The document, which orders the entries.
    var document: UInt32 { get }
}

/// A binary heap with the best document on top. O(log *n*) for each change.
struct DocumentHeap<Node: DocumentHeapNode> {
    private var nodes: ContiguousArray<Node> = []

    @inline(__always)
    mutating func push(_ node: Node) {
        if nodes.isEmpty { nodes.reserveCapacity(32) }
        nodes.append(node)
        var child = nodes.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if nodes[parent].document <= node.document { break }
            nodes[child] = nodes[parent]
            child = parent
        }
        nodes[child] = node
    }

    @inline(__always)
    mutating func pop() -> Node? {
        guard let top = nodes.first else { return nil }
        let last = nodes.removeLast()
        guard !nodes.isEmpty else { return top }
        var parent = 0
        while true {
            var child = parent * 2 + 1
            if child >= nodes.count { break }
            if child + 1 < nodes.count && nodes[child + 1].document < nodes[child].document { child += 1 }
            if nodes[child].document >= last.document { break }
            nodes[parent] = nodes[child]
            parent = child
        }
        nodes[parent] = last
        return top
    }
}
