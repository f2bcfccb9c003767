/// Two-letter spellings of letters in Latin alphabets (docs/matching.md, “Other spellings”).
enum LatinSpellings {
    /// Returns the alternative spellings of a Latin segment.
    ///
    /// With letters of both kinds (Gökçe), both are expanded first, then only the umlauts, then only the others.
    static func alternatives(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let hasUmlaut = clusters.contains { umlaut($0) != nil }
        let hasOther = clusters.contains { other($0) != nil }
        guard hasUmlaut || hasOther else { return [] }
        let all = write(clusters, hasUmlaut, hasOther)
        return hasUmlaut && hasOther ? [all, write(clusters, true, false), write(clusters, false, true)] : [all]
    }

    private static func write(_ clusters: ArraySlice<LetterCluster>, _ umlauts: Bool, _ others: Bool) -> Romanization {
        var result = Romanization()
        for index in clusters.indices {
            let cluster = clusters[index]
            if let letters = (umlauts ? umlaut(cluster) : nil) ?? (others ? other(cluster) : nil) {
                result.append(letters, of: clusters[index...index])
            } else {
                result.append(cluster)
            }
        }
        return result
    }

    /// Returns the spelling of an umlaut or similar letter in German, Scandinavian, Estonian and Turkish: ä ö ü å ø.
    private static func umlaut(_ cluster: LetterCluster) -> ASCIILetters? {
        switch (cluster.base, cluster.mark) {
        case (0x61, 0x308): "ae"
        case (0x6F, 0x308), (0x6F, 0x338): "oe"
        case (0x75, 0x308): "ue"
        case (0x61, 0x30A): "aa"
        default: nil
        }
    }

    /// Returns the spelling of a letter in Turkish, Romanian, Slavic, Baltic and Azerbaijani: ç ş ğ ș ț č ć š ž đ ə,
    /// and ŋ.
    private static func other(_ cluster: LetterCluster) -> ASCIILetters? {
        switch (cluster.base, cluster.mark) {
        case (0x63, 0x327), (0x63, 0x30C), (0x63, 0x301): "ch"
        case (0x73, 0x327), (0x73, 0x30C), (0x73, 0x326): "sh"
        case (0x74, 0x326), (0x74, 0x327): "ts"
        case (0x7A, 0x30C): "zh"
        case (0x67, 0x306): "gh"
        case (0x64, 0x335): "dj"
        case (0x65, ScalarFolding.schwaMark): "a"
        case (0x6E, ScalarFolding.engMark): "ng"
        default: nil
        }
    }
}

/// Groups of spellings that sound alike in European languages and in names romanized from Arabic, Persian, Hebrew and
/// Russian, for words folded to Latin letters.
///
/// A small table instead of a code such as Soundex, Kölner Phonetik or Beider–Morse: a code merges far more names than
/// sound alike and must be stored with every word. These groups are tried on the words that exist, each at a cost.
package enum SoundAlikes {
    /// The position in a word where the spellings sound alike.
    package enum Place: Sendable { case anywhere, start, end }

    /// The spellings; an empty one is a silent letter.
    package typealias Group = (spellings: [String], place: Place, cost: Int)

    package static let groups: [Group] = [
        // Consonants: Carl, Karl; Erik, Eric, Erick; Nicholas, Nikolas; Khalid, Chalid.
        (["k", "c", "ck", "ch", "kh", "kk", "cc", "q"], .anywhere, 1),
        (["qu", "kw", "kv", "q", "k"], .anywhere, 1),
        (["x", "ks", "cks", "cs", "chs"], .anywhere, 1),
        // Stefan, Stephan, Steven; Walter, Valter; Ivanov, Iwanow, Ivanoff.
        (["f", "ff", "ph", "v"], .anywhere, 1), (["v", "w", "wh"], .anywhere, 1), (["v", "w", "ff", "f"], .end, 1),
        // Marta, Martha; Schmidt, Schmitt, Schmid.
        (["t", "tt", "th", "dt"], .anywhere, 1), (["d", "dd", "dh", "dt"], .anywhere, 1), (["d", "t"], .end, 1),
        // Susan, Suzan; Gonzales, Gonzalez; Schwarz, Schwartz; Lukasz, Lukas.
        (["s", "ss", "z", "zz", "c", "sz"], .anywhere, 1), (["z", "tz", "ts", "cz"], .anywhere, 1),
        (["sch", "sh", "ch", "sz", "s"], .anywhere, 1), (["ch", "tch", "tsch", "tsh", "cz"], .anywhere, 1),
        // Julia, Yulia, Iulia; Djamal, Jamal, Gamal; Geoffrey, Jeffrey.
        (["j", "y", "i", "dj", "g", "zh"], .anywhere, 1), (["ge", "je", "geo", "jo"], .start, 1),
        (["gh", "g", "h"], .anywhere, 1), (["gh", ""], .anywhere, 1), (["h", ""], .anywhere, 1),
        // Doubled letters.
        (["b", "bb"], .anywhere, 1), (["g", "gg"], .anywhere, 1), (["l", "ll"], .anywhere, 1),
        (["m", "mm"], .anywhere, 1), (["n", "nn"], .anywhere, 1), (["p", "pp"], .anywhere, 1),
        (["r", "rr"], .anywhere, 1),
        // Meyer, Maier, Mayer, Meier; Neil, Neal; Reed, Reid, Read.
        (["ei", "ai", "ey", "ay", "ej", "aj"], .anywhere, 1), (["ee", "ea", "ei", "ie", "i"], .anywhere, 1),
        (["i", "y", "ij", "ii"], .anywhere, 1), (["y", "ie", "i", "ey", "ee", "ij"], .end, 1),
        // Mohamed, Muhammad; Yusuf, Youssouf; Sean, Shaun; Hauser, Houser.
        (["u", "o", "ou", "oo"], .anywhere, 1), (["au", "aw", "ou", "ow", "av"], .anywhere, 1),
        (["oe", "o", "e"], .anywhere, 1), (["ue", "u", "y"], .anywhere, 1), (["ae", "e", "a"], .anywhere, 1),
        (["a", "aa", "ai"], .anywhere, 1),
        (["o", "eau", "eaux", "ot", "ault"], .end, 1),
        // Anne, Ann; Clarke, Clark; Sara, Sarah; Andersen, Anderson.
        (["e", ""], .end, 1), (["sen", "son", "sson", "ssen"], .end, 1),
        // Edinburgh; Pittsburg; MacDonald, McDonald.
        (["burgh", "borough", "burg", "brough", "boro", "bury"], .end, 1), (["mac", "mc"], .start, 1),
        (["sk", "schi", "ski", "sky", "skij", "skiy"], .end, 1),
        // Any vowel, as in Ahmed and Ahmad.
        (["a", "e", "i", "o", "u"], .anywhere, 2),
    ]
}
