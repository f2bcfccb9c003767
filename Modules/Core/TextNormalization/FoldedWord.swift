/// One way to write a word, in folded letters.
public struct FoldedSpelling: Sendable, Hashable {
    /// The folded letters, as UTF-16 code units.
    public let letters: [UInt16]

    /// Where the first letter stands in the source, if every letter stands for one scalar and none is skipped.
    let origin: Int
    /// The scalars each letter stands for, or empty if letter *i* stands for the scalar `origin` + *i*.
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

    /// The scalars of the source that some letters stand for, as offsets in the whole source string.
    ///
    /// Both letters of "ss" stand for the one scalar of ß, and all four of "wang" for 王. Scalars that fold to nothing
    /// belong to the letter before them.
    ///
    /// - Parameter range: Offsets into `letters`; what lies outside is cut off.
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

/// A range of Unicode scalars of the source, kept small.
struct SourceSpan: Sendable, Hashable {
    var start: UInt32
    var end: UInt32
}

/// What stands between a word and the one before it.
public struct WordBoundary: OptionSet, Sendable, Hashable {
    /// The bits; stable, since they are stored.
    public let rawValue: UInt8

    /// Makes a boundary from stored bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// White space or a control character.
    public static let space = WordBoundary(rawValue: 1)
    /// Any punctuation or symbol, apostrophes and hyphens included; emoji are none.
    public static let punctuation = WordBoundary(rawValue: 2)
    /// An apostrophe or a hyphen.
    public static let joiner = WordBoundary(rawValue: 4)
    /// Punctuation that is neither apostrophe nor hyphen.
    public static let separator = WordBoundary(rawValue: 8)
}

/// A word of a text, with every spelling it is found by.
public struct FoldedWord: Sendable, Hashable {
    /// The most spellings a word has, repetitions included. The best come first; what goes beyond is left out.
    public static let maximumSpellings = 16

    /// Words longer than this have one spelling in Latin: nobody types the others.
    static let longestVaried = 48

    /// The scalars of the source which the word covers.
    public let source: Range<Int>

    /// The spellings, at least one, by track.
    ///
    /// Spelling 0 is the word as it is written, folded in its own script. The further ones are other spellings: with
    /// two letters for one (mueller), by usual Latin transliterations, best first. Track *t* is the same manner of
    /// writing in every word of a script, so that words can be joined: after spelling *t* of one word comes spelling
    /// min(*t*, count − 1) of the next. For that a spelling may be given twice, see ``repeatsEarlierSpelling(_:)``.
    public let spellings: [FoldedSpelling]

    /// What stands between the word before and this one; empty for the first word and between han syllables.
    public let boundary: WordBoundary

    /// Whether nothing but an apostrophe or a hyphen stands between the word before and this one.
    public var followsJoiner: Bool {
        boundary.contains(.joiner) && boundary.isDisjoint(with: [.space, .separator])
    }

    /// Whether punctuation, apostrophes and hyphens included, stands between the word before and this one.
    public var precededByPunctuation: Bool { boundary.contains(.punctuation) }

    /// Whether white space stands between the word before and this one.
    public var precededBySpace: Bool { boundary.contains(.space) }

    /// Whether a spelling is there only to keep the tracks aligned, because an earlier one has the same letters.
    ///
    /// An index of single words skips such a spelling. An index out of range counts as a repetition.
    public func repeatsEarlierSpelling(_ index: Int) -> Bool {
        guard spellings.indices.contains(index) else { return true }
        return spellings[..<index].contains { $0.letters == spellings[index].letters }
    }
}
