/// A list with its chosen row, and what is known of the search that fills it.
public struct Listing: Sendable {
    /// The rows, best first.
    public internal(set) var rows: [Row] = []
    /// The chosen one; 0 where there is none.
    public internal(set) var chosen = 0
    /// The first line that is shown, headings counted.
    var top = 0
    /// How many rows were asked for; 0 for all.
    var limit = 0
    /// Whether there may be more than were asked for.
    var hasMore = false
    /// The text that was searched.
    var text = ""
    /// Whether the search is going on.
    var isSearching = false
    /// How long the search took.
    var elapsed: Duration?
    /// Why there are no rows; nil if nothing went wrong.
    var failure: String?
    /// What the server has to add, in words; nil where none is asked.
    var remote: String?

    /// The chosen row; nil if there is none.
    public var row: Row? { rows.indices.contains(chosen) ? rows[chosen] : nil }

    /// Takes rows in the place of those before.
    ///
    /// - Parameter isSame: whether they answer the same question again: then the same row stays chosen.
    mutating func take(_ rows: [Row], keepingChoice isSame: Bool) {
        let id = row?.id
        self.rows = rows
        if isSame, let id, let place = rows.firstIndex(where: { $0.id == id }) {
            chosen = place
        } else if isSame {
            chosen = min(chosen, max(0, rows.count - 1))
        } else {
            (chosen, top) = (0, 0)
        }
    }

    /// Moves the choice by some rows.
    mutating func move(by distance: Int) {
        chosen = min(max(0, chosen + distance), max(0, rows.count - 1))
    }

    // MARK: - Lines

    /// The line of each row, headings counted, and how many lines there are.
    var lines: (ofRows: [Int], count: Int) {
        var places: [Int] = []
        places.reserveCapacity(rows.count)
        var line = 0
        var section: String?
        for row in rows {
            if let heading = row.section, heading != section { line += 1 }
            section = row.section
            places.append(line)
            line += 1
        }
        return (places, line)
    }

    /// Scrolls as far as the chosen row needs to be seen in so many lines.
    mutating func scroll(height: Int) {
        let (places, count) = lines
        guard places.indices.contains(chosen), height > 0 else {
            top = 0
            return
        }
        let line = places[chosen]
        // With the first row of a section its heading is seen, too.
        let first = chosen == 0 || rows[chosen].section != rows[chosen - 1].section ? max(0, line - 1) : line
        if first < top { top = first }
        if line >= top + height { top = line - height + 1 }
        top = max(0, min(top, count - height))
    }
}
