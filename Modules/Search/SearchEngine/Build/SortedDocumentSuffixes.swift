/// The suffixes of the words of the documents in sorted order, for a ``DocumentSuffixArray``. Equal ones are in order
/// of document.
struct SortedDocumentSuffixes {
    let entries: [SuffixEntries.Entry]

    init(_ source: FieldSource, hasInfix: [Bool]) {
        var entries: [SuffixEntries.Entry] = []
        var words: [UInt32] = []
        for document in 0..<(source.forwardOffsets.count - 1) {
            let range = source.range(of: document)
            for token in range.prefix(DocumentSuffixArray.maxTokens) {
                let word = ForwardIndex.word(source.tokens[token])
                guard hasInfix[Int(word)] else { continue }
                SortedTermSuffixes.forEachOffset(in: source.bytes(of: Int(word))) { offset in
                    entries.append(
                        SuffixEntries.Entry(
                            document: UInt32(document), ordinal: UInt8(token - range.lowerBound), offset: UInt8(offset)
                        ))
                    words.append(word)
                }
            }
        }
        let order = sortedByBytes(count: entries.count, bytes: source.wordBytes) { number in
            let word = Int(words[number])
            return Int(source.wordOffsets[word]) + Int(entries[number].offset)..<Int(source.wordOffsets[word + 1])
        }
        self.entries = order.map { entries[Int($0)] }
    }
}
