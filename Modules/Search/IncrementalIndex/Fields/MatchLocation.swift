public import SwitchboardSearchEngine
public import SwitchboardTextNormalization

/// Where in the texts and numbers of a document a hit matches.
public enum MatchLocation: Sendable, Hashable {
    /// A range of a text, in Unicode scalars of its source.
    case text(Int, Range<Int>)
    /// Letters of one writing of a number.
    case number(Int, writing: Int, letters: Range<Int>)

    /// The places of a hit, in the order of its matches; what the values do not have is left out.
    ///
    /// - Parameters:
    ///   - hit: what a search found, with its matches.
    ///   - texts: the folded texts of the document.
    ///   - values: the values of a field, as they were put into the index.
    public static func places(
        of hit: SearchHit, in texts: [FoldedText], values: (_ field: Int) -> [FieldValue]
    ) -> [MatchLocation] {
        var fields: [Int: [FieldValue]] = [:]
        return hit.matches.compactMap { match in
            let known = fields[match.field] ?? values(match.field)
            fields[match.field] = known
            guard known.indices.contains(match.value) else { return nil }
            let value = known[match.value]
            guard value.words.indices.contains(match.word) else { return nil }
            let word = value.words[match.word]
            guard word.origins.indices.contains(match.spelling) else { return nil }
            let origin = word.origins[match.spelling]
            switch value.source {
            case .number(let position): return .number(position, writing: origin, letters: match.letters)
            case .text(let position):
                guard texts.indices.contains(position), texts[position].words.indices.contains(word.word) else {
                    return nil
                }
                let spellings = texts[position].words[word.word].spellings
                guard spellings.indices.contains(origin) else { return nil }
                return .text(position, spellings[origin].source(of: match.letters))
            }
        }
    }
}

extension HighlightRanges {
    /// The scalars of a number, as it is shown, from the first to the last digit that matched; what stands between them (spaces, dashes)
    /// was skipped in the query too.
    ///
    /// A writing and the shown text share their last digits, so both are counted from the end; what the text does not show (a
    /// country code left out) marks nothing.
    ///
    /// - Parameter extensionDigits: how many digits at the end of the text are no fieldQuery of the writing.
    public static func ofNumber(
        _ letters: Range<Int>, of writing: String, in text: String, extensionDigits: Int = 0
    ) -> [Range<Int>] {
        var places: [Int] = []
        for (position, scalar) in text.unicodeScalars.enumerated()
        where scalar.properties.numericType == .decimal || (scalar == "+" && places.isEmpty) {
            places.append(position)
        }
        places.removeLast(min(places.count, extensionDigits))
        let offset = places.count - writing.utf16.count
        let shown = letters.map { $0 + offset }.filter { places.indices.contains($0) }
        guard let first = shown.first, let last = shown.last else { return [] }
        return [places[first]..<(places[last] + 1)]
    }
}
