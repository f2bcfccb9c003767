import CSwitchboardTextTables

/// Romanizes kana: Hepburn with long vowels shortened (tokyo), written out (toukyou) or with the h of passports (ohno),
/// and Kunrei (si, tu, sya).
enum Kana {
    private static let table = RomanizationTable(sb_kana)

    /// Features: 1 long vowels, 2 Kunrei, 3 を, 4 ん before b, m, p, 5 v, 6 っち.
    private static let romanizer = Romanizer(systems: [[:], [1: 1], [1: 2, 4: 1], [1: 1, 2: 1]], variable: 1...6)

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(voiced)
        return romanizer.spellings(table.units(letters) { unit(at: $0, letters, after: $1) }, of: clusters)
    }

    /// Returns the first spellings of the beginning of a word, in the order of the systems.
    static func systems(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        var result: [Romanization] = []
        for spelling in romanize(clusters).prefix(romanizer.systems.count)
        where !result.contains(where: { $0.letters == spelling.letters }) {
            result.append(spelling)
        }
        return result
    }

    private static func unit(
        at index: Int, _ letters: [UInt32], after previous: RomanizationUnit?
    ) -> RomanizationUnit? {
        let vowel = previous?.options.first?.last
        let here = index..<index + 1
        let next = index + 1 < letters.count ? letters[index + 1] : 0
        var nextLetter: UInt16? { next > 0 ? table.unit(at: index + 1, in: letters).options.first?.first : nil }
        switch letters[index] {
        case 0x30FC:  // ー
            let repeated = vowel.map { ASCIILetters(CollectionOfOne($0)) } ?? ""
            return RomanizationUnit(here, feature: 1, ["", repeated, vowel == o ? "h" : ""])
        case 0x3046 where vowel == o || vowel == u:
            // おう, うう; before a small vowel, a new syllable
            if (0x3041...0x3049).contains(next), next & 1 == 1 { return nil }
            return RomanizationUnit(here, feature: 1, ["", "u", vowel == o ? "h" : ""])
        case 0x304A where vowel == o:  // おお
            return RomanizationUnit(here, feature: 1, ["", "o", "h"])
        case 0x3093:  // ん
            let isBeforeLips = nextLetter == 0x62 || nextLetter == 0x6D || nextLetter == 0x70
            return RomanizationUnit(here, feature: 4, isBeforeLips ? ["n", "m"] : ["n"])
        case 0x3063:  // っ
            guard let nextLetter, nextLetter < 0x80, ![a, i, u, e, o].contains(nextLetter) else {
                return RomanizationUnit(here, [""])
            }
            return RomanizationUnit(
                here, feature: 6, nextLetter == 0x63 ? ["t", "c"] : [ASCIILetters(CollectionOfOne(nextLetter))])
        default:
            return nil
        }
    }

    private static let a: UInt16 = 0x61, e: UInt16 = 0x65, i: UInt16 = 0x69, o: UInt16 = 0x6F, u: UInt16 = 0x75

    private static func voiced(_ cluster: LetterCluster) -> UInt32 {
        switch (cluster.base, cluster.mark) {
        case (0x3046, 0x3099): 0x3094  // ゔ
        case (0x304B...0x3061, 0x3099) where cluster.base & 1 == 1: cluster.base + 1
        case (0x3064...0x3068, 0x3099) where cluster.base & 1 == 0: cluster.base + 1
        case (0x306F...0x307B, 0x3099): cluster.base + 1
        case (0x306F...0x307B, 0x309A): cluster.base + 2
        default: cluster.base
        }
    }
}

/// Romanizes Han characters as Mandarin syllables without tones.
///
/// The default reading comes from Unihan (kMandarin). Characters with another reading in surnames or well-known names
/// have both readings. ü is spelled u, v or yu.
enum Pinyin {
    /// Other readings of characters, and the readings of surnames and places of two characters.
    private static let listed = NameReadings(sb_mandarin_readings)

    /// Returns the readings of a character, the most common first; empty if it is not in the table.
    static func readings(of scalar: UInt32) -> [[UInt16]] {
        var readings = listed[CollectionOfOne(scalar)]
        if let standard = standardReading(of: scalar) {
            if readings.isEmpty {
                readings = [standard]
            } else if !readings.contains(standard), !standard.contains(v) {
                readings.append(standard)
            }
        }
        return readings.flatMap { reading -> [[UInt16]] in
            guard let index = reading.firstIndex(of: v) else { return [reading] }
            // lü is spelled lu, lv, lyu
            let head = reading[..<index]
            let tail = reading[(index + 1)...]
            let spellings: [[UInt16]] = [[u], [v], [y, u]]
            return spellings.map { head + $0 + tail }
        }
    }

    /// Returns the readings of two characters that form a surname or place with a special reading.
    static func surname(_ first: UInt32, _ second: UInt32) -> ([UInt16], [UInt16])? {
        let readings = listed[[first, second]]
        return readings.count == 2 ? (readings[0], readings[1]) : nil
    }

