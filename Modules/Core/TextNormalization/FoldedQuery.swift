/// A search query as folded words.
///
/// A query is folded like the searched text, but not romanized, since the searched text has the Latin spellings. A word
/// with an umlaut also has its two-letter spelling: "müller" finds Muller and Mueller.
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
