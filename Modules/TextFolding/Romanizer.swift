/// A few letters of a word with the ways to write them.
struct RomanUnit {
    /// The clusters, as offsets in the run.
    var range: Range<Int>
    /// The choice this is a case of: all units of one feature are written in the same manner.
    var feature: Int
    /// At least one, the most usual first.
    var options: [[UInt16]]
}

/// Writes runs of one script in Latin letters: by whole systems first, then with single departures from the first.
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

    func spellings(_ units: [RomanUnit], of clusters: ArraySlice<LetterCluster>) -> [Romanized] {
        guard let main = systems.first else { return [] }
        var result: [Romanized] = []
        var different = 0
        func add(_ spelling: Romanized, evenIfRepeated: Bool) {
            let isNew = !result.contains { $0.letters == spelling.letters }
            if isNew { different += 1 }
            if isNew || evenIfRepeated { result.append(spelling) }
        }
        let choices = choices(units)
        var effects: [UInt64] = []
        for system in systems {
            // Most systems agree on most words: do not write those out again.
            let effect = effect(of: system, on: choices)
            if let earlier = effects.firstIndex(of: effect) {
                result.append(result[earlier])
            } else {
                add(write(units, clusters, system, []), evenIfRepeated: true)
            }
            effects.append(effect)
        }
        guard clusters.count <= FoldedWord.longestVaried else { return [result[0]] }
        let departures = departures(choices, from: main)
        guard !departures.isEmpty else { return result }
        let count = result.count
        let longest = FoldedWord.maximumSpellings - 3
        func addIfNew(_ changes: [(Int, UInt8)]) {
            guard different < limit, result.count < longest else { return }
            add(write(units, clusters, main, changes), evenIfRepeated: false)
        }
        for departure in departures { addIfNew([departure]) }
        if different < limit, result.count < longest {
            var pairs: [(cost: Int, first: Int, second: Int)] = []
            for (first, one) in departures.enumerated().prefix(8) {
                for (second, other) in departures.enumerated().prefix(8) where second > first && other.0 != one.0 {
                    pairs.append((Int(one.1) + Int(other.1), first, second))
                }
            }
            pairs.sort { ($0.cost, $0.first, $0.second) < ($1.cost, $1.first, $1.second) }
            for pair in pairs { addIfNew([departures[pair.first], departures[pair.second]]) }
        }
        // The last track goes on in longer runs of words: let that be the usual one again.
        if result.count > count { result.append(result[0]) }
        return result
    }

    private func write(
        _ units: [RomanUnit], _ clusters: ArraySlice<LetterCluster>, _ system: [UInt8], _ changes: [(Int, UInt8)]
    ) -> Romanized {
        var result = Romanized(capacity: clusters.count * 2)
        for unit in units where !unit.options.isEmpty {
            var option = unit.feature < system.count ? Int(system[unit.feature]) : 0
            for change in changes where change.0 == unit.feature { option = Int(change.1) }
            result.append(unit.options[min(option, unit.options.count - 1)], of: clusters, in: unit.range)
        }
        return result
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
    private func departures(_ choices: [(feature: Int, count: Int)], from main: [UInt8]) -> [(Int, UInt8)] {
        var result: [(Int, UInt8)] = []
        for option in 0..<8 {
            for choice in choices where option < choice.count && freeFeatures.contains(choice.feature) {
                let usual = choice.feature < main.count ? Int(main[choice.feature]) : 0
                if option != usual { result.append((choice.feature, UInt8(option))) }
            }
        }
        return result
    }
}

/// Rules for single letters and groups of them, read from a compact text: `letters=feature:option/option …`.
///
/// A rule without a feature has a single option. `-` is the empty option. The longest group wins.
struct RomanTable: Sendable {
    struct Rule: Sendable {
        var letters: [UInt32]
        var feature: Int
        var options: [[UInt16]]
    }

    private let rules: [UInt32: [Rule]]

    init(_ text: String) {
        var rules: [UInt32: [Rule]] = [:]
        for entry in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = entry.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let first = sides[0].unicodeScalars.first else { continue }
            let parts = sides[1].split(separator: ":", maxSplits: 1)
            guard let written = parts.last else { continue }
            let feature = parts.count == 2 ? Int(parts[0]) ?? 0 : 0
            let options = written.split(separator: "/").map { $0 == "-" ? [] : Array($0.utf16) }
            let rule = Rule(letters: sides[0].unicodeScalars.map(\.value), feature: feature, options: options)
            rules[first.value, default: []].append(rule)
        }
        self.rules = rules.mapValues { $0.sorted { $0.letters.count > $1.letters.count } }
    }

    /// The rule for the letters from `index` on, or `nil`.
    func rule(at index: Int, in letters: [UInt32]) -> Rule? {
        rules[letters[index]]?.first { rule in
            rule.letters.count <= letters.count - index
                && rule.letters.indices.allSatisfy { rule.letters[$0] == letters[index + $0] }
        }
    }

    /// The unit for the letters from `index` on: by rule, or the letter as it is.
    func unit(at index: Int, in letters: [UInt32]) -> RomanUnit {
        if let rule = rule(at: index, in: letters) {
            return RomanUnit(
                range: index..<index + rule.letters.count, feature: rule.feature, options: rule.options)
        }
        let scalar = Unicode.Scalar(letters[index]) ?? " "
        return RomanUnit(range: index..<index + 1, feature: 0, options: [Array(UTF16.encode(scalar) ?? .init())])
    }

    /// Units for a whole run by these rules alone.
    func units(_ letters: [UInt32]) -> [RomanUnit] {
        var units: [RomanUnit] = []
        var index = 0
        while index < letters.count {
            let unit = unit(at: index, in: letters)
            units.append(unit)
            index = max(unit.range.upperBound, index + 1)
        }
        return units
    }
}
