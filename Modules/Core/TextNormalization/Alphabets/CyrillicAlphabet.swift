import CSwitchboardTextTables

/// The language of a Cyrillic text, as far as its letters reveal it.
enum CyrillicLanguage {
    case unknown, russian, ukrainian, belarusian, bulgarian, serbian

    /// Detects the language by letters that occur in only some languages.
    ///
    /// - Complexity: O(*n*) in the scalars of the text.
    init(of text: String) {
        self = .unknown
        var hasRussian = false
        var hardSign = false
        for scalar in text.unicodeScalars where scalar.value >= 0x400 && scalar.value < 0x500 {
            if hardSign, !Self.isSoftVowel(scalar.value) {
                self = .bulgarian
                return
            }
            hardSign = scalar.value == 0x44A || scalar.value == 0x42A
            switch scalar.value {
            case 0x404, 0x407, 0x490, 0x454, 0x457, 0x491:  // Є Ї Ґ
                self = .ukrainian
                return
            case 0x40E, 0x45E:  // Ў
                self = .belarusian
                return
            case 0x402, 0x403, 0x405, 0x408...0x40C, 0x40F, 0x452, 0x453, 0x455, 0x458...0x45C, 0x45F:
                self = .serbian
                return
            case 0x406, 0x456:  // І: Ukrainian as well as Belarusian
                self = .ukrainian
            case 0x42B, 0x42D, 0x401, 0x44B, 0x44D, 0x451:  // Ы Э Ё
                hasRussian = true
            default:
                break
            }
        }
        if self == .ukrainian, hasRussian { self = .belarusian } else if hasRussian { self = .russian }
        if self == .unknown, hardSign { self = .bulgarian }
    }

    private static func isSoftVowel(_ scalar: UInt32) -> Bool {
        switch scalar | 0x20 {
        case 0x435, 0x44F, 0x44E, 0x471, 0x451: true
        default: scalar == 0x415 || scalar == 0x42F || scalar == 0x42E || scalar == 0x401
        }
    }
}

/// Romanizes Cyrillic: Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, and the additional letters of
/// Kazakh, Tajik, Tatar, Kyrgyz, Uzbek and Mongolian.
///
/// The systems are the passport spellings (simplified BGN/PCGN; ICAO Doc 9303, also GOST R 52535.1 and GOST R 7.0.34),
/// the English press, BGN/PCGN with "ye", informal usage (h, c, sch), the Ukrainian resolution 55 of 2010 and popular
/// Ukrainian usage, the Bulgarian law of 2009, and Serbian Latin.
enum CyrillicAlphabet {
    /// The features of initial ю and я and of е after a vowel, which have no letters in ``table``.
    private static let firstYu = 18, firstYa = 19, ye = 11

    private static let table = RomanizationTable(sb_cyrillic)

    // yuriy, zhukov, khrushchev, fedor, mariya
    private static let passport: [Int: UInt8] = [:]
    // iurii, mariia, sergei
    private static let icao: [Int: UInt8] = [5: 1, 6: 1, 8: 1, 9: 2, 10: 2, 17: 1, 18: 1, 19: 1, 23: 1, 24: 2]
    // yury, maria, sergei, alexei, fyodor, prokofiev
    private static let press: [Int: UInt8] = [7: 1, 8: 1, 9: 1, 10: 1, 12: 1, 20: 1, 21: 1, 24: 1]
    // yevgeny, yekaterina, fyodor
    private static let bgn: [Int: UInt8] = [7: 1, 9: 1, 11: 1, 20: 1, 21: 1]
    // yuri, hruschev, cvetaeva, maria
    private static let informal: [Int: UInt8] = [2: 1, 3: 1, 4: 1, 9: 3, 10: 1, 20: 1, 21: 2, 22: 1, 24: 2]
    // volodymyr, zelenskyi, kyiv, halyna
    private static let ukrainian: [Int: UInt8] = [5: 1, 6: 1, 8: 1, 9: 4, 10: 2, 13: 1, 14: 1, 23: 1]
    // zelenskyy, mykhaylo
    private static let ukrainianPopular: [Int: UInt8] = [9: 5, 10: 1, 13: 1, 14: 1, 20: 1, 21: 1]
    // alyaksandr, uladzimir, hrodna
    private static let belarusian: [Int: UInt8] = [5: 1, 6: 1, 7: 2, 8: 1, 9: 3, 13: 1, 23: 1]
    // hristo, tarnovo, sht
    private static let bulgarian: [Int: UInt8] = [2: 1, 4: 2, 9: 3, 10: 1, 17: 2]
    // djokovic, zivkovic, sasa
    private static let serbian: [Int: UInt8] = [1: 1, 2: 1, 3: 1, 8: 2, 15: 1, 16: 1]
    // jokovic, sasha, zhivkovich
    private static let serbianPopular: [Int: UInt8] = [2: 1, 8: 2, 27: 1, 28: 1]

    private static let systems: [CyrillicLanguage: [[Int: UInt8]]] = [
        .unknown: [passport, icao, press, bgn, informal, ukrainian, ukrainianPopular],
        .russian: [passport, icao, press, bgn, informal],
        .ukrainian: [ukrainian, ukrainianPopular, passport, icao, press, informal],
        .belarusian: [belarusian, passport, icao, press, informal],
        .bulgarian: [bulgarian, passport, icao, press, informal],
        .serbian: [serbian, serbianPopular, passport, informal],
    ]

    private static let romanizers = systems.mapValues {
        Romanizer(systems: $0, variable: Set(1...33).subtracting([13, 14, 15, 16, 29]))
    }

    static func romanize(_ clusters: ArraySlice<LetterCluster>, language: CyrillicLanguage) -> [Romanization] {
        guard let romanizer = romanizers[language] else { return [] }
        let letters = clusters.map(composed)
        let units = table.units(letters) { index, _ in
            var unit = table.unit(at: index, in: letters)
            let previous = index > 0 ? letters[index - 1] : nil
            switch letters[index] {
            case 0x44E where previous == nil: unit.feature = firstYu
            case 0x44F where previous == nil: unit.feature = firstYa
            case 0x454 where previous == nil: unit.options = firstUkrainianYe
            case 0x457 where previous == nil: unit.options = firstYi
            case 0x435 where unit.range.count == 1 && isVowelOrSign(previous):
                unit.feature = ye
                unit.options = softYe
            default: break
            }
            return unit
        }
        return romanizer.spellings(units, of: clusters)
    }

    private static let firstUkrainianYe: [ASCIILetters] = ["ye", "ye", "e", "je"]
    private static let firstYi: [ASCIILetters] = ["yi", "yi", "i", "ji"]
    private static let softYe: [ASCIILetters] = ["e", "ye"]

    private static func composed(_ cluster: LetterCluster) -> UInt32 {
        switch (cluster.base, cluster.mark) {
        case (0x438, 0x306): 0x439  // й
        case (0x435, 0x308): 0x451  // ё
        case (0x456, 0x308): 0x457  // ї
        case (0x443, 0x306): 0x45E  // ў
        case (0x433, 0x301): 0x453  // ѓ
        case (0x43A, 0x301): 0x45C  // ќ
        default: cluster.base
        }
    }

    /// Returns `true` if е is pronounced "ye" after a letter, or at the beginning of a word.
    private static func isVowelOrSign(_ letter: UInt32?) -> Bool {
        switch letter {
        case nil, 0x430, 0x435, 0x438, 0x43E, 0x443, 0x44A, 0x44B, 0x44C, 0x44D, 0x44E, 0x44F, 0x451, 0x439: true
        default: false
        }
    }
}
