import CSwitchboardTextTables

/// Romanizes Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and Malayalam as names are usually
/// written: a list of well-known names, and rules for the others.
///
/// The rules are those of Hunterian romanization without marks, with the usual variations: long vowels doubled (Pooja,
/// Deepak), w for v, x for ksh. In the northern scripts, the vowel a of a consonant is dropped at the end of a word and
/// between two syllables where it is silent (Ramdev, Ganpati).
///
/// The blocks of these scripts have one layout of 128 scalars, so the letters are looked up as those of Devanagari. What
/// differs by script is in code.
enum IndicAlphabet {
    private static let table = RomanizationTable(sb_indic)
    private static let names = NameReadings(sb_indic_names, letter: { devanagari($0) })

    /// Features in code: 5 silent a within a word, 6 silent and 26 spoken a at the end, 16 ṛ, 17 a nasal before h, 19 and
    /// 23 other readings of a consonant and of a, 21 glides, 24 v after a consonant, 27 vowels at the end.
    private static let romanizer = Romanizer(
        systems: [[:], [1: 1, 2: 1], [4: 1, 24: 1], [5: 1, 6: 1]], variable: 1...28)

    private static let virama: UInt32 = 0x94D, anusvara: UInt32 = 0x902, visarga: UInt32 = 0x903, nukta: UInt32 = 0x3C

    /// The script of a scalar by its block.
    private enum Block: UInt32 {
        case devanagari = 0x12, bengali, gurmukhi, gujarati, odia, tamil, telugu, kannada, malayalam
    }

    private static func devanagari(_ scalar: UInt32) -> UInt32 {
        (0x900..<0xD80).contains(scalar) ? 0x900 | scalar & 0x7F : scalar
    }

    // MARK: - Nasals

    /// Returns anusvara if a nasal without a vowel precedes a consonant of its class: हिन्दी is also written हिंदी.
    static func anusvara(for nasal: UInt32, _ sign: UInt32, before consonant: UInt32) -> UInt32? {
        guard nasal >> 7 == consonant >> 7, sign >> 7 == consonant >> 7, sign & 0x7F == virama & 0x7F else {
            return nil
        }
        switch (nasal & 0x7F, consonant & 0x7F) {
        case (0x19, 0x15...0x18), (0x1E, 0x1A...0x1D), (0x23, 0x1F...0x22), (0x28, 0x24...0x27), (0x2E, 0x2A...0x2D):
            return consonant & ~0x7F | anusvara & 0x7F
        default: return nil
        }
    }

    /// Returns the spelling of a typed word with anusvara for a nasal at its end, after which a consonant of its class may
    /// follow; nil for other words.
    static func endingInAnusvara(_ clusters: ArraySlice<LetterCluster>) -> Romanization? {
        var clusters = clusters
        if let last = clusters.last, devanagari(last.base) == virama { clusters.removeLast() }
        guard clusters.count > 1, let last = clusters.last, [0x19, 0x1E, 0x23, 0x28, 0x2E].contains(last.base & 0x7F)
        else {
            return nil
        }
        clusters[clusters.endIndex - 1].base = last.base & ~0x7F | anusvara & 0x7F
        var result = Romanization()
        clusters.forEach { result.append($0) }
        return result
    }

    /// Returns the spelling without the signs that share a key with punctuation: virama, anusvara and visarga.
    static func withoutSigns(_ clusters: ArraySlice<LetterCluster>) -> Romanization {
        var result = Romanization()
        for cluster in clusters where ![virama, anusvara, visarga].contains(devanagari(cluster.base)) {
            result.append(cluster)
        }
        return result
    }

