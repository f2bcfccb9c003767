/// A feature with an option other than that of a system.
struct FeatureOverride {
    var feature: Int
    var option: UInt8
}

/// Romanizes the units of a segment in several ways and detects repeated spellings.
///
/// The units are stored in flat arrays: this is the inner loop of romanization.
struct RomanizationWriter {
    private struct FlatUnit {
        var lower: Int
        var upper: Int
        var feature: Int
        var firstOption: Int
        var optionCount: Int
    }

    private let clusters: ArraySlice<LetterCluster>
    private var units: [FlatUnit] = []
    private var options: [ASCIILetters] = []
    private var signatures: [UInt64] = []
    private var differentCount = 0
    private let longest: Int
    private let limit: Int

    /// The spellings written so far.
    private(set) var spellings: [Romanization] = []

    /// - Parameters:
    ///   - longest: The maximum number of spellings for ``addIfNew(_:_:_:)``, including repetitions.
    ///   - limit: The maximum number of different spellings for it.
    init(_ units: [RomanizationUnit], _ clusters: ArraySlice<LetterCluster>, longest: Int, limit: Int) {
        self.clusters = clusters
        self.longest = longest
        self.limit = limit
        self.units.reserveCapacity(units.count)
        options.reserveCapacity(units.count * 3)
        spellings.reserveCapacity(longest + 1)
        for unit in units {
            let range = unit.range.clamped(to: 0..<clusters.count)
            self.units.append(
                FlatUnit(
                    lower: range.lowerBound, upper: range.upperBound, feature: unit.feature,
                    firstOption: options.count, optionCount: unit.options.count))
            options.append(contentsOf: unit.options)
        }
    }

    /// Indicates that a limit is reached.
    var isFull: Bool { differentCount >= limit || spellings.count >= longest }

    /// Adds the spelling of a system, even if it repeats another one.
    mutating func add(_ system: [UInt8]) {
        let none = FeatureOverride(feature: -1, option: 0)
        let (spelling, signature) = write(system, none, none)
        if !isKnown(spelling, signature) { differentCount += 1 }
        spellings.append(spelling)
        signatures.append(signature)
    }

    /// Adds an earlier spelling again.
    mutating func repeatSpelling(_ index: Int) {
        guard spellings.indices.contains(index) else { return }
        spellings.append(spellings[index])
        signatures.append(signatures[index])
    }

    /// Adds the spelling of a system with two overrides (or the same one twice) if it is new and no limit is reached.
    mutating func addIfNew(_ system: [UInt8], _ first: FeatureOverride, _ second: FeatureOverride) {
        guard !isFull else { return }
        let (spelling, signature) = write(system, first, second)
        guard !isKnown(spelling, signature) else { return }
        differentCount += 1
        spellings.append(spelling)
        signatures.append(signature)
    }

    private func isKnown(_ spelling: Romanization, _ signature: UInt64) -> Bool {
        for index in signatures.indices where signatures[index] == signature {
            if spellings[index].letters == spelling.letters { return true }
        }
        return false
    }

    private func write(_ system: [UInt8], _ first: FeatureOverride, _ second: FeatureOverride) -> (Romanization, UInt64)
    {
        var result = Romanization(capacity: clusters.count * 2)
        var signature: UInt64 = 0xCBF2_9CE4_8422_2325
        for unit in units {
            guard unit.optionCount > 0 else {
                for index in unit.lower..<unit.upper { result.append(clusters[clusters.startIndex + index]) }
                continue
            }
            var option = unit.feature < system.count ? Int(system[unit.feature]) : 0
            if unit.feature == first.feature { option = Int(first.option) }
            if unit.feature == second.feature { option = Int(second.option) }
            let text = options[unit.firstOption + min(option, unit.optionCount - 1)]
            result.append(text, of: clusters, from: unit.lower, to: unit.upper)
            for index in 0..<text.count { signature = (signature ^ UInt64(text[index])) &* 0x100_0000_01B3 }
        }
        return (result, signature)
    }
}
