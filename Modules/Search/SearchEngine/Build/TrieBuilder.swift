/// Builds a ``PrefixTrie`` from sorted word suffixes, level by level. O(nodes · log entries).
struct TrieBuilder {
    private(set) var letters: [UInt8] = []
    private(set) var children: [UInt32] = []
    private(set) var low: [UInt32] = []
    private(set) var nextLetters: [UInt8]
    /// The end of each node's range; ``depths`` holds the length of its prefix.
    private var high: [UInt32] = []
    private var depths: [UInt8] = []
    private let bucket: Int

    /// - Parameter hasTypos: `true` if the trie is walked for typos. Otherwise leaves may be larger.
    init(_ wordSuffixes: SortedWordSuffixes, hasTypos: Bool) {
        bucket = hasTypos ? PrefixTrie.bucket : PrefixTrie.bucketWithoutTypos
        nextLetters = Array(repeating: 0, count: hasTypos ? wordSuffixes.documents.count : 0)
        append(letter: 0, depth: 0, 0..<wordSuffixes.documents.count)
        var node = 0
        while node < letters.count {
            children.append(UInt32(letters.count))
            addChildren(of: node, wordSuffixes)
            node += 1
        }
        children.append(UInt32(letters.count))
        high = []
        depths = []
    }

    private mutating func append(letter: UInt8, depth: Int, _ range: Range<Int>) {
        letters.append(letter)
        low.append(UInt32(range.lowerBound))
        high.append(UInt32(range.upperBound))
        depths.append(UInt8(depth))
    }

    private mutating func addChildren(of node: Int, _ wordSuffixes: SortedWordSuffixes) {
        let range = Int(low[node])..<Int(high[node])
        let depth = Int(depths[node])
        guard range.count > bucket, depth < WordSuffixArray.maxLength else {
            if !nextLetters.isEmpty {
                for entry in range { nextLetters[entry] = wordSuffixes.letter(entry, depth) ?? 0 }
            }
            return
        }
        var position = range.lowerBound
        while position < range.upperBound, wordSuffixes.letter(position, depth) == nil { position += 1 }
        while position < range.upperBound, let letter = wordSuffixes.letter(position, depth) {
            // Galloping to the end of the group keeps this O(groups · log range).
            var step = 1
            var end = position
            while end + step < range.upperBound, wordSuffixes.letter(end + step, depth) == letter {
                end += step
                step *= 2
            }
            let next = (end + 1..<Swift.min(end + step, range.upperBound)).partitioningIndex {
                wordSuffixes.letter($0, depth) != letter
            }
            append(letter: letter, depth: depth + 1, position..<next)
            position = next
        }
    }
}
