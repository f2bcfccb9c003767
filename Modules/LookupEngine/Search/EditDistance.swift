/// The beginning of a word that is nearest to a query, with insertions, deletions, substitutions and transpositions
/// of neighbours as one edit each (optimal string alignment), by the dynamic programme of Wagner and Fischer. O(query
/// · word).
struct PrefixDistance {
    /// How many edits away the nearest beginning is.
    let edits: Int
    /// How many bytes of the word that beginning has.
    let length: Int

    /// Of equally near beginnings the one that ends in the query's last letter is taken, else the longest no longer
    /// than the query.
    init(query: ArraySlice<UInt8>, word: [UInt8]) {
        let query = Array(query)
        let rows = query.count + 1
        var beforeLast = [Int](repeating: 0, count: rows)
        var last = Array(0..<rows)
        var best = (edits: last[rows - 1], length: 0, fit: 0)
        for (column, letter) in word.enumerated() {
            var current = [Int](repeating: 0, count: rows)
            current[0] = column + 1
            for row in 1..<rows {
                let cost = query[row - 1] == letter ? 0 : 1
                var value = Swift.min(last[row - 1] + cost, last[row] + 1, current[row - 1] + 1)
                if row > 1, column > 0, query[row - 1] == word[column - 1], query[row - 2] == letter {
                    value = Swift.min(value, beforeLast[row - 2] + 1)
                }
                current[row] = value
            }
            let edits = current[rows - 1]
            var fit = column + 1 <= query.count ? 1 : 0
            if letter == query.last { fit += 2 }
            if edits < best.edits || (edits == best.edits && fit >= best.fit) {
                best = (edits, column + 1, fit)
            }
            if column > query.count + 3 { break }
            beforeLast = last
            last = current
        }
        edits = best.edits
        length = best.length
    }
}
