// Typed words in any order and in different fields: "carmen example.com".
//
// `AllTermsCandidates` lists the documents of the rarest typed word and keeps those that contain the others, in order
// of their frequency, until checking the rest costs less. A matcher then checks each candidate: `AllTermsMatcher` for
// prefixes, `FuzzyTermsMatcher` for prefixes with typos, and `SoundMatcher` for sound-alikes.
//
// The documents of a word of many entries are a bitmap instead of a list: of more than 113 entries with 100,000
// documents, and of more than 992 with a million.

import Synchronization

/// The documents that may contain all typed words, in order of rank.
///
/// The documents of the rarest word form a list or, if sorting it takes longer than a pass over a bitmap, a bitmap.
/// The documents of the other words are intersected with it. Common words are filtered with ``PrefixSignatures``. The
/// candidates must still be checked. O(entries of the rare words), and O(documents / 64) if all words have many entries.
struct AllTermsCandidates: ~Copyable {
    /// A word is common if more than one in this many documents contains it.
    private static let rareShare = 8
    /// The number of bits in a filter of listed documents, a power of two. At most two percent of the bits are set.
    private static let filterBits = 1 << 16

    private let fieldQueries: [FieldQuery]
    private let end: Int
    /// The maximum number of entries of the rarest word for which its documents are listed.
    private let maxListed: Int
    /// The documents that contain the rare words: a list if the rarest word has few entries, otherwise a bitmap. Both
    /// are nil if there are no rare words.
    private var listed: [UInt32]?
    private var common: [UInt64]?
    /// The typed words that are filtered with signatures.
    private var filtered: [Int] = []

    /// - Parameter words: Some or all of the typed words.
    init(_ fieldQueries: [FieldQuery], words: [TermRanges], bounds: Range<Int>) {
        self.fieldQueries = fieldQueries
        end = bounds.upperBound
        // Sorting one entry costs about as much as scanning 1,000 bits.
        maxListed = min(16 + end / 1_024, 1_024)
        let haveSignatures = fieldQueries.allSatisfy { $0.field.signatures != nil }
        var left = Int.max
        var previous: TermRanges?
        for word in words.sorted(by: { ($0.count, $0.firstEntry) < ($1.count, $1.firstEntry) }) {
            // A word that was typed again has the same documents.
            if let previous, previous.hasSameEntries(as: word) { continue }
            previous = word
            let canFilter = haveSignatures && !word.hasEdits
            if canFilter && word.count > end / AllTermsCandidates.rareShare {
                filtered.append(word.word)
                continue
            }
            if left == .max {
                left = word.count <= maxListed ? list(word) : intersect(word)
            } else if word.count / 32 <= left {
                // Checking one document costs about as much as scanning thirty entries.
                left = listed == nil ? intersect(word) : filter(word)
            }
            if left == 0 { return }
        }
    }

    /// Calls `body` with the documents of a word.
    @inline(__always)
    private func forEachDocument(of word: TermRanges, _ body: (Int) -> Void) {
        for field in word.fields {
            let documents = field.wordSuffixes.documents
            for range in field.ranges {
                for entry in range {
                    let document = Int(documents[entry])
                    if document < end { body(document) }
                }
            }
        }
    }

    /// Lists the documents that contain a word, and returns their number.
    private mutating func list(_ word: TermRanges) -> Int {
        var documents: [UInt32] = []
        documents.reserveCapacity(word.count)
        forEachDocument(of: word) { documents.append(UInt32($0)) }
        documents.sort()
        listed = documents
        return documents.count
    }

    /// Keeps the listed documents that contain a word, and a few false positives, and returns their number.
    private mutating func filter(_ word: TermRanges) -> Int {
        let mask = AllTermsCandidates.filterBits - 1
        let known = Scratch<UInt64>(repeating: 0, count: AllTermsCandidates.filterBits / 64)
        let found = Scratch<UInt64>(repeating: 0, count: AllTermsCandidates.filterBits / 64)
        for document in listed ?? [] { known[(Int(document) & mask) >> 6] |= 1 << UInt64(document & 63) }
        forEachDocument(of: word) { document in
            let position = (document & mask) >> 6
            found[position] |= known[position] & 1 << UInt64(document & 63)
        }
        listed?.removeAll { found[(Int($0) & mask) >> 6] >> UInt64($0 & 63) & 1 == 0 }
        return listed?.count ?? 0
    }

