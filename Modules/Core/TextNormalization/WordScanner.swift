/// A folded letter with its mark and its source range.
struct LetterCluster: Equatable {
    /// The lowercase base letter without marks.
    var base: UInt32
    /// The first mark, or 0. Only romanization and alternative spellings use it. A Han character that folds to another form
    /// has the form of the text.
    var mark: UInt32
    var start: UInt32
    var end: UInt32

    /// The letter as it is written in the text, if it is a Han character.
    var written: UInt32 {
        switch mark {
        case 0x3005, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: mark
        default: base
        }
    }
}

/// A word of folded letters without its alternative spellings.
struct ScannedWord {
    var clusters: [LetterCluster] = []
    var boundary: WordBoundary = []
    /// Indicates that all letters are ASCII and map to consecutive scalars.
    var isPlain = true
}

/// Splits text into words of folded letters.
struct WordScanner {
    private var word = ScannedWord()
    private var boundary: WordBoundary = []
    private var foundAny = false
    /// Indicates that a quotation mark follows the last letter, which is Hebrew. It is gershayim if a letter follows.
    private var hasQuote = false

    /// Calls `body` with each word of a text, in order.
    ///
    /// - Complexity: O(*n*) in the scalars of the text.
    static func scan(_ text: String, _ body: (ScannedWord) -> Void) {
        var scanner = WordScanner()
        var index: UInt32 = 0
        for scalar in text.unicodeScalars {
            scanner.take(scalar.value, at: index, body)
            index &+= 1
        }
        scanner.endWord(body)
    }

    private mutating func take(_ scalar: UInt32, at index: UInt32, _ body: (ScannedWord) -> Void) {
        if scalar < 0x80 {
            let small = scalar >= 0x41 && scalar <= 0x5A ? scalar | 0x20 : scalar
            takeFolded(small, at: index, body)
            return
        }
        if scalar >= 0xAC00 && scalar < 0xD7A4 {
            takeHangul(scalar - 0xAC00, at: index, body)
            return
        }
        guard scalar != 0xB4, let range = ScalarFolding.range(of: scalar) else {
            takeFolded(scalar, at: index, body)
            return
        }
        if range.isEmpty { extend(to: index) }
        for position in range {
            let folded = ScalarFolding.value(at: position)
            if folded == ScalarFolding.schwaMark || folded == ScalarFolding.engMark {
                takeMark(folded, at: index, isLetter: false)
            } else {
                takeFolded(folded, at: index, body)
            }
        }
        if scalar >= 0x3400, range.count == 1, let last = word.clusters.indices.last,
            Script(word.clusters[last].base) == .han
        {
            word.clusters[last].mark = scalar
        }
    }

    private mutating func takeFolded(_ scalar: UInt32, at index: UInt32, _ body: (ScannedWord) -> Void) {
        switch ScalarClass(scalar) {
        case .letter:
            takeLetter(scalar, at: index, body)
        case .mark:
            takeMark(scalar, at: index, isLetter: ScalarClass.isVowelSign(scalar))
        case .ignorable:
            if scalar == 0x5F3 { takeMark(scalar, at: index, isLetter: false) } else { extend(to: index) }
        case .joiner:
            // An apostrophe after a Hebrew letter is a geresh, part of the letter.
            if let last = word.clusters.last, Script(last.base) == .hebrew, scalar == 0x27 || scalar == 0x2019 {
                takeMark(0x5F3, at: index, isLetter: false)
                return
            }
            endWord(body)
            boundary.formUnion([.punctuation, .joiner])
        case .punctuation:
            if let last = word.clusters.last, Script(last.base) == .hebrew, Self.isQuote(scalar), !hasQuote {
                hasQuote = true
                return
            }
            endWord(body)
            boundary.formUnion([.punctuation, .separator])
        case .space:
            endWord(body)
            boundary.insert(.space)
        case .symbol:
            endWord(body)
            boundary.insert(.separator)
        }
    }

