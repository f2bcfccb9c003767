// Initials and words in any order: the pairs of words of each value.
//
// The pair of grande and rio has the key `gr ri ao`, which alternates between the letters of both words:
//
//     group   head   tail
//     g r     r i    a o
//
// A query with the pieces `g` and `r` matches all pairs of the group `gr`. With the pieces `gr` and `r`, the first
// letter of the head must also be `r`, and with `g` and `ri` the second one must be `i`. `SegmentationCandidates` uses
// the pairs.
//
// In `WordPairs`, each `unsafe` is safe because the position lies within a range of entries that was checked.

/// The pairs of words of each value, in order of their first letters.
///
/// A query in two or more pieces can only match a value with a pair of words that begin with two of the pieces, and few
/// values have any given pair. A pair is stored once, whatever the order of its words. Its *key* has the first letters
/// of both words, of the lesser word first, and alternates between them: a1 b1 a2 b2 a3 b3 (``PairLayout``). The pairs
/// that begin with two given pieces are then adjacent, or few runs if the pieces differ in length.
///
/// The *group* of a key consists of the first letters of both words and the class of the value; a table locates it. The
/// *head* consists of the second letters and is stored once for all entries that have it. An entry has the other
/// letters, the *tail*, which orders the entries of a head; the document; and a bit for each first letter of the other
/// words of the value. These bits exclude most entries of a query in more pieces without reading the document. Values
/// of more than ``maxWords`` words are left to ``WideValues``.
struct WordPairs: Sendable {
    /// The maximum number of words of the values of each class. Few values have many words, but these can match many
    /// pieces, so each class has its own groups.
    static let maxWordsOfClass = [2, 4, 6, 13]
    /// The maximum number of words in a value whose pairs are stored.
    static let maxWords = 13

    /// The first head of each group, and the end.
    private let groups: PackedView<UInt32>
    /// The distinct heads of each group, ascending.
    private let heads: PackedView<UInt32>
    /// The first entry of each head, and the end.
    private let starts: PackedView<UInt32>
    private let entries: PackedView<UInt64>
    let layout: PairLayout

    init(_ directory: SectionDirectory, field: Int, layout: PairLayout) throws(IndexFormatError) {
        groups = try directory.packed(.wordPairGroups, field: field)
        heads = try directory.packed(.wordPairHeads, field: field)
        starts = try directory.packed(.wordPairStarts, field: field)
        entries = try directory.packed(.wordPairEntries, field: field, of: UInt64.self)
        self.layout = layout
        guard groups.count == layout.groupCount + 1, starts.count == heads.count + 1 else {
            throw .section(SectionTag.wordPairHeads.rawValue)
        }
    }

    /// The heads of a group that agree with two pieces, and the letters of the tail that entries must have.
    private struct Match {
        /// Adjacent heads. Those that equal `head` in the bits of `headMask` agree.
        var heads: Range<Int>
        var head: UInt32
        var headMask: UInt32
        var tail: UInt32
        var tailMask: UInt32
    }

    /// Returns the expected number of entries of a class whose words begin with two pieces, in either order: 0 only if
    /// there are none. Each letter that is only compared keeps about one in four entries. O(heads of a group + log
    /// entries).
    func estimate(class number: Int, _ one: PairLayout.Letters, _ other: PairLayout.Letters) -> Int {
        var estimate = 0
        if layout.canPrecede(one, other) { estimate += self.estimate(match(class: number, one, other)) }
        if one != other, layout.canPrecede(other, one) { estimate += self.estimate(match(class: number, other, one)) }
        return estimate
    }

    @inline(__always)
    private func estimate(_ match: Match) -> Int {
        if match.headMask == 0 && match.tailMask == 0 { return match.heads.isEmpty ? 0 : range(match.heads).count }
        var count = 0
        for head in match.heads where heads[head] & match.headMask == match.head {
            let (range, freeBits) = narrowed(range(head..<head + 1), match)
            let compared = match.tailMask & (1 << freeBits &- 1)
            let shift = compared.nonzeroBitCount / 2
            count += (range.count + (1 << shift - 1)) >> shift
        }
        return count
    }

    /// Returns the entries of a head that have the letters of a tail up to the first unknown one, and the number of
    /// bits of a tail from there on. O(log entries).
    @inline(__always)
    private func narrowed(_ range: Range<Int>, _ match: Match) -> (range: Range<Int>, freeBits: UInt32) {
        if match.tailMask == 0 { return (range, 0) }
        let freeBits = UInt32(UInt32.bitWidth - layout.tail(~match.tailMask).leadingZeroBitCount)
        let tail = match.tail >> freeBits
        let low = lowerBound(tail, freeBits, in: range)
        return (low..<lowerBound(tail + 1, freeBits, in: low..<range.upperBound), freeBits)
    }

