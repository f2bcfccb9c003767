/// The rows of all subjects of a list in one language, each created on first use.
///
/// A search copies references to rows instead of texts, and reads them without a lock.
final class RowTable: Sendable {
    private let subjects: SubjectList
    private let language: String
    private let airports: LazyObjects<SubjectRows>
    private let cities: LazyObjects<SubjectRows>

    init(of subjects: SubjectList, language: String) {
        self.subjects = subjects
        self.language = language
        airports = LazyObjects(count: subjects.airportCount)
        cities = LazyObjects(count: subjects.extent == .popular ? subjects.catalogue.cityCount : 0)
    }

    /// Returns the rows of a subject; nil if there is no such subject.
    func rows(of subject: SearchSubject) -> SubjectRows? {
        let table = subject.kind == .airport ? airports : cities
        return table.object(at: subject.number) { subjects.makeRows(of: subject, language: language) }
    }
}

/// The row of an airport or city, or the rows of the airports nearest to a place.
final class SubjectRows: Sendable {
    /// The rows, best first.
    let rows: [DisplayRow]
    /// The name of a city or place in the language of the rows; empty for an airport.
    let title: String

    init(_ rows: [DisplayRow], title: String) {
        self.rows = rows
        self.title = title
    }
}
