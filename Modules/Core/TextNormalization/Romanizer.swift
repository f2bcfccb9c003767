import CSwitchboardTextTables

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
    private let variableFeatures: Set<Int>
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

/// Romanization rules for letters and groups of letters, in the notation `letters=feature:option/option …`.
///
/// A rule without a feature has a single option. `-` is the empty option. The longest matching group wins.
struct RomanizationTable: Sendable {
    struct Rule: Sendable {
        var letters: [UInt32]
        var feature: Int
        var options: [ASCIILetters]
    }

    private let rules: [UInt32: [Rule]]

    init(_ table: sb_text_table) {
        var rules: [UInt32: [Rule]] = [:]
        // A space and a vowel sign would be one character.
        for entry in String(table).unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = entry.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let first = sides[0].first else { continue }
            let parts = String(sides[1]).split(separator: ":", maxSplits: 1)
            guard let written = parts.last else { continue }
            let feature = parts.count == 2 ? Int(parts[0]) ?? 0 : 0
            let options = written.split(separator: "/").map { $0 == "-" ? "" : ASCIILetters($0.utf16) }
            let rule = Rule(letters: sides[0].map(\.value), feature: feature, options: options)
            rules[first.value, default: []].append(rule)
        }
        self.rules = rules.mapValues { $0.sorted { $0.letters.count > $1.letters.count } }
    }

    /// Returns the rule that matches the letters at `index`, or `nil`.
    func rule(at index: Int, in letters: [UInt32]) -> Rule? {
        rules[letters[index]]?.first { rule in
            rule.letters.count <= letters.count - index
                && rule.letters.indices.allSatisfy { rule.letters[$0] == letters[index + $0] }
        }
    }

    /// Returns the unit for the letters at `index`. A unit without options keeps the letter.
    func unit(at index: Int, in letters: [UInt32]) -> RomanizationUnit {
        guard let rule = rule(at: index, in: letters) else { return RomanizationUnit(index..<index + 1, []) }
        return RomanizationUnit(index..<index + rule.letters.count, feature: rule.feature, rule.options)
    }

    /// Returns the units of a segment.
    ///
    /// - Parameter exception: Returns the unit at an index that depends on other letters or on the previous unit, or
    ///   `nil` to apply the table.
    func units(
        _ letters: [UInt32], except exception: (Int, RomanizationUnit?) -> RomanizationUnit? = { _, _ in nil }
    ) -> [RomanizationUnit] {
        var units: [RomanizationUnit] = []
        var index = 0
        while index < letters.count {
            let unit = exception(index, units.last) ?? unit(at: index, in: letters)
            units.append(unit)
            index = max(unit.range.upperBound, index + 1)
        }
        return units
    }
}

/// A feature whose option differs from the option in a system.
private struct FeatureOverride {
    var feature: Int
    var option: UInt8

    static let none = FeatureOverride(feature: -1, option: 0)
}

/// Romanizes the units of a segment in several ways and detects repeated spellings.
///
/// The units are stored in flat arrays: this is the inner loop of romanization.
private struct RomanizationWriter {
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

/// A spelling of part of a word in which each letter has its source range.
struct Romanization {
    private(set) var letters: [UInt16] = []
    private(set) var spans: [SourceSpan] = []

    init(capacity: Int = 0) {
        letters.reserveCapacity(capacity)
        spans.reserveCapacity(capacity)
    }

    /// Creates a spelling of clusters; see ``append(_:of:)``.
    init(_ letters: [UInt16], of clusters: ArraySlice<LetterCluster>) {
        append(letters, of: clusters)
    }

    /// Appends the letters of clusters. Equal counts map one to one; otherwise each letter maps to all clusters.
    mutating func append(_ text: some RandomAccessCollection<UInt16>, of clusters: ArraySlice<LetterCluster>) {
        guard let first = clusters.first, let last = clusters.last else { return }
        letters.append(contentsOf: text)
        if text.count == clusters.count {
            for cluster in clusters { spans.append(SourceSpan(start: cluster.start, end: cluster.end)) }
        } else {
            let span = SourceSpan(start: first.start, end: max(first.end, last.end))
            for _ in text { spans.append(span) }
        }
    }

    /// Appends the base letter of a cluster.
    mutating func append(_ cluster: LetterCluster) {
        let span = SourceSpan(start: cluster.start, end: cluster.end)
        if Hangul.isComposed(cluster.base) {
            for letter in Hangul.strokes(cluster.base) {
                letters.append(letter)
                spans.append(span)
            }
        } else if cluster.base < 0x10000 {
            letters.append(UInt16(truncatingIfNeeded: cluster.base))
            spans.append(span)
        } else if let scalar = Unicode.Scalar(cluster.base) {
            for unit in UTF16.encode(scalar) ?? .init() {
                letters.append(unit)
                spans.append(span)
            }
        }
    }

    mutating func append(_ other: Romanization) {
        letters.append(contentsOf: other.letters)
        spans.append(contentsOf: other.spans)
    }
}

/// Combines the spellings of a word from its segments of one script.
struct SpellingTracks {
    private let own: [LetterCluster]
    private var segments: [(range: Range<Int>, spellings: [Romanization])] = []

    init(own: [LetterCluster]) {
        self.own = own
    }

    mutating func add(_ spellings: [Romanization], for range: Range<Int>) {
        segments.append((range, spellings))
    }

    /// Returns the word in its own script, then its spelling in each track.
    ///
    /// A segment with fewer tracks continues its last one. Trailing repetitions are dropped.
    func spellings(origin: Int) -> [FoldedSpelling] {
        var result = [ownSpelling(0..<own.count)]
        let most = own.count > FoldedWord.maximumVariedLength ? 2 : FoldedWord.maximumSpellings - 1
        let count = min(segments.map { $0.spellings.count }.max() ?? 0, most)
        for track in 0..<count {
            if segments.count == 1, let only = segments.first?.spellings, track < only.count {
                if !only[track].letters.isEmpty { result.append(only[track]) }
                continue
            }
            var whole = Romanization()
            for segment in segments {
                if let last = segment.spellings.indices.last {
                    whole.append(segment.spellings[min(track, last)])
                } else {
                    whole.append(ownSpelling(segment.range))
                }
            }
            if !whole.letters.isEmpty { result.append(whole) }
        }
        while result.count > 1, result[result.count - 1].letters == result[result.count - 2].letters {
            result.removeLast()
        }
        return result.map { FoldedSpelling(letters: $0.letters, spans: $0.spans, origin: origin) }
    }

    private func ownSpelling(_ range: Range<Int>) -> Romanization {
        var spelling = Romanization()
        for cluster in own[range] { spelling.append(cluster) }
        return spelling
    }
}
