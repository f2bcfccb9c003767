import CSwitchboardTextTables

/// Romanizes Arabic, Persian and Urdu: readings of well-known names, guessed vowels and bare consonants.
///
/// Harakat are ignored. ا, و and ي between consonants are vowels; a short vowel is guessed as a, then i, then u.
enum ArabicAlphabet {
    private static let consonants = RomanizationTable(sb_arabic)

    /// Common Arabic, Persian and Urdu names and places.
    private static let readings = NameReadings(sb_arabic_names)

    private static let skeletons = Romanizer(systems: [[:]], variable: [2, 3, 10, 13], limit: 3)
    private static let guesses = Romanizer(
        systems: [[:]], variable: [1, 2, 3, 4, 5, 6, 10, 12, 13, 17, 18, 20], limit: 6)

    /// Returns the spelling with ه for ة and without isolated hamzas.
    static func looseSpelling(_ clusters: ArraySlice<LetterCluster>) -> Romanization {
        var result = Romanization()
        for var cluster in clusters where cluster.base != 0x621 {
            if cluster.base == 0x629 { cluster.base = 0x647 }
            result.append(cluster)
        }
        if result.letters.isEmpty { clusters.forEach { result.append($0) } }
        return result
    }

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let names = names(clusters)
        let skeletons = skeletons.spellings(consonants.units(clusters.map(\.base)), of: clusters)
        let guesses = names.count > 1 ? [] : guesses.spellings(vocalized(clusters), of: clusters)
        return Romanization.tracks(names: names, guesses: guesses, skeletons: skeletons)
    }

    /// Returns the readings of a listed name, including after the article and after عبد ال.
    private static func names(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(\.base)
        let known = readings[letters]
        if !known.isEmpty { return Romanization.aligned(known, along: clusters, beginnings: beginnings) }
        for (prefix, spellings) in prefixes where letters.count > prefix.count + 1 && letters.starts(with: prefix) {
            let rest = clusters.dropFirst(prefix.count)
            let readings = readings[rest.map(\.base)]
            guard !readings.isEmpty else { continue }
            let heads = Romanization.aligned(
                spellings, along: clusters.prefix(prefix.count), beginnings: beginnings)
            return Romanization.aligned(readings.prefix(3), along: rest, beginnings: beginnings).flatMap { tail in
                heads.map { head in
                    var whole = head
                    whole.append(tail)
                    return whole
                }
            }
        }
        return []
    }

    private static let prefixes: [(prefix: [UInt32], spellings: [[UInt16]])] = [
        ("عبدال", ["abdul", "abdel", "abdal"]), ("ال", ["al", "el"]),
    ].map { prefix, spellings in (prefix.unicodeScalars.map(\.value), spellings.map { Array($0.utf16) }) }

    private static func beginnings(_ cluster: LetterCluster) -> [UInt16] {
        switch cluster.base {
        case 0x627: [0x61, 0x65, 0x69, 0x6F, 0x75]  // ا
        case 0x648: [0x77, 0x75, 0x6F, 0x76]  // و
        case 0x64A: [0x79, 0x69, 0x65, 0x61]  // ي
        case 0x639, 0x621: []  // ع ء
        default: consonants.unit(at: 0, in: [cluster.base]).options.compactMap(\.first)
        }
    }

    private static func vocalized(_ clusters: ArraySlice<LetterCluster>) -> [RomanizationUnit] {
        let letters = clusters.map(\.base)
        var units = consonants.units(letters)
        let hasArticle = letters.count > 3 && letters[0] == 0x627 && letters[1] == 0x644
        for index in units.indices {
            let isFirst = index == 0
            let isLast = index == units.count - 1
            let previousIsVowel = !isFirst && isVowel(letters[index - 1])
            switch letters[index] {
            case 0x627:
                if isFirst { units[index].options = ["a", "i", "u", "e"] }
                units[index].feature = 17
            case 0x648 where !isFirst && !previousIsVowel:
                units[index].options = ["u", "o", "ou", "w"]
                units[index].feature = 13
            case 0x64A where !isFirst && !previousIsVowel:
                units[index].options = isLast ? ["i", "y", "a"] : ["i", "ee", "e", "ay"]
                units[index].feature = 18
            case 0x639 where isFirst && !isLast && !isVowel(letters[1]):
                units[index].options = ["a", "i", "u", "o"]
                units[index].feature = 20
            default:
                let isArticle = hasArticle && index == 1
                let isBeforeVowel = !isLast && (isVowel(letters[index + 1]) || letters[index + 1] == 0x629)
                if !isLast, !isArticle, !isBeforeVowel, letters[index] != 0x629 {
                    let consonant = units[index].options.first ?? ""
                    if units[index].options.count == 1 {
                        units[index].options = [consonant + "a", consonant + "i", consonant + "u"]
                        units[index].feature = 20
                    } else {
                        units[index].options = units[index].options.map { $0 + "a" }
                    }
                }
            }
        }
        return units
    }

    private static func isVowel(_ letter: UInt32) -> Bool {
        letter == 0x627 || letter == 0x648 || letter == 0x64A
    }
}

