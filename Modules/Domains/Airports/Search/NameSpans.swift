import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// A value of a name in a field: the text, where its row displays it, and the source of each letter.
///
/// The letters are prepared once, so that highlighting folds nothing and allocates only its result.
final class NameSpans: Sendable {
    /// The letters of one spelling of a name whose words are joined.
    private struct Track: Sendable {
        /// The source of each letter, in Unicode scalars of the name.
        var sources: [Range<UInt16>] = []
        /// The number of the word of each letter.
        var words: [UInt8] = []

        init(_ number: Int, of folded: ArraySlice<FoldedWord>) {
            for (position, word) in folded.enumerated() {
                let spelling = word.spellings[min(number, word.spellings.count - 1)]
                for letter in spelling.letters.indices {
                    let source = spelling.source(of: letter..<letter + 1)
                    sources.append(UInt16(clamping: source.lowerBound)..<UInt16(clamping: source.upperBound))
                    words.append(UInt8(clamping: position))
                }
            }
        }
    }

    let name: String
    /// The position of the name in the row; nil if the row does not display it.
    let place: DisplayPlace?
    private let value: FieldValue
    private let words: [FoldedWord]
    /// The tracks of the spellings; empty if the words are not joined letters.
    private let tracks: [Track]

    /// - Parameter isJoined: `true` for a value whose words are joined letters.
    init(_ name: String, _ words: [FoldedWord], _ value: FieldValue, isJoined: Bool, place: DisplayPlace?) {
        self.name = name
        self.words = words
        self.value = value
        self.place = place
        tracks =
            isJoined && value.words.count == 1
            ? value.words[0].origins.map { Track($0, of: words[value.words[0].position...]) } : []
    }

    /// Returns the ranges that matches cover in the text, which begins at `offset`, sorted and disjoint, in Unicode
    /// scalars.
    func ranges(of matches: [WordMatch], from offset: Int) -> [Range<Int>] {
        guard matches.count == 1, let match = matches.first, match.word == 0, tracks.indices.contains(match.spelling)
        else {
            return HighlightRanges.merged(matches.flatMap { value.ranges(of: $0, in: words) }).map {
                $0.lowerBound + offset..<$0.upperBound + offset
            }
        }
        let track = tracks[match.spelling]
        var ranges: [Range<Int>] = []
        var start = match.letters.lowerBound
        let end = min(match.letters.upperBound, track.sources.count)
        while start < end {
            var last = start
            while last + 1 < end, track.words[last + 1] == track.words[start] { last += 1 }
            let low = Int(track.sources[start].lowerBound)
            let range = low + offset..<max(low, Int(track.sources[last].upperBound)) + offset
            if let before = ranges.last, range.lowerBound <= before.upperBound {
                ranges[ranges.count - 1] = before.lowerBound..<max(before.upperBound, range.upperBound)
            } else if !range.isEmpty {
                ranges.append(range)
            }
            start = last + 1
        }
        return ranges
    }
}
