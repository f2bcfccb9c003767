import CSwitchboardTextTables

/// Romanizes kana: Hepburn with long vowels shortened (tokyo), written out (toukyou) or with the h of passports (ohno),
/// and Kunrei (si, tu, sya).
enum Kana {
    private static let table = RomanizationTable(sb_kana)

    /// Features: 1 long vowels, 2 Kunrei, 3 を, 4 ん before b, m, p, 5 v, 6 っち.
    private static let romanizer = Romanizer(systems: [[:], [1: 1], [1: 2, 4: 1], [1: 1, 2: 1]], variable: 1...6)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(voiced)
        return romanizer.spellings(table.units(letters) { unit(at: $0, letters, after: $1) }, of: clusters)
    }

    private static func unit(
        at index: Int, _ letters: [UInt32], after previous: RomanizationUnit?
    ) -> RomanizationUnit? {
        let vowel = previous?.options.first?.last
        let here = index..<index + 1
        let next = index + 1 < letters.count ? letters[index + 1] : 0
        var nextLetter: UInt16? { next > 0 ? table.unit(at: index + 1, in: letters).options.first?.first : nil }
        switch letters[index] {
        case 0x30FC:  // ー
            let repeated = vowel.map { ASCIILetters(CollectionOfOne($0)) } ?? ""
            return RomanizationUnit(here, feature: 1, ["", repeated, vowel == o ? "h" : ""])
        case 0x3046 where vowel == o || vowel == u:
            // おう, うう; before a small vowel, a new syllable
            if (0x3041...0x3049).contains(next), next & 1 == 1 { return nil }
            return RomanizationUnit(here, feature: 1, ["", "u", vowel == o ? "h" : ""])
        case 0x304A where vowel == o:  // おお
            return RomanizationUnit(here, feature: 1, ["", "o", "h"])
        case 0x3093:  // ん
            let isBeforeLips = nextLetter == 0x62 || nextLetter == 0x6D || nextLetter == 0x70
            return RomanizationUnit(here, feature: 4, isBeforeLips ? ["n", "m"] : ["n"])
        case 0x3063:  // っ
            guard let nextLetter, nextLetter < 0x80, ![a, i, u, e, o].contains(nextLetter) else {
                return RomanizationUnit(here, [""])
            }
            return RomanizationUnit(
                here, feature: 6, nextLetter == 0x63 ? ["t", "c"] : [ASCIILetters(CollectionOfOne(nextLetter))])
        default:
            return nil
        }
    }

    private static let a: UInt16 = 0x61, e: UInt16 = 0x65, i: UInt16 = 0x69, o: UInt16 = 0x6F, u: UInt16 = 0x75

    private static func voiced(_ cluster: LetterCluster) -> UInt32 {
        switch (cluster.base, cluster.mark) {
        case (0x3046, 0x3099): 0x3094  // ゔ
        case (0x304B...0x3061, 0x3099) where cluster.base & 1 == 1: cluster.base + 1
        case (0x3064...0x3068, 0x3099) where cluster.base & 1 == 0: cluster.base + 1
        case (0x306F...0x307B, 0x3099): cluster.base + 1
        case (0x306F...0x307B, 0x309A): cluster.base + 2
        default: cluster.base
        }
    }
}
