import GRDB
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// Misspelt words of a question put right, by the words that whole texts have.
///
/// Asked only where nothing at all is found. Words of four letters may have one typo, of eight two, and begin with the letter they were typed
/// with; of equally near words the one in most texts is taken. O(words of the texts that begin with that letter), about a microsecond
/// each.
enum BodySpelling {
    /// The question with its unknown words replaced; nil if all are known, or one has no word near it.
    static func corrected(_ text: String, in db: Database) throws -> String? {
        let words = text.split { !($0.isLetter || $0.isNumber) }
        var corrected: [String] = []
        var isChanged = false
        for word in words.prefix(32) {
            let folded = FoldedQuery(String(word)).words.first?.spellings.first?.letters ?? []
            let term = String(decoding: folded, as: UTF16.self)
            let isKnown = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM item_vocabulary WHERE term = ?)"),
                arguments: [term])
            if isKnown ?? false {
                corrected.append(String(word))
            } else if let near = try nearest(to: term, in: db) {
                corrected.append(near)
                isChanged = true
            } else {
                return nil
            }
        }
        return isChanged ? corrected.joined(separator: " ") : nil
    }

    private static func nearest(to word: String, in db: Database) throws -> String? {
        let letters = Array(word.unicodeScalars)
        let most = Fuzziness.text.edits(letters: letters.count)
        guard most > 0, let first = letters.first, let next = Unicode.Scalar(first.value + 1) else { return nil }
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "SELECT term, doc FROM item_vocabulary WHERE term >= ? AND term < ?"),
            arguments: [String(first), String(next)])
        var best: (edits: Int, texts: Int, term: String)?
        while let row = try rows.next() {
            let term: String = try row.value(0)
            let count = term.unicodeScalars.count
            guard abs(count - letters.count) <= most else { continue }
            let edits = distance(letters, Array(term.unicodeScalars))
            let texts: Int = try row.value(1)
            guard edits <= most else { continue }
            if let known = best, (known.edits, texts) <= (edits, known.texts) { continue }
            best = (edits, texts, term)
        }
        return best?.term
    }

    /// Insertions, deletions, substitutions and transpositions of neighbours, one edit each (optimal string alignment), by the dynamic
    /// programme of Wagner and Fischer. O(*n* · *m*).
    static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: other.count + 1)
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1] + [Int](repeating: 0, count: other.count)
            for column in other.indices {
                let cost = one[row] == other[column] ? 0 : 1
                var value = min(last[column] + cost, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    value = min(value, beforeLast[column - 1] + 1)
                }
                current[column + 1] = value
            }
            beforeLast = last
            last = current
        }
        return last[other.count]
    }
}
