package import GRDB

extension Database {
    /// Returns the first letters of a table's sort keys with the number of rows for each, in the order of the sort
    /// keys. Characters other than letters count as “#”.
    ///
    /// - Parameter source: The table with its condition, such as `contact WHERE isFavourite`. Its column `sortKey` has the
    ///   folded names.
    /// - Complexity: O(*n*) in the number of rows.
    package func letters(of source: String) throws -> [(letter: String, count: Int)] {
        let rows = try Row.fetchAll(
            self, sql: "SELECT substr(sortKey, 1, 1), count(*) FROM \(source) GROUP BY 1 ORDER BY min(sortKey)")
        var letters: [(letter: String, count: Int)] = []
        for row in rows {
            let first: String = try row.value(0)
            let letter = first.first?.isLetter ?? false ? first.uppercased() : "#"
            let count: Int = try row.value(1)
            if letters.last?.letter == letter {
                letters[letters.count - 1].count += count
            } else {
                letters.append((letter, count))
            }
        }
        return letters
    }
}
