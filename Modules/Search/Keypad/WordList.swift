import Foundation
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

    private let blockCount: Int
    private let letterCount: Int
    private let lettersStart: Int
    private let offsetsStart: Int
    private let bestStart: Int
    private let costsStart: Int
    private let followedStart: Int
    private let wordsStart: Int
    private let pairsStart: Int
    private let end: Int
    /// The number of words with likely next words.
    private let followedCount: Int

    /// The number of words per block.
    fileprivate static let blockSize = 16
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
    fileprivate func byte(_ offset: Int) -> UInt8 { number(offset) }

    /// Returns the number at an offset, or 0 if it is not inside the bytes.
    @inline(__always)
    private func number<Value: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, as: Value.Type = Value.self
    ) -> Value {
        guard offset >= 0, unsafe offset + MemoryLayout<Value>.size <= bytes.count else { return 0 }
        return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Value.self).littleEndian
    }

    /// Returns the offset of a block, clamped to the end of the bytes.
    fileprivate func start(ofBlock block: Int) -> Int {
        guard block >= 0, block < blockCount else { return end }
        return min(wordsStart + Int(number(offsetsStart + 4 * block, as: UInt32.self)), end)
    }

    /// Returns the minimum cost in a block.
    @inline(__always)
    private func best(ofBlock block: Int) -> UInt16 { number(bestStart + 2 * block) }

    /// Returns the cost of a word: −100 · log₁₀ of its share in running text.
    @inline(__always)
    private func cost(_ position: Int) -> UInt16 { number(costsStart + 2 * position) & 0x3FFF }

    /// Returns the case of a word, which is in the upper bits of its cost.
    private func letterCase(_ position: Int) -> LetterCase {
        switch number(costsStart + 2 * position, as: UInt16.self) >> 14 {
        case 1: .capital
        case 2: .capitals
        default: .asWritten
        }
    }

    /// Returns the text of a word in its usual case.
    private func text(_ cursor: WordCursor) -> String {
        letterCase(cursor.position).applied(to: text(cursor.word), language: language)
    }

    /// Returns the two keys of a letter as ASCII digits, or 0.
    @inline(__always)
    fileprivate func keys(ofLetter code: UInt8) -> (UInt8, UInt8) {
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

    // MARK: - Candidates

    /// Returns the words that match the keys: complete words by frequency, then longer ones by frequency.
    ///
    /// Words that are likely to follow the previous one rank by that likelihood.
    ///
    /// In French and Italian, elisions come last: `51328` also matches "l'eau", whose frequency is unknown. The lists
    /// give a much lower rank to single letters that are not words, and to words whose apostrophe may be omitted.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits. `1` is an apostrophe, which is optional; `0` and `1` type no letters.
    ///   - previous: The previous word of the same sentence.
    ///   - limit: The maximum number of words; 0 for all.
    /// - Complexity: O(log *n* + *m* / 16 + *p* + *k* log *k*) for *n* words, *m* of which begin with the keys, *p*
    ///   likely next words, and *k* results; O(*m*) if the keys contain `1`.
    public func candidates(for keys: [UInt8], after previous: String? = nil, limit: Int) -> [WordCandidate] {
        let listed = listedCandidates(for: keys, after: previous, limit: limit)
        guard limit == 0 || listed.count < limit else { return listed }
        let elided = elidedCandidates(for: keys, limit: limit)
        return elided.isEmpty
            ? listed
            : WordCandidate.merged(following: [], learned: [], listed: listed, names: elided, limit: limit)
    }

    /// The words that lose their last vowel before another vowel, by language.
    private static let elisions = [
        "fr": ["l", "d", "j", "n", "s", "m", "t", "c", "qu", "jusqu", "lorsqu", "puisqu"],
        "it": ["l", "d", "un", "c", "m", "t", "s", "v", "all", "dall", "dell", "nell", "sull", "quell", "quest"],
    ]

    /// Returns elisions together with the word that follows. The lists do not contain these combinations.
    private func elidedCandidates(for keys: [UInt8], limit: Int) -> [WordCandidate] {
        guard let elisions = Self.elisions[language], let mark = keys.firstIndex(of: UInt8(ascii: "1")) else {
            return []
        }
        let (typed, rest) = (Array(keys[..<mark]), Array(keys[(mark + 1)...]))
        let elided = elisions.filter { wordKeys(of: $0) == typed }
        guard !elided.isEmpty, !rest.isEmpty, !rest.contains(UInt8(ascii: "1")) else { return [] }
        var read = limit
        while true {
            let words = listedCandidates(for: rest, after: nil, limit: read)
            let followers = words.filter(\.beginsWithVowel)
            if limit == 0 || followers.count >= limit || words.count < read {
                return followers.flatMap { word in
                    elided.map { WordCandidate(text: "\($0)'\(word.text)", isWhole: word.isWhole) }
                }
            }
            read *= 4
        }
    }

    private func listedCandidates(for keys: [UInt8], after previous: String?, limit: Int) -> [WordCandidate] {
        let letterKeys = keys.filter { $0 != UInt8(ascii: "1") }
        guard let last = letterKeys.last, letterKeys.count <= Self.longestWord, limit >= 0,
            letterKeys.allSatisfy({ (UInt8(ascii: "2")...UInt8(ascii: "9")).contains($0) })
        else { return [] }
        let pattern = letterKeys.count == keys.count ? nil : keys
        let limit = limit == 0 ? Int.max : limit
        // A few are kept sorted during the scan; many are sorted at the end. A word with ß may occur twice.
        let kept = limit > Self.maximumSorted ? Int.max : limit + 8
        var cursor = WordCursor(self)
        let successor = letterKeys.dropLast() + [last + 1]
        seek(&cursor, to: Array(successor))
        let end = cursor.position
        seek(&cursor, to: letterKeys)
        let next = previous.map { nextWords(after: $0, in: min(cursor.position, end)..<end) } ?? []
        var result = wholeCandidates(&cursor, letterKeys, pattern, next, limit: limit)
        guard result.count < limit else { return result }
        let range = cursor.position..<max(cursor.position, end)
        let likely = next.filter { range.contains($0.position) }.sorted {
            ($0.cost, $0.position) < ($1.cost, $1.position)
        }
        var seen: Set<String> = []
        for position in merged(likely, best(kept, of: range, matching: pattern)) {
            guard result.count < limit else { break }
            cursor.seek(toWord: position)
            guard pattern.map({ cursor.hasApostrophes(of: $0) }) ?? true else { continue }
            let candidate = candidate(cursor, isWhole: false)
            if seen.insert(candidate.text).inserted { result.append(candidate) }
        }
        return result
    }

    /// Returns the words with exactly the given keys, and moves the cursor past them.
    private func wholeCandidates(
        _ cursor: inout WordCursor, _ keys: [UInt8], _ pattern: [UInt8]?, _ next: [NextWord], limit: Int
    ) -> [WordCandidate] {
        var found: [(cost: UInt16, candidate: WordCandidate)] = []
        var likely = next.drop { $0.position < cursor.position }
        // The list may place a word lower than its frequency does, so the costs of the order never decrease.
        var cost: UInt16 = 0
        while cursor.position < count, cursor.compare(with: keys) == 0 {
            if likely.isEmpty, found.count >= limit { break }
            if pattern.map({ cursor.hasApostrophes(of: $0) }) ?? true {
                cost = max(cost, self.cost(cursor.position))
                likely = likely.drop { $0.position < cursor.position }
                let isNext = likely.first?.position == cursor.position
                let lower = isNext ? min(cost, likely.first?.cost ?? cost) : cost
                let index = isNext ? found.firstIndex { lower < $0.cost } ?? found.count : found.count
                found.insert((lower, candidate(cursor, isWhole: true)), at: index)
            }
            cursor.advance()
        }
        return found.prefix(limit).map(\.candidate)
    }

    /// Merges the positions of likely words and of others, both sorted by cost, into one order.
    private func merged(_ likely: [NextWord], _ others: [Int]) -> [Int] {
        guard !likely.isEmpty else { return others }
        var result: [Int] = []
        result.reserveCapacity(likely.count + others.count)
        var index = 0
        for position in others {
            let cost = cost(position)
            while index < likely.count, likely[index].cost <= cost {
                result.append(likely[index].position)
                index += 1
            }
            result.append(position)
        }
        return result + likely[index...].map(\.position)
    }

    private static let maximumSorted = 200

    private func candidate(_ cursor: WordCursor, isWhole: Bool) -> WordCandidate {
        WordCandidate(
            text: text(cursor), frequency: WordCandidate.frequency(cost: cost(cursor.position)), isWhole: isWhole)
    }

    /// Moves a cursor to the first word whose keys are not less than the given keys.
    private func seek(_ cursor: inout WordCursor, to keys: [UInt8]) {
        var (low, high) = (0, blockCount)
        while low < high {
            let middle = (low + high) / 2
            cursor.seek(toBlock: middle)
            if cursor.compare(with: keys) < 0 { low = middle + 1 } else { high = middle }
        }
        cursor.seek(toBlock: max(0, low - 1))
        while cursor.position < count, cursor.compare(with: keys) < 0 { cursor.advance() }
    }

    /// Returns the words of a range with the lowest costs, in ascending order of cost and position.
    ///
    /// - Parameter pattern: The keys with apostrophes that the words must match; `nil` for all words.
    private func best(_ limit: Int, of range: Range<Int>, matching pattern: [UInt8]?) -> [Int] {
        var found: [(cost: UInt16, position: Int)] = []
        if let pattern {
            var cursor = WordCursor(self)
            cursor.seek(toWord: range.lowerBound)
            while cursor.position < range.upperBound {
                if cursor.hasApostrophes(of: pattern) { insert(cursor.position, into: &found, limit: limit) }
                cursor.advance()
            }
        } else {
            let size = Self.blockSize
            for block in range.lowerBound / size..<(range.upperBound + size - 1) / size
            where found.count < limit || best(ofBlock: block) < found[found.count - 1].cost {
                for position in range.clamped(to: block * size..<(block + 1) * size) {
                    insert(position, into: &found, limit: limit)
                }
            }
        }
        if limit == .max { found.sort { ($0.cost, $0.position) < ($1.cost, $1.position) } }
        return found.map(\.position)
    }

    /// Inserts a word in order of cost, or appends it if there is no limit.
    private func insert(_ position: Int, into found: inout [(cost: UInt16, position: Int)], limit: Int) {
        let cost = cost(position)
        if limit == .max {
            found.append((cost, position))
            return
        }
        if found.count == limit {
            guard let last = found.last, cost < last.cost else { return }
            found.removeLast()
        }
        var index = found.count
        while index > 0, found[index - 1].cost > cost { index -= 1 }
        found.insert((cost, position), at: index)
    }

    // MARK: - Pairs of words

    /// A word that is likely to follow another one, with its cost there: −100 · log₁₀ of its share among the next
    /// words.
    private struct NextWord {
        var position: Int
        var cost: UInt16
    }

    /// The unit of the costs of pairs.
    private static let costStep: UInt16 = 4

    /// Returns the likely next words of a word that are in a range, by position.
    ///
    /// - Complexity: O(log *n* + *k*) for *n* words and *k* next words.
    private func nextWords(after previous: String, in range: Range<Int>) -> [NextWord] {
        guard followedCount > 0, !range.isEmpty, let word = position(of: previous) else { return [] }
        var (low, high) = (0, followedCount)
        while low < high {
            let middle = (low + high) / 2
            if followed(middle).word < word { low = middle + 1 } else { high = middle }
        }
        guard low < followedCount, followed(low).word == word else { return [] }
        var offset = pairsStart + followed(low).start
        let end = pairsStart + followed(low + 1).start
        var found: [NextWord] = []
        var position = 0
        while offset < end {
            var shift = 0
            var part: UInt8
            repeat {
                part = byte(offset)
                // Positions have at most 32 bits; the mask keeps corrupt ones from overflowing.
                position = (position + Int(part & 0x7F) << shift) & 0xFFFF_FFFF
                offset += 1
                shift += 7
            } while part >= 0x80 && shift < 32
            guard position < range.upperBound else { break }
            if position >= range.lowerBound {
                found.append(NextWord(position: position, cost: UInt16(byte(offset)) * Self.costStep))
            }
            offset += 1
        }
        return found
    }

    /// Returns the position of a word that has next words, and the start of its next words. Past the last such word,
    /// returns the end of the words and of the bytes.
    private func followed(_ index: Int) -> (word: Int, start: Int) {
        guard index < followedCount else { return (count, end - pairsStart) }
        let entry = followedStart + 8 * index
        let start = Int(number(entry + 4, as: UInt32.self))
        return (Int(number(entry, as: UInt32.self)), min(start, end - pairsStart))
    }

    /// Returns the position of a word in any case, or nil if it is not listed.
    private func position(of word: String) -> Int? {
        guard let keys = wordKeys(of: word) else { return nil }
        let word = word.lowercased()
        var cursor = WordCursor(self)
        seek(&cursor, to: keys)
        while cursor.position < count, cursor.compare(with: keys) == 0 {
            if text(cursor).lowercased() == word { return cursor.position }
            cursor.advance()
        }
        return nil
    }

    /// Returns the likely next words of a word, the most likely first.
    public func suggestions(after previous: String, limit: Int) -> [WordCandidate] {
        var cursor = WordCursor(self)
        return nextWords(after: previous, in: 0..<count).sorted { ($0.cost, $0.position) < ($1.cost, $1.position) }
            .prefix(limit).map {
                cursor.seek(toWord: $0.position)
                return candidate(cursor, isWhole: true)
            }
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

extension WordCandidate {
    /// `true` for a word before which the previous word is elided in French and Italian.
    fileprivate var beginsWithVowel: Bool {
        guard let first = text.decomposedStringWithCanonicalMapping.unicodeScalars.first else { return false }
        return "aeiouyhœæ".unicodeScalars.contains(first)
    }
}

/// A position in a word list, with the decoded letters of the word.
private struct WordCursor {
    private let list: WordList
    /// The index of the word, or the number of words at the end.
    private(set) var position: Int
    /// A buffer with the letters of the word, as indices in the alphabet of the list.
    private(set) var letters: [UInt8]
    /// The number of letters of the word.
    private(set) var count = 0
    /// The offset of the next word.
    private var next = 0

    init(_ list: WordList) {
        self.list = list
        position = list.count
        letters = [UInt8](repeating: 0, count: WordList.longestWord)
    }

    var word: ArraySlice<UInt8> { letters[..<count] }

    /// Moves to the first word of a block.
    mutating func seek(toBlock block: Int) {
        position = min(max(0, block) * WordList.blockSize, list.count)
        next = list.start(ofBlock: block)
        read()
    }

    mutating func seek(toWord number: Int) {
        seek(toBlock: number / WordList.blockSize)
        while position < number, position < list.count { advance() }
    }

    /// Moves to the next word, or past the last one.
    mutating func advance() {
        guard position < list.count else { return }
        position += 1
        if position % WordList.blockSize == 0 { next = list.start(ofBlock: position / WordList.blockSize) }
        read()
    }

    private mutating func read() {
        guard position < list.count else { return }
        let head = list.byte(next)
        next += 1
        // Cannot overflow the buffer, even if the list is corrupt: at most 15 shared letters and 270 others.
        let shared = min(Int(head >> 4), count)
        var more = Int(head & 15)
        if more == 15 {
            more += Int(list.byte(next))
            next += 1
        }
        for index in 0..<more { letters[shared + index] = list.byte(next + index) }
        next += more
        count = shared + more
    }

    /// Compares the keys of the word with others: −1 if they come before, 0 if they are equal, 1 if they come after.
    func compare(with keys: [UInt8]) -> Int {
        var index = 0
        for letter in word {
            let (first, second) = list.keys(ofLetter: letter)
            for key in [first, second] where key != 0 {
                guard index < keys.count else { return 1 }
                if key != keys[index] { return key < keys[index] ? -1 : 1 }
                index += 1
            }
        }
        return index == keys.count ? 0 : -1
    }

    /// Returns `true` if the word begins with the keys of a pattern and has apostrophes exactly where the pattern has
    /// `1`.
    func hasApostrophes(of pattern: [UInt8]) -> Bool {
        var index = 0
        for letter in word {
            guard index < pattern.count else { return true }
            let (first, second) = list.keys(ofLetter: letter)
            if first == 0 {
                guard pattern[index] == UInt8(ascii: "1") else { return false }
                index += 1
            } else {
                guard pattern[index] == first else { return false }
                index += 1
                if second != 0, index < pattern.count {
                    guard pattern[index] == second else { return false }
                    index += 1
                }
            }
        }
        return index == pattern.count
    }
}
