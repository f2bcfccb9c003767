/// Builds the ``PrefixSignatures``, ``WordPairs``, ``WordSignatures`` and ``WideValues`` of a field.
struct SegmentationBuilder {
    let source: FieldSource
    let letterCount: Int

    private var documentCount: Int { source.forwardOffsets.count - 1 }

    /// O(tokens).
    func prefixSignatures() -> [UInt64] {
        let layout = SignatureLayout(letters: letterCount)
        var bitmaps = Array(
            repeating: UInt64(0),
            count: PrefixSignatures.blocks(documentCount) * layout.rows * PrefixSignatures.blockWords)
        for document in 0..<documentCount {
            let (block, bit) = document.quotientAndRemainder(dividingBy: PrefixSignatures.blockDocuments)
            for token in source.tokens[source.range(of: document)] {
                guard let letter = source.bytes(of: Int(ForwardIndex.word(token))).first else { continue }
                let row = block * layout.rows + layout.row(letter)
                bitmaps[row * PrefixSignatures.blockWords + bit / 64] |= 1 << UInt64(bit % 64)
            }
        }
        return bitmaps
    }

    /// O(tokens).
    private func wordSignatures() -> [UInt64] {
        (0..<documentCount).map { document in
            source.range(of: document).reduce(0) { signature, token in
                let word = source.bytes(of: Int(ForwardIndex.word(source.tokens[token])))
                guard word.count > 1 else { return signature }
                return signature | WordSignatures.bit(word[word.startIndex], word[word.startIndex + 1])
            }
        }
    }

    /// Writes the sections of ``WordPairs``, ``WordSignatures`` and ``WideValues``. O(pairs · log pairs).
    func write(to writer: inout SectionWriter, field: Int) {
        var pairs = PairCollector(source: source, layout: PairLayout(letters: letterCount))
        // The pairs of one class at a time, since all take more memory than the rest of the field.
        var least = 2
        for (number, most) in WordPairs.maxWordsOfClass.enumerated() {
            source.forEachValue { document, words in
                if (least...most).contains(words.count) { pairs.add(words, of: UInt32(document)) }
            }
            pairs.sort(class: number)
            least = most + 1
        }
        pairs.write(to: &writer, field: field)
        var wide: [(document: UInt32, signature: UInt64)] = []
        source.forEachValue { document, words in
            guard words.count > WordPairs.maxWords else { return }
            var signature: UInt64 = 0
            for token in words[0].lowerBound..<words[words.count - 1].upperBound {
                signature |= WideValues.signature(source.bytes(of: Int(ForwardIndex.word(source.tokens[token]))))
            }
            if signature == 0 { return }
            if let last = wide.last, last.document == UInt32(document) {
                wide[wide.count - 1].signature |= signature
            } else {
                wide.append((UInt32(document), signature))
            }
        }
        writer.addPacked(.wideDocuments, field: field, wide.map(\.document))
        writer.add(.wideSignatures, field: field, wide.map(\.signature))
        if letterCount <= WordSignatures.maxLetters {
            writer.add(.wordSignatures, field: field, wordSignatures())
        }
    }
}

/// Collects pairs of words and sorts them by key.
private struct PairCollector {
    let source: FieldSource
    let layout: PairLayout
    /// The key and the number of each pair of the current class, and its entry by number.
    private var keys: [UInt64] = []
    private var entries: [UInt64] = []
    /// The distinct codes of the spellings of the words of a value, where those of each word end, and the first letters of
    /// each word. Arrays of the values would take as long to make and to free as the pairs.
    private var (codes, ends, firstLetters): ([UInt32], [Int], [UInt64]) = ([], [], [])
    /// The sorted pairs of the earlier classes.
    private var (groups, heads, starts): ([UInt32], [UInt32], [UInt32]) = ([], [], [])
    private var sorted: [UInt64] = []

    init(source: FieldSource, layout: PairLayout) {
        self.source = source
        self.layout = layout
    }

    /// Adds the pairs of words of a value of the current class, in every spelling.
    mutating func add(_ words: [Range<Int>], of document: UInt32) {
        codes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        firstLetters.removeAll(keepingCapacity: true)
        for word in words {
            let start = codes.count
            var bits: UInt64 = 0
            for token in word {
                let bytes = source.bytes(of: Int(ForwardIndex.word(source.tokens[token])))
                guard let first = bytes.first else { continue }
                bits |= layout.bit(first)
                let code = layout.letters(bytes).codes
                if !codes[start...].contains(code) { codes.append(code) }
            }
            ends.append(codes.count)
            firstLetters.append(bits)
        }
        for one in words.indices {
            for other in words.indices.dropFirst(one + 1) {
                var others: UInt64 = 0
                for word in words.indices where word != one && word != other { others |= firstLetters[word] }
                for left in codes[spellings(of: one)] {
                    for right in codes[spellings(of: other)] {
                        let key = layout.key(Swift.min(left, right), Swift.max(left, right))
                        keys.append(UInt64(key) << 32 | UInt64(entries.count))
                        entries.append(layout.entry(document, key: key, others: others))
                    }
                }
            }
        }
    }

    private func spellings(of word: Int) -> Range<Int> { (word == 0 ? 0 : ends[word - 1])..<ends[word] }

    /// Sorts the pairs of the current class, with one entry for equal pairs of a document.
    mutating func sort(class number: Int) {
        keys.sort()
        var last: UInt32?
        for pair in keys {
            let (key, entry) = (UInt32(pair >> 32), entries[Int(UInt32(truncatingIfNeeded: pair))])
            if key == last, let previous = sorted.last, (previous ^ entry) >> layout.documentShift == 0 {
                sorted[sorted.count - 1] |= entry
                continue
            }
            let group = layout.group(key, class: number)
            let isNew = group >= groups.count || heads.last != layout.head(key)
            while groups.count <= group { groups.append(UInt32(heads.count)) }
            if isNew {
                heads.append(layout.head(key))
                starts.append(UInt32(sorted.count))
            }
            last = key
            sorted.append(entry)
        }
        (keys, entries) = ([], [])
    }

    /// Writes the sections.
    consuming func write(to writer: inout SectionWriter, field: Int) {
        while groups.count <= layout.groupCount { groups.append(UInt32(heads.count)) }
        starts.append(UInt32(sorted.count))
        writer.addPacked(.wordPairGroups, field: field, groups)
        writer.addPacked(.wordPairHeads, field: field, heads)
        writer.addPacked(.wordPairStarts, field: field, starts)
        writer.addPacked(.wordPairEntries, field: field, sorted)
    }
}
