import CSwitchboardTextTables

/// The role of a scalar in the segmentation into words.
enum ScalarClass {
    /// A letter or number, part of a word.
    case letter
    /// A combining mark, ignored as part of the preceding letter.
    case mark
    /// An ignored invisible character, such as a zero-width joiner.
    case ignorable
    /// An apostrophe or hyphen, which separates words that also match as one.
    case joiner
    case punctuation
    case space
    /// Emoji and other symbols, which end a word.
    case symbol

    init(_ scalar: UInt32) {
        if scalar < 0x80 {
            self = Self.ascii(scalar)
        } else if Self.isCommonLetter(scalar) {
            self = .letter
        } else if scalar >= 0x300 && scalar < 0x370 {
            self = .mark
        } else {
            self = Self.general(scalar)
        }
    }

    @inline(__always)
    private static func ascii(_ scalar: UInt32) -> ScalarClass {
        switch scalar {
        case 0x61...0x7A, 0x30...0x39, 0x41...0x5A: .letter
        case 0x27, 0x2D, 0x60: .joiner
        case 0x00...0x20, 0x7F: .space
        default: .punctuation
        }
    }

    /// Returns `true` for common letters, without a lookup of Unicode properties.
    @inline(__always)
    private static func isCommonLetter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3B1...0x3C9, 0x430...0x45F, 0x5D0...0x5EA, 0x621...0x63A, 0x641...0x64A, 0x10D0...0x10F0,
            0x1100...0x11FF, 0x3041...0x3096, 0x4E00...0x9FA5:
            true
        default:
            false
        }
    }

    private static func general(_ scalar: UInt32) -> ScalarClass {
        switch scalar {
        case 0xB4, 0x2018, 0x2019, 0x201B, 0x2032, 0xFF07, 0x2BB...0x2BF, 0x2C8, 0x2CA, 0x2CB, 0x55A, 0x10FB, 0xA78C:
            return .joiner
        case 0x5F3, 0x5F4:
            return .ignorable  // geresh and gershayim belong to the letter before
        default:
            break
        }
        guard let category = Unicode.Scalar(scalar)?.properties.generalCategory else { return .symbol }
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return .letter
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return .mark
        case .format:
            return .ignorable
        case .dashPunctuation:
            return .joiner
        case .connectorPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .otherPunctuation, .mathSymbol, .currencySymbol:
            return .punctuation
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
            return .space
        default:
            return .symbol
        }
    }

    /// Returns `true` for the vowel signs of Indic and South-East Asian scripts, which are kept like letters.
    ///
    /// Tone marks (combining classes 107 and 122), the nukta (7) and accents (220, 230) are ignored.
    static func isVowelSign(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0780...0x07BF, 0x0900...0x109F, 0x1700...0x17FF, 0x1920...0x19FF, 0x1A00...0x1AAF, 0x1B00...0x1C4F,
            0xA800...0xABFF, 0x11000...0x11FFF:
            if scalar == 0xA71 { return false }  // addak doubles the next consonant
            guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
            switch properties.canonicalCombiningClass.rawValue {
            case 7, 107, 122, 220, 230: return false
            default: return true
            }
        default:
            return false
        }
    }
}

/// The folding of single scalars: compatibility decomposition, lower case and ASCII digits.
///
/// It also unifies letter forms (final forms, presentation forms, katakana as hiragana) and maps letters without a
/// decomposition (ł, ø) to base letters. The table is a constant of the program and read in place.
enum ScalarFolding {
    /// Private-use marks that the table adds to base letters.
    static let schwaMark: UInt32 = 0xE000
    static let engMark: UInt32 = 0xE001

    /// Returns the positions of the folded scalars, or `nil` if a scalar folds to itself.
    @inline(__always)
    static func range(of scalar: UInt32) -> Range<Int>? {
        // The first numbers are the indices of the first entry of each block of 32 scalars. An entry consists of the
        // position of its first value (19 bits) and the scalar's number in the block.
        guard scalar < 0x30000 else { return nil }
        let block = Int(scalar >> 5)
        for entry in Int(sb_folding_number(block))..<Int(sb_folding_number(block + 1))
        where sb_folding_number(entry) >> 19 == scalar & 31 {
            return Int(sb_folding_number(entry) & 0x7FFFF)..<Int(sb_folding_number(entry + 1) & 0x7FFFF)
        }
        return nil
    }

    /// Returns the folded scalar at a position in the result of ``range(of:)``.
    @inline(__always)
    static func value(at position: Int) -> UInt32 { sb_folding_number(position) }
}

/// Up to eight lowercase ASCII letters in one machine word: the romanization of a letter.
///
/// Romanization copies millions of these; avoiding reference counting matters.
struct ASCIILetters: Sendable, Hashable, RandomAccessCollection, ExpressibleByStringLiteral {
    /// The letters as bytes, the first in the lowest byte.
    private var bits: UInt64 = 0

    /// Creates a value from the first eight ASCII letters of a sequence.
    init(_ letters: some Sequence<UInt16>) {
        for letter in letters where letter < 0x80 { append(letter) }
    }

    init(stringLiteral value: StaticString) {
        // Safe: a string literal has a pointer to all its bytes.
        for index in 0..<value.utf8CodeUnitCount { append(UInt16(unsafe value.utf8Start[index])) }
    }

    var startIndex: Int { 0 }

    var endIndex: Int { (64 - bits.leadingZeroBitCount + 7) / 8 }

    /// The letter at an index, or 0 past the end.
    @inline(__always)
    subscript(index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (bits >> UInt64(index * 8)) & 0xFF)
    }

    static func + (first: ASCIILetters, second: ASCIILetters) -> ASCIILetters {
        var result = first
        for letter in second { result.append(letter) }
        return result
    }

    private mutating func append(_ letter: UInt16) {
        let count = count
        if count < 8 { bits |= UInt64(letter) << UInt64(count * 8) }
    }
}
