/// Text as people search it: words in folded letters, in their own script and as they are written in Latin.
///
/// Folding takes away what a search does not care about (case, accents, points, presentation forms), splits text
/// into words, adds the other spellings under which a word is known, and remembers for every letter which part of the
/// source it stands for. `docs/matching.md` says what is found by what.
///
/// Letters are UTF-16 code units, positions in the source are counted in Unicode scalars. Nothing here depends on the
/// locale of the process. Folding takes time and space linear in the length of the text and accepts any text.
///
/// - Alphabets with tables of their own: Latin, Cyrillic, Greek, Georgian, Armenian, Hebrew, Arabic, kana, hangul, han.
/// - The others (Thai, Devanagari, …) are transliterated by ICU through Foundation, which costs tens of milliseconds
///   the first time; a query never needs it.
/// - Kanji have no Japanese readings here: these cannot be told from the writing alone.
public struct FoldedText: Sendable, Hashable {
    /// The words, in the order of the source. Two of them share a scalar only where one scalar is several words (½).
    public internal(set) var words: [FoldedWord]

    /// Folds a text.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - transliterating: Whether words of other scripts get Latin spellings too, and Korean names are split into
    ///     their syllables. What is searched wants this, a query does not.
    /// - Complexity: O(*n*) in the scalars of the text.
    public init(_ text: String, transliterating: Bool = true) {
        var builder = WordBuilder(transliterating: transliterating)
        WordScanner.scan(text) { builder.add($0, from: text) }
        words = builder.words
    }

    init(words: [FoldedWord]) {
        self.words = words
    }
}
