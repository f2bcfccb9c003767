// Infix matches: suffixes of the words.
//
// `io` occurs inside rio and mario. These are some of the suffixes of the distinct words of "ana grande", "rio grande"
// and "mario diaz" in sorted order:
//
//     suffix                         iaz    io      io    na    nde
//     of the word                    diaz   mario   rio   ana   grande
//     best document of that word     2      2       1     0     0
//
// `io` is a range of two suffixes. `PostingMerge` finds the suffix with the best document (rio, document 1) as the
// minimum of the range. The rest of the posting list of rio and the ranges to the left and right of the suffix enter a
// heap, whose top is the next document (mario, document 2).
//
//     io    rio grande: word 0, letters 1..<3
//           mario diaz: word 0, letters 3..<5
//
// A query of several words ("io gr") matches as a phrase: the first typed word ends a word, and the others follow. The
// search starts from the rarer side (`TierSearch`) and checks the other (`PhraseMatcher`).
//
// Numbers are rarely shared, so most posting lists would have one document. A field of numbers has a
// `DocumentSuffixArray` instead, whose entries are suffixes in documents.

/// A suffix array over the distinct words, for infix search, and the posting list of each word.
///
/// Names are shared, so a million documents have few distinct words and suffixes. Each suffix carries the best document
/// of its word; a ``RangeMinimum`` over them finds the best word first, and its posting list (documents in ascending
/// order) yields the next ones. Suffixes that are whole words are left out, because they are prefix matches.
struct TermSuffixArray: Sendable {
    private let suffixWords: PackedView<UInt32>
    private let suffixOffsets: View<UInt8>
    let best: RangeMinimum<PackedView<UInt32>>
    private let postingOffsets: PackedView<UInt32>
    let postings: PackedView<UInt32>
    private let words: TermDictionary

    init(_ directory: SectionDirectory, field: Int, words: TermDictionary) throws(IndexFormatError) {
        suffixWords = try directory.packed(.suffixWords, field: field)
        suffixOffsets = try directory.view(.suffixOffsets, field: field)
        best = try directory.minima(
            of: try directory.packed(.suffixBest, field: field), .suffixMinima, .suffixChunkMinima, field: field)
        postingOffsets = try directory.packed(.postingOffsets, field: field)
        postings = try directory.packed(.postings, field: field)
        self.words = words
        guard suffixOffsets.count == suffixWords.count, best.values.count == suffixWords.count else {
            throw .section(SectionTag.suffixWords.rawValue)
        }
    }

    @inline(__always)
    private func letters(of suffix: Int) -> View<UInt8> {
        let word = words.letters(of: Int(suffixWords[suffix]))
        return word.slice(Int(suffixOffsets[suffix]), word.count)
    }

    /// Returns the suffixes that begin with the query. O(length · log suffixes).
    func range(of query: Span<UInt8>) -> Range<Int> {
        (0..<suffixWords.count).indices { letters(of: $0).comparePrefix(to: query) }
    }

    /// Returns the suffixes of a query's range that equal the query: they come first. O(log range).
    func exactEntries(in range: Range<Int>, length: Int) -> Range<Int> {
        range.lowerBound..<range.partitioningIndex { letters(of: $0).count != length }
    }

    /// Returns the posting list of the word of a suffix.
    @inline(__always)
    func postingRange(ofSuffix suffix: Int) -> Range<Int> { postingRange(of: Int(suffixWords[suffix])) }

    /// Returns the documents with a word, ascending, as a range of ``postings``.
    @inline(__always)
    func postingRange(of word: Int) -> Range<Int> { postingOffsets.range(at: word, within: postings.count) }
}

/// Merges the posting lists of all words that contain an infix, best document first. A word enters the heap when its
/// best document is next.
///
/// The heap contains ranges of suffixes (by their best document) and partly consumed posting lists (by their next
/// document). O(log of its size) per document.
struct PostingMerge: IteratorProtocol {
    private struct Node: DocumentHeapNode {
        var document: UInt32
        /// The suffix with that document, or the suffix of the posting list.
        var suffix: UInt32
        var low: UInt32
        var high: UInt32
        var isList: Bool
    }

