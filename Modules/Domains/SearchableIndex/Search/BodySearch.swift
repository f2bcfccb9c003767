import GRDB
import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// A query for full texts. All words and runs must occur; the last word may be a prefix of three or more letters.
struct BodyQuery {
    struct Part {
        /// The spellings, any of which matches.
        var spellings: [String]
        let isRun: Bool
        let isPrefix: Bool
    }

    private(set) var parts: [Part]
    /// The text as typed, for ``BodyRefolding``'s texts.
    let text: String

    /// The maximum number of words.
    private static let maximumParts = 32

    /// Creates a query from typed text; nil if there are no words, or too many.
    init?(_ text: String) {
        let found = BodyPart.parts(of: text)
        guard let last = found.last, found.count <= Self.maximumParts else { return nil }
        let endsInsideWord = last.source.upperBound == text.unicodeScalars.count
        parts = found.enumerated().map { position, part in
            // Korean particles are written at the end of words.
            let isPrefix = endsInsideWord && position == found.count - 1 || part.isHangul
            return Part(
                spellings: part.spellings, isRun: part.isRun,
                isPrefix: isPrefix && part.spellings[0].unicodeScalars.count >= 3)
        }
        self.text = text
    }

    /// The FTS5 expression.
    var expression: String {
        parts.map { part in
            let terms = part.spellings.map { spelling in
                guard part.isRun else { return "\"\(spelling)\"" + (part.isPrefix ? "*" : "") }
                let isOneLetter = spelling.unicodeScalars.dropFirst().isEmpty
                return isOneLetter ? "\"\(spelling)\"*" : "\"\(BodyTerms.pairs(of: spelling))\""
            }
            return "(\(terms.joined(separator: " OR ")))"
        }.joined(separator: " AND ")
    }

    /// The parts of the query that a part of a text matches, with the matching ranges of the text.
    private func matches(_ text: BodyPart, at offset: Int) -> [(part: Int, range: Range<Int>)] {
        var found: [(part: Int, range: Range<Int>)] = []
        for (position, part) in parts.enumerated() where part.isRun == text.isRun {
            if text.isRun {
                let run = Array(text.spellings[0].unicodeScalars)
                let wanted = Array(part.spellings[0].unicodeScalars)
                var start = 0
                while start + wanted.count <= run.count {
                    guard run[start..<start + wanted.count].elementsEqual(wanted) else {
                        start += 1
                        continue
                    }
                    let end = start + wanted.count
                    found.append((position, text.letters[start].lowerBound..<text.letters[end - 1].upperBound))
                    start = end
                }
            } else if text.spellings.contains(where: { spelling in
                part.spellings.contains {
                    part.isPrefix ? spelling.unicodeScalars.starts(with: $0.unicodeScalars) : spelling == $0
                }
            }) {
                found.append((position, text.source))
            }
        }
        return found.map { ($0.part, $0.range.lowerBound + offset..<$0.range.upperBound + offset) }
    }

    /// The number of matches among which the excerpt with the most words is chosen.
    private static let maximumMatches = 500

    /// Returns the part of a full text around the most words of the query.
    func snippet(of text: String) -> Snippet {
        var found: [(part: Int, range: Range<Int>)] = []
        let first = Set(parts.flatMap(\.spellings).compactMap(\.utf8.first))
        BodyTerms.forEachPiece(of: text) { piece, isASCII, offset in
            // Most pieces are ASCII and have no word of the query.
            if isASCII, !piece.utf8.contains(where: { first.contains($0 | 0x20) || first.contains($0) }) { return true }
            for part in BodyPart.parts(of: piece) { found += matches(part, at: offset) }
            guard let start = found.first?.range.lowerBound else { return true }
            let isComplete = parts.count == 1 || Set(found.lazy.map(\.part)).count == parts.count
            return found.count < Self.maximumMatches && !(isComplete && offset > start + Snippet.length)
        }
        // The first match from which an excerpt has the most parts of the query.
        var best = (start: 0, parts: 0)
        for start in found.indices {
            let end = found[start].range.lowerBound + Snippet.length / 2
            let seen = Set(found[start...].prefix { $0.range.upperBound <= end }.map(\.part)).count
            if seen > best.parts { best = (start, seen) }
            if seen == parts.count { break }
        }
        let ranges = HighlightRanges.merged(found.dropFirst(best.start).map(\.range))
        // A text that was not found by its terms is shown from its beginning.
        var snippet = Snippet(of: text, field: "textContent", highlights: ranges.isEmpty ? [0..<0] : ranges)
        if ranges.isEmpty { snippet.highlights = [] }
        snippet.text = String(
            String.UnicodeScalarView(
                snippet.text.unicodeScalars.map { "\n\r\t".unicodeScalars.contains($0) ? " " : $0 }))
        return snippet
    }

    // MARK: - Spelling

    /// Returns the query with unknown words replaced by ones of the full texts; nil if all are known or one has no
    /// correction.
    ///
    /// Words of four letters may have one typo, words of eight two; the first letter must be right. Among words at the
    /// same distance, the one in most texts wins. O(*n*) in the words with that first letter, about a microsecond each.
    func corrected(in db: Database) throws -> BodyQuery? {
        var query = self
        var isChanged = false
        for (position, part) in parts.enumerated() where !part.isRun {
            guard let word = part.spellings.first else { continue }
            let isKnown = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM item_dictionary WHERE term = ?)"),
                arguments: [word])
            if isKnown ?? false { continue }
            guard let near = try Self.nearest(to: word, in: db) else { return nil }
            query.parts[position].spellings = [near]
            isChanged = true
        }
        return isChanged ? query : nil
    }

    private static func nearest(to word: String, in db: Database) throws -> String? {
        let letters = Array(word.unicodeScalars)
        let most = Fuzziness.text.edits(letters: letters.count)
        guard most > 0, let first = letters.first, let next = Unicode.Scalar(first.value + 1) else { return nil }
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "SELECT term, doc FROM item_dictionary WHERE term >= ? AND term < ?"),
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

