extension FoldedText {
    /// The version of the serialized format. Other versions are not supported: fold the text again.
    public static let serializationVersion: UInt8 = 1

    /// Appends the serialized text to a buffer, which may contain several texts in sequence.
    ///
    /// The format is the version, followed by LEB128 integers:
    ///
    /// - the number of words;
    /// - for each word: its start relative to the previous word, its length, its boundary and the number of spellings;
    /// - for each spelling: *k* + 1 to repeat spelling *k*, or 0, the number of letters and the letters; then 0 if
    ///   letter *i* maps to scalar *i* of the word, or 1 and the increments of start and end for each letter.
    ///
    /// - Complexity: O(*n*) in the letters of all spellings.
    public func serialize(into bytes: inout [UInt8]) {
        bytes.append(Self.serializationVersion)
        Self.write(words.count, to: &bytes)
        var start = 0
        for word in words {
            Self.write(word.source.lowerBound - start, to: &bytes)
            Self.write(word.source.count, to: &bytes)
            bytes.append(word.boundary.rawValue)
            Self.write(word.spellings.count, to: &bytes)
            for (index, spelling) in word.spellings.enumerated() {
                if let earlier = word.spellings[..<index].firstIndex(of: spelling) {
                    Self.write(earlier + 1, to: &bytes)
                } else {
                    Self.write(spelling, of: word, to: &bytes)
                }
            }
            start = word.source.lowerBound
        }
    }

    private static func write(_ spelling: FoldedSpelling, of word: FoldedWord, to bytes: inout [UInt8]) {
        bytes.append(0)
        write(spelling.letters.count, to: &bytes)
        for letter in spelling.letters { write(Int(letter), to: &bytes) }
        if spelling.spans.isEmpty {
            bytes.append(0)
            return
        }
        bytes.append(1)
        var start = word.source.lowerBound
        var end = word.source.lowerBound
        for span in spelling.spans {
            write(Int(span.start) - start, to: &bytes)
            write(Int(span.end) - end, to: &bytes)
            start = Int(span.start)
            end = Int(span.end)
        }
    }

    private static func write(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: max(number, 0))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Creates a text from its serialized form.
    ///
    /// - Returns: `nil` if the bytes are of another version, truncated or corrupt.
    public init?(serialized bytes: [UInt8]) {
        // Safe: the buffer is only used during the call.
        var offset = 0
        guard let text = unsafe bytes.withUnsafeBytes({ unsafe FoldedText(serialized: $0, at: &offset) }),
            offset == bytes.count
        else { return nil }
        self = text
    }

    /// Reads a text at `offset` and advances the offset past it.
    ///
    /// - Returns: `nil` if the bytes are of another version, truncated or corrupt, in which case the offset is
    ///   unspecified.
    public init?(serialized bytes: UnsafeRawBufferPointer, at offset: inout Int) {
        // Safe: the reader does not outlive this call.
        var reader = unsafe FoldedTextReader(bytes: bytes, offset: max(offset, 0))
        guard let words = reader.words() else { return nil }
        offset = reader.offset
        self.init(words: words)
    }
}

/// Reads the format of ``FoldedText/serialize(into:)`` from untrusted bytes.
@safe private struct FoldedTextReader {
    // Safe: reads one byte after another within the bounds, and its creator keeps the bytes alive.
    let bytes: UnsafeRawBufferPointer
    var offset: Int

    mutating func words() -> [FoldedWord]? {
        guard byte() == FoldedText.serializationVersion, let count = count() else { return nil }
        var words: [FoldedWord] = []
        words.reserveCapacity(count)
        var start = 0
        for _ in 0..<count {
            guard let gap = number(upTo: Self.maximumOffset - start),
                let length = number(upTo: Self.maximumOffset - start - gap), let boundary = byte(),
                let spellingCount = number(upTo: FoldedWord.maximumSpellings), spellingCount > 0
            else { return nil }
            let source = start + gap..<start + gap + length
            start = source.lowerBound
            var spellings: [FoldedSpelling] = []
            spellings.reserveCapacity(spellingCount)
            for _ in 0..<spellingCount {
                guard let spelling = spelling(in: source, after: spellings) else { return nil }
                spellings.append(spelling)
            }
            words.append(FoldedWord(source: source, spellings: spellings, boundary: WordBoundary(rawValue: boundary)))
        }
        return words
    }

    private static let maximumOffset = Int(UInt32.max / 2)

    private mutating func spelling(in source: Range<Int>, after earlier: [FoldedSpelling]) -> FoldedSpelling? {
        guard let kind = number(upTo: earlier.count) else { return nil }
        if kind > 0 { return earlier[kind - 1] }
        guard let count = count(), count > 0 else { return nil }
        var letters: [UInt16] = []
        letters.reserveCapacity(count)
        for _ in 0..<count {
            guard let letter = number(upTo: Int(UInt16.max)) else { return nil }
            letters.append(UInt16(truncatingIfNeeded: letter))
        }
        switch byte() {
        case 0:
            guard count <= source.count else { return nil }
            return FoldedSpelling(letters: letters, origin: source.lowerBound)
        case 1:
            guard let spans = spans(count, in: source) else { return nil }
            return FoldedSpelling(letters: letters, spans: spans, origin: source.lowerBound)
        default:
            return nil
        }
    }

    private mutating func spans(_ count: Int, in source: Range<Int>) -> [SourceSpan]? {
        var spans: [SourceSpan] = []
        spans.reserveCapacity(count)
        var start = source.lowerBound
        var end = source.lowerBound
        for _ in 0..<count {
            guard let startStep = number(upTo: source.count), let endStep = number(upTo: source.count) else {
                return nil
            }
            start += startStep
            end += endStep
            guard start < end, end <= source.upperBound else { return nil }
            spans.append(SourceSpan(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end)))
        }
        return spans
    }

    private mutating func byte() -> UInt8? {
        guard unsafe offset < bytes.count else { return nil }
        defer { offset += 1 }
        // Safe: the offset is not negative and, as just checked, within the bytes.
        return unsafe bytes[offset]
    }

    private mutating func number(upTo limit: Int) -> Int? {
        var result = 0
        for shift in stride(from: 0, to: 42, by: 7) {
            guard let byte = byte() else { return nil }
            result |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return result <= limit ? result : nil }
        }
        return nil
    }

    /// Reads the number of elements, each of which takes at least one byte.
    private mutating func count() -> Int? {
        // Safe: only the number of bytes is read.
        guard let number = number(upTo: .max), unsafe number <= bytes.count - offset else { return nil }
        return number
    }
}