    /// Returns the most common reading of a character, with `v` for ü, or `nil` if the table has none.
    private static func standardReading(of scalar: UInt32) -> [UInt16]? {
        guard (0x3400..<0xA000).contains(scalar) else { return nil }
        // For each character, the table has the offset of its syllable, or 0. The syllables end in NUL.
        let cell = Int(scalar - 0x3400) * 2
        let offset = Int(sb_mandarin_byte(cell)) | Int(sb_mandarin_byte(cell + 1)) << 8
        guard offset > 0 else { return nil }
        var letters: [UInt16] = []
        var position = (0xA000 - 0x3400) * 2 + offset
        while sb_mandarin_byte(position) != 0 {
            letters.append(UInt16(sb_mandarin_byte(position)))
            position += 1
        }
        return letters
    }

    private static let u: UInt16 = 0x75, v: UInt16 = 0x76, y: UInt16 = 0x79
}

/// Names with their Latin spellings, the most common first.
struct NameReadings: Sendable {
    private let readings: [[UInt32]: [[UInt16]]]

    /// Parses a list of `name:reading/reading …` and folds the names.
    ///
    /// - Parameter letter: Returns the letter by which a folded letter is looked up.
    init(_ list: sb_text_table, letter: (UInt32) -> UInt32 = { $0 }) {
        var readings: [[UInt32]: [[UInt16]]] = [:]
        for entry in String(list).split(whereSeparator: \.isWhitespace) {
            let sides = entry.split(separator: ":")
            guard sides.count == 2 else { continue }
            var name: [UInt32] = []
            WordScanner.scan(String(sides[0])) { name += $0.clusters.map { letter($0.written) } }
            let known = readings[name] ?? []
            readings[name] =
                known + sides[1].split(separator: "/").map { Array($0.utf16) }.filter { !known.contains($0) }
        }
        self.readings = readings
    }

    /// The readings of a name in folded letters; empty if the name is not listed.
    subscript(letters: some Sequence<UInt32>) -> [[UInt16]] {
        readings[Array(letters)] ?? []
    }
}

extension String {
    init(_ table: sb_text_table) {
        // Safe: the text is a constant of the program and ends with NUL.
        unsafe self.init(cString: sb_text(table))
    }
}

extension Romanization {
    /// Aligns the Latin letters of each reading of a name with its clusters: a letter advances to the next cluster if
    /// that cluster can begin with it.
    ///
    /// - Parameter beginnings: Returns the Latin letters with which a cluster can begin, or an empty array for a silent
    ///   one.
    static func aligned(
        _ readings: some Collection<[UInt16]>, along clusters: ArraySlice<LetterCluster>,
        beginnings: (LetterCluster) -> [UInt16]
    ) -> [Romanization] {
        if readings.isEmpty { return [] }
        let clusters = Array(clusters)
        let beginnings = clusters.map(beginnings)
        return readings.map { Romanization($0, along: clusters, beginnings) }
    }

    private init(_ reading: [UInt16], along clusters: [LetterCluster], _ beginnings: [[UInt16]]) {
        self.init(capacity: reading.count)
        let last = clusters.count - 1
        if last < 0 { return }
        var position = 0
        for (index, letter) in reading.enumerated() {
            if index > 0, position < last {
                if beginnings[position + 1].contains(letter) {
                    position += 1
                } else if position + 1 < last, beginnings[position + 1].isEmpty,
                    beginnings[position + 2].contains(letter)
                {
                    position += 2
                }
            }
            let end = clusters[index == reading.count - 1 ? last : position].end
            let start = clusters[position].start
            append(LetterCluster(base: UInt32(letter), mark: 0, start: start, end: max(start, end)))
        }
    }

    /// Returns the tracks of a word in a script without vowels: the best reading, the bare consonants, five tracks for
    /// other readings of names, then guesses and further consonants.
    ///
    /// If a name has few other readings, they are in the last of the five tracks, and its best reading fills the rest:
    /// the second reading of Mohammed pairs with Ali, not with the rarer Aly.
    static func tracks(names: [Romanization], guesses: [Romanization], skeletons: [Romanization]) -> [Romanization] {
        guard let best = names.first ?? guesses.first(where: { !$0.letters.isEmpty }) else { return skeletons }
        var result = [best] + skeletons.prefix(1).filter { !$0.letters.isEmpty }
        let others = Array(names.dropFirst().prefix(5))
        if !others.isEmpty {
            let padding = others.count < 4 ? Array(repeating: best, count: 5 - others.count) : []
            result += padding + others
        }
        for spelling in names.dropFirst(6) + guesses + skeletons.dropFirst() {
            guard result.count < FoldedWord.maximumSpellings - 3 else { break }
            guard !spelling.letters.isEmpty else { continue }
            if !result.contains(where: { $0.letters == spelling.letters }) { result.append(spelling) }
        }
        return result.count > 2 ? result + [best] : result
    }
}
