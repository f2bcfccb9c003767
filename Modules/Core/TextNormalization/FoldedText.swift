/// Text prepared for searching: folded words with their spellings in their own script and in Latin letters.
///
/// Folding removes case, accents, points and presentation forms, splits the text into words, adds alternative
/// spellings, and maps every letter to its range in the source. `docs/matching.md` lists the rules.
///
/// Letters are UTF-16 code units; positions in the source count Unicode scalars. The result does not depend on the
/// locale. Folding accepts any text and takes linear time and space.
///
/// - Latin, Cyrillic, Greek, Georgian, Armenian, Hebrew, Arabic, Indic scripts, kana, Hangul and Han have romanization
///   tables.
/// - Other scripts (Thai, Sinhala, …) are romanized by ICU through Foundation, whose first use takes tens of
///   milliseconds. A query never uses it.
/// - Kanji have no Japanese readings, which depend on context.
public struct FoldedText: Sendable, Hashable {
    /// The words, in source order. Two words share a scalar only if it folds to several words (½).
    public private(set) var words: [FoldedWord]

    /// Folds a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - transliterating: Pass `true` for searched text, `false` for a query. Adds Latin spellings to words of other
    ///     scripts and splits Korean names into syllables.
    /// - Complexity: O(*n*) in the scalars of the text.
    public init(_ text: String, transliterating: Bool = true) {
        var builder = WordBuilder(transliterating: transliterating)
        WordScanner.scan(text) { builder.add($0, from: text) }
        words = builder.words
    }

    /// Returns `true` if folding a text certainly does not use ICU, whose first use is slow. O(*n*).
    public static func isFoldedWithoutICU(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x370, 0x3041...0x30FF, 0xAC00...0xD7A3: true
            default: Script(scalar.value) != .other
            }
        }
    }

    init(words: [FoldedWord]) {
        self.words = words
    }
}

/// A spelling of a word in folded letters.
public struct FoldedSpelling: Sendable, Hashable {
    /// The folded letters, as UTF-16 code units.
    public let letters: [UInt16]

    /// The source offset of the first letter if the letters map to consecutive scalars.
    let origin: Int
    /// The source range of each letter; empty if letter *i* maps to the scalar `origin` + *i*.
    let spans: [SourceSpan]

    init(letters: [UInt16], origin: Int) {
        self.letters = letters
        self.origin = origin
        self.spans = []
    }

    init(letters: [UInt16], spans: [SourceSpan], origin: Int) {
        let plain = spans.indices.allSatisfy {
            spans[$0].start == UInt32(truncatingIfNeeded: origin + $0) && spans[$0].end == spans[$0].start &+ 1
        }
        self.letters = letters
        self.origin = origin
        self.spans = plain ? [] : spans
    }

    /// Returns the source range of a range of letters, as scalar offsets in the whole source string.
    ///
    /// Both letters of "ss" map to the single scalar ß, and all four of "wang" to 王. A scalar that folds to nothing
    /// belongs to the preceding letter.
    ///
    /// - Parameter range: Offsets into `letters`, clamped to its bounds.
    /// - Complexity: O(1).
    public func source(of range: Range<Int>) -> Range<Int> {
        let range = range.clamped(to: 0..<letters.count)
        guard !range.isEmpty else {
            let position = range.lowerBound < letters.count ? span(at: range.lowerBound).lowerBound : end
            return position..<position
        }
        let lower = span(at: range.lowerBound).lowerBound
        return lower..<max(lower, span(at: range.upperBound - 1).upperBound)
    }

    private func span(at index: Int) -> Range<Int> {
        guard index < spans.count else { return origin + index..<origin + index + 1 }
        return Int(spans[index].start)..<max(Int(spans[index].start), Int(spans[index].end))
    }

    private var end: Int {
        letters.isEmpty ? origin : span(at: letters.count - 1).upperBound
    }
}

/// A compact range of Unicode scalars in the source.
struct SourceSpan: Sendable, Hashable {
    var start: UInt32
    var end: UInt32
}

