import Foundation

extension WordList {
    /// Returns the words that match the keys: complete words by frequency, then longer ones by frequency.
    ///
    /// Words that are likely to follow the previous one rank by that likelihood.
    ///
    /// In French and Italian, elisions come last: `51328` also matches "l'eau", whose frequency is unknown. The lists
    /// give a much lower rank to single letters that are not words, and to words whose apostrophe may be omitted.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits. `1` is an apostrophe, which is optional; `0` and `1` type no letters.
    ///   - previous: The previous word of the same sentence.
    ///   - limit: The maximum number of words; 0 for all.
    /// - Complexity: O(log *n* + *m* / 16 + *p* + *k* log *k*) for *n* words, *m* of which begin with the keys, *p*
    ///   likely next words, and *k* results; O(*m*) if the keys contain `1`.
    public func candidates(for keys: [UInt8], after previous: String? = nil, limit: Int) -> [WordCandidate] {
        let listed = listedCandidates(for: keys, after: previous, limit: limit)
        guard limit == 0 || listed.count < limit else { return listed }
        let elided = elidedCandidates(for: keys, limit: limit)
        return elided.isEmpty
            ? listed
            : WordCandidate.merged(following: [], learned: [], listed: listed, names: elided, limit: limit)
    }

    /// The words that lose their last vowel before another vowel, by language.
    private static let elisions = [
        "fr": ["l", "d", "j", "n", "s", "m", "t", "c", "qu", "jusqu", "lorsqu", "puisqu"],
        "it": ["l", "d", "un", "c", "m", "t", "s", "v", "all", "dall", "dell", "nell", "sull", "quell", "quest"],
    ]

    /// Returns elisions together with the word that follows. The lists do not contain these combinations.
    private func elidedCandidates(for keys: [UInt8], limit: Int) -> [WordCandidate] {
        guard let elisions = Self.elisions[language], let mark = keys.firstIndex(of: UInt8(ascii: "1")) else {
            return []
        }
        let (typed, rest) = (Array(keys[..<mark]), Array(keys[(mark + 1)...]))
        let elided = elisions.filter { wordKeys(of: $0) == typed }
        guard !elided.isEmpty, !rest.isEmpty, !rest.contains(UInt8(ascii: "1")) else { return [] }
        var read = limit
        while true {
            let words = listedCandidates(for: rest, after: nil, limit: read)
            let followers = words.filter(\.beginsWithVowel)
            if limit == 0 || followers.count >= limit || words.count < read {
                return followers.flatMap { word in
                    elided.map { WordCandidate(text: "\($0)'\(word.text)", isWhole: word.isWhole) }
                }
            }
            read *= 4
        }
    }

    private func listedCandidates(for keys: [UInt8], after previous: String?, limit: Int) -> [WordCandidate] {
        let letterKeys = keys.filter { $0 != UInt8(ascii: "1") }
        guard let last = letterKeys.last, letterKeys.count <= Self.longestWord, limit >= 0,
            letterKeys.allSatisfy({ (UInt8(ascii: "2")...UInt8(ascii: "9")).contains($0) })
        else { return [] }
        let pattern = letterKeys.count == keys.count ? nil : keys
        let limit = limit == 0 ? Int.max : limit
        // A few are kept sorted during the scan; many are sorted at the end. A word with ß may occur twice.
        let kept = limit > Self.maximumSorted ? Int.max : limit + 8
        var cursor = WordCursor(self)
        let successor = letterKeys.dropLast() + [last + 1]
        seek(&cursor, to: Array(successor))
        let end = cursor.position
        seek(&cursor, to: letterKeys)
        let next = previous.map { nextWords(after: $0, in: min(cursor.position, end)..<end) } ?? []
        var result = wholeCandidates(&cursor, letterKeys, pattern, next, limit: limit)
        guard result.count < limit else { return result }
        let range = cursor.position..<max(cursor.position, end)
        let likely = next.filter { range.contains($0.position) }.sorted {
            ($0.cost, $0.position) < ($1.cost, $1.position)
        }
        var seen: Set<String> = []
        for position in merged(likely, best(kept, of: range, matching: pattern)) {
            guard result.count < limit else { break }
            cursor.seek(toWord: position)
            guard pattern.map({ cursor.hasApostrophes(of: $0) }) ?? true else { continue }
            let candidate = candidate(cursor, isWhole: false)
            if seen.insert(candidate.text).inserted { result.append(candidate) }
        }
        return result
    }

