/// # SearchEngine
///
/// Bytes in, document numbers out. The engine knows no alphabet, no file, no clock and no database: a caller gives
/// documents in order of rank, each with values of words (every word in one or more spellings), and asks with letters.
/// What it gets are hits, best first, each with the words and letters that matched.
///
/// The finished index is **one flat block of bytes** (``IndexFormat``): what ``IndexBuilder`` makes in memory can be
/// written to a file and mapped back, and is opened without parsing. Documents carry dense numbers in order of rank, so
/// "the best k" always means "the k smallest numbers" and every structure can stop early:
///
/// | structure | answers | idea |
/// | --- | --- | --- |
/// | `WordSuffixArray` | exact, prefix | word-aligned suffix array: every run of words that starts at a word, sorted |
/// | `RangeMinimum` | the top k of any range | sparse table over block minima |
/// | `PrefixSignatures` | initials, words in any order | one bit a document for each prefix; the rarer piece of each split in two |
/// | `LongValueDocuments` | the same in more pieces | more bits for the few names of three words; all splits in one pass |
/// | `TermSuffixArray` | infix | suffix array of the distinct words, with their posting lists |
/// | `PrefixTrie` + `EditAutomaton` | typos | a truncated trie, walked by a bit-parallel automaton |
///
/// The outline follows Gog, Pibiri and Venturini, "Efficient and effective query auto-completion" (SIGIR 2020).
public enum SearchEngine {
    /// The version of the byte layout; an index of another version is rebuilt, never read.
    public static let formatVersion: UInt32 = 8
}
