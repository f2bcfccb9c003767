/// Adds spellings to scanned words.
struct WordBuilder {
    private(set) var words: [FoldedWord] = []
    private let transliterating: Bool
    /// The language, detected at the first Cyrillic word.
    private var cyrillicLanguage: CyrillicLanguage?
    /// The previous Han character if it is adjacent: two characters may form a surname.
    private var previousHan: (base: UInt32, end: UInt32)?

    init(transliterating: Bool) {
        self.transliterating = transliterating
    }

    mutating func add(_ word: ScannedWord, from text: String) {
        guard let first = word.clusters.first, let last = word.clusters.last else { return }
        let source = Int(first.start)..<Int(max(first.end, last.end))
        if word.isPlain {
            let letters = word.clusters.map { UInt16(truncatingIfNeeded: $0.base) }
            let spelling = FoldedSpelling(letters: letters, origin: source.lowerBound)
            append(source, [spelling], word.boundary)
            return
        }
        if transliterating, Script(first.base) == .hangul, let syllables = Hangul.nameSyllables(word.clusters) {
            for (index, syllable) in syllables.enumerated() {
                var part = ScannedWord(clusters: Array(syllable), boundary: index == 0 ? word.boundary : [])
                part.isPlain = false
                addSpelled(part, text: text, startsKoreanName: index == 0)
            }
            return
        }
        addSpelled(word, text: text, startsKoreanName: true)
    }

    private mutating func addSpelled(_ word: ScannedWord, text: String, startsKoreanName: Bool) {
        guard let first = word.clusters.first, let last = word.clusters.last else { return }
        let source = Int(first.start)..<Int(max(first.end, last.end))
        var tracks = SpellingTracks(own: word.clusters)
        for segment in Self.segments(of: word.clusters) {
            let clusters = word.clusters[segment]
            let romanizations: [Romanization]
            switch Script(word.clusters[segment.lowerBound].base) {
            case .latin:
                romanizations = LatinSpellings.alternatives(clusters)
            case .arabic:
                let loose = ArabicAlphabet.looseSpelling(clusters)
                romanizations = [loose] + (transliterating ? ArabicAlphabet.romanize(clusters) : [])
            case _ where !transliterating:
                romanizations = []
            case .cyrillic:
                let language = cyrillicLanguage ?? CyrillicLanguage(of: text)
                cyrillicLanguage = language
                romanizations = CyrillicAlphabet.romanize(clusters, language: language)
            case .greek: romanizations = GreekAlphabet.romanize(clusters)
            case .georgian: romanizations = GeorgianAlphabet.romanize(clusters)
            case .armenian: romanizations = ArmenianAlphabet.romanize(clusters)
            case .hebrew: romanizations = HebrewAlphabet.romanize(clusters)
            case .kana: romanizations = Kana.romanize(clusters)
            case .hangul:
                romanizations = Hangul.romanize(clusters, startsName: startsKoreanName && segment.lowerBound == 0)
            case .han: romanizations = romanizeHan(clusters)
            case .other: romanizations = OtherScripts.romanize(clusters)
            }
            tracks.add(romanizations, for: segment)
        }
        append(source, tracks.spellings(origin: source.lowerBound), word.boundary)
    }

    private mutating func append(_ source: Range<Int>, _ spellings: [FoldedSpelling], _ boundary: WordBoundary) {
        words.append(FoldedWord(source: source, spellings: spellings, boundary: boundary))
    }

    /// Splits a word into segments of one script. Digits belong to the preceding segment.
    private static func segments(of clusters: [LetterCluster]) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var start = 0
        var script = Script.latin
        for (index, cluster) in clusters.enumerated() {
            let isDigit = cluster.base >= 0x30 && cluster.base <= 0x39
            let next = isDigit && index > 0 ? script : Script(cluster.base)
            if index > start, next != script {
                segments.append(start..<index)
                start = index
            }
            script = next
        }
        if start < clusters.count { segments.append(start..<clusters.count) }
        return segments
    }

    private mutating func romanizeHan(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        guard let cluster = clusters.first else { return [] }
        var readings = Pinyin.readings(of: cluster.base)
        if let previous = previousHan, previous.end == cluster.start {
            // The first character of a surname is already a word: replace its reading.
            if let surname = Pinyin.surname(previous.base, cluster.base), let word = words.popLast() {
                var first = Pinyin.readings(of: previous.base).filter { $0 != surname.0 }
                first.insert(surname.0, at: 0)
                var tracks = SpellingTracks(own: [previousCluster(previous, word)])
                tracks.add(first.map { Romanization($0, of: [previousCluster(previous, word)]) }, for: 0..<1)
                append(word.source, tracks.spellings(origin: word.source.lowerBound), word.boundary)
                readings.removeAll { $0 == surname.1 }
                readings.insert(surname.1, at: 0)
            }
        }
        previousHan = (cluster.base, cluster.end)
        return readings.map { Romanization($0, of: clusters) }
    }

    private func previousCluster(_ previous: (base: UInt32, end: UInt32), _ word: FoldedWord) -> LetterCluster {
        let start = UInt32(truncatingIfNeeded: word.source.lowerBound)
        return LetterCluster(base: previous.base, mark: 0, start: start, end: max(previous.end, start &+ 1))
    }
}
