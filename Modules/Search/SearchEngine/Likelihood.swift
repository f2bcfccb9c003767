import Foundation

// The likelihood of a hit: how probable it is that someone who means the document types the query.
//
// Tiers only generate candidates. Each candidate is weighed by the evidence of its match, a few small integers, with one
// table of bits: one bit less is half as likely. The sums are compared in whole bits; equal ones are ordered by rank.
//
// The outline is the noisy channel of typing (Kernighan, Church and Gale, "A spelling correction program based on a noisy
// channel model", COLING 1990).

/// The evidence that a match gives for a document.
public struct MatchEvidence: Sendable, Hashable {
    /// A part of a whole.
    public struct Share: Sendable, Hashable {
        /// The number of matched elements.
        public var matched = 0
        /// The number of all elements.
        public var all = 0

        /// The binary logarithm of the share, at most 0.
        var bits: Double {
            matched < all ? LogarithmTable.log2(Swift.max(matched, 1)) - LogarithmTable.log2(all) : 0
        }
    }

    /// The kind of match.
    public var kind: MatchKind
    /// The bits of the tier; see ``SearchTier/bits``.
    public var tierBits = 0
    /// The bits of the least likely matched field; see ``Likelihood/fields``.
    public var fieldBits = 0
    /// The cost of the matches by sound, 0 for other matches.
    public var soundCost = 0
    /// `true` if the matched words are in several values.
    public var isSpread = false
    /// `true` if a matched word is not typed to its end.
    public var isIncomplete = false
    /// `true` if a value is matched from its first letter on.
    public var startsValue = false
    /// The number of words that are left out between the matched words of a value.
    public var gaps = 0
    /// The words of the title and of the matched values.
    public var words = Share()
    /// The letters of the title and of the matched values.
    public var letters = Share()
    /// The edits of a typo.
    public var edits = TypingEdits()
    /// `true` for a document that is more likely than others; see ``SearchIndex/rank(at:isPreferred:)``.
    public var isPreferred = false
}

/// The weights of evidence, in bits.
///
/// | evidence | text | keypad | reading |
/// | --- | ---: | ---: | --- |
/// | any edit or sound-alike | −3 | 0 | what is typed is what is meant, as a rule |
/// | a swapped or missing letter | −4 | −4 | one slip in 16 |
/// | a wrong or extra letter | −8 | −7 | the same, and which letter |
/// | the first letter is wrong, in addition | −2 | −2 | |
/// | a match by sound · each | −10 · −1 | −10 · −1 | after one edit and before two |
/// | initials | −4 | −4 | |
/// | words in another order | −2 | −8 | on a keypad most are accidents |
/// | inside a word | −6 | −6 | |
/// | words in several values, or in another field than the name or title | −4 or fewer | −4 | |
/// | a word is incomplete | −4 | −1 | letters on a keypad are not yet a word |
/// | the share of the words that was typed | 1 · log2 | 1 · log2 | half the words: −1 |
/// | the share of the letters | ½ · log2 | ½ · log2 | half the letters: −½ |
/// | a value typed from its beginning | 0 | 1 | |
/// | a word left out between others | −¼ | −¼ | |
/// | a favorite or chosen before | 2 | 2 | at most one less than exact |
///
/// Fields and tiers add their own; see ``fields`` and ``SearchTier/bits``.
public struct Likelihood: Sendable, Hashable {
    /// `true` for the keys of a keypad, `false` for typed text.
    private let isKeyed: Bool
    /// The bits of each field by its number, 0 for a title or name.
    public var fields: [Int] = []

    /// The weights of typed text.
    public static let text = Likelihood(isKeyed: false)
    /// The weights of the digits of a keypad.
    public static let keypad = Likelihood(isKeyed: true)

    /// The bits of any edit or sound-alike, once.
    private var anyEdit: Double { isKeyed ? 0 : -3 }
    /// The bits of each swapped or missing letter.
    private static let nearEdit = -4.0
    /// The bits of each wrong or extra letter.
    private var farEdit: Double { isKeyed ? -7 : -8 }
    /// The bits of a wrong first letter, in addition.
    private static let firstLetter = -2.0
    /// The bits of matches by sound. Each costs one bit more.
    private static let sound = -10.0
    /// The bits of initials.
    private static let initials = -4.0
    /// The bits of words in another order, and of joined words.
    private var order: Double { isKeyed ? -8 : -2 }
    /// The bits of a match inside a word.
    public static let inside = -6.0
    /// The bits of words in several values, unless one of their fields has fewer.
    private static let spread = -4.0
    /// The bits of an incomplete word.
    private var incomplete: Double { isKeyed ? -1 : -4 }
    /// The bits of a value that is typed from its beginning.
    private var startsValue: Double { isKeyed ? 1 : 0 }
    /// The bits of each word that is left out.
    private static let gap = -0.25
    /// The weight of the share of letters.
    private static let letters = 0.5
    /// The bits of a preferred document; see ``SearchIndex/rank(at:isPreferred:)``.
    private static let preferred = 2.0
    /// The bits up to which a preferred document is lifted, one less than those of an exact match.
    private static let mostPreferred = -1.0

    /// The number of candidates of a group that are weighed. Others follow in the order of their tiers.
    public static let candidates = 32

    /// Returns the sum of the bits for evidence, rounded, so that similar matches are ordered by rank.
    func score(_ evidence: MatchEvidence) -> Int { Int(bits(evidence).rounded()) }

