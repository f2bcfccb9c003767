/// A feature whose option differs from the option in a system.
struct FeatureOverride {
    var feature: Int
    var option: UInt8

    static let none = FeatureOverride(feature: -1, option: 0)
}

/// Romanizes the units of a segment in several ways and detects repeated spellings.
///
/// The units are stored in flat arrays: this is the inner loop of romanization.
struct RomanizationWriter {
    private struct FlatUnit {
        var range: Range<Int>
        var feature: Int
        var firstOption: Int
        var optionCount: Int
    }

    private let clusters: ArraySlice<LetterCluster>
    private var units: [FlatUnit] = []
    private var options: [ASCIILetters] = []
    private var differentCount = 0
    private let limit: Int

    /// The maximum number of spellings for ``addIfNew(_:_:_:)``, including repetitions.
    private static let longest = FoldedWord.maximumSpellings - 3

    /// The spellings written so far.
    private(set) var spellings: [Romanization] = []

    /// - Parameter limit: The maximum number of different spellings for ``addIfNew(_:_:_:)``.
    init(_ units: [RomanizationUnit], _ clusters: ArraySlice<LetterCluster>, limit: Int) {
        self.clusters = clusters
        self.limit = limit
        self.units.reserveCapacity(units.count)
        options.reserveCapacity(units.count * 3)
        spellings.reserveCapacity(Self.longest + 1)
        for unit in units {
            let range = unit.range.clamped(to: 0..<clusters.count)
            self.units.append(
                FlatUnit(
                    range: clusters.startIndex + range.lowerBound..<clusters.startIndex + range.upperBound,
                    feature: unit.feature, firstOption: options.count, optionCount: unit.options.count))
            options.append(contentsOf: unit.options)
        }
    }

    var isFull: Bool { differentCount >= limit || spellings.count >= Self.longest }

    /// Adds the spelling of a system, even if it repeats another one.
    mutating func add(_ system: [UInt8]) {
        let spelling = write(system, .none, .none)
        if !isKnown(spelling) { differentCount += 1 }
        spellings.append(spelling)
    }

    mutating func repeatSpelling(_ index: Int) {
        if spellings.indices.contains(index) { spellings.append(spellings[index]) }
    }

    /// Adds the spelling of a system with two overrides (or the same one twice) if it is new and no limit has been
    /// reached.
    mutating func addIfNew(_ system: [UInt8], _ first: FeatureOverride, _ second: FeatureOverride) {
        guard !isFull else { return }
        let spelling = write(system, first, second)
        guard !isKnown(spelling) else { return }
        differentCount += 1
        spellings.append(spelling)
    }

    private func isKnown(_ spelling: Romanization) -> Bool {
        spellings.contains { $0.letters == spelling.letters }
    }

    private func write(_ system: [UInt8], _ first: FeatureOverride, _ second: FeatureOverride) -> Romanization {
        var result = Romanization(capacity: clusters.count * 2)
        for unit in units {
            guard unit.optionCount > 0 else {
                for index in unit.range { result.append(clusters[index]) }
                continue
            }
            var option = unit.feature < system.count ? Int(system[unit.feature]) : 0
            if unit.feature == first.feature { option = Int(first.option) }
            if unit.feature == second.feature { option = Int(second.option) }
            let text = options[unit.firstOption + min(option, unit.optionCount - 1)]
            result.append(text, of: clusters[unit.range])
        }
        return result
    }
}
