import SwitchboardSearchEngine

/// A naive implementation of the kinds of match, as the reference for the engine.
struct NaiveIndex {
    typealias Word = [[UInt16]]  // spellings
    typealias Value = [Word]
    struct Document {
        var id: Int64
        var values: [Value]
    }
    struct Hit: Hashable {
        var id: Int64
        var tier: Int
        var kind: MatchKind
        var edits: Double
    }

    /// In order of rank.
    var documents: [Document]

    func search(_ query: [[UInt16]], tiers: [SearchTier], limit: Int) -> [Hit] {
        var hits: [Hit] = []
        var seen: Set<Int64> = []
        for (number, tier) in tiers.enumerated() {
            var found: [(half: Int, position: Int)] = []
            for (position, document) in documents.enumerated() {
                if let half = halfEdits(query, document, tier) { found.append((half, position)) }
            }
            found.sort { ($0.half, $0.position) < ($1.half, $1.position) }
            for (half, position) in found where seen.insert(documents[position].id).inserted {
                hits.append(Hit(id: documents[position].id, tier: number, kind: tier.kind, edits: Double(half) / 2))
            }
        }
        return limit == 0 ? hits : Array(hits.prefix(limit))
    }

    /// The word suffixes of a value; in a short value, one for each spelling of a later word.
    static func wordSuffixes(_ value: Value) -> [(start: Int, words: [[UInt16]])] {
        value.indices.flatMap { start in
            let tracks = (value.count <= 8 ? value[start...] : value[start...start]).map(\.count).max() ?? 0
            return (0..<tracks).map { track in
                (start, value[start...].map { $0[Swift.min(track, $0.count - 1)] })
            }
        }
    }

    private func halfEdits(_ query: [[UInt16]], _ document: Document, _ tier: SearchTier) -> Int? {
        let joined = Array(query.joined())
        let wordSuffixes = document.values.flatMap(NaiveIndex.wordSuffixes)
        switch tier.kind {
        case .exact:
            return wordSuffixes.contains {
                $0.start == 0 && Array($0.words.joined()) == joined && isAligned(query, $0.words)
            }
                ? 0 : nil
        case .prefix:
            return wordSuffixes.contains { $0.words.joined().starts(with: joined) && isAligned(query, $0.words) }
                ? 0 : nil
        case .joined:
            return query.count > 1 && wordSuffixes.contains { $0.words.joined().starts(with: joined) } ? 0 : nil
        case .initials:
            return document.values.contains { inOrder(query, $0[...]) } ? 0 : nil
        case .words:
            return document.values.contains { inAnyOrder(query, $0) } ? 0 : nil
        case .infix:
            return wordSuffixes.contains { suffix in
                suffix.words[0].indices.dropFirst().contains { offset in
                    let rest = Array(suffix.words[0][offset...])
                    if query.count == 1 { return rest.starts(with: joined) }
                    return rest == query[0] && suffix.words.count >= query.count
                        && zip(query.dropFirst().dropLast(), suffix.words.dropFirst()).allSatisfy { $0 == $1 }
                        && suffix.words[query.count - 1].starts(with: query[query.count - 1])
                }
            } ? 0 : nil
        case .typo:
            let most =
                query.count == 1
                ? allowed(joined.count, tier.typos)
                : query.contains { allowed($0.count, tier.typos) > 0 } ? 1 : 0
            var best: Int?
            for suffix in wordSuffixes {
                let letters = Array(suffix.words.joined())
                if let edits = distances(joined, toPrefixesOf: letters).min(), edits <= most {
                    let half = Swift.max(edits, 1) * 2 + (letters.first == joined.first ? 0 : 1)
                    best = Swift.min(best ?? .max, half)
                }
            }
            return most == 0 ? nil : best
        }
    }

    private func allowed(_ letters: Int, _ typos: Fuzziness) -> Int {
        if let two = typos.two, letters >= two { return 2 }
        return letters >= typos.one ? 1 : 0
    }

    private func isAligned(_ query: [[UInt16]], _ words: [[UInt16]]) -> Bool {
        zip(query.dropLast(), words).allSatisfy { $0 == $1 } && query.count <= words.count
    }

    /// Returns `true` if `query` matches as prefixes of different words, in order. A typed word may be split but not
    /// joined with the next.
    private func inOrder(_ query: [[UInt16]], _ words: ArraySlice<Word>) -> Bool {
        guard let typed = query.first else { return true }
        if typed.isEmpty { return inOrder(Array(query.dropFirst()), words) }
        for position in words.indices {
            for spelling in words[position] {
                for length in 1...typed.count where spelling.starts(with: typed[..<length]) {
                    let rest = [Array(typed[length...])] + query.dropFirst()
                    if inOrder(rest, words[(position + 1)...]) { return true }
                }
            }
        }
        return false
    }

    private func inAnyOrder(_ query: [[UInt16]], _ words: [Word]) -> Bool {
        guard let typed = query.first else { return true }
        if typed.isEmpty { return inAnyOrder(Array(query.dropFirst()), words) }
        for position in words.indices {
            for spelling in words[position] {
                for length in 1...typed.count where spelling.starts(with: typed[..<length]) {
                    var others = words
                    others.remove(at: position)
                    if inAnyOrder([Array(typed[length...])] + query.dropFirst(), others) { return true }
                }
            }
        }
        return false
    }

    /// The optimal string alignment distances of a query to every prefix of a word.
    func distances(_ left: [UInt16], toPrefixesOf right: [UInt16]) -> [Int] {
        var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
        for row in 0...left.count {
            for column in 0...right.count {
                if row == 0 || column == 0 {
                    table[row][column] = row + column
                    continue
                }
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                table[row][column] = Swift.min(
                    table[row - 1][column - 1] + cost, table[row - 1][column] + 1, table[row][column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    table[row][column] = Swift.min(table[row][column], table[row - 2][column - 2] + 1)
                }
            }
        }
        return table[left.count]
    }
}

func letters(_ text: String) -> [UInt16] { Array(text.utf16) }
