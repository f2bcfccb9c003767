/// Builds a ``RunTrie`` from sorted runs, in preorder.
struct TrieBuilder {
    private(set) var letters: [UInt8] = []
    private(set) var depths: [UInt8] = []
    private(set) var next: [UInt32] = []
    private(set) var low: [UInt32] = []

    init(_ runs: SortedRuns) {
        append(letter: 0, depth: 0, low: 0)
        children(of: 0, in: 0..<runs.records.count, depth: 0, runs)
        next[0] = UInt32(letters.count)
        append(letter: 0, depth: 0, low: runs.records.count)
        next[letters.count - 1] = UInt32(letters.count - 1)
    }

    private mutating func append(letter: UInt8, depth: Int, low: Int) {
        letters.append(letter)
        depths.append(UInt8(depth))
        next.append(0)
        self.low.append(UInt32(low))
    }

    /// Recursion is at most ``RunTable/longestRun`` deep.
    private mutating func children(of node: Int, in range: Range<Int>, depth: Int, _ runs: SortedRuns) {
        guard range.count > RunTrie.bucket, depth < RunTable.longestRun else { return }
        var position = range.lowerBound
        while position < range.upperBound, runs.letter(position, depth) == nil { position += 1 }
        while position < range.upperBound, let letter = runs.letter(position, depth) {
            // Galloping to the end of the group keeps this O(groups · log range).
            var step = 1
            var end = position
            while end + step < range.upperBound, runs.letter(end + step, depth) == letter {
                end += step
                step *= 2
            }
            var low = end + 1
            var high = Swift.min(end + step, range.upperBound)
            while low < high {
                let middle = (low + high) / 2
                if runs.letter(middle, depth) == letter { low = middle + 1 } else { high = middle }
            }
            let child = letters.count
            append(letter: letter, depth: depth + 1, low: position)
            children(of: child, in: position..<low, depth: depth + 1, runs)
            next[child] = UInt32(letters.count)
            position = low
        }
    }
}
