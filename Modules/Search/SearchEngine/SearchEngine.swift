/// The version and the outline of the search engine: bytes in, document numbers out.
///
/// The engine knows no alphabet, file, clock or database. A caller adds documents in order of rank. Each has values of
/// words, and each word has one or more spellings. A search returns hits, best first, with the words and letters that
/// matched.
///
/// The finished index is **one flat block of bytes** (``IndexFormat``). ``IndexBuilder`` builds it in memory; it can be
/// written to a file, mapped back and opened without parsing. Documents are numbered in order of rank, so the best k
/// documents are always the k smallest numbers, and every structure can stop early:
///
/// | structure | answers | idea |
/// | --- | --- | --- |
/// | `WordSuffixArray` | exact, prefix | word-aligned suffix array: the sorted suffixes of all values that start at a word |
/// | `RangeMinimum` | the top k of any range | sparse table over block minima |
/// | `WordPairs` | initials, words in any order | the pairs of words of a value by their first three letters; the rarest pair of pieces of each segmentation |
/// | `WideValues` | the same in values of many words | a few bits per document |
/// | `PrefixSignatures` | the same for common first letters | a bit per document and letter |
/// | `TermSuffixArray` | infix | suffix array of the distinct words, with their posting lists |
/// | `PrefixTrie` + `FuzzyWalk` | typos | a truncated trie, walked along the letters of a word and each possible edit |
///
/// The outline follows Gog, Pibiri and Venturini, "Efficient and effective query auto-completion" (SIGIR 2020).
public enum SearchEngine {
    /// The version of the byte layout. An index of another version is rebuilt, never read. When it changes, run
    /// `Scripts/data/build-airport-indexes`.
    public static let formatVersion: UInt32 = 11
}
