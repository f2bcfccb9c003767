import Foundation
import SwitchboardAlgorithms
package import SwitchboardSearchEngine
import Synchronization

/// The values of a document, ready for an ``IndexBuilder``.
package struct IndexedDocument: Sendable {
    let id: Int64
    let words: EncodedWords
    let stored: [UInt8]?

    /// - Parameter stored: The bytes to store with the document, see `IndexBuilder.store(_:)`; nil for none.
    package init(id: Int64, values: [(field: Int, value: FieldValue)], stored: [UInt8]? = nil) {
        var words = EncodedWords()
        for (field, value) in values {
            words.beginValue(field: field, words: value.words.count)
            for word in value.words { words.addWord(word.spellings, infixSpellings: word.infixSpellings) }
        }
        (self.id, self.words, self.stored) = (id, words, stored)
    }
}

extension IndexBuilder {
    /// The number of documents read at a time, and the number that one thread prepares.
    private static let (batchSize, share) = (1_024, 64)

    /// Adds documents. They are folded and split into words on other threads while this one reads the next ones and adds
    /// the previous ones; at most two batches are in memory.
    ///
    /// - Parameters:
    ///   - next: Returns the next document as it is stored, or nil at the end.
    ///   - rank: Returns the rank of a document.
    ///   - prepare: Prepares a document, or returns nil to leave it out. Called on several threads.
    package mutating func add<Draft: Sendable>(
        reading next: () throws -> Draft?, rank: (Int64) -> UInt64,
        preparing prepare: @escaping @Sendable (Draft) throws -> IndexedDocument?
    ) throws {
        let prepareAll: @Sendable ([Draft]) throws -> [IndexedDocument] = { drafts in
            try drafts.concurrentMap(chunksOf: Self.share) { try $0.compactMap(prepare) }.flatMap(\.self)
        }
        var running: Preparation?
        var isAtEnd = false
        repeat {
            var drafts: [Draft] = []
            while drafts.count < Self.batchSize, !isAtEnd {
                if let draft = try next() { drafts.append(draft) } else { isAtEnd = true }
            }
            var documents = try running?.wait() ?? []
            running = nil
            if isAtEnd, documents.isEmpty {
                // There is nothing to do meanwhile, as for a few changed documents.
                documents = try prepareAll(drafts)
            } else if !drafts.isEmpty {
                running = Preparation { [drafts] in try prepareAll(drafts) }
            }
            for document in documents { add(document, rank: rank) }
        } while running != nil
    }

    private mutating func add(_ document: IndexedDocument, rank: (Int64) -> UInt64) {
        beginDocument(id: document.id, rank: rank(document.id))
        add(document.words)
        if let stored = document.stored { store(stored) }
    }
}

/// Documents that are being prepared on other threads.
private final class Preparation: Sendable {
    private let result = Mutex<Result<[IndexedDocument], any Error>?>(nil)
    private let finished = DispatchGroup()

    /// Starts a thread of its own, because all threads of a queue may be waiting like this.
    init(_ prepare: @escaping @Sendable () throws -> [IndexedDocument]) {
        finished.enter()
        Thread.detachNewThread { [self] in
            let documents = Result { try prepare() }
            result.withLock { $0 = documents }
            finished.leave()
        }
    }

    func wait() throws -> [IndexedDocument] {
        finished.wait()
        return try result.withLock { $0 }?.get() ?? []
    }
}