    /// Keeps the documents that contain a word, and returns their number.
    private mutating func intersect(_ word: TermRanges) -> Int {
        var bits = DocumentBitmaps.take(count: (end + 63) / 64)
        var count = 0
        forEachDocument(of: word) { document in
            let bit: UInt64 = 1 << UInt64(document & 63)
            if bits[document >> 6] & bit != 0 || common.map({ $0[document >> 6] & bit == 0 }) ?? false { return }
            bits[document >> 6] |= bit
            count += 1
        }
        if let common { DocumentBitmaps.keep(common) }
        common = bits
        return count
    }

    deinit {
        if let common { DocumentBitmaps.keep(common) }
    }

    /// Calls `body` with each candidate until it returns false. Returns `true` if all candidates were visited.
    func forEach(
        _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(CancellationError) -> Bool {
        var cancellation = cancellation
        if let listed {
            var last = UInt32.max
            for document in listed where document != last {
                last = document
                try cancellation.step()
                if !body(Int(document)) { return false }
            }
            return true
        }
        // The signatures and the first letter of each filtered word in the fields that have it.
        let rows = filtered.map { word in
            fieldQueries.compactMap { fieldQuery -> (PrefixSignatures, UInt8)? in
                let query = fieldQuery.query
                guard let signatures = fieldQuery.field.signatures, query.words.indices.contains(word) else {
                    return nil
                }
                return (signatures, query.bytes[query.words[word].lowerBound])
            }
        }
        for position in 0..<(end + 63) / 64 {
            var bits = common.map { $0[position] } ?? .max
            if bits == 0 { continue }
            for fields in rows where bits != 0 {
                bits &= fields.reduce(into: 0) { $0 |= $1.0.load($1.1, at: position) }
            }
            try cancellation.step()
            while bits != 0 {
                let document = position * 64 + bits.trailingZeroBitCount
                bits &= bits &- 1
                try cancellation.step()
                if document >= end { return true }
                if !body(document) { return false }
            }
        }
        return true
    }
}

/// Bitmaps that searches use again, because the system clears each page of large new ones: among ten million documents, a
/// third of the time of a search.
private enum DocumentBitmaps {
    private static let maxKept = 4
    private static let kept = Mutex<[[UInt64]]>([])

    /// Returns a bitmap without documents.
    static func take(count: Int) -> [UInt64] {
        let known = kept.withLock { kept in
            kept.firstIndex { $0.count == count }.map { kept.remove(at: $0) }
        }
        guard var bits = known else { return Array(repeating: 0, count: count) }
        for position in bits.indices { bits[position] = 0 }
        return bits
    }

    /// Keeps a bitmap that is no longer used for later searches.
    static func keep(_ bits: [UInt64]) {
        kept.withLock { kept in
            if kept.count == maxKept { kept.removeFirst() }
            kept.append(bits)
        }
    }
}

/// The word suffixes that begin with one typed word, in all fields of a tier.
struct TermRanges {
    /// A range of word suffixes of one field.
    struct FieldRanges {
        var wordSuffixes: WordSuffixArray
        var ranges: [Range<Int>]
    }

    /// The number of the typed word.
    let word: Int
    private(set) var fields: [FieldRanges] = []
    private(set) var count = 0
    /// `true` if the ranges include edits. Then the ``PrefixSignatures`` of the typed word do not apply.
    private(set) var hasEdits = false

    /// The first of the word suffixes; 0 if there are none.
    fileprivate var firstEntry: Int { fields.first?.ranges.first?.lowerBound ?? 0 }

    fileprivate func hasSameEntries(as other: TermRanges) -> Bool {
        count == other.count && fields.elementsEqual(other.fields) { $0.ranges == $1.ranges }
    }

    /// Looks up the word suffixes that begin with a typed word.
    init(word: Int, _ fieldQueries: [FieldQuery]) {
        self.word = word
        for fieldQuery in fieldQueries {
            guard let wordSuffixes = fieldQuery.field.wordSuffixes, fieldQuery.query.words.indices.contains(word) else {
                continue
            }
            let bytes = fieldQuery.query.bytes
            append([wordSuffixes.range(of: bytes.span.extracting(fieldQuery.query.words[word]))], of: wordSuffixes)
        }
    }

    mutating func add(_ added: [Range<Int>], of wordSuffixes: WordSuffixArray) {
        hasEdits = true
        append(added, of: wordSuffixes)
    }

