/// A few letters of a word with the ways to write them.
struct RomanUnit {
    /// The clusters, as offsets in the run.
    var range: Range<Int>
    /// The choice this is a case of: all units of one feature are written in the same manner.
    var feature: Int
    /// At least one, the most usual first.
    var options: [RomanText]
}

/// Writes wordSuffixes of one script in Latin letters: by whole systems first, then with single departures from the first.
///
/// A *system* is a manner of writing people know, such as that of passports: an option for each feature. Systems are
/// the tracks of a script, the same in every word, so that they come even if two of them agree on a word. What comes
/// after them is different for each word: one feature written otherwise, then two.
struct Romanizer: Sendable {
    /// For each system, the option of each feature; 0 where it ends early. An option past the last is the last.
    let systems: [[UInt8]]
    /// The features that may depart from the first system on their own.
    let freeFeatures: Set<Int>
    /// The most different spellings to give.
    var limit = 11

    /// The spellings of a run, best first by track.
    ///
    /// - Complexity: O(*n* · *k*) for *n* clusters and *k* spellings.
    func spellings(_ units: [RomanUnit], of clusters: ArraySlice<LetterCluster>) -> [Romanized] {
        guard let main = systems.first else { return [] }
        var writer = RomanWriter(units, clusters, longest: FoldedWord.maximumSpellings - 3, limit: limit)
        let choices = choices(units)
        var effects: [UInt64] = []
        for system in systems {
            // Most systems agree on most words: do not write those out again.
            let effect = effect(of: system, on: choices)
            if let earlier = effects.firstIndex(of: effect) {
                writer.repeatSpelling(earlier)
            } else {
                writer.add(system)
            }
            effects.append(effect)
        }
        guard clusters.count <= FoldedWord.longestVaried else { return Array(writer.spellings.prefix(1)) }
        let departures = departures(choices, from: main)
        guard !departures.isEmpty else { return writer.spellings }
        let count = writer.spellings.count
        for departure in departures { writer.addIfNew(main, departure, departure) }
        if !writer.isFull {
            var pairs: [(cost: Int, first: Int, second: Int)] = []
            for first in 0..<min(departures.count, 8) {
                for second in first + 1..<max(first + 1, min(departures.count, 8))
                where departures[first].feature != departures[second].feature {
                    pairs.append((Int(departures[first].option) + Int(departures[second].option), first, second))
                }
            }
            pairs.sort { ($0.cost, $0.first, $0.second) < ($1.cost, $1.first, $1.second) }
            for pair in pairs where !writer.isFull {
                writer.addIfNew(main, departures[pair.first], departures[pair.second])
            }
        }
        // The last track goes on in longer wordSuffixes of words: let that be the usual one again.
        if writer.spellings.count > count { writer.repeatSpelling(0) }
        return writer.spellings
    }

    /// The features in which a word can be written in several manners, in order, each with the number of options.
    private func choices(_ units: [RomanUnit]) -> [(feature: Int, count: Int)] {
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

    /// What a system comes to in a word: two systems of the same effect write it in the same way.
    private func effect(of system: [UInt8], on choices: [(feature: Int, count: Int)]) -> UInt64 {
        var effect: UInt64 = 0
        for choice in choices {
            let option = choice.feature < system.count ? Int(system[choice.feature]) : 0
            // Ten options at most; more than sixteen choices are too many for a word anybody knows.
            effect = effect &* 16 &+ UInt64(min(option, choice.count - 1))
        }
        return effect
    }

    /// Single departures from a system which change something, the most usual first.
    private func departures(_ choices: [(feature: Int, count: Int)], from main: [UInt8]) -> [Departure] {
        var result: [Departure] = []
        for option in 0..<8 {
            for choice in choices where option < choice.count && freeFeatures.contains(choice.feature) {
                let usual = choice.feature < main.count ? Int(main[choice.feature]) : 0
                if option != usual { result.append(Departure(feature: choice.feature, option: UInt8(option))) }
            }
        }
        return result
    }
}
