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
    /// The group of the hit: the number of its tier or, with a likelihood, the group of its tier.
    package internal(set) var group = 0
    /// Orders the hits of a group before their rank does. Better hits have a larger score.
    var score = 0
    /// The matched letters, in order of field, value and word.
    public var matches: [WordMatch]
    /// The evidence of the match, and its weights, if it was weighed.
    public internal(set) var evidence: MatchEvidence?
    /// See ``evidence``.
    public internal(set) var likelihood: Likelihood?
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
