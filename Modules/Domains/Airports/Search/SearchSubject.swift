/// What a record of the index stands for: an airport, the row of a city, or a place without an airport.
///
/// It is known by its number in its list, so that an index can be opened without reading any of them.
struct SearchSubject: Hashable, Sendable {
    enum Kind: Int64 {
        /// An airport of the popular list or of the catalogue.
        case airport
        /// A city with several airports, by its record in the catalogue.
        case city
        /// A place without an airport, by its record in the catalogue.
        case place
    }

    var kind: Kind
    var number: Int

    /// Tells the subjects of a list apart.
    var id: Int64 { Int64(number) << 8 | kind.rawValue << 4 }

    /// The identifier of the subject's record of one class of names.
    func id(_ nameClass: NameClass) -> Int64 { id | nameClass.rawValue }

    /// The subject and class of an identifier; nil if it is none.
    static func of(id: Int64) -> (subject: SearchSubject, nameClass: NameClass)? {
        guard let kind = Kind(rawValue: id >> 4 & 15), let nameClass = NameClass(rawValue: id & 15) else { return nil }
        return (SearchSubject(kind: kind, number: Int(id >> 8)), nameClass)
    }
}

/// How well a name stands for its airport. Each subject has a record in the index for each class, so that the order of the records
/// blends classes by popularity.
enum NameClass: Int64, CaseIterable, Sendable {
    /// The name and the city, in English; in the fields of languages, those in the language.
    case main
    /// What an airport is called without its city: "Heathrow".
    case own
    /// The main names from a later word on: "York", "de Gaulle".
    case tail
    /// Further English names, former, colloquial and short ones.
    case colloquial
    /// Names in other languages.
    case foreign
    /// Codes.
    case code
    /// The country.
    case country
    /// All names of a place without an airport.
    case place
    /// All words together.
    case words

    /// How much popularity a match in such a name weighs less, in the units of `Airport.popularity`: 0.14 is a tenth of the
    /// passengers. CandidateList by measuring keystrokes to target and the corpus (docs/performance.md).
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
