/// A field query in plain memory. Loops over many documents read it without counting references.
///
/// Created with ``allocate(_:prefixes:)``; the caller must call ``deallocate(_:)``.
struct RawFieldQuery {
    let forward: ForwardIndex
    let words: TermDictionary
    /// The start of each typed word, and the end of the last one.
    let bounds: UnsafeMutablePointer<Int>
    /// For each typed word, the numbers of the words that begin with it, if requested.
    let prefixes: UnsafeMutablePointer<Range<UInt32>>
    let wordCount: Int

    /// Converts field queries.
    ///
    /// - Parameter prefixes: Returns the words that begin with a typed word; only needed for ``begins(_:with:)``.
    static func allocate(
        _ fieldQueries: [FieldQuery], prefixes numbers: (FieldQuery, _ word: Int) -> Range<UInt32> = { _, _ in 0..<0 }
    ) -> UnsafeMutableBufferPointer<RawFieldQuery> {
        let plain = UnsafeMutableBufferPointer<RawFieldQuery>.allocate(capacity: fieldQueries.count)
        for (number, fieldQuery) in fieldQueries.enumerated() {
            let query = fieldQuery.query
            let bounds = UnsafeMutablePointer<Int>.allocate(capacity: query.words.count + 1)
            for (position, word) in query.words.enumerated() { bounds[position] = word.lowerBound }
            bounds[query.words.count] = query.bytes.count
            let prefixes = UnsafeMutablePointer<Range<UInt32>>.allocate(capacity: query.words.count + 1)
            for position in query.words.indices { prefixes[position] = numbers(fieldQuery, position) }
            plain.initializeElement(
                at: number,
                to: RawFieldQuery(
                    forward: fieldQuery.field.forward, words: fieldQuery.field.words, bounds: bounds,
                    prefixes: prefixes, wordCount: query.words.count))
        }
        return plain
    }

    static func deallocate(_ fieldQueries: UnsafeMutableBufferPointer<RawFieldQuery>) {
        for fieldQuery in fieldQueries {
            fieldQuery.bounds.deallocate()
            fieldQuery.prefixes.deallocate()
        }
        fieldQueries.deallocate()
    }

    /// Returns `true` if the word of a token begins with a typed word.
    @inline(__always)
    func begins(_ token: Int, with typed: Int) -> Bool {
        prefixes[typed].contains(ForwardIndex.word(forward.tokens[token]))
    }

    /// The end of the spellings of the word whose first spelling is the token.
    @inline(__always)
    func endOfSpellings(_ token: Int, _ end: Int) -> Int {
        var next = token + 1
        while next < end && forward.isOtherSpelling(next) { next += 1 }
        return next
    }
}
