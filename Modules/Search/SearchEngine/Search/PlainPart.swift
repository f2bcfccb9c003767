/// A lane and the typed words in its codes, as plain memory: loops over many records read it without counting references.
///
/// Made with ``allocate(_:)`` and given back with ``deallocate(_:)`` by whoever checks records with it.
struct PlainPart {
    let number: Int
    let forward: ForwardTable
    let words: WordDictionary
    /// The query's bytes.
    let bytes: UnsafeMutablePointer<UInt8>
    /// Where each typed word begins, and after the last where it ends.
    let bounds: UnsafeMutablePointer<Int>
    /// For each typed word the numbers of the words that begin with it, if they were asked for.
    let beginnings: UnsafeMutablePointer<Range<UInt32>>
    let wordCount: Int

    /// The parts one after another, as many as given.
    ///
    /// - Parameter beginnings: tells which words begin with a typed one; left out by those who do not ask ``begins(_:with:)``.
    static func allocate(
        _ parts: [SearchPart], beginnings numbers: (SearchPart, _ word: Int) -> Range<UInt32> = { _, _ in 0..<0 }
    ) -> UnsafeMutableBufferPointer<PlainPart> {
        let plain = UnsafeMutableBufferPointer<PlainPart>.allocate(capacity: parts.count)
        for (number, part) in parts.enumerated() {
            let query = part.query
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: query.bytes.count + 1)
            for (position, byte) in query.bytes.enumerated() { bytes[position] = byte }
            let bounds = UnsafeMutablePointer<Int>.allocate(capacity: query.words.count + 1)
            for (position, word) in query.words.enumerated() { bounds[position] = word.lowerBound }
            bounds[query.words.count] = query.bytes.count
            let beginnings = UnsafeMutablePointer<Range<UInt32>>.allocate(capacity: query.words.count + 1)
            for position in query.words.indices { beginnings[position] = numbers(part, position) }
            plain.initializeElement(
                at: number,
                to: PlainPart(
                    number: part.number, forward: part.lane.forward, words: part.lane.words, bytes: bytes,
                    bounds: bounds, beginnings: beginnings, wordCount: query.words.count))
        }
        return plain
    }

    static func deallocate(_ parts: UnsafeMutableBufferPointer<PlainPart>) {
        for part in parts {
            part.bytes.deallocate()
            part.bounds.deallocate()
            part.beginnings.deallocate()
        }
        parts.deallocate()
    }

    /// Whether the word of an occurrence begins with a typed word.
    @inline(__always)
    func begins(_ occurrence: Int, with typed: Int) -> Bool {
        beginnings[typed].contains(ForwardTable.word(forward.occurrences[occurrence]))
    }

    /// One past the last spelling of the word whose first spelling is the occurrence.
    @inline(__always)
    func endOfSpellings(_ occurrence: Int, _ end: Int) -> Int {
        var next = occurrence + 1
        while next < end && forward.isOtherSpelling(next) { next += 1 }
        return next
    }
}
