import CSwitchboardTextTables

/// Romanizes Georgian: the national system of 2002 without its apostrophes, and common variations.
enum GeorgianAlphabet {
    private static let table = RomanizationTable(sb_georgian)
    private static let romanizer = Romanizer(systems: [[:], [1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1]], variable: 1...9)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        romanizer.spellings(table.units(clusters.map(\.base)), of: clusters)
    }
}
