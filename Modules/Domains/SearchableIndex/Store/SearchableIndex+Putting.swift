import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization

/// What a put has done.
public struct PutReport: Sendable, Hashable {
    /// How many items were put as a whole.
    public var indexed = 0
    /// How many items that were there were changed in part.
    public var updated = 0
    /// The client state of the index afterwards.
    public var clientState: String?

    /// Nothing yet.
    public init() {}

    init(indexed: Int = 0, updated: Int = 0) {
        self.indexed = indexed
        self.updated = updated
    }
}

/// How items are put.
public struct PutOptions: Sendable {
    /// The client state to set with the items; at most ``SearchableIndex/longestClientState`` bytes. In batches `{n}` in it becomes the
    /// number of items put so far.
    public var clientState: String?
    /// The client state that the index must be in; nil for any.
    public var expectedState: String?
    /// After how many items the transaction ends and the next one begins; nil for one transaction.
    public var batchSize: Int?
    /// Told now and then how many items have been put.
    public var progress: (@Sendable (Int) -> Void)?
    /// Asked now and then; when it says true the put ends, and what was not complete is not kept.
    public var isCancelled: (@Sendable () -> Bool)?

    /// The usual way: one transaction, no client state.
    public init() {}
}

// MARK: - Putting

extension SearchableIndex {
    /// Puts items in one transaction: all or, if one is not valid, none. One whose identifier is there is replaced.
    ///
    /// - Throws: ``SearchableIndexError/invalidItem(_:)``.
    @discardableResult
    public func put(_ items: [SearchableItem]) throws -> PutReport {
        try apply(items.map(ItemChange.put))
    }

    /// Puts and updates items in one transaction: all or, if one is not valid, none.
    ///
    /// - Throws: ``SearchableIndexError``: an invalid item, also an update of one that is not there; an invalid or mismatched client
    ///   state.
    @discardableResult
    public func apply(_ changes: [ItemChange], options: PutOptions = PutOptions()) throws -> PutReport {
        var rest = changes[...]
        return try apply(options: options) {
            defer { rest = [] }
            return try rest.map(PreparedChange.init)
        }
    }

    /// Puts items given as JSON: one, an array, or one a line.
    ///
    /// - Throws: as ``put(reading:options:)``.
    @discardableResult
    public func put(json: [UInt8], options: PutOptions = PutOptions()) throws -> PutReport {
        let rest = Mutex(json)
        return try put(
            reading: {
                rest.withLock { rest in
                    defer { rest = [] }
                    return rest
                }
            }, options: options)
    }

    /// Puts and updates items from JSON, in memory bounded by the largest of them; see ``ItemReader`` for the form.
    ///
    /// With a ``PutOptions/batchSize`` each batch is a transaction of its own: if the process ends in the middle, the complete batches are
    /// kept, and the client state says which.
    ///
    /// - Throws: as ``apply(_:options:)``, and what `read` throws.
    @discardableResult
    public func put(
        reading read: @escaping @Sendable () throws -> [UInt8], options: PutOptions = PutOptions()
    ) throws -> PutReport {
        let pipeline = BatchPipeline(
            reading: {
                var reader = ItemReader(reading: read)
                return {
                    var drafts: [ItemDraft] = []
                    var bytes = 0
                    while drafts.count < 512, bytes < 4 << 20, let draft = try reader.nextDraft() {
                        drafts.append(draft)
                        bytes += draft.size
                    }
                    return drafts
                }
            }, preparing: { (draft: ItemDraft) in try PreparedChange(draft) })
        defer { pipeline.stop() }
        do {
            return try apply(options: options) { try pipeline.next() ?? [] }
        } catch let fault as ItemFault {
            throw SearchableIndexError.invalidItem(fault)
        }
    }

    /// - Parameter next: the next changes; none at the end.
    private func apply(options: PutOptions, next: () throws -> [PreparedChange]) throws -> PutReport {
        if let state = options.clientState { try SearchableIndex.check(state) }
        var report = PutReport()
        var isAtEnd = false
        var waiting: [PreparedChange] = []
        var isFirst = true
        do {
            repeat {
                let now = clock()
                try writing { db, index, changed in
                    if isFirst { try expect(options.expectedState, of: index, in: db) }
                    var writer = try ItemWriter(db, index: index, now: now)
                    let wanted = max(options.batchSize ?? .max, 1)
                    while changed < wanted {
                        if options.isCancelled?() ?? false { throw SearchableIndexError.cancelled }
                        if waiting.isEmpty {
                            waiting = try next()
                            if waiting.isEmpty {
                                isAtEnd = true
                                break
                            }
                        }
                        let batch = waiting.prefix(wanted - changed)
                        for change in batch { try change.write(by: &writer, report: &report) }
                        changed += batch.count
                        waiting.removeFirst(batch.count)
                        options.progress?(report.indexed + report.updated)
                    }
                    if let state = options.clientState, changed > 0 || isFirst {
                        let count = String(report.indexed + report.updated)
                        let state =
                            options.batchSize == nil ? state : state.replacingOccurrences(of: "{n}", with: count)
                        try setClientState(state, of: index, in: db)
                    }
                    report.clientState = try clientState(of: index, in: db)
                }
                isFirst = false
            } while !isAtEnd
        } catch let fault as ItemFault {
            throw SearchableIndexError.invalidItem(fault)
        }
        return report
    }

    /// Writes to the index in one transaction, takes out what has expired, and keeps the list of changes short.
    ///
    /// - Parameter body: is given the key of the index and counts the items that it changes.
    func writing<T>(_ body: (Database, Int64, inout Int) throws -> T) throws -> T {
        try storage.write(changing: SearchableIndex.module) { db in
            let index = try ItemRows.indexKey(making: name, in: db)
            let before = db.totalChangesCount
            var changed = try expire(index, in: db)
            let result = try body(db, index, &changed)
            if db.totalChangesCount != before {
                let changes = SearchableIndex.changes(ofIndex: index)
                try changes.compact(afterChanging: changed, of: { try count(of: index, in: db) }, in: db)
                try Storage.bump(changes.generationModule, in: db)
            }
            return result
        }
    }

    func count(of index: Int64, in db: Database) throws -> Int {
        try Int.fetchOne(
            try db.cachedStatement(sql: "SELECT count(*) FROM item WHERE indexKey = ?"), arguments: [index]) ?? 0
    }
}

/// A change made ready before the transaction.
private struct PreparedChange: Sendable {
    private enum Kind: Sendable {
        case put(PreparedItem)
        case update(SearchableItemUpdate)
    }

    private let kind: Kind
    /// Where it stands in the input, if it came from a text.
    private var place: (line: Int, column: Int)?

    init(_ change: ItemChange) throws(ItemFault) {
        switch change {
        case .put(let item): kind = .put(try PreparedItem(item))
        case .update(let update): kind = .update(update)
        }
    }

    init(_ draft: ItemDraft) throws(ItemFault) {
        try self.init(try draft.change())
        place = draft.place
    }

    func write(by writer: inout ItemWriter, report: inout PutReport) throws {
        do {
            switch kind {
            case .put(let item):
                try writer.put(item)
                report.indexed += 1
            case .update(let update):
                try writer.update(update)
                report.updated += 1
            }
        } catch var fault as ItemFault {
            fault.line = fault.line ?? place?.line
            fault.column = fault.column ?? place?.column
            throw fault
        }
    }
}
