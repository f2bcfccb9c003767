import CSwitchboardTextTables

/// Romanizes Armenian: BGN/PCGN without its marks, and the readings of Western Armenian.
enum ArmenianAlphabet {
    private static let table = RomanizationTable(sb_armenian)
    private static let romanizer = Romanizer(systems: [[:], [1: 1, 5: 1]], variable: 1...12)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(\.base)
        let units = table.units(letters) { index, _ in
            // Initial Ե and Ո are pronounced ye and vo, unless Ո is part of ու or precedes վ.
            guard index == 0, letters.count > 1, table.unit(at: 0, in: letters).range.count == 1 else { return nil }
            switch letters[0] {
            case 0x565: return RomanizationUnit(0..<1, feature: 11, ["ye", "e"])
            case 0x578 where letters[1] != 0x57E: return RomanizationUnit(0..<1, feature: 12, ["vo", "o"])
            default: return nil
            }
        }
        return romanizer.spellings(units, of: clusters)
    }
}
