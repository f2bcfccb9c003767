/// The length of the common prefix of a word and the query from each position on.
///
/// Names are shared, so the same words recur in a search. The lengths are cached in a table of ``entries`` rows,
/// indexed by the lowest bits of the word number.
struct CommonPrefixCache {
    /// The number of rows, a power of two.
    static let entries = 512

    private let words: TermDictionary
    private let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>
    private let wordEnds: UnsafeMutablePointer<Int>
    private let tags: UnsafeMutablePointer<UInt32>
    /// ``chunks`` times eight lengths per row; those beyond the query are 0.
    private let rows: UnsafeMutablePointer<SIMD8<UInt8>>
    let chunks: Int

    init(_ words: TermDictionary, _ query: EncodedQuery) {
        self.words = words
        count = query.bytes.count
        chunks = count / 8 + 1
        bytes = .allocate(capacity: count + 1)
        wordEnds = .allocate(capacity: count + 1)
        for position in 0..<count {
            bytes[position] = query.bytes[position]
            wordEnds[position] = query.wordEnds[position]
        }
        tags = .allocate(capacity: CommonPrefixCache.entries)
        tags.initialize(repeating: .max, count: CommonPrefixCache.entries)
        rows = .allocate(capacity: CommonPrefixCache.entries * chunks)
        rows.initialize(repeating: .zero, count: CommonPrefixCache.entries * chunks)
    }

    func deallocate() {
        bytes.deallocate()
        wordEnds.deallocate()
        tags.deallocate()
        rows.deallocate()
    }

    /// The lengths for a word, in groups of eight. Valid until the next call.
    @inline(__always)
    func row(of word: UInt32) -> UnsafePointer<SIMD8<UInt8>> {
        let entry = Int(word) & (CommonPrefixCache.entries - 1)
        let row = rows + entry &* chunks
        if tags[entry] != word {
            tags[entry] = word
            fill(UnsafeMutableRawPointer(row), Int(word))
        }
        return UnsafePointer(row)
    }

    /// The lengths for a word, one per position. Valid until the next call.
    func lengths(of word: UInt32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: row(of: word), count: count)
    }

    private func fill(_ row: UnsafeMutableRawPointer, _ word: Int) {
        let letters = words.start(of: word)
        let wordLength = words.length(of: word)
        for position in 0..<count {
            let maxLength = Swift.min(wordLength, wordEnds[position] - position)
            var length = 0
            while length < maxLength && letters[length] == bytes[position + length] { length += 1 }
            row.storeBytes(of: UInt8(truncatingIfNeeded: length), toByteOffset: position, as: UInt8.self)
        }
    }
}