    private mutating func takeLetter(_ scalar: UInt32, at index: UInt32, _ body: (ScannedWord) -> Void) {
        var letter = LetterCluster(base: scalar, mark: 0, start: index, end: index &+ 1)
        if scalar >= 0x80 {
            if scalar >= 0x900 { resolve(&letter) }
            let isHan = scalar >= 0x3005 && Script(scalar) == .han
            if isHan || word.clusters.last.map({ $0.base >= 0x3005 && Script($0.base) == .han }) ?? false {
                endWord(body)
            }
            word.isPlain = false
        } else if let last = word.clusters.last, last.base >= 0x3005, Script(last.base) == .han {
            endWord(body)
        }
        if let last = word.clusters.last, last.end != index {
            word.isPlain = false
            if hasQuote {
                if Script(scalar) == .hebrew { extend(to: index &- 1) } else { endWord(body) }
            }
        }
        word.clusters.append(letter)
    }

    /// Gives an iteration mark the letter that it repeats, and writes a nasal before a consonant of its class as anusvara.
    private mutating func resolve(_ letter: inout LetterCluster) {
        switch letter.base {
        case 0x3005:  // 々
            guard let last = word.clusters.last, last.end == letter.start, Script(last.base) == .han else { return }
            letter.base = last.base
            letter.mark = 0x3005
        case 0x309D:  // ゝ
            guard let last = word.clusters.last, Script(last.base) == .kana else { return }
            letter.base = last.base
        case 0x900..<0xD80:
            let count = word.clusters.count
            guard count >= 2,
                let anusvara = IndicAlphabet.anusvara(
                    for: word.clusters[count - 2].base, word.clusters[count - 1].base, before: letter.base)
            else { return }
            word.clusters[count - 2].base = anusvara
            word.clusters[count - 2].end = word.clusters[count - 1].end
            word.clusters.removeLast()
        default: break
        }
    }

    /// Returns `true` for the quotation marks that are typed for gershayim.
    static func isQuote(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x22, 0x201C...0x201F, 0x2033: true
        default: false
        }
    }

    private mutating func takeMark(_ mark: UInt32, at index: UInt32, isLetter: Bool) {
        guard let last = word.clusters.indices.last else { return }
        word.isPlain = false
        if isLetter {
            word.clusters.append(LetterCluster(base: mark, mark: 0, start: index, end: index &+ 1))
            return
        }
        if word.clusters[last].mark == 0 { word.clusters[last].mark = mark }
        word.clusters[last].end = index &+ 1
    }

    private mutating func takeHangul(_ syllable: UInt32, at index: UInt32, _ body: (ScannedWord) -> Void) {
        takeLetter(0x1100 + syllable / 588, at: index, body)
        takeLetter(0x1161 + syllable % 588 / 28, at: index, body)
        if syllable % 28 > 0 { takeLetter(0x11A7 + syllable % 28, at: index, body) }
    }

    private mutating func extend(to index: UInt32) {
        guard let last = word.clusters.indices.last else { return }
        word.clusters[last].end = index &+ 1
        word.isPlain = false
    }

    private mutating func endWord(_ body: (ScannedWord) -> Void) {
        guard !word.clusters.isEmpty else { return }
        word.boundary = foundAny ? boundary : []
        body(word)
        foundAny = true
        boundary = hasQuote ? [.punctuation, .separator] : []
        hasQuote = false
        word.clusters.removeAll(keepingCapacity: true)
        word.isPlain = true
    }
}

/// The script of a folded letter, as far as romanization distinguishes scripts.
enum Script {
    case latin, cyrillic, greek, georgian, armenian, hebrew, arabic, indic, kana, hangul, han, other

    init(_ base: UInt32) {
        switch base {
        case 0..<0x370, 0x1D00...0x1DBF, 0x2C60...0x2C7F, 0xA720...0xA7FF: self = .latin
        case 0x370...0x3FF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: self = .cyrillic
        case 0x531...0x58F: self = .armenian
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF: self = .arabic
        case 0x900..<0xD80: self = .indic
        case 0x10A0...0x10FF, 0x2D00...0x2D2F: self = .georgian
        case 0x1100...0x11FF: self = .hangul
        case 0x3041...0x3096, 0x309D...0x309E, 0x30FC: self = .kana
        case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF: self = .han
        default: self = .other
        }
    }
}

