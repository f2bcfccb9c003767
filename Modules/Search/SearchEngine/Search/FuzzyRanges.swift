/// Ranges of word suffixes that have a prefix within a number of edits of the query.
struct FuzzyRanges {
    /// Word suffixes that begin with the query's first letter, and those that do not.
    var sameFirstLetter: [Range<Int>] = []
    var otherFirstLetter: [Range<Int>] = []
}
