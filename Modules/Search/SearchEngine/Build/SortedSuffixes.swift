/// The word suffixes of a field in the order of a ``WordSuffixArray``, with their keys for building the trie.
struct SortedWordSuffixes {
    var documents: [UInt32] = []
    var starts: [UInt16] = []
    /// The keys, cut to ``WordSuffixArray/maxLength`` letters; ``keyStarts`` and ``keyLengths`` locate them in sorted
    /// order.
    private let keyBytes: [UInt8]
    private var keyStarts: [UInt32] = []
    private var keyLengths: [UInt8] = []

    init(_ source: FieldSource) {
        var bytes: [UInt8] = []
        var keyOffsets: [UInt32] = []
        var lengths: [UInt8] = []
        var entryDocuments: [UInt32] = []
        var entryStarts: [UInt16] = []
        // Two passes, whole values first, so that a stable sort puts exact matches before others with the same letters.
        for wholeValues in [true, false] {
            for document in 0..<(source.forwardOffsets.count - 1) {
                let range = source.range(of: document)
                var isFirstWord = false
                var firstSpelling = 0
                // Word suffixes beyond the limit cannot be found by prefix.
                for token in range.prefix(WordSuffixArray.maxTokens) {
                    let flags = source.tokens[token]
                    if flags & ForwardIndex.otherSpelling == 0 {
                        isFirstWord = flags & ForwardIndex.valueStart != 0
                        firstSpelling = keyOffsets.count
                    }
                    guard isFirstWord == wholeValues else { continue }
                    let start = bytes.count
                    SortedWordSuffixes.appendKey(source, from: token, end: range.upperBound, to: &bytes)
                    // Spellings that differ on one track only, or are repeated to align tracks, have equal word
                    // suffixes.
                    let isDuplicate = (firstSpelling..<keyOffsets.count).contains { earlier in
                        bytes[start...]
                            == bytes[Int(keyOffsets[earlier])..<Int(keyOffsets[earlier]) + Int(lengths[earlier])]
                    }
                    if isDuplicate {
                        bytes.removeLast(bytes.count - start)
                        continue
                    }
                    keyOffsets.append(UInt32(start))
                    lengths.append(UInt8(bytes.count - Int(keyOffsets[keyOffsets.count - 1])))
                    entryDocuments.append(UInt32(document))
                    entryStarts.append(UInt16(token - range.lowerBound))
                }
            }
        }
        let order = sortedByBytes(count: keyOffsets.count, bytes: bytes) { entry in
            Int(keyOffsets[entry])..<Int(keyOffsets[entry]) + Int(lengths[entry])
        }
        documents = order.map { entryDocuments[Int($0)] }
        starts = order.map { entryStarts[Int($0)] }
        keyStarts = order.map { keyOffsets[Int($0)] }
        keyLengths = order.map { lengths[Int($0)] }
        keyBytes = bytes
    }

    private static func appendKey(_ source: FieldSource, from token: Int, end: Int, to bytes: inout [UInt8]) {
        let limit = bytes.count + WordSuffixArray.maxLength
        var first = token
        while source.tokens[first] & ForwardIndex.otherSpelling != 0 { first -= 1 }
        let track = token - first
        var current = token
        while true {
            bytes += source.bytes(of: Int(ForwardIndex.word(source.tokens[current])))
            if bytes.count >= limit { break }
            current += 1
            while current < end && source.tokens[current] & ForwardIndex.otherSpelling != 0 { current += 1 }
            if current >= end || source.tokens[current] & ForwardIndex.valueStart != 0 { break }
            var step = 0
            while step < track, current + 1 < end,
                source.tokens[current + 1] & ForwardIndex.otherSpelling != 0
            {
                current += 1
                step += 1
            }
        }
        if bytes.count > limit { bytes.removeLast(bytes.count - limit) }
    }

    fileprivate func letter(_ entry: Int, _ depth: Int) -> UInt8? {
        depth < Int(keyLengths[entry]) ? keyBytes[Int(keyStarts[entry]) + depth] : nil
    }
}

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

/// The suffixes of the distinct words in sorted order, and the posting lists, for a ``TermSuffixArray``.
struct SortedTermSuffixes {
    let words: [UInt32]
    let offsets: [UInt8]
    let best: [UInt32]
    let postingOffsets: [UInt32]
    let postings: [UInt32]