/// Adds spellings to scanned words.
struct WordBuilder {
    private(set) var words: [FoldedWord] = []
    private let transliterating: Bool
    /// The language, detected at the first Cyrillic word.
    private var cyrillicLanguage: CyrillicLanguage?
    /// The previous Han character if it is adjacent: two characters may form a surname.
    private var previousHan: (written: UInt32, end: UInt32)?

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
            case .kana where !transliterating:
                // In an input method a syllable begins as a Latin letter: さt on the way to さと.
                let isUnfinished = segment.upperBound < word.clusters.count
                romanizations = isUnfinished ? Kana.systems(clusters) : []
            case .indic where !transliterating:
                let isLast = segment.upperBound == word.clusters.count
                romanizations = (isLast ? IndicAlphabet.endingInAnusvara(clusters) : nil).map { [$0] } ?? []
            case _ where !transliterating:
                romanizations = []
            case .cyrillic:
                let language = cyrillicLanguage ?? CyrillicLanguage(of: text)
                cyrillicLanguage = language
                romanizations = CyrillicAlphabet.romanize(clusters, language: language)
            case .greek: romanizations = GreekAlphabet.romanize(clusters)
            case .indic: romanizations = IndicAlphabet.romanize(clusters)
            case .georgian: romanizations = GeorgianAlphabet.romanize(clusters)
            case .armenian: romanizations = ArmenianAlphabet.romanize(clusters)
            case .hebrew: romanizations = HebrewAlphabet.romanize(clusters)
            case .kana: romanizations = Kana.romanize(clusters)
            case .hangul:
                romanizations =
                    Hangul.initials(clusters)
                    + Hangul.romanize(clusters, startsName: startsKoreanName && segment.lowerBound == 0)
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
        let isAdjacent = previousHan?.end == cluster.start
        // 々 is read like the character before it.
        let written = cluster.written == 0x3005 && isAdjacent ? previousHan?.written ?? cluster.base : cluster.written
        var readings = Pinyin.readings(of: written)
        if readings.isEmpty { readings = Pinyin.readings(of: cluster.base) }
        if let previous = previousHan, isAdjacent {
            // The first character of a surname is already a word: replace its reading.
            if let surname = Pinyin.surname(previous.written, written), let word = words.popLast() {
                var first = Pinyin.readings(of: previous.written).filter { $0 != surname.0 }
                first.insert(surname.0, at: 0)
                let span = SourceSpan(
                    start: UInt32(truncatingIfNeeded: word.source.lowerBound),
                    end: UInt32(truncatingIfNeeded: word.source.upperBound))
                let spellings = first.map { reading in
                    FoldedSpelling(letters: reading, spans: reading.map { _ in span }, origin: word.source.lowerBound)
                }
                append(word.source, word.spellings.prefix(1) + spellings, word.boundary)
                readings.removeAll { $0 == surname.1 }
                readings.insert(surname.1, at: 0)
            }
        }
        previousHan = (written, cluster.end)
        return readings.map { Romanization($0, of: clusters) }
    }
}

/// The words of a text whose letters fold to one letter each, such as "José Núñez" and "Юрий".
///
/// The first spelling of such a word is these letters, in lower case and without marks, so that its letter *i* is
/// letter *i* of the text. The words equal the words of the text's ``FoldedText``, and are found in a tenth of the
/// time.
public struct PlainWords: Sendable {
    private let text: ArraySlice<UInt8>
    /// `true` if there are no words.
    public let isEmpty: Bool
    /// `true` if all letters fold to Latin ones or to digits.
    public let isLatin: Bool

    /// Creates the words of a UTF-8 text, or returns nil if it has other letters.
    public init?(_ text: ArraySlice<UInt8>) {
        var (isEmpty, isLatin) = (true, true)
        var previous = Part.separator
        var position = text.startIndex
        while position < text.endIndex {
            guard let part = Self.part(at: &position, in: text) else { return nil }
            switch (previous, part) {
            case (_, .letter(let letter)):
                isEmpty = false
                if !(0x61...0x7A).contains(letter) && !(0x30...0x39).contains(letter) { isLatin = false }
            case (.letter(let letter), .joiner) where Script(letter) == .hebrew:
                // It may be a geresh or gershayim, which are part of the letter.
                return nil
            default: break
            }
            previous = part
        }
        self.text = text
        self.isEmpty = isEmpty
        self.isLatin = isLatin
    }

