import Synchronization

/// The rows shown lately, so that typing on does not read the same airports out of the catalogue again.
final class ShownSubjects: Sendable {
    private struct Key: Hashable {
        var subject: SearchSubject
        var list: Int64
        var language: String
    }

    private static let most = 4096
    private let rows = Mutex<[Key: ShownRow]>([:])

    /// The row of an airport or a city.
    func row(_ subject: SearchSubject, of subjects: SubjectList, language: String) -> ShownRow? {
        let key = Key(subject: subject, list: subjects.identity, language: language)
        if let row = rows.withLock({ $0[key] }) { return row }
        guard let row = make(subject, of: subjects, language: language) else { return nil }
        rows.withLock { rows in
            if rows.count >= ShownSubjects.most { rows.removeAll(keepingCapacity: true) }
            rows[key] = row
        }
        return row
    }

    private func make(_ subject: SearchSubject, of subjects: SubjectList, language: String) -> ShownRow? {
        let catalogue = subjects.catalogue
        switch subject.kind {
        case .airport:
            return subjects.airport(subject.number).map {
                ShownRow(
                    $0, airports: [], names: subjects.names(of: subject), catalogue: catalogue, language: language)
            }
        case .city:
            guard let city = catalogue.city(at: subject.number), let row = catalogue.cityRow(code: city.code) else {
                return nil
            }
            let airports = catalogue.records(inCity: city.code).compactMap(catalogue.airport(at:))
            return ShownRow(
                row, airports: airports, names: subjects.names(of: subject), catalogue: catalogue, language: language)
        case .place:
            return nil
        }
    }
}