    private let table: TermSuffixArray
    private var heap = DocumentHeap<Node>()

    init(_ table: TermSuffixArray, _ range: Range<Int>) {
        self.table = table
        add(range)
    }

    private mutating func add(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let suffix = table.best.position(range.lowerBound, range.upperBound)
        heap.push(
            Node(
                document: table.best.values[suffix], suffix: UInt32(suffix), low: UInt32(range.lowerBound),
                high: UInt32(range.upperBound), isList: false))
    }

    /// Returns the next document and the suffix of one of its words.
    mutating func next() -> (document: Int, entry: Int)? {
        guard let top = heap.pop() else { return nil }
        let suffix = Int(top.suffix)
        if top.isList {
            pushList(suffix: top.suffix, low: top.low + 1, high: top.high)
        } else {
            let list = table.postingRange(ofSuffix: suffix)
            pushList(suffix: top.suffix, low: UInt32(list.lowerBound) + 1, high: UInt32(list.upperBound))
            add(Int(top.low)..<suffix)
            add((suffix + 1)..<Int(top.high))
        }
        return (Int(top.document), suffix)
    }

    private mutating func pushList(suffix: UInt32, low: UInt32, high: UInt32) {
        guard low < high else { return }
        heap.push(Node(document: table.postings[Int(low)], suffix: suffix, low: low, high: high, isList: true))
    }
}

/// A suffix array over the words of the documents, for infix search in words that few documents share, such as numbers.
///
/// Each of the ``SuffixEntries`` is a suffix of a word in one document, and a ``RangeMinimum`` over
/// their documents finds the best one.
struct DocumentSuffixArray: Sendable {
    let minima: RangeMinimum<SuffixEntries>
    let forward: ForwardIndex
    let words: TermDictionary

    /// The number of tokens per document that have suffixes.
    static let maxTokens = 1 << 8

    @inline(__always)
    private func letters(of suffix: Int) -> View<UInt8> {
        let entry = minima.values.entry(suffix)
        let word = words.letters(of: forward.word(forward.start(of: entry.document) + Int(entry.ordinal)))
        return word.slice(Int(entry.offset), word.count)
    }

    /// Returns the suffixes that begin with the query. O(length · log suffixes).
    func range(of query: Span<UInt8>) -> Range<Int> {
        (0..<minima.values.count).indices { letters(of: $0).comparePrefix(to: query) }
    }
}

