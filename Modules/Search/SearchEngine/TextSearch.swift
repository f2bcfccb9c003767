import Foundation
import SwitchboardTextNormalization

// Text in, text out: an index of folded texts, in memory or in a file.

extension FieldOptions {
    /// All matches of text: beginnings, initials, words in any order, parts of words and typos.
    public static let text: FieldOptions = [.wordSuffixes, .initials, .infix, .typos]
}

extension IndexBuilder {
    /// Adds a text as a value of the current document: its words, folded, so that case, accents and the forms of letters
    /// do not matter (Blüe is blue, and Łódź lodz).
    ///
    /// - Parameters:
    ///   - text: A text in any script.
    ///   - field: The number of the field.
    /// - Complexity: O(*n*) in the length of the text.
    public mutating func add(_ text: String, to field: Int = 0) {
        beginValue(field: field)
        for word in FoldedText(text).words { addWord(word.spellings.map(\.letters)) }
    }
}

extension SearchQuery {
    /// Creates a query from typed text, folded like the texts of ``IndexBuilder/add(_:to:)``.
    public init(folding text: String) {
        self.init(words: FoldedQuery(text).words.map { $0.spellings.map(\.letters) })
    }
}

extension SearchTier {
    /// The edits that a typo may have.
    public enum Edits: Sendable, Hashable {
        /// One edit in a word of four letters, two from eight on.
        case automatic
        /// Edits by the length of a word.
        case upTo(Fuzziness)

        fileprivate var fuzziness: Fuzziness {
            switch self {
            case .automatic: .text
            case .upTo(let fuzziness): fuzziness
            }
        }
    }

    /// Whole values of a field.
    public static func exact(in field: Int) -> SearchTier { SearchTier(field: field, .exact) }
    /// Beginnings of words of a field, in the order of a value.
    public static func prefix(in field: Int) -> SearchTier { SearchTier(field: field, .prefix) }
    /// Beginnings of different words of a value, in order.
    public static func initials(in field: Int) -> SearchTier { SearchTier(field: field, .initials()) }
    /// Beginnings of different words of a value, in any order.
    public static func words(in field: Int) -> SearchTier { SearchTier(field: field, .words()) }
    /// Letters inside words of a field.
    public static func infix(in field: Int) -> SearchTier { SearchTier(field: field, .infix) }
    /// Beginnings with typos, also in several words, each with its own edits.
    public static func typo(in field: Int, edits: Edits = .automatic) -> SearchTier {
        SearchTier(field: field, .typo(edits.fuzziness, otherFields: []))
    }

    /// All kinds of matches of text in a field, the most likely first.
    public static func text(in field: Int) -> [SearchTier] {
        [
            .exact(in: field), .prefix(in: field), .initials(in: field), .words(in: field), .infix(in: field),
            .typo(in: field),
        ]
    }
}

extension SearchIndex {
    /// Returns the documents with a text in a field, best first, whatever the case and the accents, with typos.
    ///
    /// For example:
    ///
    /// ```swift
    /// var builder = IndexBuilder(fields: [.text])
    /// for (number, name) in ["Ana Grande", "Zoë Blüe"].enumerated() {
    ///     builder.beginDocument(id: Int64(number), rank: UInt64(number))
    ///     builder.add(name)
    /// }
    /// let ids = try builder.build().search("zoe bleu").map(\.id)  // [1]
    /// ```
    ///
    /// - Parameters:
    ///   - text: The typed text.
    ///   - field: A field with ``FieldOptions/text``, in which texts were added with ``IndexBuilder/add(_:to:)``.
    ///   - limit: The maximum number of hits; 0 for all.
    /// - Throws: ``IndexFormatError`` if the index is corrupt.
    public func search(_ text: String, in field: Int = 0, limit: Int = 10) throws -> [SearchHit] {
        try search(
            SearchRequest(queries: [SearchQuery(folding: text)], tiers: SearchTier.text(in: field), limit: limit))
    }
}

extension SearchHit {
    /// Returns the ranges that the query matched in a text of the document, in order.
    ///
    /// - Parameters:
    ///   - text: The text as it was added with ``IndexBuilder/add(_:to:)``.
    ///   - field: The field of the text.
    ///   - value: The number of the text among those of the field.
    public func ranges(in text: String, field: Int = 0, value: Int = 0) -> [Range<String.Index>] {
        let words = FoldedText(text).words
        let found = matches.compactMap { match -> Range<Int>? in
            guard match.field == field, match.value == value, words.indices.contains(match.word),
                words[match.word].spellings.indices.contains(match.spelling)
            else { return nil }
            return words[match.word].spellings[match.spelling].source(of: match.letters)
        }
        return text.ranges(ofScalars: found.sorted { $0.lowerBound < $1.lowerBound })
    }
}

// MARK: - Files

extension SearchIndex {
    /// Writes the index to a file, which is replaced as a whole.
    ///
    /// - Throws: ``IndexFormatError/file(path:reason:)``.
    public func write(to path: String) throws(IndexFormatError) {
        do {
            // Safe: the data is used while the bytes live.
            let data = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .file(path: path, reason: error.localizedDescription)
        }
    }

    /// Opens the index in a file, which is mapped into memory: pages that no search needs are not read.
    ///
    /// The file must not be changed in place while the index is used; ``write(to:)`` replaces it.
    ///
    /// - Throws: ``IndexFormatError/file(path:reason:)`` if the file cannot be read; the other errors if it is not an index
    ///   of this version.
    public convenience init(mapping path: String, verifying: Verification = .lazy) throws(IndexFormatError) {
        try self.init(IndexBytes(mapping: path), verifying: verifying)
    }
}
