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
        for position in person.indices where person.areNames[position] == (self != .details) && values.count < limit {
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
        var known: (match: WordMatch, value: FieldValue)?
        return hit.matches.flatMap { match -> [MatchLocation] in
            if known?.match.field != match.field || known?.match.value != match.value {
                // Folding takes most of the time; only the texts up to the match are folded.
                let values = PersonField(rawValue: match.field)?.values(&person, limit: match.value + 1) ?? []
                known = values.indices.contains(match.value) ? (match, values[match.value]) : nil
            }
            guard let value = known?.value else { return [] }
            return locations(of: match, in: value) { person.indices.contains($0) ? person.text($0) : nil }
        }
    }
}
