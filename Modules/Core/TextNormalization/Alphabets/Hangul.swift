/// Romanizes Hangul: the Revised Romanization of 2000, and common spellings of names.
///
/// The systems are the Revised Romanization with a common surname (Kim Minsu) and without (gim minsu), common English
/// spellings (Kim Hyun-soo), the same with k for ㄱ, and McCune–Reischauer without its marks.
enum Hangul {
    private static let initials = split("g kk n d tt r m b pp s ss - j jj ch k t p h")
    private static let vowels = split("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
    private static let finals = split("- k k k n n n t l k m l l l p l m p p t t ng t t k t p t")
    private static let linked = split("- g kk ks n nj n d r lg lm lb ls lt lp r m b ps s ss ng j ch k t p -")

    private static func split(_ text: String) -> [ASCIILetters] {
        text.split(separator: " ").map { $0 == "-" ? "" : ASCIILetters($0) }
    }

    private static let romanizer = Romanizer(
        systems: [
            [0],
            [0, 255],
            [0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 2, 3, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1],
        ],
        variableFeatures: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16])

    /// A syllable of a segment, or a single letter.
    private struct Syllable {
        var range: Range<Int>
        var initial = 0
        var vowel = 0
        var final = 0
        var lone: UInt32 = 0
        var scalar: UInt32 { lone != 0 ? lone : 0xAC00 + UInt32(initial * 588 + vowel * 28 + final) }
    }

    private static func syllables(of clusters: ArraySlice<LetterCluster>) -> [Syllable] {
        let letters = clusters.map(\.base)
        var result: [Syllable] = []
        var index = 0
        while index < letters.count {
            guard (0x1100...0x1112).contains(letters[index]), index + 1 < letters.count,
                (0x1161...0x1175).contains(letters[index + 1])
            else {
                result.append(Syllable(range: index..<index + 1, lone: letters[index]))
                index += 1
                continue
            }
            let hasFinal = index + 2 < letters.count && (0x11A8...0x11C2).contains(letters[index + 2])
            let end = index + (hasFinal ? 3 : 2)
            result.append(
                Syllable(
                    range: index..<end, initial: Int(letters[index] - 0x1100), vowel: Int(letters[index + 1] - 0x1161),
                    final: hasFinal ? Int(letters[index + 2] - 0x11A7) : 0))
            index = end
        }
        return result
    }

    /// Splits a Korean name written without spaces: a surname of one or two syllables, and two more syllables.
    ///
    /// - Returns: The surname and the syllables, or `nil` if the word does not look like a name.
    static func nameSyllables(_ clusters: [LetterCluster]) -> [ArraySlice<LetterCluster>]? {
        guard clusters.count <= 12 else { return nil }
        let syllables = syllables(of: clusters[...])
        guard syllables.allSatisfy({ $0.lone == 0 }), let first = syllables.first else { return nil }
        if syllables.count == 3, KoreanSurnames.single[first.scalar] != nil {
            return syllables.map { clusters[$0.range] }
        }
        if syllables.count == 4, KoreanSurnames.double[[first.scalar, syllables[1].scalar]] != nil {
            return [clusters[0..<syllables[1].range.upperBound]] + syllables[2...].map { clusters[$0.range] }
        }
        return nil
    }

    /// Returns the Latin spellings of a segment by track, best first.
    ///
    /// - Parameter startsName: `true` if the first syllable may be a surname.
    static func romanize(_ clusters: ArraySlice<LetterCluster>, startsName: Bool) -> [Romanization] {
        let syllables = syllables(of: clusters)
        var result: [Romanization] = []
        if startsName, let surname = surname(syllables) {
            result = romanizer.spellings(units(syllables, startingWith: surname), of: clusters)
            // A word that begins like a surname need not be a name: 신라, 부산.
            guard surname.range.count < clusters.count else { return result }
        }
        for spelling in romanizer.spellings(units(syllables, startingWith: nil), of: clusters) {
            guard result.count < FoldedWord.maximumSpellings - 2 else { break }
            if !result.contains(where: { $0.letters == spelling.letters }) { result.append(spelling) }
        }
        return result.count > 1 ? result + result.prefix(1) : result
    }

    /// Returns the surname at the beginning of up to two syllables, or up to four if the surname has two.
    private static func surname(_ syllables: [Syllable]) -> RomanizationUnit? {
        guard let first = syllables.first, syllables.count <= 4 else { return nil }
        if syllables.count > 1, let options = KoreanSurnames.double[[first.scalar, syllables[1].scalar]] {
            return RomanizationUnit(range: 0..<syllables[1].range.upperBound, feature: 1, options: options)
        }
        guard syllables.count <= 2, let options = KoreanSurnames.single[first.scalar] else { return nil }
        return RomanizationUnit(range: first.range, feature: 1, options: options)
    }

