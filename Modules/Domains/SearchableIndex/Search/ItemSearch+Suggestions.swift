import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

// MARK: - Suggestions

extension ItemSearch {
    /// Returns completions of a text: its last word completed from titles, names and keywords.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of completions.
    ///   - isCancelled: Polled regularly; see ``search(_:limit:offset:filter:isCancelled:)``.
    /// - Returns: Unique completions from the best items first, without the text itself.
    public func suggestions(
        for text: String, limit: Int = 5, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [String] {
        let typed = text.split(whereSeparator: \.isWhitespace)
        guard let last = typed.last, limit > 0, text.last.map({ !$0.isWhitespace }) ?? false else { return [] }
        let limitOfHits = max(min(limit, ItemSearch.maximumLimit) * 4, 20)
        let hits = try search(text, limit: limitOfHits, isCancelled: isCancelled).hits
        let before = typed.dropLast().joined(separator: " ")
        let lastKey = ItemQueryPlan(String(last)).key
        var seen: Set<String> = [ItemQueryPlan(text).key]
        var suggestions: [String] = []
        for hit in hits where hit.match != .typo && hit.match != .infix {
            for (key, ranges) in hit.highlights.sorted(by: { $0.key < $1.key }) {
                guard let whole = hit.item.attributeSet.text(ofField: key) else { continue }
                for range in ranges {
                    // A range may cover several words; the last one is being typed.
                    let word = Self.word(in: whole, around: range.upperBound - 1)
                    guard ItemQueryPlan(word).key.hasPrefix(lastKey) else { continue }
                    let suggestion = before.isEmpty ? word : before + " " + word
                    if seen.insert(ItemQueryPlan(suggestion).key).inserted { suggestions.append(suggestion) }
                    if suggestions.count == limit { return suggestions }
                }
            }
        }
        return suggestions
    }

    /// Returns completions without blocking the caller's thread. Cancelling the task cancels the search.
    public func suggestions(for text: String, limit: Int = 5) async throws -> [String] {
        try await runCancellable { try self.suggestions(for: text, limit: limit, isCancelled: $0) }
    }

    private static func word(in text: String, around position: Int) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.indices.contains(position) else { return "" }
        func isLetter(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .nonspacingMark || scalar == "'" || scalar == "’"
        }
        var start = position
        var end = position + 1
        while start > 0, isLetter(scalars[start - 1]) { start -= 1 }
        while end < scalars.count, isLetter(scalars[end]) { end += 1 }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<end])
        return String(word)
    }
}

extension SearchableItemAttributeSet {
    /// Returns the text of a field by its highlight key: `title`, `keywords.0`, `custom.channel.0`.
    public func text(ofField field: String) -> String? {
        let parts = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let values: [AttributeValue]
        if parts.first == "custom", parts.count == 3 {
            values = custom[parts[1]] ?? []
        } else {
            values = parts.first.flatMap(Attribute.init(name:)).map { self[$0] } ?? []
        }
        let position = parts.count > 1 ? Int(parts[parts.count - 1]) ?? 0 : 0
        guard values.indices.contains(position) else { return nil }
        switch values[position] {
        case .text(let text): return text
        case .person(let person): return person.name
        default: return nil
        }
    }
}
