/// Matches all typed words of a query in one document, each as a prefix of a different word, in any value of any of the
/// fields.
///
/// O(typed words · tokens) unless typed words compete for the same words; a step limit bounds that case. A search
/// checks thousands of documents, so memory is allocated once and nothing in the loop counts references.
final class AllTermsMatcher {
    struct Piece {
        var fieldQuery: Int
        var token: Int
        var length: Int
    }

    static let maxSteps = 20_000

    private let fieldQueries: UnsafeMutableBufferPointer<RawFieldQuery>
    private let wordCount: Int
    private let stack: UnsafeMutablePointer<Piece>
    private var depth = 0
    private var steps = 0

    /// - Parameters:
    ///   - query: The index of the query in the request.
    ///   - cache: The intermediate results of the search.
    init(_ fieldQueries: [FieldQuery], query: Int, cache: SearchCache) {
        self.fieldQueries = RawFieldQuery.allocate(fieldQueries) { cache.words(prefixWith: $1, of: $0, query: query) }
        wordCount = fieldQueries[0].query.words.count
        stack = .allocate(capacity: wordCount + 1)
    }

    deinit {
        RawFieldQuery.deallocate(fieldQueries)
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] { Array(UnsafeBufferPointer(start: stack, count: depth)) }

    func matches(_ document: Int) -> Bool {
        depth = 0
        steps = 0
        return matches(document, from: 0)
    }

    private func matches(_ document: Int, from word: Int) -> Bool {
        if word == wordCount { return true }
        for number in 0..<fieldQueries.count where word < fieldQueries[number].wordCount {
            let fieldQuery = fieldQueries[number]
            let range = fieldQuery.forward.range(of: document)
            var slot = range.lowerBound
            while slot < range.upperBound {
                let end = fieldQuery.endOfSpellings(slot, range.upperBound)
                var token = slot
                while token < end && !fieldQuery.begins(token, with: word) { token += 1 }
                // Other spellings of the same word lead to the same matches.
                if token < end && !isUsed(number, slot, end) {
                    steps += 1
                    if steps > AllTermsMatcher.maxSteps { return false }
                    let length = fieldQuery.bounds[word + 1] - fieldQuery.bounds[word]
                    stack[depth] = Piece(fieldQuery: number, token: token, length: length)
                    depth += 1
                    if matches(document, from: word + 1) { return true }
                    depth -= 1
                }
                slot = end
            }
        }
        return false
    }

    @inline(__always)
    private func isUsed(_ fieldQuery: Int, _ slot: Int, _ end: Int) -> Bool {
        for index in 0..<depth {
            let piece = stack[index]
            if piece.fieldQuery == fieldQuery && piece.token >= slot && piece.token < end { return true }
        }
        return false
    }
}