    private static func units(_ syllables: [Syllable], startingWith surname: RomanizationUnit?) -> [RomanizationUnit] {
        var units = surname.map { [$0] } ?? []
        for (index, syllable) in syllables.enumerated() {
            if let surname, syllable.range.lowerBound < surname.range.upperBound { continue }
            let previous = index > 0 && units.last?.feature != 1 ? syllables[index - 1] : nil
            let next = index + 1 < syllables.count ? syllables[index + 1] : nil
            append(syllable, after: previous, before: next, to: &units)
        }
        return units
    }

    private static func append(
        _ syllable: Syllable, after previous: Syllable?, before next: Syllable?, to units: inout [RomanizationUnit]
    ) {
        let start = syllable.range.lowerBound
        guard syllable.lone == 0 else {
            units.append(RomanizationUnit(range: syllable.range, feature: 0, options: [loneLetter(syllable.lone)]))
            return
        }
        units.append(initialUnit(syllable, after: previous, at: start))
        units.append(vowelUnit(syllable, at: start + 1))
        guard syllable.final > 0 else { return }
        units.append(finalUnit(syllable.final, before: next, at: start + 2))
    }

    private static func initialUnit(_ syllable: Syllable, after previous: Syllable?, at index: Int) -> RomanizationUnit
    {
        let standard = initials[syllable.initial]
        let range = index..<index + 1
        if let previous, previous.lone == 0, previous.final > 0 {
            let end = finals[previous.final]
            switch (end, syllable.initial) {
            case ("l", 2), ("l", 5), ("n", 5):
                return RomanizationUnit(range: range, feature: 11, options: ["l", standard])
            case (_, 5):
                return RomanizationUnit(range: range, feature: 11, options: ["n", standard])
            default: break
            }
        }
        switch syllable.initial {
        case 0: return RomanizationUnit(range: range, feature: 7, options: [standard, "k"])
        case 3: return RomanizationUnit(range: range, feature: 8, options: [standard, "t"])
        case 7: return RomanizationUnit(range: range, feature: 9, options: [standard, "p"])
        case 9 where syllable.vowel == 20:
            return RomanizationUnit(range: range, feature: 16, options: [standard, "sh"])
        case 12: return RomanizationUnit(range: range, feature: 10, options: [standard, "ch"])
        default: return RomanizationUnit(range: range, feature: 0, options: [standard])
        }
    }

    private static func vowelUnit(_ syllable: Syllable, at index: Int) -> RomanizationUnit {
        let range = index..<index + 1
        let isBare = syllable.initial == 11
        let (feature, options): (Int, String) =
            switch syllable.vowel {
            case 4: (2, "eo u o")
            case 6: (3, isBare ? "yeo you yu yo" : "yeo yu you yo")
            case 13: (4, isBare ? "u woo wu" : "u oo")
            case 17: (4, "yu yoo")
            case 18: (5, "eu u")
            case 19: (6, isBare ? "ui eui" : "ui ee eui")
            case 20: (12, isBare ? "i yi" : "i ee")
            default: (0, "")
            }
        return RomanizationUnit(
            range: range, feature: feature, options: options.isEmpty ? [vowels[syllable.vowel]] : split(options))
    }

    private static func finalUnit(_ final: Int, before next: Syllable?, at index: Int) -> RomanizationUnit {
        let standard = finals[final]
        let range = index..<index + 1
        guard let next, next.lone == 0 else { return RomanizationUnit(range: range, feature: 0, options: [standard]) }
        var changed = standard
        switch (next.initial, standard) {
        case (11, _): changed = linked[final]
        case (2, "k"), (6, "k"), (5, "k"): changed = "ng"
        case (2, "t"), (6, "t"): changed = "n"
        case (2, "p"), (6, "p"), (5, "p"): changed = "m"
        case (5, "n"): changed = "l"
        default: break
        }
        return RomanizationUnit(
            range: range, feature: 11, options: changed == standard ? [standard] : [changed, standard])
    }

    private static func loneLetter(_ scalar: UInt32) -> ASCIILetters {
        switch scalar {
        case 0x1100...0x1112: initials[Int(scalar - 0x1100)]
        case 0x1161...0x1175: vowels[Int(scalar - 0x1161)]
        case 0x11A8...0x11C2: finals[Int(scalar - 0x11A7)]
        default: ""
        }
    }
}
