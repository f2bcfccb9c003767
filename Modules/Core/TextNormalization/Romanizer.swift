/// A few letters of a word with their possible romanizations.
struct RomanizationUnit {
    /// The clusters, as offsets in the segment.
    var range: Range<Int>
    /// The feature whose option is chosen for all its units together.
    var feature: Int
    /// The romanizations, the most common first; empty to keep the letters.
    var options: [ASCIILetters]

    init(_ range: Range<Int>, feature: Int = 0, _ options: [ASCIILetters]) {
        self.range = range
        self.feature = feature
        self.options = options
    }
}

/// Romanizes segments of one script: first by whole systems, then by variations of the first system.
///
/// A *system* is an established romanization, such as the one in passports: an option for each feature. The systems are
/// the tracks of a script and are the same in every word, even if two of them agree on a word. The variations that
/// follow depend on the word: one feature with another option, then two.
struct Romanizer: Sendable {
    /// The option of each feature in each system. Missing features have option 0; options are clamped to the last one.
    let systems: [[UInt8]]
    /// The features that may vary independently of the systems.
    let variableFeatures: Set<Int>
    /// The maximum number of different spellings.
    let limit: Int

    /// - Parameters:
    ///   - systems: The options other than 0 of each system, by feature.
    ///   - variable: The features that may vary.
    init(systems: [[Int: UInt8]], variable: some Sequence<Int>, limit: Int = 11) {
        self.systems = systems.map { options in (0...(options.keys.max() ?? 0)).map { options[$0] ?? 0 } }
        variableFeatures = Set(variable)
        self.limit = limit
    }

    /// Returns the spellings of a segment by track, best first.
    ///
    /// - Complexity: O(*n* · *k*) for *n* clusters and *k* spellings.
    func spellings(_ units: [RomanizationUnit], of clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        guard let main = systems.first else { return [] }
        var writer = RomanizationWriter(units, clusters, limit: limit)
        let choices = choices(units)
        var effects: [UInt64] = []
        for system in systems {
            // Most systems agree on most words.
            let effect = effect(of: system, on: choices)
            if let earlier = effects.firstIndex(of: effect) {
                writer.repeatSpelling(earlier)
            } else {
                writer.add(system)
            }
            effects.append(effect)
        }
        guard clusters.count <= FoldedWord.maximumVariedLength else { return Array(writer.spellings.prefix(1)) }
        let overrides = overrides(choices, from: main)
        guard !overrides.isEmpty else { return writer.spellings }
        let count = writer.spellings.count
        for variation in overrides { writer.addIfNew(main, variation, variation) }
        if !writer.isFull {
            var pairs: [(cost: Int, first: Int, second: Int)] = []
            for first in 0..<min(overrides.count, 8) {
                for second in first + 1..<max(first + 1, min(overrides.count, 8))
                where overrides[first].feature != overrides[second].feature {
                    pairs.append((Int(overrides[first].option) + Int(overrides[second].option), first, second))
                }
            }
            pairs.sort { ($0.cost, $0.first, $0.second) < ($1.cost, $1.first, $1.second) }
            for pair in pairs where !writer.isFull {
                writer.addIfNew(main, overrides[pair.first], overrides[pair.second])
            }
        }
        // Longer words continue the last track: end with the most common spelling.
        if writer.spellings.count > count { writer.repeatSpelling(0) }
        return writer.spellings
    }

    /// Returns the features with several options in a word, in order, each with the number of options.
    private func choices(_ units: [RomanizationUnit]) -> [(feature: Int, count: Int)] {
        var choices: [(feature: Int, count: Int)] = []
        for unit in units where unit.options.count > 1 {
            if let index = choices.firstIndex(where: { $0.feature == unit.feature }) {
                choices[index].count = max(choices[index].count, unit.options.count)
            } else {
                choices.append((unit.feature, unit.options.count))
            }
        }
        return choices
    }

    /// Returns a number that is equal for systems that romanize a word in the same way.
    private func effect(of system: [UInt8], on choices: [(feature: Int, count: Int)]) -> UInt64 {
        var effect: UInt64 = 0
        for choice in choices {
            let option = choice.feature < system.count ? Int(system[choice.feature]) : 0
            // There are at most ten options. Collisions need more than sixteen choices, which no known word has.
            effect = effect &* 16 &+ UInt64(min(option, choice.count - 1))
        }
        return effect
    }

    /// Returns the single overrides of a system that change a word, the most common first.
    private func overrides(_ choices: [(feature: Int, count: Int)], from main: [UInt8]) -> [FeatureOverride] {
        var result: [FeatureOverride] = []
        for option in 0..<8 {
            for choice in choices where option < choice.count && variableFeatures.contains(choice.feature) {
                let standard = choice.feature < main.count ? Int(main[choice.feature]) : 0
                if option != standard { result.append(FeatureOverride(feature: choice.feature, option: UInt8(option))) }
            }
        }
        return result
    }
}
