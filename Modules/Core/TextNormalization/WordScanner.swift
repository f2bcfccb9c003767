/// A folded letter with its mark and its source range.
struct LetterCluster: Equatable {
    /// The lowercase base letter without marks.
    var base: UInt32
    /// The first mark, or 0. Only romanization and alternative spellings use it.
    var mark: UInt32
    var start: UInt32
    var end: UInt32
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
        let isHan = scalar >= 0x3005 && Script(scalar) == .han
        if isHan || word.clusters.last.map({ $0.base >= 0x3005 && Script($0.base) == .han }) ?? false {
            endWord(body)
        }
        if scalar >= 0x80 { word.isPlain = false }
        if let last = word.clusters.last, last.end != index { word.isPlain = false }
        word.clusters.append(LetterCluster(base: scalar, mark: 0, start: index, end: index &+ 1))
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
        boundary = []
        word.clusters.removeAll(keepingCapacity: true)
        word.isPlain = true
    }
}

/// The script of a folded letter, as far as romanization distinguishes scripts.
enum Script {
    case latin, cyrillic, greek, georgian, armenian, hebrew, arabic, kana, hangul, han, other

    init(_ base: UInt32) {
        switch base {
        case 0..<0x370, 0x1D00...0x1DBF, 0x2C60...0x2C7F, 0xA720...0xA7FF: self = .latin
        case 0x370...0x3FF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: self = .cyrillic
        case 0x531...0x58F: self = .armenian
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF: self = .arabic
        case 0x10A0...0x10FF, 0x2D00...0x2D2F: self = .georgian
        case 0x1100...0x11FF: self = .hangul
        case 0x3041...0x3096, 0x309D...0x309E, 0x30FC: self = .kana
        case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF: self = .han
        default: self = .other
        }
    }
}
