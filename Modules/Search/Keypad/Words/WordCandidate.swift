import Foundation

/// A word that keys may mean.
public struct WordCandidate: Sendable, Hashable {
    /// The word as it is written.
    public var text: String
    /// Its share in running text, from 0 to 1, as far as the list knows it.
    public var frequency: Double
    /// Whether the keys spell all of it, rather than its beginning.
    public var isWhole: Bool
    /// Whether it was chosen or added before.
    public var isLearned: Bool

    /// A candidate; see the properties.
    public init(text: String, frequency: Double = 0, isWhole: Bool, isLearned: Bool = false) {
        self.text = text
        self.frequency = frequency
        self.isWhole = isWhole
        self.isLearned = isLearned
    }

    /// The share in running text that a cost of a list stands for, to three digits as the source has them.
    static func frequency(cost: UInt16) -> Double {
        // No word is rarer; what a damaged list says stays finite.
        let cost = min(Double(cost), 2_000)
        let exact = pow(10, -cost / 100)
        let digits = pow(10, 3 + (cost / 100).rounded(.down))
        return (exact * digits).rounded() / digits
    }
}

extension WordCandidate {
    /// The candidates of several sources in the order in which they are offered, each once, those that are spelt whole before those
    /// that go on: among these what followed the word before, then what was learnt, then what the list has, then names. A name that
    /// goes on comes before the words of the list that do.
    ///
    /// - Parameters:
    ///   - following: what was typed after the word before, the most likely first.
    ///   - learned: what was chosen or added, the most likely first.
    ///   - listed: what the list has, the most frequent first.
    ///   - names: names of people, the most likely first.
    ///   - limit: how many at most; 0 for all.
    /// - Complexity: O(*n*) in all of them.
    public static func merged(
        following: [WordCandidate], learned: [WordCandidate], listed: [WordCandidate], names: [WordCandidate],
        limit: Int
    ) -> [WordCandidate] {
        if following.isEmpty, learned.isEmpty, names.isEmpty {
            return limit == 0 ? listed : Array(listed.prefix(limit))
        }
        let whole = [following, learned, listed, names].flatMap { $0.filter(\.isWhole) }
        let longer = [following, learned, names, listed].flatMap { $0.filter { !$0.isWhole } }
        let learnedTexts = Set(learned.map(\.text))
        let frequencies = Dictionary(listed.map { ($0.text, $0.frequency) }) { first, _ in first }
        var seen: Set<String> = []
        var result: [WordCandidate] = []
        for candidate in whole + longer where limit == 0 || result.count < limit {
            guard seen.insert(candidate.text).inserted else { continue }
            var candidate = candidate
            candidate.isLearned = learnedTexts.contains(candidate.text)
            if let frequency = frequencies[candidate.text] { candidate.frequency = frequency }
            result.append(candidate)
        }
        return result
    }
}
