/// The distinct words of a field, sorted by their bytes.
struct TermDictionary: Sendable {
    private let offsets: PackedView<UInt32>
    let bytes: View<UInt8>

    /// Returns nil if the sections do not fit.
    init?(offsets: PackedView<UInt32>, bytes: View<UInt8>) {
        guard offsets.count > 0 else { return nil }
        self.offsets = offsets
        self.bytes = bytes
    }

    var count: Int { offsets.count - 1 }

    /// Returns the codes of a word, or an empty view if the dictionary does not contain it.
    @inline(__always)
    func letters(of word: Int) -> View<UInt8> {
        guard UInt(bitPattern: word) < UInt(bitPattern: count) else { return bytes.slice(0, 0) }
        // Safe: there is one more offset than words.
        return unsafe bytes.slice(Int(offsets[unchecked: word]), Int(offsets[unchecked: word + 1]))
    }

    /// Returns the location of a word's codes in ``bytes``, or an empty one if the dictionary does not contain the
    /// word.
    @inline(__always)
    func location(of word: Int) -> (start: Int, count: Int) {
        guard UInt(bitPattern: word) < UInt(bitPattern: count) else { return (0, 0) }
        // Safe: there is one more offset than words.
        let (start, end) = unsafe (Int(offsets[unchecked: word]), Int(offsets[unchecked: word + 1]))
        return start <= end && end <= bytes.count ? (start, end - start) : (0, 0)
    }

    /// Returns the words that begin with the given letters. O(letters · log words).
    func range(ofPrefix prefix: Span<UInt8>) -> Range<Int> {
        (0..<count).indices { letters(of: $0).comparePrefix(to: prefix) }
    }

    /// Returns the number of a word, or nil. O(length · log words).
    func find(_ key: Span<UInt8>) -> Int? {
        let index = (0..<count).partitioningIndex { letters(of: $0).compare(to: key) >= 0 }
        return index < count && letters(of: index).compare(to: key) == 0 ? index : nil
    }
}
