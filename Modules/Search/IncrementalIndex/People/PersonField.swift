import SwitchboardKeypad
public import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The fields of an index of people, and what of a person stands in each.
public enum PersonField: Int, Sendable, CaseIterable {
    /// Names as keys. (The family name first is the same words in another order.)
    case keypadNames
    /// The writings of every number.
    case numbers
    /// Names as letters.
    case names
    /// What else is said about somebody: e-mail addresses, notes.
    case details

    /// What the index keeps for the field.
    public var options: FieldOptions {
        switch self {
        case .keypadNames, .names: [.wordSuffixes, .initials, .infix, .typos]
        case .details: [.wordSuffixes, .allTerms, .infix, .typos]
        case .numbers: [.wordSuffixes, .infixByDocument]
        }
    }

    /// The values of a person in this field, in order.
    public func values(_ person: PersonTexts) -> [FieldValue] {
        switch self {
        case .keypadNames:
            texts(person, names: true).compactMap { position in
                FieldValue(text: position, person.texts[position]) { word in
                    let keys = keypadSpellings(of: word)
                    return (keys.map { $0.digits.map(UInt16.init) }, keys.map(\.spelling))
                }
            }
        case .names: texts(person, names: true).compactMap { FieldValue(text: $0, person.texts[$0]) }
        case .details: texts(person, names: false).compactMap { FieldValue(text: $0, person.texts[$0]) }
        case .numbers:
            person.numbers.enumerated().compactMap { position, writings in
                writings.isEmpty ? nil : FieldValue(number: position, writings: writings)
            }
        }
    }

    private func texts(_ person: PersonTexts, names: Bool) -> [Int] {
        person.texts.indices.filter { person.areNames.indices.contains($0) && person.areNames[$0] == names }
    }
}

extension IndexBuilder {
    /// Adds all values of a person to the document that was begun.
    public mutating func add(_ person: PersonTexts) {
        for field in PersonField.allCases {
            for value in field.values(person) { add(value, field: field.rawValue) }
        }
    }
}

extension MatchLocation {
    /// The places of a hit in what a person is found by.
    public static func places(of hit: SearchHit, in person: PersonTexts) -> [MatchLocation] {
        places(of: hit, in: person.texts) { PersonField(rawValue: $0)?.values(person) ?? [] }
    }
}
