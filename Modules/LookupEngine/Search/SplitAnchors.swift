/// Finds few records among which every split of the query into at most p pieces must be: the cheapest set of *anchors*.
///
/// An anchor (i, l) stands for "some word begins with the l letters of the query from i on"; the trie tells at once
/// how many runs that is. Every split has a piece at 0. Either that piece is at least l₀ letters long, and then the
/// anchor (0, l₀) has it, or it is shorter, and then the same holds for the place where it ends, with one piece less.
/// So
///
///     cover(i, p) = min over l₀ of  runs(i, l₀) + Σ_{l < l₀} cover(i + l, p - 1)
///
/// counts the entries to look at, and the anchors chosen on the way are the ones to look at. Since names have few
/// words, a long query has a rare beginning somewhere. O(p · letters²).
struct SplitAnchors {
    private static let never = Int.max / 4

    private let query: EncodedQuery
    private let beginnings: QueryBeginnings

    init(_ beginnings: QueryBeginnings, query: EncodedQuery) {
        self.query = query
        self.beginnings = beginnings
    }

    /// The ranges of runs that have every split into at most `pieces` beginnings, or nil if they hold more than
    /// `most` entries.
    func ranges(pieces: Int, most: Int) -> [Range<Int>]? {
        let count = query.bytes.count
        var shorterCover = Array(repeating: 0, count: count + 1)  // no piece left: no record can match
        var chosen: [[Int]] = [Array(repeating: 0, count: count)]
        for _ in 1...pieces {
            var cover = Array(repeating: 0, count: count + 1)
            var lengths = Array(repeating: 0, count: count)
            for start in 0..<count {
                let whole = query.wordEnds[start] - start
                var shorter = 0
                var best = SplitAnchors.never
                for length in 1...whole {
                    let runs = beginnings.range(start, length).count
                    if runs + shorter < best {
                        best = runs + shorter
                        lengths[start] = length
                    }
                    if runs == 0 { break }
                    if length == whole && query.wordEnds[start] == count { break }  // the last piece needs an anchor
                    shorter += shorterCover[start + length]
                    if length == whole && shorter < best {
                        best = shorter
                        lengths[start] = length + 1
                    }
                    if shorter >= best { break }
                }
                cover[start] = best
            }
            chosen.append(lengths)
            shorterCover = cover
        }
        return shorterCover[0] > most ? nil : collect(chosen)
    }

    private func collect(_ chosen: [[Int]]) -> [Range<Int>] {
        let count = query.bytes.count
        var ranges: [Range<Int>] = []
        var needed: Set<Int> = [0]
        for pieces in stride(from: chosen.count - 1, through: 1, by: -1) {
            var next: Set<Int> = []
            for start in needed where start < count {
                let length = chosen[pieces][start]
                if length <= query.wordEnds[start] - start {
                    let range = beginnings.range(start, length)
                    if !range.isEmpty && !ranges.contains(range) { ranges.append(range) }
                }
                for shorter in 1..<Swift.max(length, 1) { next.insert(start + shorter) }
            }
            needed = next
        }
        return ranges
    }
}
