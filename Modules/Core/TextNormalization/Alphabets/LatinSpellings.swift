/// Two-letter spellings of letters in Latin alphabets (docs/matching.md, “Other spellings”).
enum LatinSpellings {
    /// Returns the alternative spellings of a Latin segment.
    ///
    /// With letters of both kinds (Gökçe), both are expanded first, then only the umlauts, then only the others.
    static func alternatives(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        var hasUmlaut = false
        var hasOther = false
        for cluster in clusters where cluster.mark != 0 {
            if umlaut(cluster) != nil { hasUmlaut = true }
            if other(cluster) != nil { hasOther = true }
        }
        switch (hasUmlaut, hasOther) {
        case (false, false): return []
        case (true, false): return [write(clusters, true, false)]
        case (false, true): return [write(clusters, false, true)]
        case (true, true):
            return [write(clusters, true, true), write(clusters, true, false), write(clusters, false, true)]
        }
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

    /// German, Scandinavian, Estonian, Turkish: ä ö ü å ø.
    private static func umlaut(_ cluster: LetterCluster) -> [UInt16]? {
        switch (cluster.base, cluster.mark) {
        case (0x61, 0x308): letters("ae")
        case (0x6F, 0x308), (0x6F, 0x338): letters("oe")
        case (0x75, 0x308): letters("ue")
        case (0x61, 0x30A): letters("aa")
        default: nil
        }
    }

    /// Turkish, Romanian, Slavic, Baltic, Azerbaijani: ç ş ğ ș ț č ć š ž đ ə, and ŋ.
    private static func other(_ cluster: LetterCluster) -> [UInt16]? {
        switch (cluster.base, cluster.mark) {
        case (0x63, 0x327), (0x63, 0x30C), (0x63, 0x301): letters("ch")
        case (0x73, 0x327), (0x73, 0x30C), (0x73, 0x326): letters("sh")
        case (0x74, 0x326), (0x74, 0x327): letters("ts")
        case (0x7A, 0x30C): letters("zh")
        case (0x67, 0x306): letters("gh")
        case (0x64, 0x335): letters("dj")
        case (0x65, ScalarFoldingTable.schwaMark): letters("a")
        case (0x6E, ScalarFoldingTable.engMark): letters("ng")
        default: nil
        }
    }

    private static func letters(_ text: StaticString) -> [UInt16] {
        // Safe: a string literal has a pointer to all its bytes, which never moves.
        unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).map(UInt16.init)
    }
}