    private mutating func append(_ added: [Range<Int>], of wordSuffixes: WordSuffixArray) {
        let entries = added.reduce(0) { $0 + $1.count }
        if entries == 0 { return }
        count += entries
        fields.append(FieldRanges(wordSuffixes: wordSuffixes, ranges: added))
    }
}

/// Matches typed words in one document: the pieces found so far, and the words of the document that they use.
///
/// A search checks thousands of documents, so memory is allocated once and nothing in a loop counts references.
class TermsMatcher {
    /// The place where a typed word matches.
    struct Piece {
        var fieldQuery: Int
        var token: Int
    }

    /// The structures of a field that a loop over documents reads.
    struct FieldView {
        let forward: ForwardIndex
        let words: TermDictionary
        /// The number of typed words.
        let wordCount: Int
    }

    final let fields: Scratch<FieldView>
    final let wordCount: Int
    /// A piece for each of the first ``depth`` typed words.
    private final let stack: Scratch<Piece>
    private final var depth = 0

    init(_ fieldQueries: [FieldQuery]) {
        let views = fieldQueries.map {
            FieldView(forward: $0.field.forward, words: $0.field.words, wordCount: $0.query.words.count)
        }
        wordCount = views[0].wordCount
        fields = Scratch(repeating: views[0], count: views.count)
        for (number, view) in views.enumerated() { fields[number] = view }
        stack = Scratch(repeating: Piece(fieldQuery: 0, token: 0), count: wordCount)
    }

    /// The pieces of the last match, one per typed word.
    final var pieces: [Piece] { (0..<depth).map { stack[$0] } }

    @inline(__always)
    final func reset() { depth = 0 }

    @inline(__always)
    final func push(_ piece: Piece) {
        stack[depth] = piece
        depth += 1
    }

    @inline(__always)
    final func pop() { depth -= 1 }

    /// Returns `true` if a piece uses one of the spellings of a word.
    @inline(__always)
    final func isUsed(_ fieldQuery: Int, _ low: Int, _ high: Int) -> Bool {
        for index in 0..<depth {
            let piece = stack[index]
            if piece.fieldQuery == fieldQuery && piece.token >= low && piece.token < high { return true }
        }
        return false
    }
}

/// Matches all typed words of a query in one document, each as a prefix of a different word, in any value of any of the
/// fields.
///
/// O(typed words · tokens) unless typed words compete for the same words; a step limit bounds that case.
final class AllTermsMatcher: TermsMatcher {
    private static let maxSteps = 20_000

    /// For each field and typed word, the numbers of the words that begin with it.
    private let prefixes: Scratch<Range<UInt32>>
    /// The words that were typed several times, such as those of `a b a b`, by the first position, and how often.
    private var repetitions: [(word: Int, count: Int)] = []
    private var steps = 0

    override init(_ fieldQueries: [FieldQuery]) {
        let count = fieldQueries[0].query.words.count
        prefixes = Scratch(repeating: 0..<0, count: fieldQueries.count * count)
        for (number, fieldQuery) in fieldQueries.enumerated() {
            for word in 0..<Swift.min(count, fieldQuery.query.words.count) {
                let bytes = fieldQuery.query.bytes
                let range = fieldQuery.field.words.range(
                    ofPrefix: bytes.span.extracting(fieldQuery.query.words[word]))
                prefixes[number * count + word] = UInt32(range.lowerBound)..<UInt32(range.upperBound)
            }
        }
        super.init(fieldQueries)
        var counts: [[Range<UInt32>]: (word: Int, count: Int)] = [:]
        for word in 0..<wordCount {
            let ranges = (0..<fields.count).map { prefixes[$0 * count + word] }
            counts[ranges, default: (word, 0)].count += 1
        }
        repetitions = counts.values.filter { $0.count > 1 }
    }

    func matches(_ document: Int) -> Bool {
        reset()
        steps = 0
        // Trying all orders of equal words would find out the same.
        return repetitions.allSatisfy { has($0.count, of: $0.word, document) } && matches(document, from: 0)
    }

    /// Returns `true` if a document has a number of words that begin with a typed word.
    private func has(_ count: Int, of word: Int, _ document: Int) -> Bool {
        var missing = count
        for number in 0..<fields.count where word < fields[number].wordCount {
            let forward = fields[number].forward
            let prefix = prefixes[number * wordCount + word]
            let range = forward.range(of: document)
            var slot = range.lowerBound
            while slot < range.upperBound {
                let end = forward.endOfSpellings(slot, range.upperBound)
                var token = slot
                // Safe: `end` is at most the number of tokens.
                while unsafe token < end && !prefix.contains(ForwardIndex.word(forward.tokens[unchecked: token])) {
                    token += 1
                }
                if token < end { missing -= 1 }
                if missing == 0 { return true }
                slot = end
            }
        }
        return false
    }

