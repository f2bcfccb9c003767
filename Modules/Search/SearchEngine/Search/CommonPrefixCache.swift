/// The length of the common prefix of a word and the query from each position on.
///
/// Names are shared, so the same words recur in a search. The lengths are cached in a table of ``entries`` rows,
/// indexed by the lowest bits of the word number.
struct CommonPrefixCache: ~Copyable {
    /// The number of rows, a power of two.
    static let entries = 512

    private let words: TermDictionary
    private let query: EncodedQuery
    private let tags = Scratch<UInt32>(repeating: .max, count: entries)
    /// The lengths of each row in ``chunks`` groups of eight; those beyond the query are 0.
    let rows: Scratch<SIMD8<UInt8>>
    let chunks: Int

    init(_ words: TermDictionary, _ query: EncodedQuery) {
        self.words = words
        self.query = query
        chunks = query.bytes.count / 8 + 1
        rows = Scratch(repeating: .zero, count: CommonPrefixCache.entries * chunks)
    }

    /// The position in ``rows`` of the lengths for a word. Valid until the next call.
    @inline(__always)
    func row(of word: UInt32) -> Int {
        let entry = Int(word) & (CommonPrefixCache.entries - 1)
        let row = entry &* chunks
        if tags[entry] != word {
            tags[entry] = word
            fill(row, Int(word))
        }
        return row
    }

    /// The common prefix of a word and the query from a position on.
    @inline(__always)
    func length(of word: UInt32, _ position: Int) -> UInt8 { rows.byte(row(of: word) &* 8 &+ position) }

    private func fill(_ row: Int, _ word: Int) {
        let letters = words.letters(of: word)
        let bytes = query.bytes
        let ends = query.wordEnds
        let first = letters[0]
        rows.fill(row..<row &+ chunks, with: .zero)
        for position in bytes.indices where bytes[position] == first && letters.count > 0 {
            let maxLength = Swift.min(letters.count, ends[position] - position)
            var length = 1
            while length < maxLength && letters[length] == bytes[position + length] { length += 1 }
            rows.setByte(row &* 8 &+ position, to: UInt8(truncatingIfNeeded: length))
        }
    }
}
