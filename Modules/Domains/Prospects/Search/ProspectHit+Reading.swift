import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

extension ProspectHit {
    /// Reads the prospects of hits with their highlights, in order. Prospects that no longer exist are skipped.
    static func reading(_ hits: [SearchHit], in db: Database) throws -> [ProspectHit] {
        let prospects = try ProspectRows.prospects(hits.map(\.id), in: db)
        return try hits.compactMap { hit in
            guard let prospect = prospects[hit.id] else { return nil }
            let match = ResultMatch(hit.kind)
            guard !hit.matches.isEmpty,
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT tokens, numbers FROM prospect_search WHERE prospect = ?"),
                    arguments: [hit.id]),
                let tokens = ProspectTokens.decoding(try row.value(0), of: { prospect })
            else { return ProspectHit(prospect: prospect, match: match, highlights: [:]) }
            let person = PersonTexts(tokens, numbers: try row.value(1))
            var ranges: [String: [Range<Int>]] = [:]
            for place in MatchLocation.locations(of: hit, in: person) {
                switch place {
                case .number(let position, let writing, let letters):
                    ranges["phone", default: []] += HighlightRanges.ofNumber(
                        letters, of: person.numbers[position][writing], in: prospect.phone)
                case .text(let position, let range):
                    ranges[tokens.entries[position].field.key, default: []].append(range)
                }
            }
            return ProspectHit(
                prospect: prospect, match: match, highlights: ranges.mapValues(HighlightRanges.merged))
        }
    }
}
