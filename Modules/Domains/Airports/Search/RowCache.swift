import Synchronization

/// A cache of recently displayed rows, so that further typing does not read the same airports again.
final class RowCache: Sendable {
    private struct Rows {
        let extent: SubjectList.Extent
        let list: Int64
        let language: String
        var rows: [Int64: DisplayRow] = [:]
        var near: [Int64: [DisplayRow]] = [:]
    }

    private static let maxRows = 4096
    private static let maxLists = 16
    private let lists = Mutex<[Rows]>([])

    func row(_ subject: SearchSubject, of subjects: SubjectList, language: String) -> DisplayRow? {
        let known = withRows(of: subjects, language) { $0.rows[subject.id] }
        if let known { return known }
        guard let row = make(subject, of: subjects, language: language) else { return nil }
        withRows(of: subjects, language) { rows in
            if rows.rows.count >= RowCache.maxRows { rows.rows.removeAll(keepingCapacity: true) }
            rows.rows[subject.id] = row
        }
        return row
    }

    func rows(near place: SearchSubject, of subjects: SubjectList, language: String) -> [DisplayRow] {
        let known = withRows(of: subjects, language) { $0.near[place.id] }
        if let known { return known }
        let catalogue = subjects.catalogue
        guard let city = catalogue.city(at: place.number),
            let coordinate = try? Coordinate(latitude: city.latitude, longitude: city.longitude),
            let near = try? catalogue.nearest(to: coordinate, limit: 6)
        else { return [] }
        let made = near.filter(\.isScheduled).prefix(2).map {
            DisplayRow($0, airports: [], catalogue: catalogue, language: language)
        }
        withRows(of: subjects, language) { rows in
            if rows.near.count >= RowCache.maxRows { rows.near.removeAll(keepingCapacity: true) }
            rows.near[place.id] = made
        }
        return made
    }

    private func withRows<Result: Sendable>(
        of subjects: SubjectList, _ language: String, _ body: (inout Rows) -> Result
    ) -> Result {
        lists.withLock { lists in
            let known = lists.firstIndex {
                $0.extent == subjects.extent && $0.list == subjects.identity && $0.language == language
            }
            if let known { return body(&lists[known]) }
            if lists.count >= RowCache.maxLists { lists.removeAll() }
            lists.append(Rows(extent: subjects.extent, list: subjects.identity, language: language))
            return body(&lists[lists.count - 1])
        }
    }

    private func make(_ subject: SearchSubject, of subjects: SubjectList, language: String) -> DisplayRow? {
        let catalogue = subjects.catalogue
        switch subject.kind {
        case .airport:
            return subjects.airport(subject.number).map {
                DisplayRow(
                    $0, airports: [], names: subjects.names(of: subject), catalogue: catalogue, language: language)
            }
        case .city:
            guard let city = catalogue.city(at: subject.number), let row = catalogue.cityRow(code: city.code) else {
                return nil
            }
            let airports = catalogue.records(inCity: city.code).compactMap(catalogue.airport(at:))
            return DisplayRow(
                row, airports: airports, names: subjects.names(of: subject), catalogue: catalogue, language: language)
        case .place:
            return nil
        }
    }
}