/// The separators between a word and the previous one.
public struct WordBoundary: OptionSet, Sendable, Hashable {
    /// The bits. They are stored and must not change.
    public let rawValue: UInt8

    /// Creates a boundary from stored bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// White space or a control character.
    public static let space = WordBoundary(rawValue: 1)
    /// Punctuation or a symbol, including apostrophes and hyphens, excluding emoji.
    public static let punctuation = WordBoundary(rawValue: 2)
    /// An apostrophe or a hyphen.
    public static let joiner = WordBoundary(rawValue: 4)
    /// Punctuation that is neither apostrophe nor hyphen.
    public static let separator = WordBoundary(rawValue: 8)
}

/// A word of a text with the spellings that match it.
public struct FoldedWord: Sendable, Hashable {
    /// The maximum number of spellings, including repetitions. Less common ones are dropped.
    public static let maximumSpellings = 16

    /// The maximum number of letters of a word with more than one Latin spelling.
    static let maximumVariedLength = 48

    /// The range of the word in the source, in scalars.
    public let source: Range<Int>

    /// The spellings, at least one, by track.
    ///
    /// Spelling 0 is the word in its own script. The others are two-letter spellings (mueller) and romanizations, best
    /// first. Track *t* uses the same romanization in every word of a script: to join words, follow spelling *t* of one
    /// word by spelling min(*t*, count − 1) of the next. Tracks may repeat a spelling.
    public let spellings: [FoldedSpelling]

    /// The separators before the word; empty for the first word and between Han syllables.
    public let boundary: WordBoundary

    /// Indicates that punctuation, including apostrophes and hyphens, separates the word from the previous one.
    public var precededByPunctuation: Bool { boundary.contains(.punctuation) }

    /// Indicates that white space separates the word from the previous one.
    public var precededBySpace: Bool { boundary.contains(.space) }
}

/// A search query as folded words.
///
/// A query is folded like the searched text, but not romanized, since the searched text has the Latin spellings. A word
/// with an umlaut also has its two-letter spelling: "müller" finds Muller and Mueller. A word that an input method has not
/// finished has spellings of what it may become: さt on the way to さとう, हिन् on the way to हिन्दी.
public struct FoldedQuery: Sendable, Hashable {
    /// The words in order, each with its alternatives in ``FoldedWord/spellings``.
    public let words: [FoldedWord]

    /// Indicates that the text ends within its last word, which may be incomplete.
    public let endsInsideWord: Bool

    /// Folds a query without ICU.
    ///
    /// - Complexity: O(*n*) in the scalars of the text.
    public init(_ text: String) {
        words = FoldedText(text, transliterating: false).words
        var count = 0
        for _ in text.unicodeScalars { count += 1 }
        endsInsideWord = words.last.map { $0.source.upperBound == count } ?? false
    }
}

/// The folded words of a name, for comparing names regardless of case, accents and order. Forms of a Han character are
/// different: 斉藤 and 斎藤 are two families.
package struct NameKey: Hashable, Sendable {
    /// The folded words in the order of the name.
    package let words: [String]

    package init(_ name: String) {
        var words: [String] = []
        WordScanner.scan(name) { word in
            var letters = String.UnicodeScalarView()
            for cluster in word.clusters { if let letter = Unicode.Scalar(cluster.written) { letters.append(letter) } }
            words.append(String(letters))
        }
        self.words = words
    }

    /// The sorted words, equal for all orders of a name; empty without a name.
    package var text: String { words.sorted().joined(separator: " ") }

    /// The words in order, for sorting lists.
    package var sortText: String { words.joined(separator: " ") }

    package init(words: [String]) { self.words = words }

    package func contains(_ other: NameKey) -> Bool { Set(other.words).isSubset(of: words) }
}

extension FoldedText {
    /// The version of the serialized format. Other versions are not supported: fold the text again.
    public static let serializationVersion: UInt8 = 2

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
