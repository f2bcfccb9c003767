import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardSearchEngine
import SwitchboardSearchableIndex

extension SearchResponse {
    /// Returns the response with the ``SearchResult/evidence`` of each result.
    public func explained() -> SearchResponse {
        var response = self
        for index in response.results.indices {
            response.results[index].evidence = response.results[index].reasons
        }
        return response
    }
}

extension SearchResult {
    /// The reasons for the match and the rank, strongest first.
    fileprivate var reasons: [String] {
        var reasons: [String] = []
        if let choiceWeight {
            reasons.append("chosen for such queries, weight \((choiceWeight * 100).rounded() / 100)")
        }
        if let match { reasons.append(description(of: match)) }
        if !highlights.isEmpty { reasons.append("in \(highlights.keys.sorted().joined(separator: ", "))") }
        if let ranges = highlights["name"] ?? highlights["title"] {
            let letters = ranges.reduce(0) { $0 + $1.count }
            reasons.append("\(letters) of \(title.unicodeScalars.count) letters")
        }
        if isWeak { reasons.append("weak") }
        if let stage { reasons.append("stage \(stage)") }
        switch object {
        case .contact(let contact):
            if contact.isFavourite { reasons.append("favourite") }
            if contact.callCount > 0 { reasons.append("called \(contact.callCount)×") }
        case .prospect(let prospect): if prospect.isContacted { reasons.append("contacted") }
        case .airport(let airport, _):
            reasons.append("popularity \((airport.popularity * 100).rounded() / 100)")
            if let distance = airport.distance { reasons.append("\(Int(distance.rounded())) km") }
        case .item(let item, _): if item.useCount > 0 { reasons.append("opened \(item.useCount)×") }
        }
        return reasons
    }

    private func description(of match: ResultMatch) -> String {
        switch match {
        case .exact: "the whole text"
        case .prefix: "a beginning"
        case .initials: "beginnings of words"
        case .words: "words in any order"
        case .infix: "inside a word"
        case .typo where edits == 0: "similar"
        case .typo:
            // A wrong first letter counts as half an edit.
            "\(Int(edits)) \(edits < 2 ? "edit" : "edits")\(edits == edits.rounded() ? "" : ", also the first letter")"
        case .layout: "another keyboard layout"
        case .code: "a code"
        case .nearby: "near a match"
        }
    }
}
