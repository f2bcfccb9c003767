public import SwitchboardSearchEngine
public import SwitchboardTextNormalization

/// The location of a match in the texts and numbers of a document.
public enum MatchLocation: Sendable, Hashable {
    /// A range of a text, in Unicode scalars of its source.
    case text(Int, Range<Int>)
    /// A range of letters in one of the formats of a number.
    case number(Int, format: Int, letters: Range<Int>)

    /// Returns the locations of a hit, in the order of its matches. Matches that the values do not contain are left
    /// out.
    ///
    /// - Parameters:
    ///   - hit: A hit of a search, with its matches.
    ///   - texts: The folded texts of the document.
    ///   - values: Returns the values of a field, as they were added to the index.
    public static func locations(
        of hit: SearchHit, in texts: [FoldedText], values: (_ field: Int) -> [FieldValue]
    ) -> [MatchLocation] {
        var fields: [Int: [FieldValue]] = [:]
        return hit.matches.flatMap { match -> [MatchLocation] in
            let fieldValues = fields[match.field] ?? values(match.field)
            fields[match.field] = fieldValues
            guard fieldValues.indices.contains(match.value) else { return [] }
            return locations(of: match, in: fieldValues[match.value]) { texts.indices.contains($0) ? texts[$0] : nil }
        }
    }

    /// Returns the locations of a match in its value. `text` returns the text at a position of the document.
    static func locations(
        of match: WordMatch, in value: FieldValue, text: (Int) -> FoldedText?
    ) -> [MatchLocation] {
        switch value.source {
        case .number(let position):
            value.origin(of: match).map { [.number(position, format: $0.origin, letters: match.letters)] } ?? []
        case .text(let position):
            text(position).map { value.ranges(of: match, in: $0.words).map { .text(position, $0) } } ?? []
        }
    }
}

extension HighlightRanges {
    /// The range of a displayed number from the first to the last digit that matched, in Unicode scalars. It includes
    /// separators such as spaces and dashes, which queries ignore.
    ///
    /// A format of a number and the displayed text share their last digits, so both are counted from the end. Digits
    /// that are not displayed, such as a country code, are not highlighted.
    ///
    /// - Parameters:
    ///   - letters: The matched letters of the format.
    ///   - number: The format that matched.
    ///   - text: The number as it is displayed.
    ///   - extensionDigits: The number of digits at the end of the text that the format does not contain.
    public static func ofNumber(
        _ letters: Range<Int>, of number: String, in text: String, extensionDigits: Int = 0
    ) -> [Range<Int>] {
        var digits: [Int] = []
        for (position, scalar) in text.unicodeScalars.enumerated()
        where scalar.properties.numericType == .decimal || (scalar == "+" && digits.isEmpty) {
            digits.append(position)
        }
        digits.removeLast(min(digits.count, extensionDigits))
        let offset = digits.count - number.utf16.count
        let shown = letters.map { $0 + offset }.filter { digits.indices.contains($0) }
        guard let first = shown.first, let last = shown.last else { return [] }
        return [digits[first]..<(digits[last] + 1)]
    }
}
