@_exported public import SwitchboardErrors

/// The words of a language, sorted by keys and searched in place.
///
/// Opening a list reads only its header. For example:
///
/// ```swift
/// let list = try WordList(bytes)
/// print(list.candidates(for: Array("3673".utf8), limit: 3).map(\.text))  // ford, dose, dope
/// ```
///
/// Words with the same keys are adjacent, the most frequent first, followed by the longer words. The minimum cost of
/// each block of 16 words is stored separately, which avoids reading thousands of completions. The English list also
/// has pairs of words: the likely next words of a word.
///
/// Reads are bounds-checked: corrupt bytes never trap. The format is described in
/// `Modules/Search/CWordLists/data/README.md`.
@safe public struct WordList: @unchecked Sendable {
    // Sendable: the bytes never change, and they live as long as the process or as the copy. Each `unsafe` is safe for
    // this reason, and because it reads at an offset that was just compared with the number of bytes.
    private let bytes: UnsafeRawBufferPointer
    private let copy: Copy?

    /// Memory that is deallocated with the last list that reads it.
    @safe private final class Copy: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer

        init(_ source: [UInt8]) {
            unsafe bytes = .allocate(byteCount: source.count, alignment: 8)
            unsafe bytes.copyBytes(from: source)
        }

        deinit { unsafe bytes.deallocate() }
    }

    /// The ISO 639-1 code of the language.
    public let language: String
    /// The number of entries; a word with ß, æ or œ has two.
    public let count: Int

    let blockCount: Int
    private let letterCount: Int
    private let lettersStart: Int
    private let offsetsStart: Int
    private let bestStart: Int
    private let costsStart: Int
    let followedStart: Int
    private let wordsStart: Int
    let pairsStart: Int
    /// The end of the bytes.
    let end: Int
    /// The number of words with likely next words.
    let followedCount: Int

    /// The number of words per block.
    static let blockSize = 16
    /// The maximum number of letters per word in this format.
    public static let longestWord = 15 + 15 + 255
    private static let headerSize = 40

    /// Opens a list in a copy of the bytes.
    ///
    /// - Throws: ``WordListError`` if the format is unknown or the bytes are truncated.
    public init(_ bytes: [UInt8]) throws(WordListError) {
        let copy = Copy(bytes)
        try unsafe self.init(UnsafeRawBufferPointer(copy.bytes), copy: copy)
    }

    /// Opens a list in memory that never changes and lives as long as the process.
    @unsafe package init(permanent bytes: UnsafeRawBufferPointer) throws(WordListError) {
        try unsafe self.init(bytes, copy: nil)
    }

    private init(_ bytes: UnsafeRawBufferPointer, copy: Copy?) throws(WordListError) {
        guard bytes.count >= Self.headerSize else { throw .truncated }
        guard unsafe bytes.prefix(8).elementsEqual("SBWORDS2".utf8) else { throw .otherVersion }
        func number(_ offset: Int) -> Int {
            unsafe Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
        }
        count = number(8)
        blockCount = number(12)
        letterCount = unsafe Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self).littleEndian)
        language = unsafe String(decoding: bytes[24..<32].prefix { $0 != 0 }, as: UTF8.self)
        lettersStart = Self.headerSize
        offsetsStart = lettersStart + 4 * letterCount
        bestStart = offsetsStart + 4 * blockCount
        costsStart = bestStart + 2 * blockCount
        followedStart = costsStart + 2 * count
        followedCount = number(32)
        wordsStart = followedStart + 8 * followedCount
        pairsStart = wordsStart + number(20)
        end = bytes.count
        // Each term is below 2³⁵, so the sum cannot overflow.
        guard blockCount == (count + Self.blockSize - 1) / Self.blockSize, letterCount < 256,
            pairsStart + number(36) == end
        else { throw .truncated }
        unsafe self.bytes = bytes
        self.copy = copy
    }

    // MARK: - Reading

    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { number(offset) }

    /// Returns the number at an offset, or 0 if it is not inside the bytes.
    @inline(__always)
    func number<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: Value.Type = Value.self) -> Value {
        guard offset >= 0, unsafe offset + MemoryLayout<Value>.size <= bytes.count else { return 0 }
        return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Value.self).littleEndian
    }

    /// Returns the offset of a block, clamped to the end of the bytes.
    func start(ofBlock block: Int) -> Int {
        guard block >= 0, block < blockCount else { return end }
        return min(wordsStart + Int(number(offsetsStart + 4 * block, as: UInt32.self)), end)
    }

    /// Returns the minimum cost in a block.
    @inline(__always)
    func best(ofBlock block: Int) -> UInt16 { number(bestStart + 2 * block) }

    /// Returns the cost of a word: −100 · log₁₀ of its share in running text.
    @inline(__always)
    func cost(_ position: Int) -> UInt16 { number(costsStart + 2 * position) & 0x3FFF }

    /// Returns the case of a word, which is in the upper bits of its cost.
    private func letterCase(_ position: Int) -> LetterCase {
        switch number(costsStart + 2 * position, as: UInt16.self) >> 14 {
        case 1: .capital
        case 2: .capitals
        default: .asWritten
        }
    }

    /// Returns the text of a word in its usual case.
    func text(_ cursor: WordCursor) -> String {
        letterCase(cursor.position).applied(to: text(cursor.word), language: language)
    }

    /// Returns the two keys of a letter as ASCII digits, or 0.
    @inline(__always)
    func keys(ofLetter code: UInt8) -> (UInt8, UInt8) {
        guard Int(code) < letterCount else { return (0, 0) }
        let entry = lettersStart + 4 * Int(code)
        return (byte(entry + 2), byte(entry + 3))
    }

    private func scalar(ofLetter code: UInt8) -> Unicode.Scalar {
        guard Int(code) < letterCount,
            let scalar = Unicode.Scalar(number(lettersStart + 4 * Int(code), as: UInt16.self))
        else {
            return "\u{FFFD}"
        }
        return scalar
    }

    private func text(_ letters: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for letter in letters { text.append(scalar(ofLetter: letter)) }
        return String(text)
    }

    /// Returns the letters on a key (an ASCII digit) in multi-tap order: the letters of the layout, then letters with
    /// marks by frequency.
    public func letters(on key: UInt8) -> [Character] {
        var found: [Character] = []
        for code in 0..<letterCount where keys(ofLetter: UInt8(code)).0 == key {
            let letter = Character(scalar(ofLetter: UInt8(code)))
            if !found.contains(letter) { found.append(letter) }
        }
        return found
    }
}

/// An error opening a word list.
public enum WordListError: CodedError, Hashable {
    /// The size of the bytes differs from the header.
    case truncated
    /// The bytes have another format or version.
    case otherVersion

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .truncated: .init("internal", .internalError, "the word list is truncated; rebuild it")
        case .otherVersion:
            .init("internal", .internalError, "the word list has an unknown format or version; rebuild it")
        }
    }
}
