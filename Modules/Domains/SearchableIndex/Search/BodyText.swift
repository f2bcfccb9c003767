import SwitchboardTextNormalization

/// A word of a full text, or a run of letters of a script without spaces between words.
///
/// Words are folded like those of titles. A run (Chinese, Japanese, Thai, Lao, Khmer, Burmese) is searched by pairs of
/// letters, which find each part of it. Word breaks of a dictionary would miss words that it divides otherwise in the
/// query than in the text.
struct BodyPart {
    /// The spellings of a word, the own script first; the only one of a run.
    let spellings: [String]
    let isRun: Bool
    /// The ranges of the letters of a run in the text, in Unicode scalars.
    let letters: [Range<Int>]
    /// The range of the part in the text, in Unicode scalars.
    let source: Range<Int>

    /// Returns the parts of a text, in order.
    static func parts(of text: some StringProtocol) -> [BodyPart] {
        let text = String(text)
        var builder = Builder(text: text)
        for word in FoldedText(text, transliterating: false).words { builder.add(word) }
        builder.endRun()
        return builder.parts
    }

    private struct Builder {
        let text: String
        var parts: [BodyPart] = []
        private var run = String.UnicodeScalarView()
        private var letters: [Range<Int>] = []
        private lazy var scalars = Array(text.unicodeScalars)

        init(text: String) { self.text = text }

        mutating func add(_ word: FoldedWord) {
            guard let own = word.spellings.first else { return }
            if own.letters.allSatisfy({ $0 < Self.firstUnspaced }) {
                endRun()
                let spellings = word.spellings.map { String(decoding: $0.letters, as: UTF16.self) }
                parts.append(BodyPart(spellings: spellings, isRun: false, letters: [], source: word.source))
                return
            }
            if !continuesRun(at: word.source.lowerBound, word.boundary) { endRun() }
            var other = String.UnicodeScalarView()
            var otherLetters: [Range<Int>] = []
            var offset = 0
            func endOther(isWhole: Bool) -> BodyPart? {
                guard let first = otherLetters.first, let last = otherLetters.last else { return nil }
                defer {
                    other = String.UnicodeScalarView()
                    otherLetters = []
                }
                let spellings =
                    isWhole
                    ? word.spellings.map { String(decoding: $0.letters, as: UTF16.self) } : [String(other)]
                return BodyPart(
                    spellings: spellings, isRun: false, letters: [],
                    source: isWhole ? word.source : first.lowerBound..<last.upperBound)
            }
            for scalar in String(decoding: own.letters, as: UTF16.self).unicodeScalars {
                let width = UTF16.width(scalar)
                let range = own.source(of: offset..<offset + width)
                offset += width
                if Self.isUnspaced(scalar) {
                    if let part = endOther(isWhole: false) { parts.append(part) }
                    run.append(scalar)
                    letters.append(range)
                } else {
                    endRun()
                    other.append(scalar)
                    otherLetters.append(range)
                }
            }
            if let part = endOther(isWhole: otherLetters.count == offset) { parts.append(part) }
        }

        /// A line break within a run is one of the layout.
        private mutating func continuesRun(at start: Int, _ boundary: WordBoundary) -> Bool {
            guard let end = letters.last?.upperBound else { return false }
            if boundary.isEmpty { return true }
            return boundary == .space && end <= start && scalars[end..<start].contains { $0 == "\n" || $0 == "\r" }
        }

        mutating func endRun() {
            guard let first = letters.first, let last = letters.last else { return }
            parts.append(
                BodyPart(
                    spellings: [String(run)], isRun: true, letters: letters,
                    source: first.lowerBound..<last.upperBound))
            run = String.UnicodeScalarView()
            letters = []
        }

        /// The first letter of Thai, before which all scripts have spaces.
        private static let firstUnspaced: UInt16 = 0xE00

        /// Returns `true` for the letters of scripts without spaces between words.
        private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            // Thai, Lao, Burmese, Khmer, other scripts of the region, kana, Bopomofo and Han.
            case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF, 0x3005...0x3007,
                0x3041...0x312F, 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAADF,
                0x20000...0x3FFFF:
                true
            default: false
            }
        }
    }
}

/// The terms of full texts in FTS5.
///
/// FTS5's tokenizer “ascii” splits at white space and ASCII punctuation, and leaves other letters as they are. The terms
/// of a text are therefore one string. They are stored beside the text, so that an item can be deleted, and its terms
/// can be replaced after a change of the folding, without the folding that made them.
enum BodyTerms {
    /// Returns the terms of a text, separated by spaces.
    static func terms(of text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var terms: [UInt8] = []
        terms.reserveCapacity(text.utf8.count + text.utf8.count / 2)
        var known: [Substring: String] = [:]
        forEachPiece(of: text) { piece, isASCII, _ in
            if isASCII {
                terms.append(contentsOf: piece.utf8)
            } else if let folded = known[piece] {
                terms.append(contentsOf: folded.utf8)
            } else {
                let folded = BodyPart.parts(of: piece).map(joined).joined(separator: " ")
                if piece.utf8.count <= 64 { known[piece] = folded }
                terms.append(contentsOf: folded.utf8)
            }
            terms.append(UInt8(ascii: " "))
            return true
        }
        return String(decoding: terms, as: UTF8.self)
    }

    private static func joined(_ part: BodyPart) -> String {
        guard part.isRun else { return part.spellings.joined(separator: " ") }
        var pairs = pairs(of: part.spellings[0])
        // A search for one letter finds pairs that begin with it; the last letter begins none.
        if let last = part.spellings[0].unicodeScalars.last { pairs += " \(last)" }
        return pairs
    }

    /// Returns the pairs of neighboring letters of a run, separated by spaces.
    static func pairs(of run: String) -> String {
        var pairs = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in run.unicodeScalars {
            if let previous {
                if !pairs.isEmpty { pairs.append(" ") }
                pairs.append(previous)
                pairs.append(scalar)
            }
            previous = scalar
        }
        return String(pairs)
    }

    /// Calls `body` with the parts of a text between white space, with their offset in Unicode scalars, until it returns
    /// false. A line break between letters that are not ASCII does not end a part.
    static func forEachPiece(
        of text: String, _ body: (_ piece: Substring, _ isASCII: Bool, _ offset: Int) -> Bool
    ) {
        let bytes = text.utf8
        func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
        var position = bytes.startIndex
        var offset = 0
        while position < bytes.endIndex {
            let start = position
            let startOffset = offset
            var isASCII = true
            var end = position
            scan: while position < bytes.endIndex {
                let byte = bytes[position]
                if isSpace(byte) {
                    end = position
                    guard position > start, bytes[bytes.index(before: position)] >= 0x80 else { break scan }
                    var next = position
                    var breaks = 0
                    while next < bytes.endIndex, isSpace(bytes[next]) {
                        breaks += bytes[next] == 0x0A ? 1 : 0
                        bytes.formIndex(after: &next)
                    }
                    guard breaks == 1, next < bytes.endIndex, bytes[next] >= 0x80 else { break scan }
                    offset += bytes.distance(from: position, to: next)
                    position = next
                    continue
                }
                if byte >= 0x80 { isASCII = false }
                // Continuation bytes belong to the scalar before.
                if byte & 0xC0 != 0x80 { offset += 1 }
                bytes.formIndex(after: &position)
                end = position
            }
            if start < end, !body(text[start..<end], isASCII, startOffset) { return }
            position = end
            while position < bytes.endIndex, isSpace(bytes[position]) {
                bytes.formIndex(after: &position)
                offset += 1
            }
        }
    }
}
