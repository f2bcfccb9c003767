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
        switch self {
        case .keypadNames:
            texts(person, names: true).compactMap { FieldValue(text: $0, person.texts[$0], as: .keys) }
        case .names: texts(person, names: true).compactMap { FieldValue(text: $0, person.texts[$0]) }
        case .details: texts(person, names: false).compactMap { FieldValue(text: $0, person.texts[$0]) }
        case .numbers:
            person.numbers.enumerated().compactMap { position, formats in
                formats.isEmpty ? nil : FieldValue(number: position, formats: formats)
            }
        }
    }

    private func texts(_ person: PersonTexts, names: Bool) -> [Int] {
        person.texts.indices.filter { person.areNames.indices.contains($0) && person.areNames[$0] == names }
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
        locations(of: hit, in: person.texts) { PersonField(rawValue: $0)?.values(person) ?? [] }
    }
}
