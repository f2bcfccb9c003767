import Foundation
import GRDB
import LookupEngine
import TextFolding

/// Turns hits of the index into prospects with the ranges to highlight.
enum ProspectHighlighter {
    /// The prospects of hits, in their order. One that is no more is left out.
    static func prospectHits(_ hits: [LookupHit], in db: Database) throws -> [ProspectHit] {
        let prospects = try ProspectRows.prospects(hits.map(\.id), in: db)
        return try hits.compactMap { hit in
            guard let prospect = prospects[hit.id] else { return nil }
            let match = AnswerMatch(hit.kind)
            guard !hit.matches.isEmpty,
                let row = try Row.fetchOne(
                    db, sql: "SELECT tokens, numbers FROM prospect_search WHERE prospect = ?", arguments: [hit.id]),
                let tokens = ProspectTokens.readable(row[0], of: { prospect })
            else { return ProspectHit(prospect: prospect, match: match, highlights: [:]) }
            let ranges = highlights(hit, prospect, tokens, ProspectIndex.numbers(row[1]))
            return ProspectHit(prospect: prospect, match: match, highlights: ranges)
        }
    }

    private static func highlights(
        _ hit: LookupHit, _ prospect: Prospect, _ tokens: ProspectTokens, _ numbers: [String]
    ) -> [String: [Range<Int>]] {
        var ranges: [String: [Range<Int>]] = [:]
        for match in hit.matches {
            let fields = ProspectLane(rawValue: match.lane)?.fields(tokens, numbers) ?? []
            guard fields.indices.contains(match.field) else { continue }
            let field = fields[match.field]
            guard field.words.indices.contains(match.word) else { continue }
            let word = field.words[match.word]
            guard word.origins.indices.contains(match.spelling) else { continue }
            let origin = word.origins[match.spelling]
            switch field.source {
            case .number:
                guard numbers.indices.contains(origin) else { continue }
                ranges["phone", default: []] += digits(match.letters, of: numbers[origin], in: prospect.phone)
            case .text(let entry):
                guard tokens.entries.indices.contains(entry) else { continue }
                let text = tokens.entries[entry]
                guard text.text.words.indices.contains(word.word),
                    text.text.words[word.word].spellings.indices.contains(origin)
                else { continue }
                let spelling = text.text.words[word.word].spellings[origin]
                ranges[text.field.key, default: []].append(spelling.source(of: match.letters))
            }
        }
        return ranges.mapValues(merged)
    }

    /// The scalars of a number, as stored, from the first to the last digit that matched.
    ///
    /// A writing and the text share their last digits, so both are counted from the end; what the text does not show (a country
    /// code left out) marks nothing.
    private static func digits(_ letters: Range<Int>, of writing: String, in text: String) -> [Range<Int>] {
        var places: [Int] = []
        for (position, scalar) in text.unicodeScalars.enumerated()
        where scalar.properties.numericType == .decimal || (scalar == "+" && places.isEmpty) {
            places.append(position)
        }
        let offset = places.count - writing.utf16.count
        let shown = letters.map { $0 + offset }.filter { places.indices.contains($0) }
        guard let first = shown.first, let last = shown.last else { return [] }
        return [places[first]..<(places[last] + 1)]
    }

    /// Sorted, without overlaps, touching ones as one.
    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
