/// A nondeterministic Levenshtein automaton for a query, simulated with one machine word per number of edits.
///
/// Bit i of level e is set if the first i letters of the query are matched with e edits. Insertions, deletions,
/// substitutions and transpositions of adjacent letters count as one edit each (optimal string alignment). A step takes
/// about fifteen machine instructions. Sources: Wu and Manber, "Fast text searching allowing errors" (1992) for the
/// bits; Schulz and Mihov, "Fast string correction with Levenshtein automata" (2002) for the walk over a dictionary;
/// Hyyrö (2003) for transpositions.
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
