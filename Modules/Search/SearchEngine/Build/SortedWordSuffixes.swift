/// The word suffixes of a field in the order of a ``WordSuffixArray``, with their keys for building the trie.
struct SortedWordSuffixes {
    var documents: [UInt32] = []
    var starts: [UInt16] = []
    /// The keys, cut to ``WordSuffixArray/maxLength`` letters; ``keyStarts`` and ``keyLengths`` locate them in sorted
    /// order.
    let keyBytes: [UInt8]
    private(set) var keyStarts: [UInt32] = []
    private(set) var keyLengths: [UInt8] = []

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

    func letter(_ entry: Int, _ depth: Int) -> UInt8? {
        depth < Int(keyLengths[entry]) ? keyBytes[Int(keyStarts[entry]) + depth] : nil
    }
}
