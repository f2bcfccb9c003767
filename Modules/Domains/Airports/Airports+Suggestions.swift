// MARK: - Suggestions

extension Airports {
    /// Returns the airports to suggest for an empty query: the nearest, then the last five choices, then the most
    /// popular, each once.
    ///
    /// - Parameters:
    ///   - place: The user's location; nil for the stored location, if any.
    ///   - limit: The maximum number of airports; 0 for all.
    /// - Throws: `AirportsError.negativeLimit`, and `StorageError`.
    public func suggestions(near place: Coordinate? = nil, limit: Int = 10) throws -> [Airport] {
        guard limit >= 0 else { throw AirportsError.negativeLimit(limit) }
        var seen: Set<String> = []
        let place = try place ?? knownLocation()
        let near = try place.map { try nearest(to: $0, limit: 3) } ?? []
        let all = try (near + recent() + popular()).filter { seen.insert($0.code).inserted }
        return limit == 0 ? all : Array(all.prefix(limit))
    }
}
