public import SwitchboardSearchEngine
public import SwitchboardTextNormalization

/// The location of a match in the texts and numbers of a document.
public enum MatchLocation: Sendable, Hashable {
    /// A range of a text, in Unicode scalars of its source.
    case text(Int, Range<Int>)
    /// A range of letters in one of the formats of a number.
    case number(Int, format: Int, letters: Range<Int>)

    /// Returns the locations of one match of a hit, or an empty array if the values do not contain it.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - values: The values of its field, as they were added to the index.
    ///   - texts: The folded texts of the document.
    public static func locations(
        of match: WordMatch, in values: [FieldValue], _ texts: [FoldedText]
    ) -> [MatchLocation] {
        guard values.indices.contains(match.value) else { return [] }
        return locations(of: match, in: values[match.value]) { texts.indices.contains($0) ? texts[$0] : nil }
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

extension PlainWords {
    /// Returns the range of a match in a word, in Unicode scalars of the text; nil if the word does not contain it in its
    /// first spelling.
    package func range(of match: WordMatch, inWord number: Int) -> Range<Int>? {
        guard match.spelling == 0, let word = self[number], match.letters.upperBound <= word.count else { return nil }
        return word.lowerBound + match.letters.lowerBound..<word.lowerBound + match.letters.upperBound
    }
}

extension HighlightRanges {
    /// Returns the range of a displayed number from the first to the last digit that matched, in Unicode scalars. The
    /// range includes separators such as spaces and dashes, which queries ignore.
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
