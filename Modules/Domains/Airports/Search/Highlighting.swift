import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// Computes the highlights of a row: the matched letters where they are displayed.
struct Highlighting {
    let candidate: Candidate
    let row: DisplayRow

    init(_ candidate: Candidate, _ row: DisplayRow) {
        self.candidate = candidate
        self.row = row
    }

    /// Returns the row with its highlights. A matched name that is not displayed is appended to the subtitle.
    func hit(stage: Int) -> AirportHit {
        var hit = AirportHit(
            airport: row.airport, airports: row.airports, title: row.title, subtitle: row.subtitle,
            match: candidate.match, stage: stage, highlights: [:])
        switch candidate.nameClass {
        case .code: markCode(&hit)
        case .words: markWords(&hit)
        case .main, .own, .tail, .colloquial, .foreign, .country, .place:
            if candidate.hit?.field == SearchField.initials { markInitials(&hit) } else { markName(&hit) }
        }
        return hit
    }

    func nearby(_ place: City, stage: Int, language: String) -> AirportHit {
        var hit = AirportHit(
            airport: row.airport, airports: [], title: row.title, subtitle: row.subtitle, match: candidate.match,
            stage: stage, highlights: [:])
        let title = place.title(in: language)
        if candidate.nameClass == .words {
            hit.subtitle += (hit.subtitle.isEmpty ? "" : " · ") + title
            markWords(&hit)
            return hit
        }
        guard let (name, _, ranges) = matched() else { return hit }
        append(name == title ? title : "\(title) (\(name))", name: name, ranges, to: &hit)
        return hit
    }

    // MARK: - Names

    /// Returns the matched name, where it is displayed, and the matched scalars in it.
    private func matched() -> (name: String, place: DisplayName.Place?, ranges: [Range<Int>])? {
        guard let found = candidate.hit, let match = candidate.matches.first else { return nil }
        if match.spelling == 0, let (known, start) = shownName(found, match) {
            let ranges = JoinedName.source(of: match.letters, in: known.words[start...])
            return (known.name, known.place, HighlightRanges.merged(ranges))
        }
        let isPopular = candidate.subjects.extent == .popular
        // The matched names of a nearby row are those of the place, not of the airport.
        var names = row.names
        if names == nil, let own = candidate.subjects.names(of: candidate.subject) { names = SharedNames(own) }
        let value = names?.value(
            match.value, candidate.nameClass, field: found.field, isPopular: isPopular, title: row.title,
            subtitle: row.subtitle)
        return value.map { value in
            let ranges = value.joined.source(spelling: match.spelling, letters: match.letters)
            return (value.name, value.place, HighlightRanges.merged(ranges))
        }
    }

    /// Returns the name of a value among the folded names of the row, and its first matched word.
    private func shownName(_ found: SearchHit, _ match: WordMatch) -> (DisplayName, Int)? {
        let all: [DisplayName]
        switch (found.field, candidate.nameClass) {
        case (SearchField.names, .main), (SearchField.names, .tail): all = row.main
        case (SearchField.names, .own): all = row.own
        case (SearchField.firstLanguage..., .main), (SearchField.firstLanguage..., .tail): all = row.inLanguage
        default: return nil
        }
        if candidate.nameClass != .tail { return all.indices.contains(match.value) ? (all[match.value], 0) : nil }
        var value = match.value
        for name in all {
            let count = max(name.words.count - 1, 0)
            if value < count { return (name, value + 1) }
            value -= count
        }
        return nil
    }

    private func markName(_ hit: inout AirportHit) {
        guard let (name, place, ranges) = matched() else { return }
        if let place {
            hit.highlights[place.key] = ranges.map { $0.lowerBound + place.offset..<$0.upperBound + place.offset }
        } else {
            append(name, name: name, ranges, to: &hit)
        }
    }

    private func append(_ text: String, name: String, _ ranges: [Range<Int>], to hit: inout AirportHit) {
        if !hit.subtitle.isEmpty { hit.subtitle += " · " }
        let start = hit.subtitle.unicodeScalars.count + (DisplayName.offset(of: name, in: text) ?? 0)
        hit.subtitle += text
        hit.highlights["subtitle"] = ranges.map { $0.lowerBound + start..<$0.upperBound + start }
    }

    // MARK: - Codes and words

    private func markCode(_ hit: inout AirportHit) {
        let match = candidate.matches.first
        let length = match?.letters.count ?? row.airport.code.count
        let isICAO = match?.value == 1
        hit.highlights[isICAO ? "icao" : "code"] = [0..<length]
    }

    /// Highlights each typed word in the displayed word with the nearest prefix; the title takes precedence.
    private func markWords(_ hit: inout AirportHit) {
        let subtitle = hit.subtitle == row.subtitle ? row.foldedSubtitle : SearchField.fold(hit.subtitle)
        let texts = [("title", row.foldedTitle), ("subtitle", subtitle)]
        let fuzziness = hit.match == .typo ? candidate.query.fuzziness : Fuzziness(one: .max, two: nil)
        var ranges: [String: [Range<Int>]] = [:]
        var used: Set<String> = []
        for typed in candidate.query.words {
            let letters = typed.spellings[0].letters
            var best: (edits: Int, key: String, id: String, range: Range<Int>)?
            for (key, words) in texts {
                for (number, word) in words.enumerated() where !used.contains("\(key)\(number)") {
                    for spelling in word.spellings {
                        let near = NearestPrefix(of: spelling.letters, nearest: letters)
                        if near.edits <= fuzziness.edits(letters: letters.count), near.edits < best?.edits ?? .max {
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
        hit.highlights = ranges.mapValues(HighlightRanges.merged)
    }

    private func markInitials(_ hit: inout AirportHit) {
        let values = row.main.filter { $0.words.count > 1 }
        let matches = candidate.matches
        guard let value = matches.first?.value, values.indices.contains(value) else { return }
        let words = values[value].words
        let ranges = matches.compactMap { match -> Range<Int>? in
            guard words.indices.contains(match.word), words[match.word].spellings.indices.contains(match.spelling)
            else { return nil }
            return words[match.word].spellings[match.spelling].source(of: match.letters)
        }
        guard let place = values[value].place else { return }
        hit.highlights[place.key] = HighlightRanges.merged(
            ranges.map { $0.lowerBound + place.offset..<$0.upperBound + place.offset })
    }
}