    /// Returns the range of a word, in Unicode scalars of the text, or nil if there are fewer words. O(letters).
    public subscript(number: Int) -> Range<Int>? {
        var left = number
        var found: Range<Int>?
        forEachWord { word in
            if left == 0 { found = word }
            left -= 1
            return found == nil
        }
        return found
    }

    /// The number of words. O(letters).
    public var count: Int {
        var count = 0
        forEachWord { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns `true` if all letters, folded, are of a kind. O(letters).
    package func allLetters(are isIncluded: (UInt32) -> Bool) -> Bool {
        var position = text.startIndex
        while position < text.endIndex {
            if case .letter(let letter) = Self.part(at: &position, in: text), !isIncluded(letter) { return false }
        }
        return true
    }

    /// Calls `body` with the range of each word, until it returns false.
    @inline(__always)
    private func forEachWord(_ body: (Range<Int>) -> Bool) {
        var word: (start: Int, isHan: Bool)?
        var offset = 0
        var position = text.startIndex
        while position < text.endIndex {
            var letter: UInt32?
            if case .letter(let folded) = Self.part(at: &position, in: text) { letter = folded }
            // Each Han character is a word.
            let isHan = letter.map { $0 >= 0x3005 && Script($0) == .han } ?? false
            if let ended = word, letter == nil || isHan || ended.isHan {
                if !body(ended.start..<offset) { return }
                word = nil
            }
            if letter != nil { word = word ?? (offset, isHan) }
            offset += 1
        }
        if let word { _ = body(word.start..<offset) }
    }

    /// The role of a scalar in the division into words.
    private enum Part {
        /// A letter or digit that folds to this one.
        case letter(UInt32)
        /// An apostrophe, a hyphen or a quotation mark.
        case joiner
        case separator
    }

    /// Moves past a scalar and returns its role, or nil if it folds to anything but a letter or a separator.
    @inline(__always)
    private static func part(at position: inout Int, in text: ArraySlice<UInt8>) -> Part? {
        guard let scalar = scalar(at: &position, in: text) else { return nil }
        if scalar < 0x80 {
            return part(of: (0x41...0x5A).contains(scalar) ? scalar | 0x20 : scalar)
        }
        guard scalar != 0xB4, let folded = ScalarFolding.range(of: scalar) else { return part(of: scalar) }
        guard let first = folded.first, folded.dropFirst().allSatisfy({ isMark(ScalarFolding.value(at: $0)) }) else {
            return nil
        }
        return part(of: ScalarFolding.value(at: first))
    }

    @inline(__always)
    private static func part(of folded: UInt32) -> Part? {
        switch ScalarClass(folded) {
        // Hangul folds to several letters, and letters beyond the BMP are two UTF-16 code units.
        case .letter:
            folded >= 0x1100
                && (Script(folded) == .hangul || (0xAC00...0xD7A3).contains(folded) || folded > 0xFFFF)
                ? nil : .letter(folded)
        case .joiner: .joiner
        case .punctuation: WordScanner.isQuote(folded) ? .joiner : .separator
        case .space: .separator
        case .symbol: folded == ScalarFolding.schwaMark || folded == ScalarFolding.engMark ? nil : .separator
        case .mark, .ignorable: nil
        }
    }

    /// Decodes a scalar of one to three bytes, whose letter is one UTF-16 code unit, and moves past it. Returns nil for
    /// others.
    @inline(__always)
    private static func scalar(at position: inout Int, in text: ArraySlice<UInt8>) -> UInt32? {
        let byte = text[position]
        position += 1
        if byte < 0x80 { return UInt32(byte) }
        let more = byte < 0xE0 ? 1 : 2
        guard (0xC2...0xEF).contains(byte), text.endIndex - position >= more else { return nil }
        var scalar = UInt32(byte) & (more == 1 ? 0x1F : 0x0F)
        for _ in 0..<more {
            guard text[position] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(text[position] & 0x3F)
            position += 1
        }
        return scalar >= (more == 1 ? 0x80 : 0x800) && !(0xD800...0xDFFF).contains(scalar) ? scalar : nil
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        if scalar == ScalarFolding.schwaMark || scalar == ScalarFolding.engMark { return true }
        if case .mark = ScalarClass(scalar) { return !ScalarClass.isVowelSign(scalar) }
        return false
    }
}
