import Dispatch
import Synchronization

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
/// Documents are numbered by `rank`, then in the order they were added. Time O(total letters · log documents), the fields side by side on as
/// many cores as there are; memory about three times the finished index.
public struct IndexBuilder {
    /// Longer words are cut to this many letters; so are queries.
    public static let maxWordLength = 64

    /// A few changed documents are indexed sooner than a thread wakes up.
    private static let minDocumentsForThreads = 1_000

    private var fields: [FieldBuilder]
    private var ids: [Int64] = []
    private var ranks: [UInt64] = []
    private var field = 0

    /// A builder for fields with these options; fields are known by their position.
    public init(fields: [FieldOptions]) {
        self.fields = fields.map { FieldBuilder(options: $0) }
    }

    /// Starts a document. What is added until the next call belongs to it.
    /// - Parameters:
    ///   - id: The caller's identifier, handed back with hits; each document has one of its own.
    ///   - rank: Smaller is better.
    public mutating func beginDocument(id: Int64, rank: UInt64 = 0) {
        ids.append(id)
        ranks.append(rank)
        for field in fields { field.beginDocument() }
    }

    /// Starts a value of the current document in a field. WordSuffixes, initials and exact matches do not cross values.
    public mutating func beginValue(field: Int) {
        self.field = field
        fields[field].beginValue()
    }

    /// Adds the next word of the current value, in all its spellings (at least one, each of at least one letter;
    /// empty ones are left out).
    /// - Parameters:
    ///   - spellings: Letters as UTF-16 code units, aligned by track with the words around (see `ForwardIndex`). A word with fewer of
    ///     them than one after it, in a value of up to eight words, goes on with each of that one's.
    ///   - infixSpellings: How many of the spellings, from the first, can be searched inside, in a field with
    ///     ``FieldOptions/infix``.
    public mutating func addWord(_ spellings: [[UInt16]], infixSpellings: Int = .max) {
        fields[field].addWord(spellings, infixSpellings: infixSpellings)
    }

    /// Builds the index.
    /// - Parameters:
    ///   - generation: Of the data, to tell later whether the index is stale.
    ///   - fingerprint: Of the rules the words were made by.
    public consuming func build(generation: UInt64 = 0, fingerprint: UInt64 = 0) throws(IndexFormatError) -> SearchIndex
    {
        for field in fields { field.endValue() }
        let ranks = self.ranks
        let order = (0..<ids.count).sorted { ranks[$0] == ranks[$1] ? $0 < $1 : ranks[$0] < ranks[$1] }
        var writer = SectionWriter()
        writer.addPacked(.documentIDs, order.map { UInt64(bitPattern: ids[$0]) })
        let isDense = order.enumerated().allSatisfy { ranks[$0.element] == UInt64($0.offset) }
        writer.addPacked(.documentRanks, isDense ? [] : order.map { ranks[$0] })
        let orderedIDs = order.map { ids[$0] }
        writer.addPacked(
            .documentsByID,
            orderedIDs.indices.sorted { orderedIDs[$0] < orderedIDs[$1] }.map { UInt32($0) })
        for field in sections(order: order) { writer.add(field) }
        let bytes = writer.finish(
            documents: order.count, fields: fields.count, generation: generation, fingerprint: fingerprint)
        return try SearchIndex(trusting: bytes)
    }

    /// The sections of each field; fields have nothing to do with each other.
    private func sections(order: [Int]) -> [SectionWriter] {
        let fields = self.fields
        let written = Mutex([SectionWriter](repeating: SectionWriter(), count: fields.count))
        @Sendable func write(_ number: Int) {
            var writer = SectionWriter()
            fields[number].write(to: &writer, field: number, order: order)
            written.withLock { $0[number] = writer }
        }
        if order.count < IndexBuilder.minDocumentsForThreads {
            for number in fields.indices { write(number) }
        } else {
            DispatchQueue.concurrentPerform(iterations: fields.count, execute: write)
        }
        return written.withLock { $0 }
    }
}
