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
    static func forEachOffset(in bytes: ArraySlice<UInt8>, _ body: (Int) -> Void) {
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
