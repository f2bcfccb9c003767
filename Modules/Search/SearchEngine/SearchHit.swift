/// A document that matches, with the kind and the location of the match.
public struct SearchHit: Sendable, Hashable {
    /// The document number: its position in the order of rank.
    public var document: Int
    /// The segment of a ``SegmentedIndex`` that contains the document.
    public internal(set) var segment = 0
    /// The caller's identifier.
    public var id: Int64
    /// The index of the tier that found it.
    public var tier: Int
    /// The field of that tier.
    public var field: Int
    /// The kind of match.
    public var kind: MatchKind
    /// The number of edits, 0 except for typos. A wrong first letter adds a half.
    public var edits: Double
    /// Orders the hits of one tier before their rank does. Better hits have a smaller penalty.
    public var penalty: Int
    /// The matched letters, in order of field, value and word.
    public var matches: [WordMatch]
    /// The number of the query expansion that matched: a combination of the alternatives of the query's words.
    var expansion = 0
}

/// A range of letters of one word that the query matched.
public struct WordMatch: Sendable, Hashable {
    /// The field of the value.
    public var field: Int
    /// The number of the value in the document's field, from 0, in the order in which they were added.
    public var value: Int
    /// The number of the word in the value, from 0.
    public var word: Int
    /// The number of the spelling of the word, from 0.
    public var spelling: Int
    /// The matched letters.
    public var letters: Range<Int>
}

/// The kind of match of a result row, as shown by front ends. The engine finds the kinds from ``exact`` to ``typo``;
/// the others come from higher layers.
public enum ResultMatch: String, Sendable, Hashable, Codable, CaseIterable {
    /// The whole name, number or value.
    case exact
    /// A prefix of it, or of its words from any word on.
    case prefix
    /// Prefixes of several words, in order.
    case initials
    /// Words in any order, or words joined or split.
    case words
    /// Inside a word or number.
    case infix
    /// With a typo.
    case typo
    /// Typed with the wrong keyboard layout.
    case layout
    /// A code, such as an airport's.
    case code
    /// Something near the match.
    case nearby

    /// Creates the kind of a row from the engine's kind of match.
    public init(_ kind: MatchKind) {
        switch kind {
        case .exact: self = .exact
        case .prefix: self = .prefix
        case .initials: self = .initials
        case .words, .joined: self = .words
        case .infix: self = .infix
        case .typo: self = .typo
        }
    }

    /// `true` for a typo, a match inside a word, and something near the match.
    public var isWeak: Bool { quality > ResultMatch.words.quality }

    /// The order across kinds of objects; smaller is better. A code ranks as exact, a layout as a prefix.
    public var quality: Int {
        switch self {
        case .exact, .code: 0
        case .prefix, .layout: 1
        case .initials: 2
        case .words: 3
        case .infix: 4
        case .typo: 5
        case .nearby: 6
        }
    }
}

/// Operations on ranges to highlight.
public enum HighlightRanges {
    /// Returns the ranges sorted and disjoint, without empty ones. Adjacent ranges are merged.
    public static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        if ranges.count == 1, !ranges[0].isEmpty { return ranges }
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
