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