    /// Calls `body` with the documents of the pairs of a class whose words begin with two pieces, in either order, and
    /// whose other words have the given first letters.
    @inline(__always)
    func forEachDocument(
        class number: Int, _ one: PairLayout.Letters, _ other: PairLayout.Letters, others: UInt64,
        _ body: (Int) -> Void
    ) {
        var (first, second) = (one, other)
        for _ in 0..<2 {
            if layout.canPrecede(first, second) {
                let match = match(class: number, first, second)
                let filter = layout.filter(tail: match.tail, mask: match.tailMask, others: others)
                if match.headMask == 0 && match.tailMask == 0 {
                    if !match.heads.isEmpty { scan(range(match.heads), match, filter, body) }
                } else {
                    for head in match.heads where heads[head] & match.headMask == match.head {
                        scan(range(head..<head + 1), match, filter, body)
                    }
                }
            }
            if one == other { return }
            swap(&first, &second)
        }
    }

    /// Calls `body` with the documents of the entries of a range that have the letters of a tail.
    @inline(__always)
    private func scan(
        _ range: Range<Int>, _ match: Match, _ filter: (required: UInt64, mask: UInt64), _ body: (Int) -> Void
    ) {
        for position in narrowed(range, match).range {
            // Safe: the range is inside the entries.
            let entry = unsafe entries[unchecked: position]
            if entry & filter.mask == filter.required { body(Int(truncatingIfNeeded: entry >> layout.documentShift)) }
        }
    }

    /// Returns the heads for two pieces, the first of which begins the lesser word. O(log heads of a group).
    @inline(__always)
    private func match(class number: Int, _ first: PairLayout.Letters, _ second: PairLayout.Letters) -> Match {
        let key = layout.key(first.codes, second.codes)
        let mask = layout.key(first.mask, second.mask)
        var match = Match(
            heads: groups.range(at: layout.group(key, class: number), within: heads.count), head: layout.head(key),
            headMask: layout.head(mask), tail: layout.tail(key), tailMask: layout.tail(mask))
        // Heads with the same leading letters are adjacent. A letter after an unknown one is compared.
        let freeBits = layout.freeHeadBits(match.headMask)
        if freeBits < layout.headBits {
            let low = lowerBound(match.head, in: match.heads)
            var end = low
            while end < match.heads.upperBound, heads[end] >> freeBits == match.head >> freeBits { end += 1 }
            match.heads = low..<end
            match.headMask = 0
            match.head = 0
        }
        return match
    }

    /// Returns the entries of adjacent heads. The range is in bounds whatever the index contains.
    @inline(__always)
    private func range(_ heads: Range<Int>) -> Range<Int> {
        let low = Swift.min(Int(starts[heads.lowerBound]), entries.count)
        return low..<Swift.max(low, Swift.min(Int(starts[heads.upperBound]), entries.count))
    }

