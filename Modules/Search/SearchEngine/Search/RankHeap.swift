/// Gives the entries of ranges in order of their records, best first, without sorting them: the smallest of each
/// range waits in a heap; taking it splits its range in two. The next entry costs O(log entries taken so far).
struct RankHeap<Records: IntegerSequence> {
    private struct Node {
        var record: UInt32
        var position: UInt32
        var low: UInt32
        var high: UInt32
    }

    private let minima: RangeMinimum<Records>
    private var nodes: ContiguousArray<Node> = []

    init(_ minima: RangeMinimum<Records>) {
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
                record: minima.values[position], position: UInt32(position), low: UInt32(low), high: UInt32(high)))
    }

    /// The next entry and its record.
    mutating func next() -> (record: Int, entry: Int)? {
        guard let top = nodes.first else { return nil }
        let low = Int(top.low)
        let high = Int(top.high)
        let position = Int(top.position)
        pop()
        add(low, position)
        add(position + 1, high)
        return (Int(top.record), position)
    }

    private mutating func push(_ node: Node) {
        nodes.append(node)
        var child = nodes.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if nodes[parent].record <= node.record { break }
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
            if child + 1 < nodes.count && nodes[child + 1].record < nodes[child].record { child += 1 }
            if nodes[child].record >= last.record { break }
            nodes[parent] = nodes[child]
            parent = child
        }
        nodes[parent] = last
    }
}
