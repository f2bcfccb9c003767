/// A text of signs, such as 🍔 or `???`, to be found in other texts.
///
/// Variation selectors and skin tones are ignored on both sides: 👍 is found in 👍🏽, and ❤️ in ❤.
package struct SignText: Sendable {
    /// The words of the text.
    private let words: [[Character]]

    /// A scalar that each text with the signs contains: the greatest one that begins a character.
    package let scalar: Unicode.Scalar?

    /// Creates a text of words that are separated by white space; nil without any.
    package init?(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map { Self.plain($0).map(\.character) }
        if words.isEmpty { return nil }
        scalar = words.joined().compactMap(\.unicodeScalars.first).max()
    }

    /// Returns the characters of a text without variation selectors and skin tones, and their ranges in Unicode scalars.
    private static func plain(_ text: some StringProtocol) -> [(character: Character, range: Range<Int>)] {
        var start = 0
        return text.compactMap { character in
            let scalars = character.unicodeScalars
            defer { start += scalars.count }
            let range = start..<start + scalars.count
            guard !character.isASCII else { return (character, range) }
            let kept = scalars.filter { !isModifier($0) }
            return kept.isEmpty ? nil : (Character(String(String.UnicodeScalarView(kept))), range)
        }
    }

    private static func isModifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: true
        default: false
        }
    }

    /// Returns the ranges of the words in a text, in Unicode scalars, sorted and disjoint; nil if one does not occur.
    package func ranges(in text: String) -> [Range<Int>]? {
        guard let scalar, text.unicodeScalars.contains(scalar) else { return nil }
        let characters = Self.plain(text)
        var found: [Range<Int>] = []
        for word in words {
            guard !word.isEmpty,
                let place = characters.indices.first(where: { start in
                    characters[start...].lazy.map(\.character).starts(with: word)
                })
            else { return nil }
            found.append(characters[place].range.lowerBound..<characters[place + word.count - 1].range.upperBound)
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }
}
