/// Rules for single letters and groups of them, read from a compact text: `letters=feature:option/option …`.
///
/// A rule without a feature has a single option. `-` is the empty option. The longest group wins.
struct RomanTable: Sendable {
    struct Rule: Sendable {
        var letters: [UInt32]
        var feature: Int
        var options: [RomanText]
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
            let options = written.split(separator: "/").map { $0 == "-" ? "" : RomanText($0) }
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

    /// The unit for the letters from `index` on: by rule, or without options, which leaves the letter as it is.
    func unit(at index: Int, in letters: [UInt32]) -> RomanUnit {
        if let rule = rule(at: index, in: letters) {
            return RomanUnit(
                range: index..<index + rule.letters.count, feature: rule.feature, options: rule.options)
        }
        return RomanUnit(range: index..<index + 1, feature: 0, options: [])
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
