import SwitchboardAlgorithms
import Synchronization

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
        if source.tokens.allSatisfy({ $0 & ForwardIndex.flags != 0 }) {
            self.init(oneWordValuesOf: source)
        } else {
            self.init(valuesOf: source)
        }
    }

    /// Sorts the word suffixes of a field in which each value is one word, such as the words of descriptions. The words are
    /// already sorted, so their word suffixes are only counted. O(tokens).
    init(oneWordValuesOf source: FieldSource) {
        keyBytes = source.wordBytes
        // For each word, the first one with the same key: keys are cut.
        var keys = (0..<source.wordOffsets.count - 1).map { UInt32($0) }
        func key(_ word: Int) -> ArraySlice<UInt8> { source.bytes(of: word).prefix(WordSuffixArray.maxLength) }
        for word in keys.indices.dropFirst() where key(word) == key(word - 1) { keys[word] = keys[word - 1] }
        func forEachEntry(_ body: (_ key: Int, _ document: Int, _ start: Int) -> Void) {
            func key(of token: Int) -> UInt32 { keys[Int(ForwardIndex.word(source.tokens[token]))] }
            source.forEachValue { document, words in
                let first = source.range(of: document).lowerBound
                for word in words {
                    for token in word where token - first < WordSuffixArray.maxTokens {
                        if word.lowerBound < token,
                            (word.lowerBound..<token).contains(where: { key(of: $0) == key(of: token) })
                        {
                            continue
                        }
                        body(Int(key(of: token)), document, token - first)
                    }
                }
            }
        }
        var ends = Array(repeating: 0, count: keys.count + 1)
        forEachEntry { key, _, _ in ends[key + 1] += 1 }
        for word in keys.indices {
            keyStarts += repeatElement(source.wordOffsets[word], count: ends[word + 1])
            keyLengths += repeatElement(UInt8(key(word).count), count: ends[word + 1])
            ends[word + 1] += ends[word]
        }
        documents = Array(repeating: 0, count: keyStarts.count)
        starts = Array(repeating: 0, count: keyStarts.count)
        // Moves the start of each key to its end.
        forEachEntry { key, document, start in
            documents[ends[key]] = UInt32(document)
            starts[ends[key]] = UInt16(start)
            ends[key] += 1
        }
    }

    init(valuesOf source: FieldSource) {
        // The text of each track of each value. A key is an end of one.
        var bytes: [UInt8] = []
        var entries = Entries()
        // Untouched memory costs nothing; growing would need twice the memory.
        bytes.reserveCapacity(source.tokens.reduce(0) { $0 + source.bytes(of: Int(ForwardIndex.word($1))).count })
        entries.reserveCapacity(source.tokens.count)
        // For each track of a value, the start of each word and the end.
        var bounds: [Int] = []
        var keys: [Range<Int>] = []
        source.forEachValue { document, words in
            let first = source.range(of: document).lowerBound
            bounds.removeAll(keepingCapacity: true)
            for track in 0..<words.reduce(0, { Swift.max($0, $1.count) }) {
                for word in words {
                    bounds.append(bytes.count)
                    let token = source.tokens[Swift.min(word.lowerBound + track, word.upperBound - 1)]
                    bytes += source.bytes(of: Int(ForwardIndex.word(token)))
                }
                bounds.append(bytes.count)
            }
            for (number, word) in words.enumerated() {
                keys.removeAll(keepingCapacity: true)
                // Word suffixes beyond the limit cannot be found by prefix.
                for token in word where token - first < WordSuffixArray.maxTokens {
                    let track = (token - word.lowerBound) * (words.count + 1)
                    let start = bounds[track + number]
                    let key = start..<Swift.min(bounds[track + words.count], start + WordSuffixArray.maxLength)
                    // Spellings that differ on one track only, or are repeated to align tracks, have equal word
                    // suffixes.
                    if keys.contains(where: { bytes[$0] == bytes[key] }) { continue }
                    keys.append(key)
                    entries.append(document, token - first, key, isWhole: number == 0)
                }
            }
        }
        let order = entries.sorted(by: bytes)
        documents = order.map { entries.documents[Int($0)] }
        entries.documents = []
        starts = order.map { entries.starts[Int($0)] }
        entries.starts = []
        keyStarts = order.map { entries.keyStarts[Int($0)] }
        entries.keyStarts = []
        keyLengths = order.map { entries.keyLengths[Int($0)] & ~Entries.whole }
        keyBytes = bytes
    }

    /// The word suffixes in the order of their documents.
    private struct Entries {
        var documents: [UInt32] = []
        var starts: [UInt16] = []
        var keyStarts: [UInt32] = []
        /// The lengths of the keys, and the flag ``whole``.
        var keyLengths: [UInt8] = []

        /// Marks a whole value. Keys are shorter.
        static let whole: UInt8 = 0x80

        mutating func append(_ document: Int, _ start: Int, _ key: Range<Int>, isWhole: Bool) {
            documents.append(UInt32(document))
            starts.append(UInt16(start))
            keyStarts.append(UInt32(key.lowerBound))
            keyLengths.append(UInt8(key.count) | (isWhole ? Self.whole : 0))
        }

        mutating func reserveCapacity(_ count: Int) {
            documents.reserveCapacity(count)
            starts.reserveCapacity(count)
            keyStarts.reserveCapacity(count)
            keyLengths.reserveCapacity(count)
        }

        /// Returns the numbers of the word suffixes in the order of their keys in a text, whole values before others with
        /// the same letters, as exact matches.
        func sorted(by text: [UInt8]) -> [UInt32] {
            let (starts, lengths) = (keyStarts, keyLengths)
            return sortedByBytes(
                count: starts.count, bytes: text,
                bounds: { Int(starts[$0])..<Int(starts[$0]) + Int(lengths[$0] & ~Self.whole) },
                isFirst: { lengths[$0] & Self.whole != 0 })
        }
    }

    func letter(_ entry: Int, _ depth: Int) -> UInt8? {
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
        let order = sortedByBytes(count: suffixes.count, bytes: source.wordBytes) { [suffixes] number in
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
            let order = sortedByBytes(count: size, bytes: source.wordBytes) { [entries] number in
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
/// integer, so most comparisons read no string, and memory grows by four bytes a number. Many numbers are sorted by several
/// threads. O(n log n).
///
/// - Parameters:
///   - count: The number of strings, less than 2³¹.
///   - bytes: The text that contains the strings.
///   - bounds: Returns the place of a string in the text.
///   - isFirst: Returns `true` for a number that precedes the others with an equal string.
func sortedByBytes(
    count: Int, bytes: [UInt8], bounds: @Sendable (Int) -> Range<Int>,
    isFirst: @Sendable (Int) -> Bool = { _ in true }
) -> [UInt32] {
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
    var groups: [Range<Int>] = []
    var start = 0
    for end in ends.dropLast() where end > start {
        if end > start + 1 { groups.append(start..<end) }
        start = end
    }
    let isLarge = count >= minCountForThreads
    let sorted = Mutex(consume order)
    _ = groups.concurrentMap(chunksOf: isLarge ? groupsOfThread : max(groups.count, 1)) { groups in
        var numbers: [UInt32] = []
        var keys: [SortKey] = []
        for group in groups {
            numbers.removeAll(keepingCapacity: true)
            keys.removeAll(keepingCapacity: true)
            sorted.withLock { numbers += $0[group] }
            for number in numbers {
                let number = Int(number)
                keys.append(SortKey(number, bounds(number), isFirst: isFirst(number), of: bytes))
            }
            keys.sort { $0.isLess(than: $1, in: bytes) }
            sorted.withLock { order in
                for (place, key) in zip(group, keys) { order[place] = key.number }
            }
        }
    }
    return sorted.withLock(\.self)
}

/// The number of strings that are worth several threads, and the number of groups with the same first bytes that one takes
/// at a time.
private let (minCountForThreads, groupsOfThread) = (1 << 16, 16)

/// A number with the beginning of its byte string.
private struct SortKey {
    /// The bytes after the first two, eight at most.
    private var head: UInt64 = 0
    private let start: UInt32
    private let length: UInt32
    /// The number; the highest bit is set unless it comes first.
    private let rank: UInt32

    private static let isLater: UInt32 = 1 << 31

    var number: UInt32 { rank & ~Self.isLater }

    init(_ number: Int, _ range: Range<Int>, isFirst: Bool, of bytes: [UInt8]) {
        var shift: UInt64 = 56
        for position in range.dropFirst(2).prefix(8) {
            head |= UInt64(bytes[position]) << shift
            shift &-= 8
        }
        start = UInt32(range.lowerBound)
        length = UInt32(range.count)
        rank = UInt32(number) | (isFirst ? 0 : Self.isLater)
    }

    func isLess(than other: SortKey, in bytes: [UInt8]) -> Bool {
        if head != other.head { return head < other.head }
        // The first ten bytes are equal.
        let common = Int(Swift.min(length, other.length))
        for position in Swift.min(10, common)..<common {
            let (byte, otherByte) = (bytes[Int(start) + position], bytes[Int(other.start) + position])
            if byte != otherByte { return byte < otherByte }
        }
        return length == other.length ? rank < other.rank : length < other.length
    }
}
