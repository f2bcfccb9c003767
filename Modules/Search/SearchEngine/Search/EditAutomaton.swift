// Typos: an automaton that compares two texts letter by letter.
//
// One machine word per number of edits holds the positions of the query that are reached. A letter of the text, with
// its positions in the query in `mask`, updates all bits at once:
//
//     exact' = (exact & mask) << 1              the expected letter
//     one'   = (one & mask) << 1                the same, after one edit
//            | exact                            insertion
//            | exact << 1                       substitution
//            | exact' << 1                      deletion
//            | (swap & mask) << 2               second letter of a transposition
//     swap'  = exact & (mask >> 1)              first letter of a possible transposition
//
// `two` relates to `one` as `one` to `exact`. The automaton of `grnade` reads `grande`, bit 0 on the right, bit 6
// accepting:
//
//     read   mask      exact     one       swap
//                      0000001   0000011   0000000
//     g      0000001   0000010   0000111   0000000
//     r      0000010   0000100   0001110   0000000   "gr" matches
//     a      0001000   0000000   0011100   0000100   a instead of n: perhaps swapped
//     n      0000100   0000000   0011000   0000000   swapped: "grna" with one edit
//     d      0010000   0000000   0100000   0000000
//     e      0100000   0000000   1000000   0000000   accepted with one edit
//
// `diaz` dies at its second letter: all words are 0.
//
// Sources: Wu and Manber, "Fast text searching allowing errors" (Communications of the ACM 35(10), 1992) for the bits;
// Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances" (Nordic Journal of Computing 10,
// 2003) for transpositions.

/// A nondeterministic Levenshtein automaton for a query, simulated with one machine word per number of edits.
///
/// Bit i of level e is set if the first i letters of the query are matched with e edits. Insertions, deletions,
/// substitutions and transpositions of adjacent letters count as one edit each (optimal string alignment). A step takes
/// about fifteen machine instructions.
///
/// A step takes the mask of a letter: a bit for each position of the query that has it (``addMasks(of:to:at:)``).
struct EditAutomaton {
    /// The state after a number of letters: one word per number of edits, and pending transpositions.
    struct State {
        var exact: UInt64 = 1
        var one: UInt64 = 0b11
        var two: UInt64 = 0b111
        var swapOne: UInt64 = 0
        var swapTwo: UInt64 = 0
    }

    let edits: Int
    private let accepting: UInt64
    private let validBits: UInt64

    /// Creates an automaton for a query of up to 62 letters and at most two edits.
    init(length: Int, edits: Int) {
        self.edits = edits
        accepting = 1 << UInt64(length)
        validBits = (accepting << 1) &- 1
    }

    /// Returns the masks of all letters for a query.
    static func masks(of query: Span<UInt8>) -> Scratch<UInt64> {
        let masks = Scratch<UInt64>(repeating: 0, count: 256)
        addMasks(of: query, to: masks, at: 0)
        return masks
    }

    /// Adds the masks of all letters for a query to memory that is zero from `start` on.
    static func addMasks(of query: Span<UInt8>, to masks: borrowing Scratch<UInt64>, at start: Int) {
        for position in query.indices { masks[start + Int(query[position])] |= 1 << UInt64(position) }
    }

    /// The initial state.
    var start: State {
        State(exact: 1, one: edits > 0 ? 0b11 & validBits : 0, two: edits > 1 ? 0b111 & validBits : 0)
    }

    /// Returns the state after one more letter.
    @inline(__always)
    func step(_ state: State, _ mask: UInt64) -> State {
        var next = State(exact: (state.exact & mask) << 1, one: 0, two: 0)
        if edits == 0 { return next }
        next.one =
            ((state.one & mask) << 1 | state.exact | state.exact << 1 | next.exact << 1
                | (state.swapOne & mask) << 2) & validBits
        next.swapOne = state.exact & (mask >> 1)
        if edits == 1 { return next }
        next.two =
            ((state.two & mask) << 1 | state.one | state.one << 1 | next.one << 1
                | (state.swapTwo & mask) << 2) & validBits
        next.swapTwo = state.one & (mask >> 1)
        return next
    }

    /// Returns `true` if the letters so far match the whole query within the edits.
    @inline(__always)
    func accepts(_ state: State) -> Bool { (state.exact | state.one | state.two) & accepting != 0 }

    /// Returns `true` if further letters can lead to acceptance.
    @inline(__always)
    func isAlive(_ state: State) -> Bool { state.exact | state.one | state.two != 0 }

    /// Returns the minimum number of edits with which the state accepts, or nil.
    @inline(__always)
    func editsIfAccepting(_ state: State) -> Int? {
        if state.exact & accepting != 0 { return 0 }
        if state.one & accepting != 0 { return 1 }
        return state.two & accepting != 0 ? 2 : nil
    }
}

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