/// The entries of a ``DocumentSuffixArray``: document, token of that document and byte offset of the suffix, each in
/// the number of bits that its largest value needs.
///
/// There are about ten suffixes per number of a document, more entries than in all other tables. They are therefore
/// packed by bits instead of bytes.
///
/// The section contains the number of entries (eight bytes); the widths of document, token and offset in bits (one byte
/// each, then five zeros); the entries from the lowest bits up, the document first; and eight zeros, so that eight
/// bytes can be read at each entry.
@safe struct SuffixEntries: IntegerSequence, @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that the index retains and that is never written.
    // Safe: each `unsafe` concerns a position that is compared with the count before a read, or by the caller of an
    // `@unsafe` function. The section ends with padding.
    private let base: UnsafeRawPointer
    private let widths: Widths
    let count: Int

    /// Larger blocks than for other values, because there are many entries and ranges are short.
    static let blockShift = 7
    private static let headLength = 16
    private static let tailLength = 8

    struct Entry: Equatable {
        var document: UInt32
        /// The number of the token in its document.
        var ordinal: UInt8
        /// The byte offset of the suffix in the word.
        var offset: UInt8
    }

    /// Widths in bits. Their sum is at most 48, so an entry fits within eight bytes wherever it starts.
    private struct Widths {
        var document: Int
        var ordinal: Int
        var offset: Int

        @inline(__always)
        var entry: Int { document + ordinal + offset }

        var isValid: Bool { (0...32).contains(document) && (0...8).contains(ordinal) && (0...8).contains(offset) }
    }

    /// Returns nil if the section is malformed.
    @unsafe init?(_ section: UnsafeRawBufferPointer) {
        // Safe: the section has at least a head.
        let overhead = SuffixEntries.headLength + SuffixEntries.tailLength
        guard let start = section.baseAddress, section.count >= overhead,
            let count = UInt32(exactly: unsafe section.loadUnaligned(as: UInt64.self))
        else { return nil }
        self.count = Int(count)
        // Safe: the head has sixteen bytes.
        widths = unsafe Widths(document: Int(section[8]), ordinal: Int(section[9]), offset: Int(section[10]))
        guard count < UInt32.max, widths.isValid, section.count == overhead + (self.count * widths.entry + 7) / 8 else {
            return nil
        }
        unsafe base = start + SuffixEntries.headLength
    }

    /// Returns the bits of an entry. The position must be in `0 ..< count`.
    @unsafe @inline(__always)
    private func bits(_ position: Int) -> UInt64 {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        let bitOffset = position &* widths.entry
        // Safe: eight bytes follow the last entry.
        let bytes = unsafe base.loadUnaligned(fromByteOffset: bitOffset >> 3, as: UInt64.self)
        return bytes &>> UInt64(truncatingIfNeeded: bitOffset & 7)
    }

    @inline(__always)
    private static func low(_ bits: UInt64, _ width: Int) -> UInt64 {
        bits & (1 &<< UInt64(truncatingIfNeeded: width) &- 1)
    }

    /// The document of an entry, or 0 if the entry does not exist.
    @inline(__always)
    subscript(position: Int) -> UInt32 {
        guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
        // Safe: the position was checked.
        return unsafe self[unchecked: position]
    }

    @unsafe @inline(__always)
    subscript(unchecked position: Int) -> UInt32 {
        // Safe: the caller has checked the position.
        UInt32(truncatingIfNeeded: SuffixEntries.low(unsafe bits(position), widths.document))
    }

    /// Returns an entry, or zeros if the entry does not exist.
    @inline(__always)
    func entry(_ position: Int) -> Entry {
        // Safe: the position was checked.
        var bits = UInt(bitPattern: position) < UInt(bitPattern: count) ? unsafe bits(position) : 0
        let document = SuffixEntries.low(bits, widths.document)
        bits &>>= UInt64(truncatingIfNeeded: widths.document)
        let ordinal = SuffixEntries.low(bits, widths.ordinal)
        bits &>>= UInt64(truncatingIfNeeded: widths.ordinal)
        return Entry(
            document: UInt32(truncatingIfNeeded: document), ordinal: UInt8(truncatingIfNeeded: ordinal),
            offset: UInt8(truncatingIfNeeded: SuffixEntries.low(bits, widths.offset)))
    }

    /// Writes the bytes of a section.
    struct Writer {
        private let widths: Widths
        private var bytes: [UInt8] = []
        private var pending: UInt64 = 0
        private var pendingCount = 0

        /// - Parameters:
        ///   - count: The number of entries.
        ///   - largest: The largest value of each kind.
        init(count: Int, largest: Entry) {
            func width(_ largest: UInt32) -> Int { UInt32.bitWidth - largest.leadingZeroBitCount }
            widths = Widths(
                document: width(largest.document), ordinal: width(UInt32(largest.ordinal)),
                offset: width(UInt32(largest.offset)))
            bytes.reserveCapacity(headLength + count * widths.entry / 8 + 1 + tailLength)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
            bytes += [UInt8(widths.document), UInt8(widths.ordinal), UInt8(widths.offset), 0, 0, 0, 0, 0]
        }

        mutating func append(_ entry: Entry) {
            let location = UInt64(entry.ordinal) | UInt64(entry.offset) << UInt64(widths.ordinal)
            pending |= (UInt64(entry.document) | location << UInt64(widths.document)) << UInt64(pendingCount)
            pendingCount += widths.entry
            while pendingCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingCount -= 8
            }
        }

        mutating func finish() -> [UInt8] {
            if pendingCount > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
            bytes += repeatElement(0, count: tailLength)
            return bytes
        }
    }
}
