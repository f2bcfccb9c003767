/// The prefix of a word with the smallest edit distance to the typed text, for highlighting. Insertions, deletions,
/// substitutions and transpositions of neighbours count as one edit each. O(typed · word).
struct NearestPrefix {
    let edits: Int
    let length: Int

    init(of word: [UInt16], nearest typed: [UInt16]) {
        var beforeLast: [Int] = []
        var last = Array(0...typed.count)
        var best = (edits: last[typed.count], length: 0)
        for (column, letter) in word.prefix(typed.count + 3).enumerated() {
            var current = [column + 1]
            for row in 0..<typed.count {
                var value = min(last[row] + (typed[row] == letter ? 0 : 1), last[row + 1] + 1, current[row] + 1)
                if row > 0, column > 0, typed[row] == word[column - 1], typed[row - 1] == letter {
                    value = min(value, beforeLast[row - 1] + 1)
                }
                current.append(value)
            }
            let edits = current[typed.count]
            if edits < best.edits || (edits == best.edits && column < typed.count) { best = (edits, column + 1) }
            beforeLast = last
            last = current
        }
        edits = best.edits
        length = best.length
    }
}
