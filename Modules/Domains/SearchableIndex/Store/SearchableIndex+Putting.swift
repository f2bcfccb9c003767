import Foundation
import GRDB
import SwitchboardIncrementalIndex
public import SwitchboardJSON
import SwitchboardStorage

/// The result of a put.
public struct PutReport: Sendable, Hashable {
    /// The number of inserted or replaced items.
    public var indexed = 0
    /// The number of partially updated items.
    public var updated = 0
    /// The client state of the index after the put.
    public var clientState: String?

    /// Creates an empty report.
    public init() {}
}

extension PutReport: JSONObjectEncodable {
    /// Encodes `{"indexed", "updated", "clientState"}`, where the client state may be null.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("indexed", indexed)
        try members.add("updated", updated)
        try members.add("clientState", clientState)
    }
}

/// Options of a put.
public struct PutOptions: Sendable {
    /// The client state to set with the items, at most ``SearchableIndex/maximumClientStateSize`` bytes. With a batch size,
    /// `{n}` is replaced by the number of items put so far.
    public var clientState: String?
    /// The required client state of the index; `nil` for any.
    public var expectedState: String?
    /// The name under which the client state is kept; nil for the name of the index. Applications that share an index
    /// each have a separate state; ``SearchableIndex/clientState()`` of an index with that name returns it.
    public var stateName: String?
    /// Changes each item before it is checked and stored.
    public var transform: (@Sendable (ItemChange) -> ItemChange)?
    /// The number of items per transaction; `nil` for a single transaction.
    public var batchSize: Int?
    /// Called regularly with the number of items put so far.
    public var progress: (@Sendable (Int) -> Void)?
    /// Polled regularly; when it returns `true` the put stops and the current transaction is rolled back.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates default options: one transaction, no client state.
    public init() {}
}

// MARK: - Putting

extension SearchableIndex {
    /// Puts items in one transaction. If one is invalid, nothing is stored. Items with the same identifier are
    /// replaced.
    ///
    /// - Throws: ``SearchableIndexError/invalidItem(_:)``.
    @discardableResult
    public func put(_ items: [SearchableItem]) throws -> PutReport {
        try apply(items.map(ItemChange.put))
    }

    /// Puts and updates items in one transaction. If one is invalid, nothing is stored.
    ///
    /// - Throws: ``SearchableIndexError`` for an invalid item, an update of a missing item, or an invalid or mismatched
    ///   client state.
    @discardableResult
    public func apply(_ changes: [ItemChange], options: PutOptions = PutOptions()) throws -> PutReport {
        var rest = changes[...]
        return try apply(options: options) {
            defer { rest = [] }
            return try rest.map { try PreparedChange(options.transform?($0) ?? $0) }
        }
    }

    /// Puts items from JSON: an object, an array, or JSON lines.
    @discardableResult
    public func put(json: [UInt8], options: PutOptions = PutOptions()) throws -> PutReport {
        try put(options: options) { ItemReader(json) }
    }

    /// Puts and updates items from JSON; see ``ItemReader`` for the format. Memory use is bounded by the largest item.
    ///
    /// With a ``PutOptions/batchSize``, each batch is a transaction. If the process ends early, complete batches are
    /// kept, and the client state identifies them.
    ///
    /// - Throws: See ``apply(_:options:)``; rethrows errors of `read`.
    @discardableResult
    public func put(
        reading read: @escaping @Sendable () throws -> [UInt8], options: PutOptions = PutOptions()
    ) throws -> PutReport {
        try put(options: options) { ItemReader(reading: read) }
    }

    private func put(options: PutOptions, from makeReader: @escaping @Sendable () -> ItemReader) throws -> PutReport {
        let pipeline = BatchPipeline(
            reading: {
                var reader = makeReader()
                return {
                    var drafts: [ItemDraft] = []
                    var bytes = 0
                    while drafts.count < 512, bytes < 4 << 20, let draft = try reader.nextDraft() {
                        drafts.append(draft)
                        bytes += draft.bytes.count
                    }
                    return drafts
                }
            }, preparing: { (draft: ItemDraft) in try PreparedChange(draft, options.transform) })
        defer { pipeline.stop() }
        do {
            return try apply(options: options) { try pipeline.next() ?? [] }
        } catch let fault as ItemError {
            throw SearchableIndexError.invalidItem(fault)
        }
    }

    /// - Parameter next: Returns the next changes; empty at the end.
    private func apply(options: PutOptions, next: () throws -> [PreparedChange]) throws -> PutReport {
        if let state = options.clientState { try SearchableIndex.check(state) }
        var report = PutReport()
        var isAtEnd = false
        var pending: [PreparedChange] = []
        var isFirst = true
        do {
            repeat {
                let now = clock()
                try writing { db, index, changed in
                    let states = try options.stateName.map { try ItemRows.indexKey(making: $0, in: db) } ?? index
                    if isFirst { try expect(options.expectedState, of: states, in: db) }
                    var writer = try ItemWriter(db, index: index, now: now)
                    let wanted = max(options.batchSize ?? .max, 1)
                    while changed < wanted {
                        if options.isCancelled?() ?? false { throw CancellationError() }
                        if pending.isEmpty {
                            pending = try next()
                            if pending.isEmpty {
                                isAtEnd = true
                                break
                            }
                        }
                        let batch = pending.prefix(wanted - changed)
                        for change in batch { try change.write(by: &writer, report: &report) }
                        changed += batch.count
                        pending.removeFirst(batch.count)
                        options.progress?(report.indexed + report.updated)
                    }
                    if let state = options.clientState, changed > 0 || isFirst {
                        let count = String(report.indexed + report.updated)
                        let state =
                            options.batchSize == nil ? state : state.replacingOccurrences(of: "{n}", with: count)
                        try setClientState(state, of: states, in: db)
                    }
                    report.clientState = try clientState(of: states, in: db)
                }
                isFirst = false
            } while !isAtEnd
        } catch let fault as ItemError {
            throw SearchableIndexError.invalidItem(fault)
        }
        return report
    }

    /// Writes to the index in one transaction, removes expired items, and compacts the change log.
    ///
    /// - Parameter body: Receives the key of the index, and counts the changed items.
    func writing<T>(_ body: (Database, Int64, inout Int) throws -> T) throws -> T {
        try storage.write(changing: SearchableIndex.module) { db in
            let index = try ItemRows.indexKey(making: name, in: db)
            let before = db.totalChangesCount
            var changed = try expire(index, in: db)
            let result = try body(db, index, &changed)
            if db.totalChangesCount != before {
                let changes = SearchableIndex.changes(ofIndex: index)
                try changes.trim(afterChanging: changed, of: { try count(of: index, in: db) }, in: db)
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

/// A change encoded before the transaction.
private struct PreparedChange: Sendable {
    private enum Kind: Sendable {
        case put(PreparedItem)
        case update(SearchableItemUpdate)
    }

    private let kind: Kind
    /// The position in the input, if the change was parsed.
    private var place: TextPlace?

    init(_ change: ItemChange) throws(ItemError) {
        switch change {
        case .put(let item): kind = .put(try PreparedItem(item))
        case .update(let update): kind = .update(update)
        }
    }

    init(_ draft: ItemDraft, _ transform: ((ItemChange) -> ItemChange)?) throws(ItemError) {
        let change = try draft.change()
        try self.init(transform?(change) ?? change)
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
        } catch var fault as ItemError {
            fault.line = fault.line ?? place?.line
            fault.column = fault.column ?? place?.column
            throw fault
        }
    }
}
