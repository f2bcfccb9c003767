package import SwitchboardKeypad
package import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The spelling of a query, which tells equal matches apart: `Ana` and `Ána`, `müller` and `muller`, `c#` and `c++`, `*43#` and
/// `43`.
///
/// Searches compare folded letters and digits. Among matches of one kind, those whose text is the typed one come first; a
/// whole name that was typed comes before all other matches. If the query has more than plain letters (marks, signs,
/// variants of a character, as in `müller`), a beginning of the words suffices.
package struct TypedSpelling {
    /// The number of hits that are compared at first, and of equal ones at most, with plain letters and with others.
    private static let (fewest, most, mostDistinctive) = (10, 80, 1_280)
    /// The maximum number of digits of a short code, which many numbers of other codes have, too.
    private static let longestCode = 6

    private let text: String
    /// The typed words in lower case if they have more than plain letters.
    private let words: [String]
    private let number: String
    /// `true` if few of many equal matches may have the spelling, so that more of them are compared.
    private let isDistinctive: Bool

    /// Returns whether a match of a kind may have the spelling. A text of plain letters is only compared as a whole.
    fileprivate func mayFit(_ match: ResultMatch) -> Bool { !words.isEmpty || match == .exact }

    /// - Returns: nil for an empty query.
    private init?(_ input: SearchInput) {
        guard let first = input.text.firstIndex(where: { !$0.isWhitespace }),
            let last = input.text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        text = String(input.text[first...last])
        number = Self.number(text)
        words = input.keys == nil && Self.isMarked(text) ? Self.words(of: text) : []
        let isCode = number.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2A, 0x23].contains($0) }
        isDistinctive = !words.isEmpty || (isCode && number.utf8.count <= Self.longestCode)
    }

    /// Returns whether a text has more than the letters by which it is searched. Ideographs are searched in each of their
    /// forms.
    private static func isMarked(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x20 }) {
            return false
        }
        if text.unicodeScalars.contains(where: \.properties.isIdeographic) { return true }
        return words(of: text).flatMap { Array($0.utf16) }
            != FoldedQuery(text).words.flatMap { $0.spellings.first?.letters ?? [] }
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns a number without its separators.
    private static func number(_ text: String) -> String { text.filter { !" -.()/\u{A0}".contains($0) } }

    /// The keys of names in highlights.
    private static let names: Set = [
        "name", "nickname", "phoneticName", "organization", "title", "displayName",
    ]

    /// How a matched text is spelled, best first.
    fileprivate enum Fit: Int, Comparable {
        case identicalName, wholeName, asTyped, otherwise

        static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
    }

    /// Returns how a matched text with a key in highlights is spelled. Swift compares canonically equivalent texts as
    /// equal.
    fileprivate func fit(_ shown: String, key: String) -> Fit {
        if key.hasPrefix("phone") { return Self.number(shown) == number ? .asTyped : .otherwise }
        if Self.names.contains(key) {
            if shown == text { return .identicalName }
            if words.isEmpty, shown.lowercased() == text.lowercased() { return .wholeName }
        }
        if words.isEmpty { return shown == text ? .asTyped : .otherwise }
        let known = Self.words(of: shown)
        return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } } ? .asTyped : .otherwise
    }
}

/// A hit whose text is compared with the typed one.
package protocol SpelledHit: Sendable {
    var match: ResultMatch { get }
    var edits: Double { get }
    var highlights: [String: [Range<Int>]] { get }
}

extension TypedSpelling {
    /// Returns the hits of a search, among equal matches those with the typed spelling first.
    ///
    /// The same hits are compared for every limit, so that the pages of a list neither repeat nor miss one: the first ten,
    /// and if these are equal, more of their group of tiers.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - texts: Returns the texts of a hit with a key in its highlights.
    ///   - search: Searches for a number of hits, in the tiers up to the group of a tier, and returns also their documents.
    ///     The first hits that were chosen for the query before keep their places.
    package static func preferring<Hit: SpelledHit>(
        _ input: SearchInput, limit: Int, texts: (String, Hit) -> [String],
        search: (Int, _ tier: Int?) throws -> (results: SearchResults<Hit>, chosen: Int, documents: [SearchHit])
    ) rethrows -> SearchResults<Hit> {
        guard let spelling = TypedSpelling(input) else { return try search(limit, nil).results }
        var (count, wanted) = (fewest, limit == 0 ? 0 : max(limit, fewest))
        var (found, chosen, documents) = try search(wanted, nil)
        let last = documents.prefix(fewest).last
        while true {
            let group = documents.prefix { $0.group <= last?.group ?? 0 }.count
            let compared = found.hits.prefix(min(count, group))
            let order = spelling.order(of: compared.dropFirst(chosen), texts: texts)
            let match = compared.first?.match
            let isRare = spelling.isDistinctive && order == nil
            let most = match.map(spelling.mayFit) != true ? 0 : isRare ? mostDistinctive : most
            // Hits that are spelled as typed may be ranked lower.
            if count < most, compared.count == count, compared.last?.match == match {
                count = min(count * 8, most)
                if group == wanted, wanted < count {
                    wanted = count
                    (found, chosen, documents) = try search(wanted, last?.tier)
                }
                continue
            }
            if let order { found.hits.replaceSubrange(chosen..<compared.count, with: order.map { found.hits[$0] }) }
            if limit > 0 { found.hits.removeLast(max(0, found.hits.count - limit)) }
            return found
        }
    }

    /// Returns the positions of hits, among equal ones those with the typed spelling first; nil if there are none.
    private func order<Hit: SpelledHit>(
        of hits: ArraySlice<Hit>, texts: (String, Hit) -> [String]
    ) -> [Int]? {
        guard hits.contains(where: { mayFit($0.match) }) else { return nil }
        // The number of the run of equal hits, and the spelling.
        var ranks: [(run: Int, fit: Fit)] = []
        var previous = hits.first
        for hit in hits {
            let isEqual = previous?.match == hit.match && previous?.edits == hit.edits
            var best = Fit.otherwise
            for key in mayFit(hit.match) ? Array(hit.highlights.keys) : [] {
                for text in texts(key, hit) { best = min(best, fit(text, key: key)) }
            }
            ranks.append(((ranks.last?.run ?? 0) + (isEqual ? 0 : 1), best))
            previous = hit
        }
        guard ranks.contains(where: { $0.fit != .otherwise }) else { return nil }
        let order = ranks.indices.sorted { one, other in
            let isWhole = (ranks[one].fit <= .wholeName, ranks[other].fit <= .wholeName)
            if isWhole.0 != isWhole.1 { return isWhole.0 }
            return (ranks[one].run, ranks[one].fit, one) < (ranks[other].run, ranks[other].fit, other)
        }
        return order.map { $0 + hits.startIndex }
    }
}
