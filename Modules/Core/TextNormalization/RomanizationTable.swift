import CSwitchboardTextTables

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
        for entry in String(table).split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = entry.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let first = sides[0].unicodeScalars.first else { continue }
            let parts = sides[1].split(separator: ":", maxSplits: 1)
            guard let written = parts.last else { continue }
            let feature = parts.count == 2 ? Int(parts[0]) ?? 0 : 0
            let options = written.split(separator: "/").map { $0 == "-" ? "" : ASCIILetters($0.utf16) }
            let rule = Rule(letters: sides[0].unicodeScalars.map(\.value), feature: feature, options: options)
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
