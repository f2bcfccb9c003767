/// The subject of an index document: an airport, a city, or a place without an airport.
///
/// Identified by its number in a list, so that an index can be opened without reading the subjects.
struct SearchSubject: Hashable, Sendable {
    enum Kind: Int64 {
        /// An airport of the popular list or the catalogue.
        case airport
        /// A city with several airports, by its record in the catalogue.
        case city
        /// A place without an airport, by its record in the catalogue.
        case place
    }

    var kind: Kind
    var number: Int

    var id: Int64 { Int64(number) << 8 | kind.rawValue << 4 }

    /// Returns the identifier of the subject's document for a class of names.
    func id(_ nameClass: NameClass) -> Int64 { id | nameClass.rawValue }

    /// Returns the subject and class of an identifier; nil if it is invalid.
    static func of(id: Int64) -> (subject: SearchSubject, nameClass: NameClass)? {
        guard let kind = Kind(rawValue: id >> 4 & 15), let nameClass = NameClass(rawValue: id & 15) else { return nil }
        return (SearchSubject(kind: kind, number: Int(id >> 8)), nameClass)
    }
}

/// The class of a name. A subject has one index document for each class, so that the order of documents blends classes
/// by popularity.
enum NameClass: Int64, CaseIterable, Sendable {
    /// The name and the city, in English, or in the language of the field.
    case main
    /// The airport's name without its city: "Heathrow".
    case own
    /// Suffixes of the main names: "York", "de Gaulle".
    case tail
    /// Further English names, former, colloquial and short ones.
    case colloquial
    /// Names in other languages.
    case foreign
    case code
    case country
    /// All names of a place without an airport.
    case place
    /// All words together.
    case words

    /// The penalty of a match in such a name, in the units of `Airport.popularity`: 0.14 is a tenth of the passengers.
    /// Tuned with keystrokes to target and the query corpus (`docs/performance.md`).
    var penalty: Double {
        switch self {
        case .main, .words: 0
        case .own: 0.2
        case .tail: 0.35
        case .colloquial: 0.3
        case .foreign: 0.5
        case .code: 0.5
        case .country: 0.5
        case .place: 0.1
        }
    }
}
