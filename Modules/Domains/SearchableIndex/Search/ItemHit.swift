import GRDB
import SwitchboardIncrementalIndex
public import SwitchboardSearchEngine

/// A search result: an item with its match.
public struct ItemHit: Sendable {
    /// The item, without its full text.
    public var item: StoredItem
    /// The kind of match.
    public var match: ResultMatch
    /// The number of edits of a typo or other spelling; a wrong first letter adds a half.
    public var edits = 0.0
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, by field of the item: `title`, `keywords.0`,
    /// `contentDescription`, …
    public var highlights: [String: [Range<Int>]]
    /// The part of the description or full text around the match; `nil` if the match is elsewhere.
    public var snippet: Snippet?
}

/// An excerpt of a text around a match.
public struct Snippet: Sendable, Hashable {
    /// The field of the text: `contentDescription` or `textContent`.
    public var field: String
    /// The excerpt, with an ellipsis where text is omitted.
    public var text: String
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint.
    public var highlights: [Range<Int>]

    /// The approximate length in Unicode scalars.
    static let length = 160
}

extension Snippet {
    /// Creates an excerpt around the first highlight; the whole text if it is short.
    public init(of text: String, field: String, highlights: [Range<Int>]) {
        self.field = field
        let scalars = text.utf8.count > Snippet.length ? Array(text.unicodeScalars) : []
        guard scalars.count > Snippet.length, let first = highlights.first else {
            self.text = text
            self.highlights = highlights
            return
        }
        var start = max(0, min(first.lowerBound - Snippet.length / 3, scalars.count - Snippet.length))
        var end = min(start + Snippet.length, scalars.count)
        // Cut at a nearby space.
        if start > 0 {
            let space = scalars[start..<min(start + 20, first.lowerBound)].firstIndex { $0.properties.isWhitespace }
            if let space { start = space + 1 }
        }
        if end < scalars.count {
            let space = scalars[max(end - 20, min(first.upperBound, end))..<end].lastIndex {
                $0.properties.isWhitespace
            }
            if let space { end = space }
        }
        let before = start > 0 ? "…" : ""
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[start..<end])
        self.text = before + String(part) + (end < scalars.count ? "…" : "")
        let shift = before.unicodeScalars.count - start
        self.highlights = highlights.compactMap { range in
            let range = range.clamped(to: start..<end)
            return range.isEmpty ? nil : range.lowerBound + shift..<range.upperBound + shift
        }
    }
}

extension ItemHit {
    /// Returns the items of hits with their highlights, in order. Items that no longer exist are omitted.
    static func reading(_ hits: [SearchHit], searchable: [String], in db: Database) throws -> [ItemHit] {
        if hits.isEmpty { return [] }
        let items = try ItemRows.items(hits.map(\.id), in: db)
        return hits.compactMap { hit in
            guard let item = items[hit.id] else { return nil }
            var ranges: [String: [Range<Int>]] = [:]
            var snippet: Snippet?
            if !hit.matches.isEmpty {
                let fields = hit.matches.compactMap { ItemField(rawValue: $0.field)?.texts }
                let texts = ItemTexts(item.attributeSet, searchable: searchable, of: fields)
                for case .text(let position, let range) in texts.locations(of: hit) {
                    ranges[texts.entries[position].key, default: []].append(range)
                }
                for (key, found) in ranges {
                    let merged = HighlightRanges.merged(found)
                    if merged != found { ranges[key] = merged }
                }
                if let marks = ranges["contentDescription"],
                    let text = item.attributeSet.texts(of: .contentDescription).first
                {
                    snippet = Snippet(of: text, field: "contentDescription", highlights: marks)
                }
            }
            return ItemHit(
                item: item, match: ResultMatch(hit.kind), edits: hit.edits, highlights: ranges, snippet: snippet)
        }
    }
}
