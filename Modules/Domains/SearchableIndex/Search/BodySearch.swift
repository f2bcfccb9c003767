import GRDB
import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// A search of full texts with SQLite's FTS5. All words must occur; the last may be a prefix of three or more letters.
///
/// FTS5 ignores case and accents but has no typo tolerance (see ``BodySpelling``) and no transliteration. It scores
/// every match (bm25), so it only fills the rows that the index left empty.
enum BodySearch {
    /// Returns the items with a matching full text, best first.
    ///
    /// - Parameter known: The items that were already found.
    static func hits(
        _ text: String, index: Int64, wanted: Int, without known: Set<Int64>, in db: Database
    ) throws -> [ItemHit] {
        guard let expression = expression(text), try hasTexts(in: db) else { return [] }
        // Known items are fetched and dropped; there are few of them.
        let limit = wanted == .max ? -1 : wanted + known.count
        let rows = try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT key, snippet(item_body, 0, char(2), char(3), '…', 24) FROM item_body
                    CROSS JOIN item ON key = item_body.rowid
                    WHERE item_body MATCH ? AND indexKey = ? ORDER BY bm25(item_body), key LIMIT ?
                    """), arguments: [expression, index, limit])
        let found = try rows.filter { try !known.contains($0.value(0)) }.prefix(wanted)
        let items = try ItemRows.items(found.map { try $0.value(0) }, in: db)
        let isOneWord = words(text).count == 1
        return try found.compactMap { row in
            try items[row.value(0)].map { item in
                ItemHit(
                    item: item, match: isOneWord ? .prefix : .words, highlights: [:],
                    snippet: snippet(try row.value(1)))
            }
        }
    }

    static func hasTexts(in db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM item_text)")) ?? false
    }

    private static func words(_ text: String) -> [Substring] { text.split { !($0.isLetter || $0.isNumber) } }

    /// Returns the words as an FTS5 expression; `nil` if there are none.
    private static func expression(_ text: String) -> String? {
        let words = words(text)
        guard let last = words.last, words.count <= 32 else { return nil }
        var terms = words.map { "\"\($0)\"" }
        if last.count >= 3, text.last.map({ $0.isLetter || $0.isNumber }) ?? false { terms[terms.count - 1] += "*" }
        return terms.joined(separator: " AND ")
    }

    /// Returns a snippet from FTS5's, which marks matches with the characters 2 and 3.
    private static func snippet(_ marked: String?) -> Snippet {
        var text = String.UnicodeScalarView()
        var highlights: [Range<Int>] = []
        var start: Int?
        var count = 0
        for scalar in (marked ?? "").unicodeScalars {
            switch scalar {
            case "\u{2}": start = count
            case "\u{3}":
                if let from = start, from < count { highlights.append(from..<count) }
                start = nil
            default:
                text.append(scalar == "\n" || scalar == "\r" || scalar == "\t" ? " " : scalar)
                count += 1
            }
        }
        return Snippet(field: "textContent", text: String(text), highlights: highlights)
    }
}

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