    init(_ source: FieldSource, hasInfix: [Bool]) {
        (postingOffsets, postings) = SortedTermSuffixes.postings(source)
        var suffixes: [(word: UInt32, offset: UInt8)] = []
        for word in 0..<hasInfix.count where hasInfix[word] {
            SortedTermSuffixes.forEachOffset(in: source.bytes(of: word)) { suffixes.append((UInt32(word), UInt8($0))) }
        }
        let order = sortedByBytes(count: suffixes.count, bytes: source.wordBytes) { number in
            let suffix = suffixes[number]
            return Int(source.wordOffsets[Int(suffix.word)])
                + Int(suffix.offset)..<Int(source.wordOffsets[Int(suffix.word) + 1])
        }
        words = order.map { suffixes[Int($0)].word }
        offsets = order.map { suffixes[Int($0)].offset }
        let starts = postingOffsets
        let lists = postings
        best = words.map { lists[Int(starts[Int($0)])] }
    }

    /// Calls `body` with each offset inside a word at which a suffix may begin: at a letter, never inside an escape.
    fileprivate static func forEachOffset(in bytes: ArraySlice<UInt8>, _ body: (Int) -> Void) {
        var offset = 0
        while offset < Swift.min(bytes.count, 256) {
            if offset > 0 { body(offset) }
            offset += bytes[bytes.startIndex + offset] == Alphabet.escape ? 3 : 1
        }
    }

    /// Sorts the tokens by word with a counting sort. Documents stay ascending, each once per list.
    private static func postings(_ source: FieldSource) -> ([UInt32], [UInt32]) {
        let wordCount = source.wordOffsets.count - 1
        func forEachPosting(_ body: (_ word: Int, _ document: UInt32) -> Void) {
            var last = Array(repeating: UInt32.max, count: wordCount)
            for document in 0..<source.forwardOffsets.count - 1 {
                for token in source.tokens[source.range(of: document)] {
                    let word = Int(ForwardIndex.word(token))
                    if last[word] == UInt32(document) { continue }
                    last[word] = UInt32(document)
                    body(word, UInt32(document))
                }
            }
        }
        var counts = Array(repeating: UInt32(0), count: wordCount + 1)
        forEachPosting { word, _ in counts[word + 1] += 1 }
        for word in 0..<wordCount { counts[word + 1] += counts[word] }
        var postings = Array(repeating: UInt32(0), count: Int(counts[wordCount]))
        var cursors = counts
        forEachPosting { word, document in
            postings[Int(cursors[word])] = document
            cursors[word] += 1
        }
        return (counts, postings)
    }
}

/// The suffixes of the words of the documents in sorted order, for a ``DocumentSuffixArray``. Equal ones are in order
/// of document.
///
/// There are twenty suffixes for each document, so only those that begin with a few of the letters are in memory at a
/// time.
struct SortedDocumentSuffixes {
    /// The section of ``SuffixEntries``.
    let section: [UInt8]
    /// The document of each suffix.
    let documents: [UInt32]

    /// The minimum number of suffixes that are sorted at a time, and the share of all of them.
    private static let (minAtOnce, shareAtOnce) = (1 << 18, 4)