    private func matches(_ document: Int, from word: Int) -> Bool {
        if word == wordCount { return true }
        for number in 0..<fields.count where word < fields[number].wordCount {
            let field = fields[number]
            let prefix = prefixes[number * wordCount + word]
            let range = field.forward.range(of: document)
            var slot = range.lowerBound
            while slot < range.upperBound {
                let end = field.forward.endOfSpellings(slot, range.upperBound)
                var token = slot
                // Safe: `end` is at most the number of tokens.
                while unsafe token < end && !prefix.contains(ForwardIndex.word(field.forward.tokens[unchecked: token]))
                {
                    token += 1
                }
                // Other spellings of the same word lead to the same matches.
                if token < end && !isUsed(number, slot, end) {
                    steps += 1
                    if steps > AllTermsMatcher.maxSteps { return false }
                    push(Piece(fieldQuery: number, token: token))
                    if matches(document, from: word + 1) { return true }
                    pop()
                }
                slot = end
            }
        }
        return false
    }
}

/// Matches all typed words of a query in one document, each within its edits of a prefix of a different word suffix.
///
/// Each typed word has an automaton for each field. A word suffix takes a few instructions per letter, and nothing is
/// allocated.
final class FuzzyTermsMatcher: TermsMatcher {
    /// The automata of each field, one per typed word.
    private let automata: Scratch<EditAutomaton>
    /// The masks of each automaton, 256 each.
    private let masks: Scratch<UInt64>

    init(_ fieldQueries: [FieldQuery], typos: Fuzziness) {
        let count = fieldQueries[0].query.words.count
        automata = Scratch(repeating: EditAutomaton(length: 0, edits: 0), count: fieldQueries.count * count)
        masks = Scratch(repeating: 0, count: fieldQueries.count * count * 256)
        for (number, fieldQuery) in fieldQueries.enumerated() {
            let bytes = fieldQuery.query.bytes
            for word in 0..<Swift.min(count, fieldQuery.query.words.count) {
                let typed = fieldQuery.query.words[word]
                let automaton = number * count + word
                automata[automaton] = EditAutomaton(length: typed.count, edits: typos.edits(letters: typed.count))
                EditAutomaton.addMasks(of: bytes.span.extracting(typed), to: masks, at: automaton * 256)
            }
        }
        super.init(fieldQueries)
    }

    /// Finds the best piece for each typed word in turn, and returns the sum of their edits, or nil if a word has no
    /// match.
    func edits(of document: Int) -> Int? {
        reset()
        var sum = 0
        for word in 0..<wordCount {
            var best: (piece: Piece, edits: Int)?
            for number in 0..<fields.count where word < fields[number].wordCount {
                let field = fields[number]
                let range = field.forward.range(of: document)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    let end = field.forward.endOfSpellings(slot, range.upperBound)
                    if !isUsed(number, slot, end) {
                        for token in slot..<end {
                            let edits = edits(number * wordCount + word, field, token, end: range.upperBound)
                            if edits < best?.edits ?? .max { best = (Piece(fieldQuery: number, token: token), edits) }
                        }
                    }
                    slot = end
                }
            }
            guard let best else { return nil }
            push(best.piece)
            sum += best.edits
        }
        return sum
    }

    /// Returns the edits to the nearest prefix of the word suffix at a token, or `Int.max` if it is too far.
    @inline(__always)
    private func edits(_ number: Int, _ field: FieldView, _ token: Int, end: Int) -> Int {
        let automaton = automata[number]
        var state = automaton.start
        var best = Int.max
        var position = token
        var track = -1
        while true {
            let letters = field.words.letters(of: field.forward.word(position))
            var letter = 0
            while letter < letters.count {
                // Safe: `letter` is less than the count.
                state = unsafe automaton.step(state, masks[number &<< 8 | Int(letters[unchecked: letter])])
                if let edits = automaton.editsIfAccepting(state) {
                    if edits == 0 { return 0 }
                    best = Swift.min(best, edits)
                }
                if !automaton.isAlive(state) { return best }
                letter += 1
            }
            if track < 0 { track = field.forward.track(token) }
            guard let next = field.forward.next(after: position, track: track, end: end) else { return best }
            position = next
        }
    }
}
