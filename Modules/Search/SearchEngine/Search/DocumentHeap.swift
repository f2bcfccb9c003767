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
