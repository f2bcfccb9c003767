import SwitchboardKeypad
public import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The lanes of an index of people, and what of a person stands in each.
public enum PersonLane: Int, Sendable, CaseIterable {
    /// Names as keys. (The family name first is the same words in another order.)
    case keypadNames
    /// The writings of every number.
    case numbers
    /// Names as letters.
    case names
    /// What else is said about somebody: e-mail addresses, notes.
    case details

    /// What the index keeps for the lane.
    public var options: LaneOptions {
        switch self {
        case .keypadNames, .names: [.runs, .starts, .infix, .typos]
        case .details: [.runs, .typedWords, .infix, .typos]
        case .numbers: [.runs, .infixByRecord]
        }
    }

    /// The fields of a person in this lane, in order.
    public func fields(_ person: PersonTexts) -> [LaneField] {
        switch self {
        case .keypadNames:
            texts(person, names: true).compactMap { position in
                LaneField(text: position, person.texts[position]) { word in
                    let keys = keypadSpellings(of: word)
                    return (keys.map { $0.digits.map(UInt16.init) }, keys.map(\.spelling))
                }
            }
        case .names: texts(person, names: true).compactMap { LaneField(text: $0, person.texts[$0]) }
        case .details: texts(person, names: false).compactMap { LaneField(text: $0, person.texts[$0]) }
        case .numbers:
            person.numbers.enumerated().compactMap { position, writings in
                writings.isEmpty ? nil : LaneField(number: position, writings: writings)
            }
        }
    }

    private func texts(_ person: PersonTexts, names: Bool) -> [Int] {
        person.texts.indices.filter { person.areNames.indices.contains($0) && person.areNames[$0] == names }
    }
}

extension IndexBuilder {
    /// Adds all fields of a person to the record that was begun.
    public mutating func add(_ person: PersonTexts) {
        for lane in PersonLane.allCases {
            for field in lane.fields(person) { add(field, lane: lane.rawValue) }
        }
    }
}

extension MatchPlace {
    /// The places of a hit in what a person is found by.
    public static func places(of hit: LookupHit, in person: PersonTexts) -> [MatchPlace] {
        places(of: hit, in: person.texts) { PersonLane(rawValue: $0)?.fields(person) ?? [] }
    }
}