    // MARK: - Romanization

    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        var result = romanizer.spellings(units(clusters), of: clusters)
        let known = Romanization.aligned(
            names[clusters.map { devanagari($0.base) }], along: clusters, beginnings: beginnings)
        if let best = known.first, let guess = result.first {
            result[0] = best
            // The systems stay in their tracks.
            let start = min(romanizer.systems.count, result.count)
            let others = (known.dropFirst() + [guess]).filter { other in
                !result.prefix(start).contains { $0.letters == other.letters }
            }
            result.insert(contentsOf: others, at: start)
            result = Array(result.prefix(FoldedWord.maximumSpellings - 4)) + [best]
        }
        let plain = withoutSigns(clusters)
        return plain.letters.isEmpty ? result : [plain] + result
    }

    private static func beginnings(_ cluster: LetterCluster) -> [UInt16] {
        let letter = devanagari(cluster.base)
        if letter == anusvara { return [0x6E, 0x6D] }
        return table.unit(at: 0, in: [letter]).options.compactMap(\.first)
    }

    /// A letter or conjunct with its romanization.
    private struct Sound {
        var unit: RomanizationUnit
        var isConsonant = false
        /// Indicates that no vowel sign follows the consonant, so that it has the vowel a.
        var hasVowelA = false
        /// Indicates that the consonant follows another one without a vowel.
        var isJoined = false
        /// Indicates that it is followed by virama.
        var isDead = false
        /// Indicates that the vowel a is silent, counted from the end and from the beginning of the word.
        var silent = (fromEnd: false, fromStart: false)
    }

    private static func units(_ clusters: ArraySlice<LetterCluster>) -> [RomanizationUnit] {
        guard let first = clusters.first, let block = Block(rawValue: first.base >> 7) else { return [] }
        let letters = clusters.map { devanagari($0.base) }
        let marks = clusters.map(\.mark)
        var sounds: [Sound] = []
        var index = 0
        while index < letters.count {
            let unit = table.unit(at: index, in: letters)
            let end = unit.range.upperBound
            defer { index = end }
            let letter = letters[end - 1]
            if letter == virama { continue }
            guard isConsonant(letter) else {
                sounds.append(Sound(unit: sign(letter, unit, letters, marks, block)))
                continue
            }
            let next = end < letters.count ? letters[end] : 0
            var sound = Sound(unit: unit, isConsonant: true)
            sound.isDead = next == virama
            sound.hasVowelA = !sound.isDead && !isVowelSign(next)
            sound.isJoined = index > 0 && letters[index - 1] == virama
            if unit.range.count == 1 {
                sound.unit = consonant(unit, letters, marks, sound, block)
            } else {
                sound.isJoined = true
            }
            sounds.append(sound)
        }
        if block.rawValue <= Block.gujarati.rawValue { markSilentVowels(&sounds, letters) }
        var units: [RomanizationUnit] = []
        for (number, sound) in sounds.enumerated() {
            units.append(sound.unit)
            if sound.isDead {
                // The source of the letter includes virama.
                let range = sound.unit.range
                units[units.count - 1].range = range.lowerBound..<range.upperBound + 1
            }
            guard sound.hasVowelA else { continue }
            let options = vowelA(
                sound, isLast: number == sounds.count - 1, after: number > 0 ? sounds[number - 1] : nil, block)
            let last = sound.unit.range.upperBound
            units.append(RomanizationUnit(last - 1..<last, feature: options.feature, options.spellings))
        }
        return units
    }

    /// Marks each vowel a that is silent: between a vowel and a consonant with a vowel, and not beside another silent one.
    private static func markSilentVowels(_ sounds: inout [Sound], _ letters: [UInt32]) {
        func mayBeSilent(_ number: Int) -> Bool {
            guard number > 0, number + 1 < sounds.count else { return false }
            let (previous, sound, next) = (sounds[number - 1], sounds[number], sounds[number + 1])
            guard sound.isConsonant, sound.hasVowelA, !sound.isJoined else { return false }
            let followsVowel =
                previous.isConsonant ? previous.hasVowelA : !isNasal(letters[previous.unit.range.lowerBound])
            // The last consonant of a word has no vowel of its own.
            guard followsVowel, next.isConsonant, next.unit.range.count == 1,
                number + 2 < sounds.count || !next.hasVowelA
            else { return false }
            // Before a conjunct only if that can begin a syllable: Ramprasad, Gurpreet.
            return !next.isDead || number + 2 < sounds.count && sounds[number + 2].unit.options.first == "r"
        }
        let candidates = sounds.indices.filter(mayBeSilent)
        var following = sounds.count
        for number in candidates.reversed() where number + 1 != following {
            sounds[number].silent.fromEnd = true
            following = number
        }
        var previous = -2
        for number in candidates where number - 1 != previous {
            sounds[number].silent.fromStart = true
            previous = number
        }
    }

    /// Returns the spellings of the vowel a after a consonant.
    private static func vowelA(
        _ sound: Sound, isLast: Bool, after previous: Sound?, _ block: Block
    ) -> (feature: Int, spellings: [ASCIILetters]) {
        if isLast {
            guard block.rawValue <= Block.gujarati.rawValue else { return (26, ["a", ""]) }
            // A cluster cannot be pronounced without a vowel, except after a nasal: Krishna, Chandra; Anand.
            let followsNasal = previous.map { $0.unit.options.first == "n" || $0.unit.options.first == "m" } ?? false
            return sound.isJoined && !followsNasal ? (26, ["a", ""]) : (6, ["", "a"])
        }
        guard sound.silent.fromEnd || sound.silent.fromStart else {
            return block == .bengali ? (23, ["a", "o"]) : (0, ["a"])
        }
        let (end, start): (ASCIILetters, ASCIILetters) = (
            sound.silent.fromEnd ? "" : "a", sound.silent.fromStart ? "" : "a"
        )
        return (5, [end, "a", start])
    }

    /// Returns the unit of a consonant that its neighbors or its nukta change.
    private static func consonant(
        _ unit: RomanizationUnit, _ letters: [UInt32], _ marks: [UInt32], _ sound: Sound, _ block: Block
    ) -> RomanizationUnit {
        let index = unit.range.lowerBound
        var unit = unit
        func use(_ options: [ASCIILetters], _ feature: Int = 19) {
            unit.options = options
            unit.feature = feature
        }
        if marks[index] & 0x7F == nukta, marks[index] >> 7 == block.rawValue {
            switch letters[index] & 0x7F {
            case 0x15: use(["q", "k"])
            case 0x16: use(["kh"])
            case 0x17: use(["g", "gh"])
            case 0x1C: use(["z", "j"])
            case 0x21: use(["r", "d"], 16)
            case 0x22: use(["rh", "dh"], 16)
            case 0x2B: use(["f", "ph"], 13)
            case 0x2F: use(["y", ""], 21)
            case 0x38: use(["sh", "s"], 7)
            default: break
            }
            return unit
        }
        let previous = index > 0 ? letters[index - 1] : 0
        switch (block, letters[index] & 0x7F) {
        case (.devanagari, 0x2F), (.gujarati, 0x2F), (.gurmukhi, 0x2F):
            // Bhatia, Priya
            if previous == 0x93F || previous == 0x940 { use(["y", ""], 21) }
        case (.devanagari, 0x35), (.gujarati, 0x35), (.gurmukhi, 0x35):
            // Vishwa
            if sound.isJoined { use(["v", "w"], 24) }
        case (.bengali, 0x2F): use(sound.isJoined ? ["y", ""] : ["j", "y"], 21)
        case (.bengali, 0x2C): use(sound.isJoined ? ["b", "w", ""] : ["b", "v"])
        case (.bengali, 0x2D): use(["bh", "v"])
        case (.bengali, 0x38): use(["s", "sh"], 7)
        case (.tamil, 0x15...0x2A):
            let isSoft = index > 0 && !sound.isJoined && !sound.isDead && (previous != virama)
            switch letters[index] & 0x7F {
            case 0x15: use(isSoft ? ["g", "k"] : ["k", "g"])
            case 0x1A: use(previous == anusvara ? ["j", "ch"] : isSoft ? ["s", "ch"] : ["ch", "s"])
            case 0x1F: use(isSoft ? ["d", "t"] : ["t", "d"])
            case 0x24: use(isSoft ? ["th", "d", "t"] : ["th", "t", "d"])
            case 0x2A: use(isSoft ? ["b", "p"] : ["p", "b"])
            default: break
            }
        case (.telugu, 0x24), (.kannada, 0x24), (.malayalam, 0x24): use(["th", "t"])
        case (.malayalam, 0x1F): use(["t", "d"])
        default: break
        }
        // Gemination in Gurmukhi is a mark of the letter before: addak.
        if index > 0, marks[index - 1] == 0xA71 || (index > 1 && marks[index - 2] == 0xA71 && previous == virama) {
            unit.options = unit.options.flatMap { option -> [ASCIILetters] in
                option.first.map { [option, ASCIILetters(CollectionOfOne($0)) + option] } ?? [option]
            }
            unit.feature = 22
        }
        return unit
    }

    /// Returns the unit of a vowel or another sign.
    private static func sign(
        _ letter: UInt32, _ unit: RomanizationUnit, _ letters: [UInt32], _ marks: [UInt32], _ block: Block
    ) -> RomanizationUnit {
        let end = unit.range.upperBound
        let next = end < letters.count ? letters[end] : 0
        switch letter {
        case anusvara:
            let isSouthern = block.rawValue >= Block.telugu.rawValue
            switch next & 0x7F {
            case 0x2A...0x2E where next > 0: return RomanizationUnit(unit.range, feature: 17, ["m", "n"])
            case 0x39 where next > 0: return RomanizationUnit(unit.range, feature: 17, ["ng", "n"])
            case _ where next == 0 && isSouthern: return RomanizationUnit(unit.range, ["m"])
            case _ where block == .bengali && next == 0: return RomanizationUnit(unit.range, feature: 17, ["ng", "n"])
            case _ where next == 0: return RomanizationUnit(unit.range, feature: 17, ["n", ""])
            default: return RomanizationUnit(unit.range, feature: 17, ["n", "m"])
            }
        case visarga:
            return RomanizationUnit(unit.range, feature: 17, next == 0 ? ["", "h"] : ["h", ""])
        case 0x93F where next == 0, 0x940 where next == 0:
            return RomanizationUnit(unit.range, feature: 27, ["i", "y", "ee"])
        case 0x947 where next == 0, 0x946 where next == 0:
            return RomanizationUnit(unit.range, feature: 27, ["e", "ey", "ay"])
        default: return unit
        }
    }

    private static func isConsonant(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x915...0x939, 0x95C, 0x95F, 0x970, 0x971: true
        default: false
        }
    }

    private static func isVowelSign(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x93E...0x94C, 0x955...0x957, 0x962, 0x963: true
        default: false
        }
    }

    private static func isNasal(_ letter: UInt32) -> Bool { letter == anusvara || letter == visarga }
}
