import CSwitchboardTextTables
import Foundation

/// Romanizes Greek.
///
/// The systems are ELOT 743 (ISO 843 type 2, passports), phonetic spelling (Yorgos, Dimitris, Hania), classical
/// spelling (Phoibos, Athena) and Greeklish (x for χ, h for η, w for ω).
enum GreekAlphabet {
    private static let table = RomanizationTable(sb_greek)

    /// Digraphs, unless an accent or a diaeresis separates the letters.
    private static let pairs = RomanizationTable(sb_greek_pairs)

    private static let romanizer = Romanizer(
        systems: [
            // Features without letters in the tables: 2 γ before front vowels, 20 υ of αυ, 21 μπ, 22 ντ and 23 γι at
            // the beginning.
            [:],
            [2: 1, 6: 1, 8: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 17: 1, 18: 1, 22: 1, 23: 1],
            [1: 1, 3: 2, 4: 1, 7: 1, 20: 1, 21: 1],
            [3: 1, 6: 2, 8: 2, 9: 1, 20: 1],
        ],
        variable: 1...23)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(\.base)
        let marks = clusters.map(\.mark)
        return romanizer.spellings(table.units(letters) { index, _ in unit(at: index, letters, marks) }, of: clusters)
    }

    private static func unit(at index: Int, _ letters: [UInt32], _ marks: [UInt32]) -> RomanizationUnit? {
        let pair = index..<index + 2
        let next = index + 1 < letters.count ? letters[index + 1] : 0
        // ά before ι or υ, and ϊ or ϋ, separate the vowels.
        let areSeparate = marks[index] == 0x301 || (index + 1 < marks.count && marks[index + 1] == 0x308)
        switch (letters[index], next) {
        case (0x3B1, 0x3C5) where !areSeparate, (0x3B5, 0x3C5) where !areSeparate, (0x3B7, 0x3C5) where !areSeparate:
            let vowel = table.unit(at: index, in: letters).options.first ?? ""
            let after = index + 2 < letters.count ? letters[index + 2] : 0
            return RomanizationUnit(pair, feature: 20, [vowel + (isVoiceless(after) ? "f" : "v"), vowel + "u"])
        case (0x3BC, 0x3C0) where index == 0: return RomanizationUnit(pair, feature: 21, ["b", "mp"])
        case (0x3BD, 0x3C4) where index == 0: return RomanizationUnit(pair, feature: 22, ["nt", "d"])
        case (0x3B3, 0x3B9) where index + 2 < letters.count && isVowel(letters[index + 2]):
            // Γιώργος, Γιάννης
            return RomanizationUnit(pair, feature: 23, ["gi", "y", "yi", "j"])
        case (0x3B3, 0x3B5), (0x3B3, 0x3B7), (0x3B3, 0x3B9), (0x3B3, 0x3C5):
            return RomanizationUnit(index..<index + 1, feature: 2, ["g", "y"])
        default:
            guard let rule = pairs.rule(at: index, in: letters), !areSeparate || !isVowel(letters[index]) else {
                return nil
            }
            return RomanizationUnit(pair, feature: rule.feature, rule.options)
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
}

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

/// Romanizes Georgian: the national system of 2002 without its apostrophes, and common variations.
enum GeorgianAlphabet {
    private static let table = RomanizationTable(sb_georgian)
    private static let romanizer = Romanizer(systems: [[:], [1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1]], variable: 1...9)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        romanizer.spellings(table.units(clusters.map(\.base)), of: clusters)
    }
}

/// Romanizes scripts without a table (Thai, Lao, Khmer, Sinhala, …) with ICU's transform to Latin.
///
/// Loading ICU takes tens of milliseconds. Nothing else in this module may use it.
enum OtherScripts {
    /// The maximum length of a segment, since ICU may take more than linear time.
    private static let maximumLength = 64

    /// Returns the Latin spellings of a segment from ICU, with letters aligned to clusters in proportion.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        guard clusters.count <= maximumLength else { return [] }
        var source = String.UnicodeScalarView()
        for cluster in clusters {
            if let scalar = Unicode.Scalar(cluster.base) { source.append(scalar) }
            if let mark = Unicode.Scalar(cluster.mark), cluster.mark != 0 { source.append(mark) }
        }
        guard let latin = String(source).applyingTransform(.toLatin, reverse: false) else { return [] }
        var letters: [UInt16] = []
        WordScanner.scan(latin) { word in
            for letter in word.clusters where letter.base < 0x80 {
                letters.append(UInt16(truncatingIfNeeded: letter.base))
            }
        }
        guard !letters.isEmpty else { return [] }
        return [Romanization(aligning: letters, to: clusters)]
    }
}

extension Romanization {
    /// Distributes letters over clusters in proportion.
    init(aligning letters: some Collection<UInt16>, to clusters: ArraySlice<LetterCluster>) {
        self.init()
        for (index, letter) in letters.enumerated() {
            let position = clusters.startIndex + index * clusters.count / max(letters.count, 1)
            let clamped = min(position, clusters.endIndex - 1)
            guard clamped >= clusters.startIndex else { continue }
            append([letter], of: clusters[clamped...clamped])
        }
    }
}
