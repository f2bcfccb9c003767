public import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The fields of an index of people, with the values of a person in each.
public enum PersonField: Int, Sendable, CaseIterable {
    /// Names as keypad keys.
    case keypadNames
    /// All numbers in all their formats.
    case numbers
    /// Names as letters.
    case names
    /// Other texts: e-mail addresses, notes.
    case details

    /// The structures that the index contains for the field.
    public var options: FieldOptions {
        switch self {
        case .keypadNames, .names: [.wordSuffixes, .initials, .infix, .typos]
        case .details: [.wordSuffixes, .allTerms, .infix, .typos]
        case .numbers: [.wordSuffixes, .infixByDocument]
        }
    }

    /// Returns the values of a person in this field, in order.
    public func values(_ person: PersonTexts) -> [FieldValue] {
        var person = person
        return values(&person, limit: .max)
    }

    /// Returns the first values of a person in this field.
    func values(_ person: inout PersonTexts, limit: Int) -> [FieldValue] {
        var values: [FieldValue] = []
        if self == .numbers {
            for (position, formats) in person.numbers.enumerated() where !formats.isEmpty && values.count < limit {
                values.append(FieldValue(number: position, formats: formats))
            }
            return values
        }
        for position in person.indices where person.isName(position) == (self != .details) && values.count < limit {
            let text = person.text(position)
            if let value = FieldValue(text: position, text, as: self == .keypadNames ? .keys : .letters) {
                values.append(value)
            }
        }
        return values
    }
}

extension IndexBuilder {
    /// Adds all values of a person to the current document.
    public mutating func add(_ person: PersonTexts) {
        for field in PersonField.allCases {
            for value in field.values(person) { add(value, field: field.rawValue) }
        }
    }
}

extension MatchLocation {
    /// Returns the locations of a hit in the texts and numbers of a person.
    public static func locations(of hit: SearchHit, in person: PersonTexts) -> [MatchLocation] {
        var person = person
        var locations: [MatchLocation] = []
        locations.reserveCapacity(hit.matches.count)
        var known: (match: WordMatch, value: FieldValue)?
        for match in hit.matches {
            guard let field = PersonField(rawValue: match.field) else { continue }
            // Most names are plain; folding a text takes most of the time of a highlight.
            if let location = person.plainLocation(of: match, in: field) {
                locations.append(location)
                continue
            }
            if known?.match.field != match.field || known?.match.value != match.value {
                // Only the texts up to the match are folded.
                let values = field.values(&person, limit: match.value + 1)
                known = values.indices.contains(match.value) ? (match, values[match.value]) : nil
            }
            guard let value = known?.value else { continue }
            locations += Self.locations(of: match, in: value) { person.indices.contains($0) ? person.text($0) : nil }
        }
        return locations
    }
}

extension PersonTexts {
    /// Returns the location of a match in a text whose words, like those of the texts before it, need no folding; nil if
    /// there is no such text.
    fileprivate func plainLocation(of match: WordMatch, in field: PersonField) -> MatchLocation? {
        if field == .numbers { return nil }
        var value = 0
        for position in indices where isName(position) == (field != .details) {
            // Other letters may have no keys.
            guard let words = plainWords(position), field != .keypadNames || words.isLatin else { return nil }
            if words.isEmpty { continue }
            if value == match.value {
                return words.range(of: match, inWord: match.word).map { .text(position, $0) }
            }
            value += 1
        }
        return nil
    }
}