    /// Returns the sum of the bits for evidence.
    public func bits(_ evidence: MatchEvidence) -> Double {
        var bits = 0.0
        forEachSummand(evidence) { _, summand in bits += summand }
        return bits
    }

    /// Returns the summands of ``bits(_:)`` that are not zero, with their names, such as "a slip".
    public func summands(_ evidence: MatchEvidence) -> [(name: String, bits: Double)] {
        var summands: [(name: String, bits: Double)] = []
        forEachSummand(evidence) { name, bits in if bits != 0 { summands.append((name.description, bits)) } }
        return summands
    }

    @inline(__always)
    private func forEachSummand(_ evidence: MatchEvidence, _ body: (StaticString, Double) -> Void) {
        var sum = 0.0
        func add(_ name: StaticString, _ bits: Double) {
            sum += bits
            body(name, bits)
        }
        let field = Double(evidence.fieldBits)
        add("the reading of the keys", Double(evidence.tierBits))
        add("the fields", evidence.isSpread ? Swift.min(field, Self.spread) : field)
        if evidence.edits.count > 0 || evidence.soundCost > 0 { add("a slip", anyEdit) }
        add("swapped or missing letters", Self.nearEdit * Double(evidence.edits.near))
        add("wrong or extra letters", farEdit * Double(evidence.edits.far))
        if evidence.edits.isFirstLetterWrong { add("the first letter", Self.firstLetter) }
        if evidence.soundCost > 0 { add("the sound", Self.sound - Double(evidence.soundCost)) }
        switch evidence.kind {
        case .initials: add("initials", Self.initials)
        case .words, .joined: add("the order of words", order)
        case .infix: add("inside a word", Self.inside)
        case .exact, .prefix, .typo: break
        }
        if evidence.isIncomplete { add("an incomplete word", incomplete) }
        if evidence.startsValue { add("from the beginning", startsValue) }
        add("words left out", Self.gap * Double(evidence.gaps))
        add("the share of words", evidence.words.bits)
        add("the share of letters", Self.letters * evidence.letters.bits)
        // Lifted, but not to an exact match of another document.
        if evidence.isPreferred {
            add("a favorite or used before", Swift.max(0, Swift.min(Self.preferred, Self.mostPreferred - sum)))
        }
    }
}

/// The binary logarithms of small numbers.
private enum LogarithmTable {
    private static let table = [0] + (1..<256).map { Foundation.log2(Double($0)) }

    @inline(__always)
    static func log2(_ number: Int) -> Double { table[Swift.min(number, table.count - 1)] }
}

/// The kinds of edits between a typed word and the word that was meant.
public struct TypingEdits: Sendable, Hashable {
    /// The number of swapped and of missing letters.
    public var near = 0
    /// The number of wrong and of extra letters.
    public var far = 0
    /// `true` if the first letter is wrong.
    public var isFirstLetterWrong = false

    /// The number of edits.
    public var count: Int { near + far }

    /// Creates no edits.
    public init() {}

    /// Adds the edits of another word.
    mutating func add(_ other: TypingEdits) {
        near += other.near
        far += other.far
        isFirstLetterWrong = isFirstLetterWrong || other.isFirstLetterWrong
    }

    /// Adds the edits of the most likely alignment of a typed word with a prefix of what was meant: the fewest edits, and
    /// of these the most swapped and missing letters. O(typed · meant).
    ///
    /// Of equally likely prefixes, chooses the one that ends in the last typed letter, or else the longest that is not
    /// longer than what was typed.
    ///
    /// - Returns: The length of the prefix.
    @discardableResult
    mutating func add(typed: ArraySlice<UInt8>, meant: ArraySlice<UInt8>) -> Int {
        // An edit costs `one`, and one more if it is wrong or extra, so that the number of edits decides first.
        let one = 1 << 8
        let rows = meant.count + 1
        var cells = [Int](repeating: 0, count: 3 * rows)
        var (current, last, beforeLast) = (0, rows, 2 * rows)
        for row in 0..<rows { cells[last + row] = row * one }
        for (column, letter) in typed.enumerated() {
            cells[current] = (column + 1) * (one + 1)
            for row in 0..<meant.count {
                let isSame = meant[meant.startIndex + row] == letter
                var value = Swift.min(
                    cells[last + row] + (isSame ? 0 : one + 1), cells[last + row + 1] + one + 1,
                    cells[current + row] + one)
                if column > 0, row > 0, typed[typed.startIndex + column - 1] == meant[meant.startIndex + row],
                    letter == meant[meant.startIndex + row - 1]
                {
                    value = Swift.min(value, cells[beforeLast + row - 1] + one)
                }
                cells[current + row + 1] = value
            }
            (current, last, beforeLast) = (beforeLast, current, last)
        }
        // The last column has the cost of each prefix.
        var (cost, length, bestFit) = (cells[last], 0, 0)
        for row in 1..<rows {
            let fit = (row <= typed.count ? 1 : 0) + (meant[meant.startIndex + row - 1] == typed.last ? 2 : 0)
            let other = cells[last + row]
            if other < cost || other == cost && fit >= bestFit { (cost, length, bestFit) = (other, row, fit) }
        }
        far += cost & (one - 1)
        near += cost / one - cost & (one - 1)
        isFirstLetterWrong = isFirstLetterWrong || (cost > 0 && typed.first != meant.first)
        return length
    }
}
