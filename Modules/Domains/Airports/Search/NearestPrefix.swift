import SwitchboardAlgorithms

/// The prefix of a word with the smallest edit distance to the typed text, for highlighting. O(typed · word).
struct NearestPrefix {
    let edits: Int
    let length: Int

    init(of word: [UInt16], nearest typed: [UInt16]) {
        var best = (edits: typed.count, length: 0)
        EditDistance.forEachPrefix(of: word.prefix(typed.count + 3), near: typed) { length, edits in
            if edits < best.edits || (edits == best.edits && length <= typed.count) { best = (edits, length) }
            return true
        }
        (edits, length) = best
    }
}
