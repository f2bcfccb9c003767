import LookupEngine
import TextFolding

/// Finds what to highlight in a row: the letters that matched, where they are shown.
struct Highlighting {
    let candidate: Candidate
    let row: ShownRow

    init(_ candidate: Candidate, _ row: ShownRow) {
        self.candidate = candidate
        self.row = row
    }

    /// The row with its highlights; a name that is not shown is put behind the subtitle.
    func hit(stage: Int) -> AirportHit {
        var hit = AirportHit(
            airport: row.airport, airports: row.airports, title: row.title, subtitle: row.subtitle,
            match: candidate.match, stage: stage, highlights: [:])
        switch candidate.nameClass {
        case .code: markCode(&hit)
        case .words: markWords(&hit)
        case .main, .own, .tail, .colloquial, .foreign, .country, .place:
            if candidate.hit?.lane == SearchLane.initials { markInitials(&hit) } else { markName(&hit) }
        }
        return hit
    }

    /// The row of an airport near a place.
    func nearby(_ place: City, stage: Int, language: String) -> AirportHit {
        var hit = AirportHit(
            airport: row.airport, airports: [], title: row.title, subtitle: row.subtitle, match: candidate.match,
            stage: stage, highlights: [:])
        let title = place.title(in: language)
        guard let (name, ranges) = matchedName() else { return hit }
        append(name == title ? title : "\(title) (\(name))", name: name, ranges, to: &hit)
        return hit
    }

    // MARK: - Names

    /// The name that matched and the scalars of it that did.
    private func matchedName() -> (String, [Range<Int>])? {
        guard let found = candidate.hit, let match = found.matches.first,
            let names = candidate.subjects.names(of: candidate.subject)
        else { return nil }
        var result: (String, [Range<Int>])?
        SearchLane.forEachField(
            of: names, candidate.nameClass, lane: found.lane, only: match.field, fold: SearchLane.fold
        ) { name, joined in
            let ranges = joined.source(spelling: match.spelling, letters: match.letters)
            result = (name, Highlighting.merged(ranges))
        }
        return result
    }

    private func markName(_ hit: inout AirportHit) {
        guard let (name, ranges) = matchedName() else { return }
        if let offset = Highlighting.offset(of: name, in: hit.title) {
            hit.highlights["title"] = ranges.map { $0.lowerBound + offset..<$0.upperBound + offset }
        } else if let offset = Highlighting.offset(of: name, in: hit.subtitle) {
            hit.highlights["subtitle"] = ranges.map { $0.lowerBound + offset..<$0.upperBound + offset }
        } else {
            append(name, name: name, ranges, to: &hit)
        }
    }

    private func append(_ text: String, name: String, _ ranges: [Range<Int>], to hit: inout AirportHit) {
        hit.subtitle += " · "
        let start = hit.subtitle.unicodeScalars.count + (Highlighting.offset(of: name, in: text) ?? 0)
        hit.subtitle += text
        hit.highlights["subtitle"] = ranges.map { $0.lowerBound + start..<$0.upperBound + start }
    }

    /// Where a name stands in a text as whole words, in scalars.
    static func offset(of name: String, in text: String) -> Int? {
        let name = Array(name.unicodeScalars)
        let text = Array(text.unicodeScalars)
        guard !name.isEmpty, name.count <= text.count else { return nil }
        return (0...(text.count - name.count)).first { start in
            let end = start + name.count
            return text[start..<end].elementsEqual(name)
                && (start == 0 || !text[start - 1].properties.isAlphabetic)
                && (end == text.count || !text[end].properties.isAlphabetic)
        }
    }

    // MARK: - Codes and words

    private func markCode(_ hit: inout AirportHit) {
        let length = candidate.hit?.matches.first?.letters.count ?? row.airport.code.count
        let isICAO = candidate.hit?.matches.first?.field == 1
        hit.highlights[isICAO ? "icao" : "code"] = [0..<length]
    }

    /// Each typed word where a shown word begins with it, or nearly so; the title first.
    private func markWords(_ hit: inout AirportHit) {
        let texts = [("title", FoldedText(hit.title).words), ("subtitle", FoldedText(hit.subtitle).words)]
        let allowance = hit.match == .typo ? candidate.query.typos : TypoAllowance(one: .max, two: nil)
        var ranges: [String: [Range<Int>]] = [:]
        var used: Set<String> = []
        for typed in candidate.query.words {
            let letters = typed.spellings[0].letters
            var best: (edits: Int, key: String, id: String, range: Range<Int>)?
            for (key, words) in texts {
                for (number, word) in words.enumerated() where !used.contains("\(key)\(number)") {
                    for spelling in word.spellings {
                        let near = Beginning(of: spelling.letters, nearest: letters)
                        if near.edits <= allowance.edits(letters: letters.count), near.edits < best?.edits ?? .max {
                            best = (near.edits, key, "\(key)\(number)", spelling.source(of: 0..<near.length))
                        }
                    }
                }
            }
            if let best {
                used.insert(best.id)
                ranges[best.key, default: []].append(best.range)
            }
        }
        hit.highlights = ranges.mapValues(Highlighting.merged)
    }

    private func markInitials(_ hit: inout AirportHit) {
        guard let found = candidate.hit, let names = candidate.subjects.names(of: candidate.subject) else { return }
        let fields = names.main.map { ($0, FoldedText($0).words) }.filter { $0.1.count > 1 }
        guard let field = found.matches.first?.field, fields.indices.contains(field) else { return }
        let (name, words) = fields[field]
        let ranges = found.matches.compactMap { match -> Range<Int>? in
            guard words.indices.contains(match.word), words[match.word].spellings.indices.contains(match.spelling)
            else { return nil }
            return words[match.word].spellings[match.spelling].source(of: match.letters)
        }
        for (key, text) in [("title", hit.title), ("subtitle", hit.subtitle)] {
            guard let offset = Highlighting.offset(of: name, in: text) else { continue }
            hit.highlights[key] = Highlighting.merged(
                ranges.map { $0.lowerBound + offset..<$0.upperBound + offset })
            return
        }
    }

    /// Sorted, without overlaps, touching ones as one.
    static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
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