    /// Returns the first entry of a range whose tail, without its last `freeBits` bits, is not less than another. O(log
    /// range).
    @inline(__always)
    private func lowerBound(_ tail: UInt32, _ freeBits: UInt32, in range: Range<Int>) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            // Safe: the range is inside the entries.
            let entry = unsafe entries[unchecked: middle]
            if layout.tail(entry) >> freeBits < tail { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the first head of a group that is not less than another. O(log group).
    @inline(__always)
    private func lowerBound(_ head: UInt32, in group: Range<Int>) -> Int {
        var (low, high) = (group.lowerBound, group.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle] < head { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The bits of a field's ``WordPairs``.
///
/// If the alphabet has up to fifteen letters, such as keypad keys, a key has four letters of each word, in four bits
/// each. For a larger alphabet it has three letters of each word with hashed codes: five bits for the first two
/// letters, four for the third. Code 0 follows the last letter of a short word. From the highest bits, a key has the
/// *group*, the first letters of both words; the *head*, their second letters; and the *tail*, all others. An entry has
/// the document, the tail of the key and seven bits for the first letters of other words.
struct PairLayout: Sendable, Equatable {
    /// The maximum number of letters of a word in a key.
    static let maxLetters = 4
    private static let othersBits: UInt64 = 7
    private static let tailLetterBits: UInt32 = 4

    /// The number of letters of a word in a key.
    let letters: Int
    /// The bits of a first or second letter, and of a tail.
    private let headLetterBits: UInt32
    private let tailBits: UInt32
    /// The bits of the first word in a key.
    private let firstWord: UInt32

    init(letters count: Int) {
        let isDirect = count < 16
        letters = isDirect ? 4 : 3
        headLetterBits = isDirect ? 4 : 5
        tailBits = isDirect ? 16 : 8
        let (bits, tailBits) = (headLetterBits, tailBits)
        let tail: UInt32 = 0xF0F0 & ((1 << tailBits) - 1)
        firstWord = (1 << bits - 1) << (tailBits + 3 * bits) | (1 << bits - 1) << (tailBits + bits) | tail
    }

    /// The first letters of a word or of a piece of the query, at the bit positions of the first word of a key.
    struct Letters: Equatable {
        var codes: UInt32 = 0
        /// The bits of letters that are known. Letters after the end of a short word count as unknown, too.
        var mask: UInt32 = 0
    }

    /// Returns the code of a letter, at least 1 for letters that occur in the field.
    @inline(__always)
    private func code(_ letter: UInt8) -> UInt32 {
        headLetterBits == 4 ? UInt32(letter & 15) : Swift.max(1, (UInt32(letter) &* 0x9E37_79B1) >> 27)
    }

    /// Returns the bit of a first letter among the first letters of other words.
    @inline(__always)
    func bit(_ letter: UInt8) -> UInt64 { 1 << UInt64(code(letter) % UInt32(PairLayout.othersBits)) }

    func letters(_ bytes: ArraySlice<UInt8>) -> Letters {
        var found = Letters()
        for (number, letter) in bytes.prefix(letters).enumerated() { add(letter, number, to: &found) }
        return found
    }

    /// Adds a letter by its position in the word, from 0. Letters beyond the key are ignored.
    @inline(__always)
    func add(_ letter: UInt8, _ number: Int, to known: inout Letters) {
        guard number < letters else { return }
        let isHead = number < 2
        let place = UInt32(number & 1)
        let shift = isHead ? tailBits + (3 - 2 * place) * headLetterBits : tailBits - (2 * place + 1) * 4
        let mask = isHead ? (UInt32(1) << headLetterBits) - 1 : 15
        known.codes |= (code(letter) & mask) << shift
        known.mask |= mask << shift
    }

    /// Returns the key of two words, or of two masks.
    @inline(__always)
    func key(_ first: UInt32, _ second: UInt32) -> UInt32 {
        first | (second >> (tailBits + headLetterBits)) << tailBits | tail(second) >> PairLayout.tailLetterBits
    }

    /// The bits of a head.
    @inline(__always)
    var headBits: UInt32 { 2 * headLetterBits }

    /// The number of groups of all classes.
    var groupCount: Int { WordPairs.maxWordsOfClass.count << Int(2 * headLetterBits) }

    /// Returns the group of a key in a class.
    @inline(__always)
    func group(_ key: UInt32, class number: Int) -> Int {
        number << Int(2 * headLetterBits) | Int(key >> (tailBits + headBits))
    }

    @inline(__always)
    func head(_ key: UInt32) -> UInt32 { key >> tailBits & (1 << headBits - 1) }

    /// Returns the bits of a head that follow the last leading letter of a mask: all bits if the first letter is
    /// unknown.
    @inline(__always)
    func freeHeadBits(_ mask: UInt32) -> UInt32 {
        if mask >> headLetterBits == 0 { return headBits }
        return mask & (1 << headLetterBits - 1) == 0 ? headLetterBits : 0
    }

    @inline(__always)
    func tail(_ key: UInt32) -> UInt32 { key & ((1 << tailBits) - 1) }

    /// Returns the bits that an entry must have, and the mask of the bits to compare.
    @inline(__always)
    func filter(tail: UInt32, mask: UInt32, others: UInt64) -> (required: UInt64, mask: UInt64) {
        (UInt64(tail) << PairLayout.othersBits | others, UInt64(mask) << PairLayout.othersBits | others)
    }

    /// Returns `true` if a word that begins with one piece can be less than, or equal to, one that begins with another.
    @inline(__always)
    func canPrecede(_ one: Letters, _ other: Letters) -> Bool { one.codes <= other.codes | firstWord & ~other.mask }

    /// Returns an entry. The entries of a head are sorted by their tails, then by their documents.
    @inline(__always)
    func entry(_ document: UInt32, key: UInt32, others: UInt64) -> UInt64 {
        UInt64(document) << documentShift | UInt64(tail(key)) << PairLayout.othersBits | others
    }

    /// Returns the tail of an entry.
    @inline(__always)
    func tail(_ entry: UInt64) -> UInt32 { tail(UInt32(truncatingIfNeeded: entry >> PairLayout.othersBits)) }

    @inline(__always)
    var documentShift: UInt64 { UInt64(tailBits) + PairLayout.othersBits }
}
