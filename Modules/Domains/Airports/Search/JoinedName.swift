import SwitchboardKeypad
import SwitchboardTextNormalization

/// A name, or its tail from some word on, joined without gaps in each of its spellings.
///
/// Ignoring gaps in queries and names makes "losangeles", "los angeles" and "frank furt" prefixes alike.
struct JoinedName: Sendable {
    /// A spelling of the name.
    struct Spelling: Sendable {
        var letters: [UInt16]
        /// The pieces: the word, its spelling, and the offset of its letters.
        var pieces: [(word: Int, spelling: Int, start: Int)]
    }

    let words: ArraySlice<FoldedWord>
    private(set) var spellings: [Spelling] = []

    /// The maximum length; longer names are truncated.
    static let maxLength = 60

    /// Joins words spelling by spelling, to at most `most` distinct spellings.
    init(
        _ words: ArraySlice<FoldedWord>, most: Int = .max, where isWanted: ([UInt16]) -> Bool = { _ in true }
    ) {
        self.words = words
        join(most, isWanted) { word in
            word.spellings.enumerated().map { (index: $0.offset, letters: $0.element.letters) }
        }
    }

    /// Joins words as telephone keys.
    init(keysOf words: ArraySlice<FoldedWord>, most: Int = .max) {
        self.words = words
        join(most, { _ in true }) { word in
            keypadSpellings(of: word).map { (index: $0.spelling, letters: $0.digits.map(UInt16.init)) }
        }
    }

    private mutating func join(
        _ most: Int, _ isWanted: ([UInt16]) -> Bool, _ spelled: (FoldedWord) -> [(index: Int, letters: [UInt16])]
    ) {
        let all = words.map(spelled)
        // A word without spellings leaves the name without spellings.
        guard !all.contains(where: \.isEmpty) else { return }
        for track in 0..<(all.map(\.count).max() ?? 0) where spellings.count < most {
            var spelling = Spelling(letters: [], pieces: [])
            for (position, word) in zip(words.indices, all) {
                let choice = word[min(track, word.count - 1)]
                spelling.pieces.append((position, choice.index, spelling.letters.count))
                spelling.letters += choice.letters
                if spelling.letters.count >= JoinedName.maxLength { break }
            }
            if spelling.letters.count > JoinedName.maxLength {
                spelling.letters.removeLast(spelling.letters.count - JoinedName.maxLength)
            }
            if !spelling.letters.isEmpty, isWanted(spelling.letters),
                !spellings.contains(where: { $0.letters == spelling.letters })
            {
                spellings.append(spelling)
            }
        }
    }

    /// Returns the scalars of the name that correspond to letters of a spelling, by word.
    func source(spelling: Int, letters: Range<Int>) -> [Range<Int>] {
        guard spellings.indices.contains(spelling) else { return [] }
        let pieces = spellings[spelling].pieces
        return pieces.indices.compactMap { index in
            let piece = pieces[index]
            let end = index + 1 < pieces.count ? pieces[index + 1].start : spellings[spelling].letters.count
            let part = letters.clamped(to: piece.start..<max(end, piece.start))
            guard !part.isEmpty, words.indices.contains(piece.word),
                words[piece.word].spellings.indices.contains(piece.spelling)
            else { return nil }
            return words[piece.word].spellings[piece.spelling]
                .source(of: part.lowerBound - piece.start..<part.upperBound - piece.start)
        }
    }

    /// Returns the scalars for the first spelling of each word, the common case, without joining.
    static func source(of letters: Range<Int>, in words: ArraySlice<FoldedWord>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for word in words {
            guard start < letters.upperBound, let spelling = word.spellings.first else { break }
            let part = letters.clamped(to: start..<start + spelling.letters.count)
            if !part.isEmpty { ranges.append(spelling.source(of: part.lowerBound - start..<part.upperBound - start)) }
            start += spelling.letters.count
        }
        return ranges
    }
}
