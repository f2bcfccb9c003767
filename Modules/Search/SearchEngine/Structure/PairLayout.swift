/// The bits of a field's ``WordPairs``.
///
/// If the alphabet has up to fifteen letters, such as keypad keys, a key has four letters of each word, in four bits
/// each. For a larger alphabet it has three letters of each word with hashed codes: five bits for the first two
/// letters, four for the third. Code 0 follows the last letter of a short word. From the highest bits, a key has the
/// *group*, the first letters of both words; the *head*, their second letters; and the *tail*, all others. An entry has
/// the document, the tail of the key and seven bits for the first letters of other words.
struct PairLayout: Sendable, Equatable {
    /// The maximum number of letters of a word in a key.
    static let maxLetters = 4
    private static let othersBits: UInt64 = 7
    private static let tailLetterBits: UInt32 = 4

    /// The number of letters of a word in a key.
    let letters: Int
    /// The bits of a first or second letter, and of a tail.
    private let headLetterBits: UInt32
    private let tailBits: UInt32
    /// The bits of the first word in a key.
    private let firstWord: UInt32

    init(letters count: Int) {
        let isDirect = count < 16
        letters = isDirect ? 4 : 3
        headLetterBits = isDirect ? 4 : 5
        tailBits = isDirect ? 16 : 8
        let (bits, tailBits) = (headLetterBits, tailBits)
        let tail: UInt32 = 0xF0F0 & ((1 << tailBits) - 1)
        firstWord = (1 << bits - 1) << (tailBits + 3 * bits) | (1 << bits - 1) << (tailBits + bits) | tail
    }

    /// The first letters of a word or of a piece of the query, at the bit positions of the first word of a key.
    struct Letters: Equatable {
        var codes: UInt32 = 0
        /// The bits of letters that are known. Letters after the end of a short word count as unknown, too.
        var mask: UInt32 = 0
    }

    /// Returns the code of a letter, at least 1 for letters that occur in the field.
    @inline(__always)
    private func code(_ letter: UInt8) -> UInt32 {
        headLetterBits == 4 ? UInt32(letter & 15) : Swift.max(1, (UInt32(letter) &* 0x9E37_79B1) >> 27)
    }

    /// Returns the bit of a first letter among the first letters of other words.
    @inline(__always)
    func bit(_ letter: UInt8) -> UInt64 { 1 << UInt64(code(letter) % UInt32(PairLayout.othersBits)) }

    func letters(_ bytes: ArraySlice<UInt8>) -> Letters {
        var found = Letters()
        for (number, letter) in bytes.prefix(letters).enumerated() { add(letter, number, to: &found) }
        return found
    }

    /// Adds a letter by its position in the word, from 0. Letters beyond the key are ignored.
    @inline(__always)
    func add(_ letter: UInt8, _ number: Int, to known: inout Letters) {
        guard number < letters else { return }
        let isHead = number < 2
        let place = UInt32(number & 1)
        let shift = isHead ? tailBits + (3 - 2 * place) * headLetterBits : tailBits - (2 * place + 1) * 4
        let mask = isHead ? (UInt32(1) << headLetterBits) - 1 : 15
        known.codes |= (code(letter) & mask) << shift
        known.mask |= mask << shift
    }

    /// Returns the key of two words, or of two masks.
    @inline(__always)
    func key(_ first: UInt32, _ second: UInt32) -> UInt32 {
        first | (second >> (tailBits + headLetterBits)) << tailBits | tail(second) >> PairLayout.tailLetterBits
    }

    /// The bits of a head.
    @inline(__always)
    var headBits: UInt32 { 2 * headLetterBits }

    /// The number of groups of all classes.
    var groupCount: Int { WordPairs.maxWordsOfClass.count << Int(2 * headLetterBits) }

    /// Returns the group of a key in a class.
    @inline(__always)
    func group(_ key: UInt32, class number: Int) -> Int {
        number << Int(2 * headLetterBits) | Int(key >> (tailBits + headBits))
    }

    @inline(__always)
    func head(_ key: UInt32) -> UInt32 { key >> tailBits & (1 << headBits - 1) }

    /// Returns the bits of a head that follow the last leading letter of a mask: all bits if the first letter is
    /// unknown.
    @inline(__always)
    func freeHeadBits(_ mask: UInt32) -> UInt32 {
        if mask >> headLetterBits == 0 { return headBits }
        return mask & (1 << headLetterBits - 1) == 0 ? headLetterBits : 0
    }

    @inline(__always)
    func tail(_ key: UInt32) -> UInt32 { key & ((1 << tailBits) - 1) }

    /// Returns the bits that an entry must have, and the mask of the bits to compare.
    @inline(__always)
    func filter(tail: UInt32, mask: UInt32, others: UInt64) -> (required: UInt64, mask: UInt64) {
        (UInt64(tail) << PairLayout.othersBits | others, UInt64(mask) << PairLayout.othersBits | others)
    }

    /// Returns `true` if a word that begins with one piece can be less than, or equal to, one that begins with another.
    @inline(__always)
    func canPrecede(_ one: Letters, _ other: Letters) -> Bool { one.codes <= other.codes | firstWord & ~other.mask }

    /// Returns an entry. The entries of a head are sorted by their tails, then by their documents.
    @inline(__always)
    func entry(_ document: UInt32, key: UInt32, others: UInt64) -> UInt64 {
        UInt64(document) << documentShift | UInt64(tail(key)) << PairLayout.othersBits | others
    }

    /// Returns the tail of an entry.
    @inline(__always)
    func tail(_ entry: UInt64) -> UInt32 { tail(UInt32(truncatingIfNeeded: entry >> PairLayout.othersBits)) }

    @inline(__always)
    var documentShift: UInt64 { UInt64(tailBits) + PairLayout.othersBits }
}
