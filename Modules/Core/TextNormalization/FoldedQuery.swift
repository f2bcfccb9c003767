/// What a person typed, as words to look for.
///
/// A query is folded like the text it is compared with, but never transliterated: the text has the Latin spellings.
/// A word typed with an umlaut has the spelling with two letters as well, so that "müller" finds Muller and Mueller.
public struct FoldedQuery: Sendable, Hashable {
    /// The words in the order typed, each with its alternatives in ``FoldedWord/spellings``.
    public let words: [FoldedWord]

    /// Whether the text ends inside its last word, so that this one may be unfinished.
    public let endsInsideWord: Bool

    /// Folds what was typed.
    ///
    /// - Complexity: O(*n*) in the scalars of the text; touches no ICU.
    public init(_ text: String) {
        words = FoldedText(text, transliterating: false).words
        var count = 0
        for _ in text.unicodeScalars { count += 1 }
        endsInsideWord = words.last.map { $0.source.upperBound == count } ?? false
    }
}
