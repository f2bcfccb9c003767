/// Romanizes Greek.
///
/// The systems are ELOT 743 (ISO 843 type 2, passports), phonetic spelling (Yorgos, Dimitris, Hania), classical
/// spelling (Phoibos, Athena) and Greeklish (x for χ, h for η, w for ω).
enum GreekAlphabet {
    private static let table = RomanizationTable(
        """
        α=a β=1:v/b γ=g δ=d ε=e ζ=z η=3:i/h/e θ=th ι=i κ=4:k/c λ=l μ=m ν=n ξ=5:x/ks ο=o π=p ρ=r σ=s ς=s τ=t
        υ=6:y/i/u φ=7:f/ph χ=8:ch/h/x/kh ψ=ps ω=9:o/w/o
        """)

    /// Digraphs, unless an accent or a diaeresis separates the letters.
    private static let pairs = RomanizationTable(
        """
        ου=10:ou/u ει=11:ei/i οι=12:oi/i αι=13:ai/e γγ=16:ng/gg γκ=17:gk/g/nk γξ=nx γχ=18:nch/nh/nx/nkh
        μπ=14:mp/b/mb ντ=15:nt/d/nd τζ=19:tz/dz/j
        """)

    private static let romanizer = Romanizer(
        systems: [
            // γ  β  η  κ  ξ  υ  φ  χ  ω ου ει οι αι μπ ντ γγ γκ γχ τζ  υ of αυ, initial μπ, ντ, γι
            [0],
            system([2: 1, 6: 1, 8: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 17: 1, 18: 1, 21: 0, 22: 1, 23: 1]),
            system([1: 1, 3: 2, 4: 1, 6: 0, 7: 1, 8: 0, 20: 1, 21: 1, 22: 0]),
            system([3: 1, 6: 2, 8: 2, 9: 1, 10: 0, 20: 1]),
        ],
        variableFeatures: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])

    private static func system(_ options: [Int: UInt8]) -> [UInt8] { (0..<24).map { options[$0] ?? 0 } }

    /// Returns the Latin spellings of a segment by track, best first.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(\.base)
        let marks = clusters.map(\.mark)
        var units: [RomanizationUnit] = []
        var index = 0
        while index < letters.count {
            let unit = unit(at: index, letters, marks)
            units.append(unit)
            index = max(unit.range.upperBound, index + 1)
        }
        return romanizer.spellings(units, of: clusters)
    }

    private static func unit(at index: Int, _ letters: [UInt32], _ marks: [UInt32]) -> RomanizationUnit {
        let next = index + 1 < letters.count ? letters[index + 1] : 0
        // ά before ι or υ, and ϊ or ϋ, separate the vowels.
        let areSeparate = marks[index] == 0x301 || (index + 1 < marks.count && marks[index + 1] == 0x308)
        switch (letters[index], next) {
        case (0x3B1, 0x3C5) where !areSeparate, (0x3B5, 0x3C5) where !areSeparate, (0x3B7, 0x3C5) where !areSeparate:
            let vowel = table.unit(at: index, in: letters).options.first ?? ""
            let after = index + 2 < letters.count ? letters[index + 2] : 0
            let consonant: ASCIILetters = isVoiceless(after) ? "f" : "v"
            return RomanizationUnit(
                range: index..<index + 2, feature: 20, options: [vowel + consonant, vowel + "u"])
        case (0x3BC, 0x3C0) where index == 0:
            return RomanizationUnit(range: 0..<2, feature: 21, options: ["b", "mp"])
        case (0x3BD, 0x3C4) where index == 0:
            return RomanizationUnit(range: 0..<2, feature: 22, options: ["nt", "d"])
        case (0x3B3, 0x3B9) where index + 2 < letters.count && isVowel(letters[index + 2]):
            // Γιώργος, Γιάννης
            return RomanizationUnit(
                range: index..<index + 2, feature: 23, options: ["gi", "y", "yi", "j"])
        case (0x3B3, _) where isFrontVowel(next):
            return RomanizationUnit(range: index..<index + 1, feature: 2, options: ["g", "y"])
        default:
            if let rule = pairs.rule(at: index, in: letters), !areSeparate || !isVowel(letters[index]) {
                return RomanizationUnit(range: index..<index + 2, feature: rule.feature, options: rule.options)
            }
            return table.unit(at: index, in: letters)
        }
    }

    /// Returns `true` for θ κ ξ π σ τ φ χ ψ and the end of the word.
    private static func isVoiceless(_ letter: UInt32) -> Bool {
        switch letter {
        case 0, 0x3B8, 0x3BA, 0x3BE, 0x3C0, 0x3C2, 0x3C3, 0x3C4, 0x3C6, 0x3C7, 0x3C8: true
        default: false
        }
    }

    private static func isVowel(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x3B1, 0x3B5, 0x3B7, 0x3B9, 0x3BF, 0x3C5, 0x3C9: true
        default: false
        }
    }

    private static func isFrontVowel(_ letter: UInt32) -> Bool {
        letter == 0x3B5 || letter == 0x3B7 || letter == 0x3B9 || letter == 0x3C5
    }
}
