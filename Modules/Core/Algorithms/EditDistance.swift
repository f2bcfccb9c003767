/// The optimal string alignment distance: insertions, deletions, substitutions and transpositions of adjacent letters
/// count as one edit each. Uses the dynamic programming algorithm of Wagner and Fischer.
///
/// The functions are not generic, because other modules would call generic ones unspecialized.
package enum EditDistance {
    /// Returns the number of edits between two words. O(*n* · *m*).
    package static func between(_ word: String.UnicodeScalarView, _ other: [Unicode.Scalar]) -> Int {
        var result = other.count
        forEachPrefix(ofElements: word, near: other[...]) { _, edits in
            result = edits
            return true
        }
        return result
    }

    /// Calls `body` with the length of each prefix of a word, from 1, and its number of edits to a query, until `body`
    /// returns `false`.
    package static func forEachPrefix(
        of word: ArraySlice<UInt16>, near query: ArraySlice<UInt16>, _ body: (_ length: Int, _ edits: Int) -> Bool
    ) {
        forEachPrefix(ofElements: word, near: query, body)
    }

    private static func forEachPrefix<Element: Equatable>(
        ofElements word: some Sequence<Element>, near query: ArraySlice<Element>,
        _ body: (_ length: Int, _ edits: Int) -> Bool
    ) {
        let rows = query.count + 1
        var cells = [Int](repeating: 0, count: 3 * rows)
        // The offsets of three columns: of this letter, the last one and the one before.
        var (current, last, beforeLast) = (0, rows, 2 * rows)
        for row in 0..<rows { cells[last + row] = row }
        var previous: Element?
        for (column, letter) in word.enumerated() {
            cells[current] = column + 1
            var previousTyped: Element?
            for (row, typed) in query.enumerated() {
                var value = min(
                    cells[last + row] + (typed == letter ? 0 : 1), cells[last + row + 1] + 1,
                    cells[current + row] + 1)
                if let previous, let previousTyped, typed == previous, previousTyped == letter {
                    value = min(value, cells[beforeLast + row - 1] + 1)
                }
                cells[current + row + 1] = value
                previousTyped = typed
            }
            guard body(column + 1, cells[current + rows - 1]) else { return }
            (current, last, beforeLast) = (beforeLast, current, last)
            previous = letter
        }
    }
}