    /// Returns the words with exactly the given keys, and moves the cursor past them.
    private func wholeCandidates(
        _ cursor: inout WordCursor, _ keys: [UInt8], _ pattern: [UInt8]?, _ next: [NextWord], limit: Int
    ) -> [WordCandidate] {
        var found: [(cost: UInt16, candidate: WordCandidate)] = []
        var likely = next.drop { $0.position < cursor.position }
        // The list may place a word lower than its frequency does, so the costs of the order never decrease.
        var cost: UInt16 = 0
        while cursor.position < count, cursor.compare(with: keys) == 0 {
            if likely.isEmpty, found.count >= limit { break }
            if pattern.map({ cursor.hasApostrophes(of: $0) }) ?? true {
                cost = max(cost, self.cost(cursor.position))
                likely = likely.drop { $0.position < cursor.position }
                let isNext = likely.first?.position == cursor.position
                let lower = isNext ? min(cost, likely.first?.cost ?? cost) : cost
                let index = isNext ? found.firstIndex { lower < $0.cost } ?? found.count : found.count
                found.insert((lower, candidate(cursor, isWhole: true)), at: index)
            }
            cursor.advance()
        }
        return found.prefix(limit).map(\.candidate)
    }

    /// Merges the positions of likely words and of others, both sorted by cost, into one order.
    private func merged(_ likely: [NextWord], _ others: [Int]) -> [Int] {
        guard !likely.isEmpty else { return others }
        var result: [Int] = []
        result.reserveCapacity(likely.count + others.count)
        var index = 0
        for position in others {
            let cost = cost(position)
            while index < likely.count, likely[index].cost <= cost {
                result.append(likely[index].position)
                index += 1
            }
            result.append(position)
        }
        return result + likely[index...].map(\.position)
    }

    private static let maximumSorted = 200

    func candidate(_ cursor: WordCursor, isWhole: Bool) -> WordCandidate {
        WordCandidate(
            text: text(cursor), frequency: WordCandidate.frequency(cost: cost(cursor.position)), isWhole: isWhole)
    }

    /// Moves a cursor to the first word whose keys are not less than the given keys.
    func seek(_ cursor: inout WordCursor, to keys: [UInt8]) {
        var (low, high) = (0, blockCount)
        while low < high {
            let middle = (low + high) / 2
            cursor.seek(toBlock: middle)
            if cursor.compare(with: keys) < 0 { low = middle + 1 } else { high = middle }
        }
        cursor.seek(toBlock: max(0, low - 1))
        while cursor.position < count, cursor.compare(with: keys) < 0 { cursor.advance() }
    }

    /// Returns the words of a range with the lowest costs, in ascending order of cost and position.
    ///
    /// - Parameter pattern: The keys with apostrophes that the words must match; `nil` for all words.
    private func best(_ limit: Int, of range: Range<Int>, matching pattern: [UInt8]?) -> [Int] {
        var found: [(cost: UInt16, position: Int)] = []
        if let pattern {
            var cursor = WordCursor(self)
            cursor.seek(toWord: range.lowerBound)
            while cursor.position < range.upperBound {
                if cursor.hasApostrophes(of: pattern) { insert(cursor.position, into: &found, limit: limit) }
                cursor.advance()
            }
        } else {
            let size = Self.blockSize
            for block in range.lowerBound / size..<(range.upperBound + size - 1) / size
            where found.count < limit || best(ofBlock: block) < found[found.count - 1].cost {
                for position in range.clamped(to: block * size..<(block + 1) * size) {
                    insert(position, into: &found, limit: limit)
                }
            }
        }
        if limit == .max { found.sort { ($0.cost, $0.position) < ($1.cost, $1.position) } }
        return found.map(\.position)
    }

    /// Inserts a word in order of cost, or appends it if there is no limit.
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
}

extension WordCandidate {
    /// `true` for a word before which the previous word is elided in French and Italian.
    fileprivate var beginsWithVowel: Bool {
        guard let first = text.decomposedStringWithCanonicalMapping.unicodeScalars.first else { return false }
        return "aeiouyhœæ".unicodeScalars.contains(first)
    }
}