/// Romanizes Hebrew: readings of well-known names, guessed vowels and bare consonants.
///
/// Points are ignored. ו and י between consonants are vowels; an unwritten vowel is guessed as a.
enum HebrewAlphabet {
    private static let consonants = RomanizationTable(sb_hebrew)

    /// Common given names and surnames.
    private static let readings = NameReadings(sb_hebrew_names)

    private static let skeletons = Romanizer(systems: [[:]], variable: [1, 2, 3, 6, 7, 9], limit: 3)
    private static let guesses = Romanizer(systems: [[:]], variable: [1, 3, 5, 6, 7, 9, 12, 13], limit: 5)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let names = Romanization.aligned(readings[clusters.map(\.base)], along: clusters, beginnings: beginnings)
        let skeletons = skeletons.spellings(units(clusters), of: clusters)
        let guesses = names.count > 1 ? [] : guesses.spellings(vocalized(clusters), of: clusters)
        return Romanization.tracks(names: names, guesses: guesses, skeletons: skeletons)
    }

    private static func beginnings(_ cluster: LetterCluster) -> [UInt16] {
        switch cluster.base {
        case 0x5D0, 0x5E2: [0x61, 0x65, 0x69, 0x6F, 0x75]  // א ע
        case 0x5D5: [0x76, 0x6F, 0x75, 0x77]  // ו
        case 0x5D9: [0x79, 0x69, 0x65, 0x6A]  // י
        case 0x5D7, 0x5DB: [0x63, 0x68, 0x6B]  // ח כ
        case 0x5E6: [0x74, 0x7A, 0x63]  // צ
        default: consonants.unit(at: 0, in: [cluster.base]).options.compactMap(\.first)
        }
    }

    private static func units(_ clusters: ArraySlice<LetterCluster>) -> [RomanizationUnit] {
        var units = consonants.units(clusters.map(\.base))
        for (index, cluster) in clusters.enumerated() where cluster.mark == 0x5F3 {
            switch cluster.base {
            case 0x5D2: units[index].options = ["j", "g"]
            case 0x5D6: units[index].options = ["zh", "j"]
            case 0x5E6: units[index].options = ["ch", "tch"]
            case 0x5EA: units[index].options = ["th"]
            default: break
            }
        }
        return units
    }

    private static func vocalized(_ clusters: ArraySlice<LetterCluster>) -> [RomanizationUnit] {
        var units = units(clusters)
        let letters = clusters.map(\.base)
        for index in units.indices {
            let isFirst = index == 0
            let isLast = index == units.count - 1
            let previousIsVowel = !isFirst && isVowel(letters[index - 1])
            switch letters[index] {
            case 0x5D0, 0x5E2:
                units[index].options = isFirst ? ["a", "e", "o"] : ["a", ""]
                units[index].feature = 12
            case 0x5D5 where !isFirst && !previousIsVowel:
                units[index].options = ["o", "u", "v"]
                units[index].feature = 13
            case 0x5D9 where !isFirst && !previousIsVowel:
                units[index].options = ["i", "ei", "y"]
                units[index].feature = 13
            case 0x5D4 where isLast && !isFirst && !previousIsVowel:
                units[index].options = ["ah", "a", "eh", "e"]
                units[index].feature = 14
            default:
                // Final ב, פ and כ are soft: v, f, ch
                if isLast, !isFirst, [0x5D1, 0x5E4, 0x5DB].contains(letters[index]), units[index].options.count > 1 {
                    units[index].options.swapAt(0, 1)
                }
                if !isLast, !isVowel(letters[index + 1]), !(letters[index + 1] == 0x5D4 && index + 2 == units.count) {
                    units[index].options = units[index].options.map { $0 + "a" }
                }
            }
        }
        return units
    }

    private static func isVowel(_ letter: UInt32) -> Bool {
        letter == 0x5D0 || letter == 0x5E2 || letter == 0x5D5 || letter == 0x5D9
    }
}
