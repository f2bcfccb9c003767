/// One feature written otherwise than in a system.
struct Departure {
    var feature: Int
    var option: UInt8
}

/// Writes the units of one run in one manner after another, and tells which spellings are new.
///
/// The units lie flat in memory: this is the inner loop of transliteration.
struct RomanWriter {
    private struct FlatUnit {
        var lower: Int
        var upper: Int
        var feature: Int
        var firstOption: Int
        var optionCount: Int
    }

    private let clusters: ArraySlice<LetterCluster>
    private var units: [FlatUnit] = []
    private var options: [RomanText] = []
    private var signatures: [UInt64] = []
    private var differentCount = 0
    private let longest: Int
    private let limit: Int

    /// What has been written, in order.
    private(set) var spellings: [Romanized] = []

    /// - Parameters:
    ///   - longest: The most spellings, repetitions included, that ``addIfNew(_:_:_:)`` fills up to.
    ///   - limit: The most different spellings it fills up to.
    init(_ units: [RomanUnit], _ clusters: ArraySlice<LetterCluster>, longest: Int, limit: Int) {
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

    /// Whether there is no room for further departures.
    var isFull: Bool { differentCount >= limit || spellings.count >= longest }

    /// Writes the run by a system, even if that repeats a spelling.
    mutating func add(_ system: [UInt8]) {
        let none = Departure(feature: -1, option: 0)
        let (spelling, signature) = write(system, none, none)
        if !isKnown(spelling, signature) { differentCount += 1 }
        spellings.append(spelling)
        signatures.append(signature)
    }

    /// Gives an earlier spelling again.
    mutating func repeatSpelling(_ index: Int) {
        guard spellings.indices.contains(index) else { return }
        spellings.append(spellings[index])
        signatures.append(signatures[index])
    }

    /// Writes the run by a system with two departures, or one given twice, if there is room and the result is new.
    mutating func addIfNew(_ system: [UInt8], _ first: Departure, _ second: Departure) {
        guard !isFull else { return }
        let (spelling, signature) = write(system, first, second)
        guard !isKnown(spelling, signature) else { return }
        differentCount += 1
        spellings.append(spelling)
        signatures.append(signature)
    }

    private func isKnown(_ spelling: Romanized, _ signature: UInt64) -> Bool {
        for index in signatures.indices where signatures[index] == signature {
            if spellings[index].letters == spelling.letters { return true }
        }
        return false
    }

    private func write(_ system: [UInt8], _ first: Departure, _ second: Departure) -> (Romanized, UInt64) {
        var result = Romanized(capacity: clusters.count * 2)
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