    init(_ source: FieldSource, hasInfix: [Bool]) {
        func forEachEntry(_ body: (SuffixEntries.Entry, Range<Int>) -> Void) {
            for document in 0..<(source.forwardOffsets.count - 1) {
                let range = source.range(of: document)
                for token in range.prefix(DocumentSuffixArray.maxTokens) {
                    let word = Int(ForwardIndex.word(source.tokens[token]))
                    guard hasInfix[word] else { continue }
                    let bytes = source.bytes(of: word)
                    SortedTermSuffixes.forEachOffset(in: bytes) { offset in
                        body(
                            SuffixEntries.Entry(
                                document: UInt32(document), ordinal: UInt8(token - range.lowerBound),
                                offset: UInt8(offset)), bytes.startIndex + offset..<bytes.endIndex)
                    }
                }
            }
        }
        var counts = Array(repeating: 0, count: 256)
        var largest = SuffixEntries.Entry(document: 0, ordinal: 0, offset: 0)
        forEachEntry { entry, range in
            counts[Int(source.wordBytes[range.lowerBound])] += 1
            largest.document = Swift.max(largest.document, entry.document)
            largest.ordinal = Swift.max(largest.ordinal, entry.ordinal)
            largest.offset = Swift.max(largest.offset, entry.offset)
        }
        let count = counts.reduce(0, +)
        var writer = SuffixEntries.Writer(count: count, largest: largest)
        var documents: [UInt32] = []
        documents.reserveCapacity(count)
        let atOnce = Swift.max(Self.minAtOnce, count / Self.shareAtOnce)
        var low = 0
        while low < counts.count {
            var (high, size) = (low + 1, counts[low])
            while high < counts.count, size + counts[high] <= atOnce {
                size += counts[high]
                high += 1
            }
            let letters = low..<high
            low = high
            if size == 0 { continue }
            var entries: [SuffixEntries.Entry] = []
            entries.reserveCapacity(size)
            forEachEntry { entry, range in
                if letters.contains(Int(source.wordBytes[range.lowerBound])) { entries.append(entry) }
            }
            let order = sortedByBytes(count: size, bytes: source.wordBytes) { number in
                let entry = entries[number]
                let token = Int(source.forwardOffsets[Int(entry.document)]) + Int(entry.ordinal)
                let word = Int(ForwardIndex.word(source.tokens[token]))
                return Int(source.wordOffsets[word]) + Int(entry.offset)..<Int(source.wordOffsets[word + 1])
            }
            for number in order {
                writer.append(entries[Int(number)])
                documents.append(entries[Int(number)].document)
            }
        }
        section = writer.finish()
        self.documents = documents
    }
}

/// Returns the numbers 0 ..< count in the order of their byte strings. Equal strings keep the order of their numbers.
///
/// A counting sort by the first two bytes leaves small groups, each sorted on its own by the next eight bytes as one
/// integer, so most comparisons read no string, and memory grows by four bytes a number. O(n log n).
func sortedByBytes(count: Int, bytes: [UInt8], bounds: (Int) -> Range<Int>) -> [UInt32] {
    struct Key {
        var head: UInt64
        var start: UInt32
        var length: UInt32
        var number: UInt32
    }
    let bytes = bytes.span
    // A string that ends comes first.
    let letters = 257
    var ends = Array(repeating: 0, count: letters * letters + 1)
    var groups: [UInt32] = []
    groups.reserveCapacity(count)
    for number in 0..<count {
        let range = bounds(number)
        let first = range.isEmpty ? 0 : Int(bytes[range.lowerBound]) + 1
        let group = first * letters + (range.count < 2 ? 0 : Int(bytes[range.lowerBound + 1]) + 1)
        groups.append(UInt32(group))
        ends[group + 1] += 1
    }
    for group in 1..<ends.count { ends[group] += ends[group - 1] }
    var order = Array(repeating: UInt32(0), count: count)
    // Moves the start of each group to its end.
    for number in 0..<count {
        let group = Int(groups[number])
        order[ends[group]] = UInt32(number)
        ends[group] += 1
    }
    groups = []
    var keys: [Key] = []
    var start = 0
    for end in ends.dropLast() where end > start {
        defer { start = end }
        if end == start + 1 { continue }
        keys.removeAll(keepingCapacity: true)
        for place in start..<end {
            let range = bounds(Int(order[place]))
            var head: UInt64 = 0
            var shift: UInt64 = 56
            for position in range.dropFirst(2).prefix(8) {
                head |= UInt64(bytes[position]) << shift
                shift &-= 8
            }
            keys.append(
                Key(head: head, start: UInt32(range.lowerBound), length: UInt32(range.count), number: order[place]))
        }
        keys.sort { left, right in
            if left.head != right.head { return left.head < right.head }
            // The first ten bytes are equal.
            let common = Int(Swift.min(left.length, right.length))
            for position in Swift.min(10, common)..<common {
                let (leftByte, rightByte) = (bytes[Int(left.start) + position], bytes[Int(right.start) + position])
                if leftByte != rightByte { return leftByte < rightByte }
            }
            return left.length == right.length ? left.number < right.number : left.length < right.length
        }
        for (place, key) in keys.enumerated() { order[start + place] = key.number }
    }
    return order
}
