/// Merges the posting lists of all words that contain an infix, best document first. A word enters the heap when its
/// best document is next.
///
/// The heap contains ranges of suffixes (by their best document) and partly consumed posting lists (by their next
/// document). O(log of its size) per document.
struct PostingMerge: IteratorProtocol {
    private struct Node: DocumentHeapNode {
        var document: UInt32
        /// The suffix with that document, or the suffix of the posting list.
        var suffix: UInt32
        var low: UInt32
        var high: UInt32
        var isList: Bool
    }

    private let table: TermSuffixArray
    private var heap = DocumentHeap<Node>()

    init(_ table: TermSuffixArray, _ range: Range<Int>) {
        self.table = table
        add(range)
    }

    private mutating func add(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let suffix = table.best.position(range.lowerBound, range.upperBound)
        heap.push(
            Node(
                document: table.best.values[suffix], suffix: UInt32(suffix), low: UInt32(range.lowerBound),
                high: UInt32(range.upperBound), isList: false))
    }

    /// Returns the next document and the suffix of one of its words.
    mutating func next() -> (document: Int, entry: Int)? {
        guard let top = heap.pop() else { return nil }
        let suffix = Int(top.suffix)
        if top.isList {
            pushList(suffix: top.suffix, low: top.low + 1, high: top.high)
        } else {
            let list = table.postingRange(ofSuffix: suffix)
            pushList(suffix: top.suffix, low: UInt32(list.lowerBound) + 1, high: UInt32(list.upperBound))
            add(Int(top.low)..<suffix)
            add((suffix + 1)..<Int(top.high))
        }
        return (Int(top.document), suffix)
    }

    private mutating func pushList(suffix: UInt32, low: UInt32, high: UInt32) {
        guard low < high else { return }
        heap.push(Node(document: table.postings[Int(low)], suffix: suffix, low: low, high: high, isList: true))
    }
}
