/// Finds the prefix of a word that is nearest to a query. Insertions, deletions, substitutions and transpositions of
/// neighbours count as one edit each (optimal string alignment), by the dynamic programming of Wagner and Fischer.
enum NearestPrefix {
    /// Returns the length of the nearest prefix in bytes. O(query · word).
    ///
    /// Of equally near prefixes, chooses the one that ends in the query's last letter, or else the longest that is not
    /// longer than the query.
    static func length(of word: [UInt8], near query: ArraySlice<UInt8>) -> Int {
        let query = query.span
        let rows = query.count + 1
        let cells = Scratch(repeating: 0, count: 3 * rows)
        // The offsets of three columns: of this letter, the last one and the one before.
        var (current, last, beforeLast) = (0, rows, 2 * rows)
        for row in 0..<rows { cells[last + row] = row }
        var best = (edits: rows - 1, length: 0, fit: 0)
        for (column, letter) in word.enumerated() {
            cells[current] = column + 1
            for row in 1..<rows {
                let cost = query[row - 1] == letter ? 0 : 1
                var value = Swift.min(
                    cells[last + row - 1] + cost, cells[last + row] + 1, cells[current + row - 1] + 1)
                if row > 1, column > 0, query[row - 1] == word[column - 1], query[row - 2] == letter {
                    value = Swift.min(value, cells[beforeLast + row - 2] + 1)
                }
                cells[current + row] = value
            }
            let edits = cells[current + rows - 1]
            var fit = column + 1 <= query.count ? 1 : 0
            if rows > 1, letter == query[rows - 2] { fit += 2 }
            if edits < best.edits || (edits == best.edits && fit >= best.fit) {
                best = (edits, column + 1, fit)
            }
            if column > query.count + 3 { break }
            (current, last, beforeLast) = (beforeLast, current, last)
        }
        return best.length
    }
}
