/// The word suffixes of a field in the order of a ``WordSuffixArray``, with their keys for building the trie.
struct SortedWordSuffixes {
    var documents: [UInt32] = []
    var starts: [UInt16] = []
    /// The texts that contain the keys, which are cut to ``WordSuffixArray/maxLength`` letters; ``keyStarts`` and
    /// ``keyLengths`` locate them in sorted order.
    private let keyBytes: [UInt8]
    private var keyStarts: [UInt32] = []
    private var keyLengths: [UInt8] = []

    init(_ source: FieldSource) {
        // The text of each track of each value. A key is an end of one.
        var bytes: [UInt8] = []
        // Whole values first, so that a stable sort puts exact matches before others with the same letters.
        var (whole, others) = (Entries(), Entries())
        // Untouched memory costs nothing; growing would need twice the memory.
        bytes.reserveCapacity(source.tokens.reduce(0) { $0 + source.bytes(of: Int(ForwardIndex.word($1))).count })
        whole.reserveCapacity(source.tokens.count)
        others.reserveCapacity(source.tokens.count)
        for document in 0..<(source.forwardOffsets.count - 1) {
            let first = source.range(of: document).lowerBound
            source.forEachValue(of: document) { words in
                var tracks: [(starts: [Int], end: Int)] = []
                for track in 0..<(words.lazy.map(\.count).max() ?? 0) {
                    let starts = words.map { word in
                        let token = source.tokens[Swift.min(word.lowerBound + track, word.upperBound - 1)]
                        let start = bytes.count
                        bytes += source.bytes(of: Int(ForwardIndex.word(token)))
                        return start
                    }
                    tracks.append((starts, bytes.count))
                }
                for (number, word) in words.enumerated() {
                    var keys: [Range<Int>] = []
                    // Word suffixes beyond the limit cannot be found by prefix.
                    for token in word where token - first < WordSuffixArray.maxTokens {
                        let (starts, end) = tracks[token - word.lowerBound]
                        let key = starts[number]..<Swift.min(end, starts[number] + WordSuffixArray.maxLength)
                        // Spellings that differ on one track only, or are repeated to align tracks, have equal word
                        // suffixes.
                        if keys.contains(where: { bytes[$0] == bytes[key] }) { continue }
                        keys.append(key)
                        if number == 0 {
                            whole.append(document, token - first, key)
                        } else {
                            others.append(document, token - first, key)
                        }
                    }
                }
            }
        }
        whole.take(&others)
        let order = sortedByBytes(count: whole.documents.count, bytes: bytes) { entry in
            Int(whole.keyStarts[entry])..<Int(whole.keyStarts[entry]) + Int(whole.keyLengths[entry])
        }
        documents = order.map { whole.documents[Int($0)] }
        whole.documents = []
        starts = order.map { whole.starts[Int($0)] }
        whole.starts = []
        keyStarts = order.map { whole.keyStarts[Int($0)] }
        whole.keyStarts = []
        keyLengths = order.map { whole.keyLengths[Int($0)] }
        keyBytes = bytes
    }

    /// The word suffixes in the order of their documents.
    private struct Entries {
        var documents: [UInt32] = []
        var starts: [UInt16] = []
        var keyStarts: [UInt32] = []
        var keyLengths: [UInt8] = []

        mutating func append(_ document: Int, _ start: Int, _ key: Range<Int>) {
            documents.append(UInt32(document))
            starts.append(UInt16(start))
            keyStarts.append(UInt32(key.lowerBound))
            keyLengths.append(UInt8(key.count))
        }

        mutating func reserveCapacity(_ count: Int) {
            documents.reserveCapacity(count)
            starts.reserveCapacity(count)
            keyStarts.reserveCapacity(count)
            keyLengths.reserveCapacity(count)
        }

        /// Appends other entries, and frees each of their arrays once it is copied.
        mutating func take(_ other: inout Entries) {
            documents += other.documents
            other.documents = []
            starts += other.starts
            other.starts = []
            keyStarts += other.keyStarts
            other.keyStarts = []
            keyLengths += other.keyLengths
            other.keyLengths = []
        }
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
    var section: [UInt8]
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
    func group(_ number: Int) -> Int {
        let range = bounds(number)
        let first = range.isEmpty ? 0 : Int(bytes[range.lowerBound]) + 1
        return first * letters + (range.count < 2 ? 0 : Int(bytes[range.lowerBound + 1]) + 1)
    }
    var ends = Array(repeating: 0, count: letters * letters + 1)
    for number in 0..<count { ends[group(number) + 1] += 1 }
    for group in 1..<ends.count { ends[group] += ends[group - 1] }
    var order = Array(repeating: UInt32(0), count: count)
    // Moves the start of each group to its end.
    for number in 0..<count {
        let group = group(number)
        order[ends[group]] = UInt32(number)
        ends[group] += 1
    }
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