extension BodyPart {
    /// Indicates that the part is a word of Hangul, which is folded to its letters.
    fileprivate var isHangul: Bool {
        guard let first = spellings.first?.unicodeScalars.first else { return false }
        return (0x1100...0x11FF).contains(first.value)
    }
}

/// A search of full texts with SQLite's FTS5.
///
/// FTS5 has no typo tolerance (see ``BodyQuery/corrected(in:)``). It scores every match (bm25), so it only fills the rows
/// that the index left empty.
struct BodySearch {
    private let query: BodyQuery
    private let isCorrected: Bool
    /// The items with a matching full text, best first.
    let keys: [Int64]

    /// The kind of the matches.
    var match: ResultMatch { isCorrected ? .typo : query.parts.count == 1 ? .prefix : .words }

    /// Searches the full texts.
    ///
    /// - Parameters:
    ///   - isCorrected: `true` if the query was corrected.
    ///   - searched: The items to search; nil for all.
    ///   - check: The check of items that match; nil for none.
    ///   - known: The items that were already found.
    init(
        _ query: BodyQuery, isCorrected: Bool = false, index: Int64, wanted: Int, among searched: [Int64]?,
        accepting check: ItemCheck?, without known: Set<Int64>, in db: Database
    ) throws {
        (self.query, self.isCorrected) = (query, isCorrected)
        // Known items are fetched and dropped; there are few of them.
        let limit = wanted == .max || searched != nil || check != nil ? -1 : wanted + known.count
        var keys = try Int64.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT key FROM item_terms CROSS JOIN item ON key = item_terms.rowid
                    WHERE item_terms MATCH ? AND indexKey = ? ORDER BY bm25(item_terms), key LIMIT ?
                    """), arguments: [query.expression, index, limit])
        keys += try BodyRefolding.keys(query.text, index: index, limit: limit, in: db)
        let searched = searched.map(Set.init)
        var found: [Int64] = []
        for key in keys where found.count < wanted && !known.contains(key) && searched?.contains(key) ?? true {
            if check?.accepts(key) ?? true { found.append(key) }
        }
        self.keys = found
    }

    /// Returns the items with their excerpts.
    func hits(in db: Database) throws -> [ItemHit] {
        let items = try ItemRows.items(keys, in: db)
        let text = try db.cachedStatement(sql: "SELECT text FROM item_text WHERE item = ?")
        return try keys.compactMap { key in
            guard let item = items[key], let row = try Row.fetchOne(text, arguments: [key]) else { return nil }
            return ItemHit(
                item: item, match: match, highlights: [:], snippet: query.snippet(of: try row.value(0) ?? ""))
        }
    }

    static func hasTexts(in db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM item_text)")) ?? false
    }
}

/// The full texts that a program before version 2 of their terms has stored (`item_unfolded`).
///
/// They are found by FTS5's own words in `item_body` until their terms are stored.
enum BodyRefolding {
    static func isNeeded(in db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM item_unfolded)")) ?? false
    }

    /// Returns the items with all words in their texts, best first.
    fileprivate static func keys(_ text: String, index: Int64, limit: Int, in db: Database) throws -> [Int64] {
        guard try isNeeded(in: db) else { return [] }
        let words = text.split { !($0.isLetter || $0.isNumber) }
        guard let last = words.last else { return [] }
        var terms = words.map { "\"\($0)\"" }
        if last.count >= 3, text.hasSuffix(last) { terms[terms.count - 1] += "*" }
        return try Int64.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT key FROM item_body CROSS JOIN item ON key = item_body.rowid
                    JOIN item_unfolded ON item_unfolded.item = key
                    WHERE item_body MATCH ? AND indexKey = ? ORDER BY bm25(item_body), key LIMIT ?
                    """), arguments: [terms.joined(separator: " AND "), index, limit])
    }

    /// The number of texts, and of their bytes, that a transaction stores.
    private static let batchSize = (texts: 256, bytes: 4 << 20)

    /// Stores the terms of some texts. Several processes may do this at the same time, and others may write meanwhile.
    ///
    /// - Returns: `false` if none are left.
    static func run(in storage: Storage) throws -> Bool {
        var texts = try storage.readSnapshot { db in
            try Row.fetchAll(
                db,
                sql: "SELECT item, text FROM item_unfolded JOIN item_text USING (item) ORDER BY item LIMIT ?",
                arguments: [batchSize.texts]
            ).map { row in
                // A corrupt text must not keep the others from being stored.
                try (item: row.value(0) as Int64, text: (try? row.value(1)) ?? "")
            }
        }
        var bytes = 0
        texts = Array(
            texts.prefix { text in
                defer { bytes += text.text.utf8.count }
                return bytes < batchSize.bytes
            })
        let terms = texts.concurrentMap(chunksOf: 16) { $0.map { ($0.item, BodyTerms.terms(of: $0.text)) } }
            .flatMap(\.self)
        return try storage.write { db in
            // A text that was replaced since it was read is no longer listed.
            let delete = try db.cachedStatement(sql: "DELETE FROM item_unfolded WHERE item = ?")
            let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO item_terms (rowid, terms) VALUES (?, ?)")
            for (item, terms) in terms {
                try delete.execute(arguments: [item])
                if db.changesCount > 0 { try insert.execute(arguments: [item, terms]) }
            }
            if try isNeeded(in: db) { return true }
            try db.execute(sql: "INSERT INTO item_body (item_body) VALUES ('delete-all')")
            return false
        }
    }
}
