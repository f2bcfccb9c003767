extension WordList {
    /// A word that is likely to follow another one, with its cost there: −100 · log₁₀ of its share among the next
    /// words.
    struct NextWord {
        var position: Int
        var cost: UInt16
    }

    /// The unit of the costs of pairs.
    private static let costStep: UInt16 = 4

    /// Returns the likely next words of a word that are in a range, by position.
    ///
    /// - Complexity: O(log *n* + *k*) for *n* words and *k* next words.
    func nextWords(after previous: String, in range: Range<Int>) -> [NextWord] {
        guard followedCount > 0, !range.isEmpty, let word = position(of: previous) else { return [] }
        var (low, high) = (0, followedCount)
        while low < high {
            let middle = (low + high) / 2
            if followed(middle).word < word { low = middle + 1 } else { high = middle }
        }
        guard low < followedCount, followed(low).word == word else { return [] }
        var offset = pairsStart + followed(low).start
        let end = pairsStart + followed(low + 1).start
        var found: [NextWord] = []
        var position = 0
        while offset < end {
            var shift = 0
            var part: UInt8
            repeat {
                part = byte(offset)
                // Positions have at most 32 bits; the mask keeps corrupt ones from overflowing.
                position = (position + Int(part & 0x7F) << shift) & 0xFFFF_FFFF
                offset += 1
                shift += 7
            } while part >= 0x80 && shift < 32
            guard position < range.upperBound else { break }
            if position >= range.lowerBound {
                found.append(NextWord(position: position, cost: UInt16(byte(offset)) * Self.costStep))
            }
            offset += 1
        }
        return found
    }

    /// Returns the position of a word that has next words, and the start of its next words. Past the last such word,
    /// returns the end of the words and of the bytes.
    private func followed(_ index: Int) -> (word: Int, start: Int) {
        guard index < followedCount else { return (count, end - pairsStart) }
        let entry = followedStart + 8 * index
        let start = Int(number(entry + 4, as: UInt32.self))
        return (Int(number(entry, as: UInt32.self)), min(start, end - pairsStart))
    }

    /// Returns the position of a word in any case, or nil if it is not listed.
    private func position(of word: String) -> Int? {
        guard let keys = wordKeys(of: word) else { return nil }
        let word = word.lowercased()
        var cursor = WordCursor(self)
        seek(&cursor, to: keys)
        while cursor.position < count, cursor.compare(with: keys) == 0 {
            if text(cursor).lowercased() == word { return cursor.position }
            cursor.advance()
        }
        return nil
    }

    /// Returns the likely next words of a word, the most likely first.
    public func suggestions(after previous: String, limit: Int) -> [WordCandidate] {
        var cursor = WordCursor(self)
        return nextWords(after: previous, in: 0..<count).sorted { ($0.cost, $0.position) < ($1.cost, $1.position) }
            .prefix(limit).map {
                cursor.seek(toWord: $0.position)
                return candidate(cursor, isWhole: true)
            }
    }
}
