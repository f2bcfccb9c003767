import SwitchboardSearchEngine

// Each `unsafe` is safe because the bytes are only read within the closure.

extension Catalogue {
    /// Returns `true` if cities in several countries or regions have this name.
    func isNamesake(city: String) -> Bool {
        namesakes { makeNamesakes() }.contains(Catalogue.hash(city))
    }

    private func makeNamesakes() -> Set<UInt64> {
        var places: [UInt64: UInt64] = [:]
        var several: Set<UInt64> = []
        for record in 0..<table.count {
            var cells = table.cells(of: record)
            for _ in 0..<Column.city.rawValue { _ = cells.next() }
            let city = Catalogue.hash(cells.take())
            _ = cells.next()
            let place = Catalogue.hash(cells.take()) &* 31 &+ Catalogue.hash(cells.take())
            if let known = places[city] {
                if known != place { several.insert(city) }
            } else {
                places[city] = place
            }
        }
        return several
    }

    private static func hash(_ cell: Cell) -> UInt64 {
        unsafe cell.withBytes { bytes in
            var hash = ByteHash()
            unsafe hash.add(UnsafeRawBufferPointer(bytes))
            return hash.value
        }
    }

    private static func hash(_ text: String) -> UInt64 {
        var hash = ByteHash()
        hash.add(text)
        return hash.value
    }
}
