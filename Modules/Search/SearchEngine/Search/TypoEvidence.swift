/// The evidence against a word suffix as the text meant by a query with one or two edits.
///
/// Values are most often typed from their first word on, and slips rarely add a letter. A query with an extra letter
/// also resembles the most texts, because it is compared with a shorter prefix of them.
struct TypoEvidence: ~Copyable {
    /// The weakness of an entry with all evidence against it.
    static let maxWeakness = 2

    private let field: Field
    private let wordSuffixes: WordSuffixArray
    private let length: Int
    private let withinWords: Bool
    private let automaton: EditAutomaton
    private let masks: Scratch<UInt64>

    init(_ field: Field, _ wordSuffixes: WordSuffixArray, _ query: EncodedQuery, edits: Int, withinWords: Bool) {
        self.field = field
        self.wordSuffixes = wordSuffixes
        self.withinWords = withinWords && !query.isMultiWord
        let bytes = query.bytes
        length = bytes.count
        automaton = EditAutomaton(length: bytes.count, edits: edits)
        masks = EditAutomaton.masks(of: bytes.span)
    }

    /// Returns the amount of evidence against an entry that has a prefix within the edits of the query, or nil if the
    /// match continues in another word and may not. O(length).
    func weakness(of entry: Int) -> Int? {
        let start = wordSuffixes.start(of: entry)
        let end = withinWords ? field.words.letters(of: field.forward.word(start)).count : Int.max
        var state = automaton.start
        var isAccepted = false
        var hasLetterTooMany = true
        var letters = 0
        wordSuffixes.forEachLetter(of: entry, skipping: 0) { letter in
            letters += 1
            if letters > end { return false }
            state = automaton.step(state, masks[Int(letter)])
            if automaton.accepts(state) {
                isAccepted = true
                if letters >= length { hasLetterTooMany = false }
            }
            return hasLetterTooMany && automaton.isAlive(state)
        }
        if !isAccepted { return nil }
        let startsValue = field.forward.startsValue(field.forward.firstSpelling(start))
        return (startsValue ? 0 : 1) + (hasLetterTooMany ? 1 : 0)
    }
}
