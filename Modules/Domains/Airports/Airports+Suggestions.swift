// MARK: - Before anything is typed

extension Airports {
    /// What to offer before anything is typed: the nearest, the last five chosen, then the most popular, each once.
    ///
    /// - Parameters:
    ///   - place: Where the person is; nil for the place that is known, if any.
    ///   - limit: How many at most; 0 is all.
    /// - Throws: `AirportsError.negativeLimit`, and `StorageError`.
    public func suggestions(near place: Coordinate? = nil, limit: Int = 10) throws -> [Airport] {
        guard limit >= 0 else { throw AirportsError.negativeLimit(limit) }
        var seen: Set<String> = []
        let place = try place ?? knownPlace()
        let near = try place.map { try nearest(to: $0, limit: 3) } ?? []
        let all = try (near + recent() + popular()).filter { seen.insert($0.code).inserted }
        return limit == 0 ? all : Array(all.prefix(limit))
    }
}
