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
