import CSwitchboardTextTables

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
        text.split(separator: " ").map { $0 == "-" ? "" : ASCIILetters($0.utf16) }
    }

    // MARK: - Letters as typed

    /// Returns `true` for vowels and final consonants, which may be typed as other letters.
    @inline(__always)
    static func isComposed(_ letter: UInt32) -> Bool { letter >= 0x116A && letter <= 0x11C2 }

    private static let vowelStrokes: [[UInt16]] = [
        [0x1169, 0x1161], [0x1169, 0x1162], [0x1169, 0x1175], [0x116D], [0x116E], [0x116E, 0x1165], [0x116E, 0x1166],
        [0x116E, 0x1175], [0x1172], [0x1173], [0x1173, 0x1175], [0x1175],
    ]
    private static let finalStrokes: [[UInt16]] = [
        [0x1100], [0x1101], [0x1100, 0x1109], [0x1102], [0x1102, 0x110C], [0x1102, 0x1112], [0x1103], [0x1105],
        [0x1105, 0x1100], [0x1105, 0x1106], [0x1105, 0x1107], [0x1105, 0x1109], [0x1105, 0x1110], [0x1105, 0x1111],
        [0x1105, 0x1112], [0x1106], [0x1107], [0x1107, 0x1109], [0x1109], [0x110A], [0x110B], [0x110C], [0x110E],
        [0x110F], [0x1110], [0x1111], [0x1112],
    ]

    /// Returns the letters that are typed for a letter on a two-set keyboard: a final consonant is the key of an initial one,
    /// and ㅘ and ㄺ are two keys.
    ///
    /// A word of these letters begins with what an input method shows on the way to it: 기문 with 김, 닭 with 달, 과 with 고.
    static func strokes(_ letter: UInt32) -> [UInt16] {
        switch letter {
        case 0x116A...0x1175: vowelStrokes[Int(letter - 0x116A)]
        case 0x11A8...0x11C2: finalStrokes[Int(letter - 0x11A8)]
        default: [UInt16(truncatingIfNeeded: letter)]
        }
    }

    /// Returns the spelling by the initial consonants of a segment of several syllables: ㅋㅋㅇㅌ for 카카오톡.
    static func initials(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let syllables = syllables(of: clusters)
        guard syllables.count > 1 else { return [] }
        var result = Romanization(capacity: syllables.count)
        for syllable in syllables {
            let start = clusters.startIndex + syllable.range.lowerBound
            let range = start..<clusters.startIndex + syllable.range.upperBound
            if syllable.lone == 0 {
                result.append([UInt16(truncatingIfNeeded: clusters[start].base)], of: clusters[range])
            } else {
                result.append(clusters[start])
            }
        }
        return [result]
    }

    // MARK: - Romanization

    /// Surnames of one or two syllables.
    private static let surnames = NameReadings(sb_korean_surnames)

    private static let romanizer = Romanizer(
        systems: [
            [:],
            [1: 255],
            [2: 1, 3: 1, 4: 1, 6: 1, 16: 1],
            [2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 16: 1],
            [2: 2, 3: 3, 5: 1, 7: 1, 8: 1, 9: 1, 10: 1, 16: 1],
        ],
        variable: Set(1...12).union([16]))

    /// A syllable of a segment, or a single letter.
    private struct Syllable {
        var range: Range<Int>
        var initial = 0
        var vowel = 0
        var final = 0
        /// The letter, if it is a single one.
        var lone: UInt32 = 0
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
        guard 3...4 ~= syllables.count, syllables.allSatisfy({ $0.lone == 0 }) else { return nil }
        let surname = 0..<syllables[syllables.count - 3].range.upperBound
        guard !surnames[clusters[surname].lazy.map(\.base)].isEmpty else { return nil }
        return [clusters[surname]] + syllables.suffix(2).map { clusters[$0.range] }
    }

    /// Returns the Latin spellings of a segment by track, best first.
    ///
    /// - Parameter startsName: `true` if the first syllable may be a surname.
    static func romanize(_ clusters: ArraySlice<LetterCluster>, startsName: Bool) -> [Romanization] {
        let syllables = syllables(of: clusters)
        var result: [Romanization] = []
        if startsName, let surname = surname(syllables, of: clusters) {
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
    private static func surname(_ syllables: [Syllable], of clusters: ArraySlice<LetterCluster>) -> RomanizationUnit? {
        for count in [2, 1] where count <= syllables.count && syllables.count <= 2 * count {
            let range = 0..<syllables[count - 1].range.upperBound
            let spellings = surnames[clusters.prefix(range.count).map(\.base)]
            if !spellings.isEmpty { return RomanizationUnit(range, feature: 1, spellings.map { ASCIILetters($0) }) }
        }
        return nil
    }

    private static func units(_ syllables: [Syllable], startingWith surname: RomanizationUnit?) -> [RomanizationUnit] {
        var units = surname.map { [$0] } ?? []
        for (index, syllable) in syllables.enumerated() {
            if let surname, syllable.range.lowerBound < surname.range.upperBound { continue }
            guard syllable.lone == 0 else {
                units.append(RomanizationUnit(syllable.range, [loneLetter(syllable.lone)]))
                continue
            }
            let previous = index > 0 && units.last?.feature != 1 ? syllables[index - 1] : nil
            let next = index + 1 < syllables.count ? syllables[index + 1] : nil
            let start = syllable.range.lowerBound
            units.append(initialUnit(syllable, after: previous, at: start..<start + 1))
            units.append(vowelUnit(syllable, at: start + 1..<start + 2))
            if syllable.final > 0 { units.append(finalUnit(syllable.final, before: next, at: start + 2..<start + 3)) }
        }
        return units
    }

    private static func initialUnit(
        _ syllable: Syllable, after previous: Syllable?, at range: Range<Int>
    ) -> RomanizationUnit {
        let standard = initials[syllable.initial]
        if let previous, previous.lone == 0, previous.final > 0 {
            switch (finals[previous.final], syllable.initial) {
            case ("l", 2), ("l", 5), ("n", 5): return RomanizationUnit(range, feature: 11, ["l", standard])
            case (_, 5): return RomanizationUnit(range, feature: 11, ["n", standard])
            default: break
            }
        }
        switch syllable.initial {
        case 0: return RomanizationUnit(range, feature: 7, [standard, "k"])
        case 3: return RomanizationUnit(range, feature: 8, [standard, "t"])
        case 7: return RomanizationUnit(range, feature: 9, [standard, "p"])
        case 9 where syllable.vowel == 20: return RomanizationUnit(range, feature: 16, [standard, "sh"])
        case 12: return RomanizationUnit(range, feature: 10, [standard, "ch"])
        default: return RomanizationUnit(range, [standard])
        }
    }

    private static func vowelUnit(_ syllable: Syllable, at range: Range<Int>) -> RomanizationUnit {
        let isBare = syllable.initial == 11
        switch syllable.vowel {
        case 4: return RomanizationUnit(range, feature: 2, ["eo", "u", "o"])
        case 6:
            let options: [ASCIILetters] = isBare ? ["yeo", "you", "yu", "yo"] : ["yeo", "yu", "you", "yo"]
            return RomanizationUnit(range, feature: 3, options)
        case 13: return RomanizationUnit(range, feature: 4, isBare ? ["u", "woo", "wu"] : ["u", "oo"])
        case 17: return RomanizationUnit(range, feature: 4, ["yu", "yoo"])
        case 18: return RomanizationUnit(range, feature: 5, ["eu", "u"])
        case 19: return RomanizationUnit(range, feature: 6, isBare ? ["ui", "eui"] : ["ui", "ee", "eui"])
        case 20: return RomanizationUnit(range, feature: 12, isBare ? ["i", "yi"] : ["i", "ee"])
        default: return RomanizationUnit(range, [vowels[syllable.vowel]])
        }
    }

    private static func finalUnit(_ final: Int, before next: Syllable?, at range: Range<Int>) -> RomanizationUnit {
        let standard = finals[final]
        guard let next, next.lone == 0 else { return RomanizationUnit(range, [standard]) }
        var changed = standard
        switch (next.initial, standard) {
        case (11, _): changed = linked[final]
        case (2, "k"), (6, "k"), (5, "k"): changed = "ng"
        case (2, "t"), (6, "t"): changed = "n"
        case (2, "p"), (6, "p"), (5, "p"): changed = "m"
        case (5, "n"): changed = "l"
        default: break
        }
        return RomanizationUnit(range, feature: 11, changed == standard ? [standard] : [changed, standard])
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
