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
