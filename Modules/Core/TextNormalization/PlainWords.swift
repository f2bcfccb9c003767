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
                // It may be a geresh, which is a part of the letter.
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
        /// An apostrophe or hyphen.
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
        case .punctuation, .space: .separator
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
