import GRDB
import SwitchboardAlgorithms
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// Spelling correction with the vocabulary of the full texts, for searches without results.
///
/// Words of four letters may have one typo, words of eight two; the first letter must be right. Among words at the same
/// distance, the one in most texts wins. O(*n*) in the words with that first letter, about a microsecond each.
enum BodySpelling {
    /// Returns the query with unknown words replaced; `nil` if all are known or one has no correction.
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
            let edits = EditDistance.between(term.unicodeScalars, letters)
            let texts: Int = try row.value(1)
            guard edits <= most else { continue }
            if let known = best, (known.edits, texts) <= (edits, known.texts) { continue }
            best = (edits, texts, term)
        }
        return best?.term
    }
}
