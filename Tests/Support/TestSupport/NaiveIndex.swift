package import SwitchboardSearchEngine

/// A naive implementation of the kinds of match, as the reference for the engine.
///
/// It is a module of its own because tests are not optimized, and this would take most of their time.
package struct NaiveIndex {
    package typealias Word = [[UInt16]]  // spellings
    package typealias Value = [Word]
    package struct Document {
        package var id: Int64
        package var values: [Value]

        package init(id: Int64, values: [Value]) {
            self.id = id
            self.values = values
        }
    }
    package struct Hit: Hashable {
        package var id: Int64
        package var tier: Int
        package var kind: MatchKind
        package var edits: Double

        package init(id: Int64, tier: Int, kind: MatchKind, edits: Double) {
            self.id = id
            self.tier = tier
            self.kind = kind
            self.edits = edits
        }
    }

    /// In order of rank.
    package var documents: [Document]

    package init(documents: [Document]) { self.documents = documents }

    package func search(_ query: [[UInt16]], tiers: [SearchTier], limit: Int) -> [Hit] {
        var hits: [Hit] = []
        var seen: Set<Int64> = []
        for (number, tier) in tiers.enumerated() {
            if tier.isFallback && !hits.isEmpty { continue }
            var found: [(half: Int, weakness: Int, position: Int)] = []
            for (position, document) in documents.enumerated() {
                if let (half, weakness) = penalty(query, document, tier) { found.append((half, weakness, position)) }
            }
            found.sort { $0 < $1 }
            for (half, _, position) in found where seen.insert(documents[position].id).inserted {
                hits.append(Hit(id: documents[position].id, tier: number, kind: tier.kind, edits: Double(half) / 2))
            }
        }
        return limit == 0 ? hits : Array(hits.prefix(limit))
    }

    /// The word suffixes of a value; in a short value, one for each spelling of a later word.
    private static func wordSuffixes(_ value: Value) -> [(start: Int, words: [[UInt16]])] {
        value.indices.flatMap { start in
            let tracks = (value.count <= 8 ? value[start...] : value[start...start]).map(\.count).max() ?? 0
            return (0..<tracks).map { track in
                (start, value[start...].map { $0[Swift.min(track, $0.count - 1)] })
            }
        }
    }

    /// The edits, doubled, and the evidence against them, or nil if the document does not match.
    private func penalty(_ query: [[UInt16]], _ document: Document, _ tier: SearchTier) -> (Int, Int)? {
        if case .typo(let fuzziness, let slips, _) = tier.match { return typo(query, document, fuzziness, slips) }
        return matches(query, document, tier) ? (0, 0) : nil
    }

    private func matches(_ query: [[UInt16]], _ document: Document, _ tier: SearchTier) -> Bool {
        let joined = Array(query.joined())
        let wordSuffixes = document.values.flatMap(NaiveIndex.wordSuffixes)
        switch tier.match {
        case .exact:
            return wordSuffixes.contains {
                $0.start == 0 && Array($0.words.joined()) == joined && isAligned(query, $0.words)
            }
        case .prefix, .wholeWords:
            return wordSuffixes.contains {
                $0.words.joined().starts(with: joined) && isAligned(query, $0.words)
                    && (tier.match == .prefix || $0.words[query.count - 1].count == query[query.count - 1].count)
            }
        case .joined:
            return query.count > 1 && wordSuffixes.contains { $0.words.joined().starts(with: joined) }
        case .initials(let splits):
            return document.values.contains { inOrder(query, $0[...], cost: splits == .all ? .max : 6) }
        case .words(let splits):
            return document.values.contains { inAnyOrder(query, $0, cost: splits == .all ? .max : 6) }
        case .infix:
            return wordSuffixes.contains { suffix in
                suffix.words[0].indices.dropFirst().contains { offset in
                    let rest = Array(suffix.words[0][offset...])
                    if query.count == 1 { return rest.starts(with: joined) }
                    return rest == query[0] && suffix.words.count >= query.count
                        && zip(query.dropFirst().dropLast(), suffix.words.dropFirst()).allSatisfy { $0 == $1 }
                        && suffix.words[query.count - 1].starts(with: query[query.count - 1])
                }
            }
        case .wordsAcrossValues, .typo, .soundAlikes: preconditionFailure("no reference for \(tier.match)")
        }
    }

    private func typo(
        _ query: [[UInt16]], _ document: Document, _ typos: Fuzziness, _ slips: SearchTier.Slips
    ) -> (Int, Int)? {
        let joined = Array(query.joined())
        let most =
            query.count == 1
            ? allowed(joined.count, typos)
            : query.contains { allowed($0.count, typos) > 0 } ? 1 : 0
        if most == 0 { return nil }
        var best: (Int, Int)?
        for suffix in document.values.flatMap(NaiveIndex.wordSuffixes) {
            let isOneWord = slips == .withinWords && query.count == 1
            let letters = Array(isOneWord ? suffix.words[0] : Array(suffix.words.joined()))
            let distances = distances(joined, toPrefixesOf: letters)
            guard let nearest = distances.min(), nearest <= most else { continue }
            let edits = Swift.max(nearest, 1)
            let hasLetterTooMany = distances.dropFirst(joined.count).allSatisfy { $0 > edits }
            let half = edits * 2 + (letters.first == joined.first ? 0 : 1)
            let weakness = (suffix.start == 0 ? 0 : 1) + (hasLetterTooMany ? 1 : 0)
            if best.map({ (half, weakness) < $0 }) ?? true { best = (half, weakness) }
        }
        return best
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
    private func inOrder(_ query: [[UInt16]], _ words: ArraySlice<Word>, cost: Int) -> Bool {
        guard let typed = query.first else { return true }
        if typed.isEmpty { return inOrder(Array(query.dropFirst()), words, cost: cost) }
        for position in words.indices {
            for spelling in words[position] {
                for length in 1...typed.count where spelling.starts(with: typed[..<length]) {
                    let left = cost - (length == 1 ? 1 : 3)
                    if left < 0 { continue }
                    let rest = [Array(typed[length...])] + query.dropFirst()
                    if inOrder(rest, words[(position + 1)...], cost: left) { return true }
                }
            }
        }
        return false
    }

    private func inAnyOrder(_ query: [[UInt16]], _ words: [Word], cost: Int) -> Bool {
        guard let typed = query.first else { return true }
        if typed.isEmpty { return inAnyOrder(Array(query.dropFirst()), words, cost: cost) }
        for position in words.indices {
            for spelling in words[position] {
                for length in 1...typed.count where spelling.starts(with: typed[..<length]) {
                    let left = cost - (length == 1 ? 1 : 3)
                    if left < 0 { continue }
                    var others = words
                    others.remove(at: position)
                    if inAnyOrder([Array(typed[length...])] + query.dropFirst(), others, cost: left) {
                        return true
                    }
                }
            }
        }
        return false
    }

    /// The optimal string alignment distances of a query to every prefix of a word.
    private func distances(_ left: [UInt16], toPrefixesOf right: [UInt16]) -> [Int] {
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

extension SearchTier.Match {
    /// One match of each kind, with the default options.
    package static let allKinds: [SearchTier.Match] = [
        .exact, .prefix, .initials(), .words(), .joined, .infix, .typo(),
    ]
    /// All matches, also across values.
    package static let allMatches = allKinds + [.wholeWords, .wordsAcrossValues(), .typo(otherFields: [])]
}
