/// Returns the entries of ranges in order of their documents, best first, without sorting them. The minimum of each
/// range is in a heap; taking it splits its range in two. O(log entries taken so far) for the next entry.
struct TopKIterator<Documents: IntegerSequence> {
    private struct Node {
        var document: UInt32
        var position: UInt32
        var low: UInt32
        var high: UInt32
    }

    private let minima: RangeMinimum<Documents>
    private var nodes: ContiguousArray<Node> = []

    init(_ minima: RangeMinimum<Documents>) {
        self.minima = minima
    }

    /// Adds a range of entries.
    @inline(__always)
    mutating func add(_ low: Int, _ high: Int) {
        guard low < high else { return }
        if nodes.isEmpty { nodes.reserveCapacity(32) }
        let position = minima.position(low, high)
        push(
            Node(
                document: minima.values[position], position: UInt32(position), low: UInt32(low), high: UInt32(high)))
    }

    /// The next entry and its document.
    mutating func next() -> (document: Int, entry: Int)? {
        guard let top = nodes.first else { return nil }
        let low = Int(top.low)
        let high = Int(top.high)
        let position = Int(top.position)
        pop()
        add(low, position)
        add(position + 1, high)
        return (Int(top.document), position)
    }

    private mutating func push(_ node: Node) {
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

    private mutating func pop() {
        let last = nodes.removeLast()
        guard !nodes.isEmpty else { return }
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
    }
}
