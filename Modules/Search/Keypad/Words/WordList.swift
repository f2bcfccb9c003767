/// The words of a language in order of their keys, searched in the bytes where they lie.
///
/// Opening looks at the header only; nothing is copied or parsed. For example:
///
/// ```swift
/// let list = try WordList(bytes)
/// list.candidates(for: Array("3673".utf8), limit: 3).map(\.text)  // "fore", "ford", "dose"
/// ```
///
/// Words of the same keys stand together, the most frequent first, so that the words for keys are a run, and the words that go on
/// from there the run behind it. The lowest cost of every sixteen words stands apart: the best of thousands of completions are found
/// without reading them.
///
/// No bytes trap: what lies outside of them reads as nothing. The layout is told beside the data, in `Modules/Search/CWordLists/data`.
public struct WordList: @unchecked Sendable {
    // Sendable: the bytes are immutable for as long as whoever handed them over promised.
    private let bytes: UnsafeRawBufferPointer

    /// The language, as a code of ISO 639-1.
    public let language: String
    /// How many ways to type a word there are; a word with ß, æ or œ has two.
    public let count: Int

    let blockCount: Int
    private let letterCount: Int
    private let lettersStart: Int
    private let offsetsStart: Int
    private let bestStart: Int
    private let costsStart: Int
    private let wordsStart: Int

    /// How many words a block has.
    static let blockSize = 16
    /// The most letters a word can have in this layout.
    public static let longestWord = 15 + 15 + 255
    private static let headLength = 32

    /// Opens a list.
    ///
    /// - Parameter bytes: the file; it must stay readable and unchanged while the list or a copy of it is in use.
    /// - Throws: ``WordListError`` if it is none or cut short.
    /// - Complexity: O(1).
    public init(_ bytes: UnsafeRawBufferPointer) throws(WordListError) {
        guard bytes.count >= Self.headLength else { throw .truncated }
        guard bytes.prefix(8).elementsEqual("SBWORDS1".utf8) else { throw .otherVersion }
        func number(_ offset: Int) -> Int {
            Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
        }
        count = number(8)
        blockCount = number(12)
        letterCount = Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self).littleEndian)
        language = String(decoding: bytes[24..<32].prefix { $0 != 0 }, as: UTF8.self)
        lettersStart = Self.headLength
        offsetsStart = lettersStart + 4 * letterCount
        bestStart = offsetsStart + 4 * blockCount
        costsStart = bestStart + 2 * blockCount
        wordsStart = costsStart + 2 * count
        // Each term is below 2³⁵, so the sum cannot overflow.
        guard blockCount == (count + Self.blockSize - 1) / Self.blockSize, letterCount < 256,
            wordsStart + number(20) == bytes.count
        else { throw .truncated }
        self.bytes = bytes
    }

    // MARK: - Reading

    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        offset >= 0 && offset < bytes.count ? bytes[offset] : 0
    }

    @inline(__always)
    private func short(_ offset: Int) -> UInt16 {
        guard offset >= 0, offset + 2 <= bytes.count else { return 0 }
        return bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian
    }

    /// Where the words of a block begin; the end of the bytes if it says anything else.
    func start(ofBlock block: Int) -> Int {
        let offset = offsetsStart + 4 * block
        guard block >= 0, block < blockCount, offset + 4 <= bytes.count else { return bytes.count }
        let start = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
        return min(wordsStart + start, bytes.count)
    }

    /// The lowest cost in a block.
    @inline(__always)
    func best(ofBlock block: Int) -> UInt16 { short(bestStart + 2 * block) }

    /// −100 times the decimal logarithm of the share of a word in running text.
    @inline(__always)
    func cost(_ position: Int) -> UInt16 { short(costsStart + 2 * position) }

    /// The two keys of a letter as ASCII digits; 0 where there is none.
    @inline(__always)
    func keys(ofLetter code: UInt8) -> (UInt8, UInt8) {
        guard Int(code) < letterCount else { return (0, 0) }
        let entry = lettersStart + 4 * Int(code)
        return (byte(entry + 2), byte(entry + 3))
    }

    private func scalar(ofLetter code: UInt8) -> Unicode.Scalar {
        guard Int(code) < letterCount, let scalar = Unicode.Scalar(short(lettersStart + 4 * Int(code))) else {
            return "\u{FFFD}"
        }
        return scalar
    }

    /// The word of these letters.
    func text(_ letters: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for letter in letters { text.append(scalar(ofLetter: letter)) }
        return String(text)
    }

    /// The letters on a key, in the order in which tapping walks them: those of the layout, then those with marks, the most used first.
    ///
    /// - Parameter key: an ASCII digit.
    public func letters(on key: UInt8) -> [Character] {
        var found: [Character] = []
        for code in 0..<letterCount where keys(ofLetter: UInt8(code)).0 == key {
            let letter = Character(scalar(ofLetter: UInt8(code)))
            if !found.contains(letter) { found.append(letter) }
        }
        return found
    }
}

/// Why bytes are no list of words.
public enum WordListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// They are shorter or longer than they say.
    case truncated
    /// They are something else, or of another version.
    case otherVersion

    /// One line: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .truncated: "the list of words is cut short; build it again with Scripts/build-words"
        case .otherVersion: "this is no list of words of this version; build it again with Scripts/build-words"
        }
    }
}
