import SwitchboardKeypad
import SwitchboardTextNormalization

/// A name, or the rest of one from some word on, as one run of letters without gaps, in each of its spellings.
///
/// Typed and stored gaps both fall away, so that "losangeles", "los angeles" and "frank furt" are beginnings alike.
struct JoinedName: Sendable {
    /// One way to write it.
    struct Spelling: Sendable {
        var letters: [UInt16]
        /// The pieces: which word, which of its spellings, and where its letters begin.
        var pieces: [(word: Int, spelling: Int, start: Int)]
    }

    let words: ArraySlice<FoldedWord>
    private(set) var spellings: [Spelling] = []

    /// A longer name is cut: nobody types so far.
    static let longest = 60

    /// Joins words by track; at most `most` different spellings.
    init(
        _ words: ArraySlice<FoldedWord>, most: Int = .max, where isWanted: ([UInt16]) -> Bool = { _ in true }
    ) {
        self.words = words
        join(most, isWanted) { word in
            word.spellings.enumerated().map { (index: $0.offset, letters: $0.element.letters) }
        }
    }

    /// The same as the keys of a telephone.
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
        // A word that cannot be spelt leaves the name without a spelling.
        guard !all.contains(where: \.isEmpty) else { return }
        for track in 0..<(all.map(\.count).max() ?? 0) where spellings.count < most {
            var spelling = Spelling(letters: [], pieces: [])
            for (position, word) in zip(words.indices, all) {
                let choice = word[min(track, word.count - 1)]
                spelling.pieces.append((position, choice.index, spelling.letters.count))
                spelling.letters += choice.letters
                if spelling.letters.count >= JoinedName.longest { break }
            }
            if spelling.letters.count > JoinedName.longest {
                spelling.letters.removeLast(spelling.letters.count - JoinedName.longest)
            }
            if !spelling.letters.isEmpty, isWanted(spelling.letters),
                !spellings.contains(where: { $0.letters == spelling.letters })
            {
                spellings.append(spelling)
            }
        }
    }

    /// The scalars of the name that some letters of a spelling stand for, word by word.
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

    /// The same for the first spelling of each word, the common case, without spelling anything.
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
