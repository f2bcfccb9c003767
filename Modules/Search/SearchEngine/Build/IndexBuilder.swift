import SwitchboardAlgorithms

/// Builds an index from documents.
///
/// For example, two names in one field:
///
/// ```swift
/// var builder = IndexBuilder(fields: [[.wordSuffixes, .typos]])
/// builder.beginDocument(id: 7, rank: 0)
/// builder.beginValue(field: 0)
/// builder.addWord([Array("ada".utf16)])
/// builder.addWord([Array("lovelace".utf16)])
/// let index = try builder.build(generation: 1)
/// ```
///
/// Documents are numbered by rank, then in the order they were added. Building takes O(total letters · log documents),
/// with the fields in parallel, and about three times the memory of the finished index.
public struct IndexBuilder {
    /// The maximum number of letters in a word. Longer words are truncated, and so are queries.
    public static let maxWordLength = 64

    /// The minimum number of documents for several threads. Smaller indexes are built faster than a thread starts.
    private static let minDocumentsForThreads = 1_000

    private var fields: [FieldBuilder]
    private var ids: [Int64] = []
    private var ranks: [UInt64] = []
    private var field = 0
    private var stored: [UInt8] = []
    /// The end of each document's bytes in ``stored``.
    private var storedEnds: [Int] = []

    /// Creates a builder for fields with these options. A field is identified by its position.
    public init(fields: [FieldOptions]) {
        self.fields = fields.map { FieldBuilder(options: $0) }
    }

    /// Starts a document. Values belong to it until the next call.
    ///
    /// - Parameters:
    ///   - id: The caller's identifier, returned with hits. It must be unique.
    ///   - rank: The rank; smaller is better.
    public mutating func beginDocument(id: Int64, rank: UInt64 = 0) {
        ids.append(id)
        ranks.append(rank)
        storedEnds.append(stored.count)
        for number in fields.indices { fields[number].beginDocument() }
    }

    /// Starts a value of the current document in a field. Word suffixes, initials and exact matches do not cross
    /// values.
    public mutating func beginValue(field: Int) {
        self.field = field
        fields[field].beginValue()
    }

    /// Adds the next word of the current value.
    ///
    /// - Parameters:
    ///   - spellings: The spellings of the word as UTF-16 code units; empty ones are ignored. They are aligned in
    ///     tracks with the words around it (see `ForwardIndex`). In a value of up to eight words, a word with fewer
    ///     spellings than a later one is repeated for each of them.
    ///   - infixSpellings: The number of spellings, from the first, that can be searched inside, in a field with
    ///     ``FieldOptions/infix``.
    public mutating func addWord(_ spellings: [[UInt16]], infixSpellings: Int = .max) {
        fields[field].addWord(spellings, infixSpellings: infixSpellings)
    }

    /// Stores bytes with the current document, such as the fields that a search result shows, for
    /// ``SearchIndex/storedBytes(of:)``. Several calls append.
    public mutating func store(_ bytes: [UInt8]) {
        stored += bytes
        storedEnds[storedEnds.count - 1] = stored.count
    }

    /// Builds the index.
    ///
    /// - Parameters:
    ///   - generation: The generation of the data, to detect later whether the index is stale.
    ///   - fingerprint: A number that identifies the rules that produced the words.
    public consuming func build(generation: UInt64 = 0, fingerprint: UInt64 = 0) throws(IndexFormatError) -> SearchIndex
    {
        for number in fields.indices { fields[number].endValue() }
        let ranks = self.ranks
        let order = ids.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        var writer = SectionWriter()
        writer.addPacked(.documentIDs, order.map { UInt64(bitPattern: ids[$0]) })
        let isDense = order.enumerated().allSatisfy { ranks[$0.element] == UInt64($0.offset) }
        writer.addPacked(.documentRanks, isDense ? [] : order.map { ranks[$0] })
        let orderedIDs = order.map { ids[$0] }
        writer.addPacked(
            .documentsByID,
            orderedIDs.indices.sorted { orderedIDs[$0] < orderedIDs[$1] }.map { UInt32($0) })
        if !stored.isEmpty { StoredBytes.write(order.map { storedBytes(of: $0) }, to: &writer) }
        for field in sections(order: order) { writer.add(field) }
        let bytes = writer.finish(
            documents: order.count, fields: fields.count, generation: generation, fingerprint: fingerprint)
        return try SearchIndex(trusting: bytes)
    }

    private func storedBytes(of number: Int) -> ArraySlice<UInt8> {
        stored[(number == 0 ? 0 : storedEnds[number - 1])..<storedEnds[number]]
    }

    /// Writes the sections of each field. Fields are independent of each other.
    private func sections(order: [Int]) -> [SectionWriter] {
        let fields = self.fields
        @Sendable func write(_ numbers: ArraySlice<Int>) -> [SectionWriter] {
            numbers.map { number in
                var writer = SectionWriter()
                fields[number].write(to: &writer, field: number, order: order)
                return writer
            }
        }
        let numbers = Array(fields.indices)
        if order.count < IndexBuilder.minDocumentsForThreads { return write(numbers[...]) }
        return numbers.concurrentMap(chunksOf: 1, write).flatMap(\.self)
    }
}
