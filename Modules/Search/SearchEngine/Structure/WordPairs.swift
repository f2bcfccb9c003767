/// The pairs of words of each value, in order of their first letters.
///
/// A query in two or more pieces can only match a value with a pair of words that begin with two of the pieces, and few
/// values have any given pair. A pair is stored once, whatever the order of its words. Its *key* has the first letters
/// of both words, of the lesser word first, and alternates between them: a1 b1 a2 b2 a3 b3 (``PairLayout``). The pairs
/// that begin with two given pieces are then adjacent, or few runs if the pieces differ in length.
///
/// The first two letters of both words, the *head* of the key, are stored once for all entries that have it. An entry
/// has the other letters, the *tail*, by which entries of a head are ordered; the document; and a bit for each first
/// letter of the other words of the value, so that most entries of a query in more pieces are excluded without reading
/// the document. Values of more than ``maxWords`` words are left to ``WideValues``.
struct WordPairs: Sendable {
    /// The maximum number of words of the values of each class. Few values have many words, but the pieces that they can
    /// match are many, so each class has its own heads.
    static let maxWordsOfClass = [2, 4, 6, 13]
    /// The maximum number of words in a value whose pairs are stored.
    static let maxWords = 13

    /// The distinct heads, ascending.
    private let heads: PackedView<UInt32>
    /// The first entry of each head, and the end.
    private let starts: PackedView<UInt32>
    private let entries: PackedView<UInt64>
    let layout: PairLayout

    init(_ directory: SectionDirectory, field: Int, layout: PairLayout) throws(IndexFormatError) {
        heads = try directory.packed(.wordPairHeads, field: field)
        starts = try directory.packed(.wordPairStarts, field: field)
        entries = try directory.packed(.wordPairEntries, field: field, of: UInt64.self)
        self.layout = layout
        guard starts.count == heads.count + 1 else { throw .section(SectionTag.wordPairHeads.rawValue) }
    }

    var count: Int { entries.count }

    /// Adjacent entries, of which those match whose tails agree with some letters.
    struct Run {
        var entries: Range<Int>
        /// The letters, and their bits. No bits if all entries match.
        var tail: UInt32
        var mask: UInt32

        /// The expected number of matches: a quarter for each letter.
        var estimate: Int { entries.count >> (mask.nonzeroBitCount / 2) }
    }

    /// Appends the runs of the pairs of a class whose words begin with two pieces, in either order. O(runs · log
    /// entries).
    func appendRuns(class number: Int, _ one: PairLayout.Letters, _ other: PairLayout.Letters, to runs: inout [Run]) {
        if layout.canPrecede(one, other) { appendRuns(class: number, first: one, second: other, to: &runs) }
        if layout.canPrecede(other, one), one != other {
            appendRuns(class: number, first: other, second: one, to: &runs)
        }
    }

    private func appendRuns(
        class number: Int, first: PairLayout.Letters, second: PairLayout.Letters, to runs: inout [Run]
    ) {
        let value = layout.key(first.codes, second.codes)
        let mask = layout.key(first.mask, second.mask)
        let head = layout.head(value) | layout.head(ofClass: number)
        let headMask = layout.head(mask) | layout.head(ofClass: 3)
        let (tail, tailMask) = (layout.tail(value), layout.tail(mask))
        let freeBits = tailMask == 0 ? (UInt32(1) << UInt32(headMask.trailingZeroBitCount)) - 1 : 0
        var position = lowerBound(head, from: 0)
        while position < heads.count {
            let current = heads[position]
            if current & headMask == head {
                let end = lowerBound((current | freeBits) &+ 1, from: position + 1)
                let low = Swift.min(Int(starts[position]), entries.count)
                let run = low..<Swift.max(low, Swift.min(Int(starts[end]), entries.count))
                append(run, tail, tailMask, to: &runs)
                position = end
            } else {
                guard let next = WordPairs.successor(of: current, head, headMask) else { return }
                position = lowerBound(next, from: position + 1)
            }
        }
    }

    /// Appends the entries of a head that have the leading letters of a tail.
    private func append(_ range: Range<Int>, _ tail: UInt32, _ mask: UInt32, to runs: inout [Run]) {
        let unknown = layout.tail(~mask)
        let freeBits = UInt32.bitWidth - unknown.leadingZeroBitCount
        let found =
            mask == 0
            ? range
            : range.indices { entry in
                let difference = Int(layout.tail(entries[entry]) >> UInt32(freeBits)) - Int(tail >> UInt32(freeBits))
                return difference
            }
        if found.isEmpty { return }
        let left = mask & ((UInt32(1) << UInt32(freeBits)) &- 1)
        runs.append(Run(entries: found, tail: tail & left, mask: left))
    }

    /// Calls `body` with the documents of the matching entries of a run whose other words have some first letters.
    @inline(__always)
    func forEachDocument(in run: Run, others: UInt64, _ body: (Int) -> Void) {
        for position in run.entries {
            let entry = entries[position]
            if layout.tail(entry) & run.mask == run.tail, entry & others == others {
                body(Int(truncatingIfNeeded: entry >> layout.documentShift))
            }
        }
    }

    /// The first head after another that has a value in the bits of a mask, or nil.
    private static func successor(of head: UInt32, _ value: UInt32, _ mask: UInt32) -> UInt32? {
        // The bits that differ are within the mask, and heads have at most 22 bits.
        let top = 31 - UInt32((head & mask ^ value).leadingZeroBitCount)
        let low = (UInt32(2) << top) &- 1
        if value & (1 << top) != 0 { return head & ~low | value & low }
        let (next, isOverflow) = (head | mask | low).addingReportingOverflow(1)
        return isOverflow ? nil : next & ~mask | value
    }

    /// The position of the first head from a position on that is not less than another. O(log distance).
    @inline(__always)
    private func lowerBound(_ head: UInt32, from start: Int) -> Int {
        var low = start
        var step = start == 0 ? heads.count : 1
        while low + step < heads.count, heads[low + step] < head {
            low += step
            step *= 2
        }
        var high = Swift.min(low + step, heads.count)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle] < head { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
