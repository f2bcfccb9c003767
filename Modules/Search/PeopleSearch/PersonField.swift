public import SwitchboardIncrementalIndex
import SwitchboardKeypad
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
        if self == .numbers { return person.numbers.enumerated().compactMap { Self.value($1, at: $0) } }
        var person = person
        return person.positions(in: self).compactMap { value(at: $0, in: &person) }
    }

    private static func value(_ formats: [String], at position: Int) -> FieldValue? {
        formats.isEmpty ? nil : FieldValue(number: position, formats: formats)
    }

    /// Returns the value of the text at a position, or nil if it has no words.
    fileprivate func value(at position: Int, in person: inout PersonTexts) -> FieldValue? {
        FieldValue(text: position, person.text(position), as: self == .keypadNames ? .keys : .letters)
    }

    /// Returns the position of a value's text, along with its words if they need no folding, or else with the value.
    /// Folding dominates highlighting.
    fileprivate func source(ofValue number: Int, in person: inout PersonTexts) -> Source? {
        var left = number
        for position in person.positions(in: self) {
            let words = plainWords(position, of: person)
            let value = words == nil ? value(at: position, in: &person) : nil
            guard value != nil || words?.isEmpty == false else { continue }
            if left == 0 { return Source(position: position, words: words, value: value) }
            left -= 1
        }
        return nil
    }

    /// The text of a value.
    fileprivate struct Source {
        let position: Int
        let words: PlainWords?
        var value: FieldValue?
    }

    /// Returns the words of the text at a position if their first spellings in this field are their letters.
    private func plainWords(_ position: Int, of person: PersonTexts) -> PlainWords? {
        guard let words = person.plainWords(position) else { return nil }
        // Other letters may have no keys.
        if self != .keypadNames || words.isLatin { return words }
        return words.allLetters { KeypadLayout.key(for: UInt16(truncatingIfNeeded: $0)) != nil } ? words : nil
    }
}

extension PersonTexts {
    /// The values of all fields of an index of people.
    package var values: [(field: Int, value: FieldValue)] {
        PersonField.allCases.flatMap { field in field.values(self).map { (field.rawValue, $0) } }
    }
}

extension IndexBuilder {
    /// Adds all values of a person to the current document.
    public mutating func add(_ person: PersonTexts) {
        for (field, value) in person.values { add(value, field: field) }
    }
}

extension MatchLocation {
    /// Returns the locations of a hit in the texts and numbers of a person.
    public static func locations(of hit: SearchHit, in person: PersonTexts) -> [MatchLocation] {
        var person = person
        var locations: [MatchLocation] = []
        locations.reserveCapacity(hit.matches.count)
        var known: (match: WordMatch, source: PersonField.Source)?
        for match in hit.matches {
            guard let field = PersonField(rawValue: match.field) else { continue }
            if field == .numbers {
                guard let value = field.values(person).dropFirst(match.value).first else { continue }
                locations += Self.locations(of: match, in: value) { _ in nil }
                continue
            }
            if known?.match.field != match.field || known?.match.value != match.value {
                known = field.source(ofValue: match.value, in: &person).map { (match, $0) }
            }
            guard let source = known?.source else { continue }
            if let range = source.words?.range(of: match, inWord: match.word) {
                locations.append(.text(source.position, range))
                continue
            }
            let value = source.value ?? field.value(at: source.position, in: &person)
            known?.source.value = value
            guard let value else { continue }
            locations += Self.locations(of: match, in: value) { person.text($0) }
        }
        return locations
    }
}
