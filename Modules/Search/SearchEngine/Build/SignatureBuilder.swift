/// Builds the ``PrefixSignatures`` and ``LongValueDocuments`` of a field. O(tokens).
struct SignatureBuilder {
    let source: FieldSource
    let layout: SignatureLayout

    private var documentCount: Int { source.forwardOffsets.count - 1 }

    func prefixSignatures() -> [UInt64] {
        var bitmaps = Array(
            repeating: UInt64(0),
            count: PrefixSignatures.blocks(documentCount) * layout.rows * PrefixSignatures.blockWords)
        for document in 0..<documentCount {
            set(document, as: document, layout.rows, &bitmaps)
        }
        return bitmaps
    }

    /// The sections of ``LongValueDocuments``.
    func longValueDocuments() -> (documents: [UInt32], members: [UInt64], ranks: [UInt32], bitmaps: [UInt64]) {
        let documents = (0..<documentCount).filter { longestValue($0) > 2 }
        var bitmaps = Array(
            repeating: UInt64(0),
            count: PrefixSignatures.blocks(documents.count) * LongValueDocuments.rows(layout)
                * PrefixSignatures.blockWords)
        for (number, document) in documents.enumerated() {
            set(document, as: number, LongValueDocuments.rows(layout), &bitmaps)
            let words = longestValue(document)
            for (least, row) in [(4, LongValueDocuments.fourWords(layout)), (5, LongValueDocuments.fiveWords(layout))]
            where words >= least {
                setBit(number, row, LongValueDocuments.rows(layout), &bitmaps)
            }
        }
        var members = Array(repeating: UInt64(0), count: (documentCount + 63) / 64)
        for document in documents { members[document >> 6] |= 1 << UInt64(document & 63) }
        var ranks: [UInt32] = []
        var before = 0
        for group in members {
            ranks.append(UInt32(before))
            before += group.nonzeroBitCount
        }
        return (documents.map { UInt32($0) }, members, ranks, bitmaps)
    }

    /// The number of words in the longest value of a document.
    private func longestValue(_ document: Int) -> Int {
        var (longest, words) = (0, 0)
        for token in source.tokens[source.range(of: document)] {
            if token & ForwardIndex.valueStart != 0 { words = 0 }
            if token & ForwardIndex.otherSpelling == 0 { words += 1 }
            longest = Swift.max(longest, words)
        }
        return longest
    }

    /// Sets the bits of the prefixes of a document's words.
    private func set(_ document: Int, as number: Int, _ rows: Int, _ bitmaps: inout [UInt64]) {
        for token in source.tokens[source.range(of: document)] {
            let letters = source.bytes(of: Int(ForwardIndex.word(token)))
            if letters.isEmpty { continue }
            setBit(number, layout.row(of: letters.prefix(1)), rows, &bitmaps)
            if letters.count > 1 { setBit(number, layout.row(of: letters), rows, &bitmaps) }
        }
    }

    @inline(__always)
    private func setBit(_ number: Int, _ row: Int, _ rows: Int, _ bitmaps: inout [UInt64]) {
        let block = number / PrefixSignatures.blockDocuments * rows + row
        let word = (number % PrefixSignatures.blockDocuments) / 64
        bitmaps[block * PrefixSignatures.blockWords + word] |= 1 << UInt64(number % 64)
    }
}
