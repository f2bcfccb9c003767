extension WordList {
    /// The words of some keys: those the keys spell whole, the most frequent first, then those that go on, the most frequent first.
    ///
    /// A word of one letter that is no word, and a word with an apostrophe for which no key was pressed, come after others of the same
    /// keys as if they were much rarer.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits. `1` is an apostrophe, which may also be left out; the digits 0 and 1 spell no letter.
    ///   - limit: how many at most; 0 for all.
    /// - Complexity: O(log *n* + *m* / 16 + *k* log *k*) for *n* words of which *m* begin with these keys and *k* are given; with a `1`
    ///   among the keys O(*m*).
    public func candidates(for keys: [UInt8], limit: Int) -> [WordCandidate] {
        let spelt = keys.filter { $0 != UInt8(ascii: "1") }
        guard let last = spelt.last, spelt.count <= Self.longestWord, limit >= 0,
            spelt.allSatisfy({ (UInt8(ascii: "2")...UInt8(ascii: "9")).contains($0) })
        else { return [] }
        let pattern = spelt.count == keys.count ? nil : keys
        let limit = limit == 0 ? Int.max : limit
        // Of few the best are kept in order while looking; many are put in order at the end. A word with ß may come twice.
        let kept = limit > Self.few ? Int.max : limit + 8
        var result: [WordCandidate] = []
        var cursor = WordCursor(self)
        move(&cursor, to: spelt)
        while cursor.position < count, result.count < limit, cursor.compare(with: spelt) == 0 {
            if pattern.map({ cursor.hasApostrophes(of: $0) }) ?? true {
                result.append(candidate(cursor, isWhole: true))
            }
            cursor.advance()
        }
        guard result.count < limit else { return result }
        let start = cursor.position
        let behind = spelt.dropLast() + [last + 1]
        move(&cursor, to: Array(behind))
        let best =
            if let pattern {
                best(kept, of: start..<max(start, cursor.position), matching: pattern)
            } else {
                best(kept, of: start..<max(start, cursor.position))
            }
        var seen: Set<String> = []
        for position in best {
            guard result.count < limit else { break }
            cursor.enter(word: position)
            let candidate = candidate(cursor, isWhole: false)
            if seen.insert(candidate.text).inserted { result.append(candidate) }
        }
        return result
    }

    private static let few = 200

    private func candidate(_ cursor: WordCursor, isWhole: Bool) -> WordCandidate {
        WordCandidate(
            text: text(cursor.word), frequency: WordCandidate.frequency(cost: cost(cursor.position)), isWhole: isWhole)
    }

    /// Goes to the first word whose keys are not before these.
    private func move(_ cursor: inout WordCursor, to keys: [UInt8]) {
        var (low, high) = (0, blockCount)
        while low < high {
            let middle = (low + high) / 2
            cursor.enter(block: middle)
            if cursor.compare(with: keys) < 0 { low = middle + 1 } else { high = middle }
        }
        cursor.enter(block: max(0, low - 1))
        while cursor.position < count, cursor.compare(with: keys) < 0 { cursor.advance() }
    }

    /// The words of a range with the lowest costs, the lowest first, of equal ones the first.
    private func best(_ limit: Int, of range: Range<Int>) -> [Int] {
        var found: [(cost: UInt16, position: Int)] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let block = position / Self.blockSize
            let end = min(range.upperBound, (block + 1) * Self.blockSize)
            if found.count < limit || best(ofBlock: block) < found[found.count - 1].cost {
                for position in position..<end { insert(position, into: &found, limit: limit) }
            }
            position = end
        }
        return sorted(found, limit)
    }

    /// The same among those whose apostrophes are where the pattern has them.
    private func best(_ limit: Int, of range: Range<Int>, matching pattern: [UInt8]) -> [Int] {
        var found: [(cost: UInt16, position: Int)] = []
        guard !range.isEmpty else { return [] }
        var cursor = WordCursor(self)
        cursor.enter(word: range.lowerBound)
        while cursor.position < range.upperBound {
            if cursor.hasApostrophes(of: pattern) { insert(cursor.position, into: &found, limit: limit) }
            cursor.advance()
        }
        return sorted(found, limit)
    }

    /// Keeps what was found in order, unless all of it is wanted: then it is put in order at the end.
    private func insert(_ position: Int, into found: inout [(cost: UInt16, position: Int)], limit: Int) {
        let cost = cost(position)
        if limit == .max {
            found.append((cost, position))
            return
        }
        if found.count == limit {
            guard let last = found.last, cost < last.cost else { return }
            found.removeLast()
        }
        var index = found.count
        while index > 0, found[index - 1].cost > cost { index -= 1 }
        found.insert((cost, position), at: index)
    }

    private func sorted(_ found: [(cost: UInt16, position: Int)], _ limit: Int) -> [Int] {
        if limit < .max { return found.map(\.position) }
        return found.sorted { ($0.cost, $0.position) < ($1.cost, $1.position) }.map(\.position)
    }
}
