/// Text prepared for searching: folded words with their spellings in their own script and in Latin letters.
///
/// Folding removes case, accents, points and presentation forms, splits the text into words, adds alternative
/// spellings, and maps every letter to its range in the source. `docs/matching.md` lists the rules.
///
/// Letters are UTF-16 code units; positions in the source count Unicode scalars. The result does not depend on the
/// locale. Folding accepts any text and takes linear time and space.
///
/// - Latin, Cyrillic, Greek, Georgian, Armenian, Hebrew, Arabic, kana, Hangul and Han have romanization tables.
/// - Other scripts (Thai, Devanagari, …) are romanized by ICU through Foundation, whose first use takes tens of
///   milliseconds. A query never uses it.
/// - Kanji have no Japanese readings, which depend on context.
public struct FoldedText: Sendable, Hashable {
    /// The words, in source order. Two words share a scalar only if it folds to several words (½).
    public internal(set) var words: [FoldedWord]

    /// Folds a text.
    ///
    /// - Parameter transliterating: Pass `true` for searched text, `false` for a query. Adds Latin spellings to words
    ///   of other scripts and splits Korean names into syllables.
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
