import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// Computes the highlights of a row: the matched letters where they are displayed.
struct Highlighting {
    let candidate: Candidate
    let row: DisplayRow
    let session: SearchSession

    /// Returns the row with its highlights. A matched name that is not displayed is appended to the subtitle.
    ///
    /// - Parameters:
    ///   - stage: The stage that found the row.
    ///   - place: The name of the place that the airport of the row is near, in the language of the row.
    func hit(stage: Int, near place: String? = nil) -> AirportHit {
        var hit = AirportHit(
            airport: row.airport, airports: row.airports, title: row.title, subtitle: row.subtitle,
            match: candidate.match, edits: candidate.edits, isWeak: candidate.isWeak, stage: stage,
            highlights: [:])
        switch candidate.nameClass {
        case .code: markCode(&hit)
        case .words:
            if let place { append(place, to: &hit) }
            markWords(&hit)
        case .main, .own, .tail, .colloquial, .foreign, .country, .place: markName(&hit, near: place)
        }
        return hit
    }

    private func markName(_ hit: inout AirportHit, near place: String?) {
        let matches = session.matches(of: candidate)
        guard let match = matches.first,
            let name = row.value(
                match.value, candidate.nameClass, field: candidate.field, isPopular: !candidate.isUncommon)
        else { return }
        if place == nil, let shown = name.place {
            hit.highlights = [shown.key: name.ranges(of: matches, from: shown.offset)]
        } else if candidate.field != SearchField.initials {
            let text = place.map { $0 == name.name ? $0 : "\($0) (\(name.name))" } ?? name.name
            let start = append(text, to: &hit) + (DisplayPlace.offset(of: name.name, in: text) ?? 0)
            hit.highlights = ["subtitle": name.ranges(of: matches, from: start)]
        }
    }

    /// Appends a text to the subtitle, and returns its offset there.
    @discardableResult
    private func append(_ text: String, to hit: inout AirportHit) -> Int {
        if !hit.subtitle.isEmpty { hit.subtitle += " · " }
        defer { hit.subtitle += text }
        return hit.subtitle.unicodeScalars.count
    }

    // MARK: - Codes and words

    private func markCode(_ hit: inout AirportHit) {
        let match = session.matches(of: candidate).first
        let length = match?.letters.count ?? row.airport.code.count
        let isICAO = match?.value == 1
        hit.highlights[isICAO ? "icao" : "code"] = [0..<length]
    }

    /// Highlights each typed word in the displayed word with the nearest prefix; the title takes precedence.
    private func markWords(_ hit: inout AirportHit) {
        let folded = row.foldedTexts
        let subtitle = hit.subtitle == row.subtitle ? folded.subtitle : SearchField.fold(hit.subtitle)
        let texts = [(key: "title", words: folded.title), (key: "subtitle", words: subtitle)]
        let query = session.context(of: candidate).query
        let fuzziness = hit.match == .typo ? query.fuzziness : Fuzziness(one: .max, two: nil)
        var ranges: [String: [Range<Int>]] = [:]
        var used: [(text: Int, word: Int)] = []
        for typed in query.words {
            let letters = typed.spellings[0].letters
            let maxEdits = fuzziness.edits(letters: letters.count)
            var best: (edits: Int, text: Int, word: Int, range: Range<Int>)?
            for (text, (_, words)) in texts.enumerated() {
                for (number, word) in words.enumerated() where !used.contains(where: { $0 == (text, number) }) {
                    for spelling in word.spellings {
                        let near = Self.nearestPrefix(of: spelling.letters, to: letters, maxEdits: maxEdits)
                        if let near, near.edits < best?.edits ?? .max {
                            best = (near.edits, text, number, spelling.source(of: 0..<near.length))
                        }
                    }
                }
            }
            if let best {
                used.append((best.text, best.word))
                ranges[texts[best.text].key, default: []].append(best.range)
            }
        }
        hit.highlights = ranges.mapValues(HighlightRanges.merged)
    }

    /// Returns the length of the prefix of a word with the smallest edit distance to the typed text, or nil if that is too
    /// large. O(typed · word), without edits O(typed).
    private static func nearestPrefix(
        of word: [UInt16], to typed: [UInt16], maxEdits: Int
    ) -> (edits: Int, length: Int)? {
        if word.starts(with: typed) { return (0, typed.count) }
        if maxEdits == 0 { return nil }
        var best = (edits: typed.count, length: 0)
        EditDistance.forEachPrefix(of: word.prefix(typed.count + 3), near: typed[...]) { length, edits in
            if edits < best.edits || (edits == best.edits && length <= typed.count) { best = (edits, length) }
            return true
        }
        return best.edits <= maxEdits ? best : nil
    }
}
