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
                    var records: [JSONRecord] = []
                    var bytes = 0
                    while records.count < 512, bytes < 4 << 20, let record = try reader.nextRecord() {
                        records.append(record)
                        bytes += record.bytes.count
                    }
                    return records
                }
            }, preparing: { (record: JSONRecord) in try PreparedChange(record, options.transform) })
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

    init(_ record: JSONRecord, _ transform: ((ItemChange) -> ItemChange)?) throws(ItemError) {
        let change = try record.change()
        try self.init(transform?(change) ?? change)
        place = record.place
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

/// A writer of the items of one index within one transaction.
struct ItemWriter {
    private let db: Database
    private let indexKey: Int64
    private let now: Date
    private var custom: [String: AttributeType]
    private let find: Statement
    private let upsert: Statement
    private let insertText: Statement
    private let deleteText: Statement
    private let indexedValues: IndexedValues

    init(_ db: Database, index: Int64, now: Date) throws {
        self.db = db
        indexKey = index
        self.now = now
        custom = [:]
        indexedValues = try IndexedValues(index: index, in: db)
        find = try db.cachedStatement(sql: "SELECT key FROM item WHERE indexKey = ? AND id = ?")
        upsert = try db.cachedStatement(
            sql: """
                INSERT INTO item (indexKey, id, domain, contentType, expiresAt, rankingHint, usedAt, attributes, useCount)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
                ON CONFLICT (indexKey, id) DO UPDATE SET domain = excluded.domain, contentType = excluded.contentType,
                    expiresAt = excluded.expiresAt, rankingHint = excluded.rankingHint, attributes = excluded.attributes,
                    usedAt = CASE WHEN excluded.usedAt > coalesce(usedAt, 0) THEN excluded.usedAt ELSE usedAt END
                """)
        insertText = try db.cachedStatement(
            sql: "INSERT INTO item_text VALUES (?, ?) ON CONFLICT (item) DO UPDATE SET text = excluded.text")
        deleteText = try db.cachedStatement(sql: "DELETE FROM item_text WHERE item = ?")
        for attribute in try ItemRows.customAttributes(ofIndex: index, in: db) {
            custom[attribute.key] = attribute.type
        }
    }

    static func put(_ item: SearchableItem, index: Int64, now: Date, in db: Database) throws {
        do {
            var writer = try ItemWriter(db, index: index, now: now)
            try writer.put(try PreparedItem(item))
        } catch let fault as ItemError {
            throw SearchableIndexError.invalidItem(fault)
        }
    }

    /// Inserts an item, or replaces the one with the same identifier.
    fileprivate mutating func put(_ item: PreparedItem) throws {
        if !item.custom.isEmpty { try declare(item) }
        let expiresAt: Date? =
            switch item.expiration {
            case .default: now.addingTimeInterval(SearchableIndex.defaultLifetime)
            case .at(let date): date
            case .never: nil
            }
        try upsert.execute(arguments: [
            indexKey, item.id, item.domain, item.contentType, expiresAt?.timeIntervalSince1970, item.rankingHint,
            item.lastUsedDate?.timeIntervalSince1970, Data(item.attributes),
        ])
        // A replaced item may have had a text.
        guard item.text != nil || hasTexts || !indexedValues.attributes.isEmpty else { return }
        guard let key = try key(of: item.id) else { return }
        try indexedValues.put(key, Data(item.attributes), in: db)
        if let text = item.text {
            try insertText.execute(arguments: [key, text])
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO item_terms (rowid, terms) VALUES (?, ?)")
                .execute(arguments: [key, item.terms])
            try db.cachedStatement(sql: "DELETE FROM item_unfolded WHERE item = ?").execute(arguments: [key])
        } else {
            try deleteText.execute(arguments: [key])
        }
    }

    /// Indicates that any item has a full text; most indexes have none.
    private lazy var hasTexts: Bool = (try? Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM item_text)")) ?? true

    /// Updates an existing item.
    ///
    /// - Throws: An ``ItemError`` if there is no such item.
    mutating func update(_ update: SearchableItemUpdate) throws {
        // SQLite would find the item whose identifier is the part before U+0000.
        guard !update.uniqueIdentifier.utf8.contains(0), let key = try key(of: update.uniqueIdentifier),
            let old = try ItemRows.item(key, in: db)
        else {
            throw ItemError(
                reason: "there is no such item to update; put the whole item without “isUpdate”",
                item: update.uniqueIdentifier)
        }
        var item = old.item
        for attribute in update.removed { item.attributeSet[attribute] = [] }
        for key in update.removedCustom { item.attributeSet.custom[key] = nil }
        for entry in update.attributeSet.entries { item.attributeSet[entry.attribute] = entry.values }
        for (key, values) in update.attributeSet.custom { item.attributeSet.custom[key] = values }
        if let domain = update.domainIdentifier { item.domainIdentifier = domain }
        if let expiration = update.expiration { item.expiration = expiration }
        try put(try PreparedItem(item))
    }

    private func key(of id: String) throws -> Int64? {
        try Int64.fetchOne(find, arguments: [indexKey, id])
    }

    private mutating func declare(_ item: PreparedItem) throws {
        for (key, type) in item.custom {
            if let known = custom[key] {
                // Dates are strings in JSON.
                guard known == type else {
                    throw ItemError(
                        reason:
                            "has the type \(known.rawValue) in other items, not \(type.rawValue); use the same type",
                        item: item.id, attribute: "custom.\(key)")
                }
            } else {
                custom[key] = type
                try ItemRows.declare(CustomAttribute(key: key, type: type), ofIndex: indexKey, in: db)
            }
        }
    }
}

/// An item in its stored form, encoded before the transaction.
private struct PreparedItem: Sendable {
    let id: String
    let domain: String?
    let contentType: String?
    let expiration: SearchableItem.Expiration
    let rankingHint: Double
    let lastUsedDate: Date?
    let attributes: [UInt8]
    /// The full text, stored separately.
    let text: String?
    /// The terms of the full text (``BodyTerms``).
    let terms: String?
    let custom: [String: AttributeType]

    init(_ item: SearchableItem) throws(ItemError) {
        let set = item.attributeSet
        guard !item.uniqueIdentifier.isEmpty, item.uniqueIdentifier.utf8.count <= SearchableItem.largestIdentifier
        else {
            // A long identifier does not help in a message.
            throw ItemError(
                reason: "the identifier must have between 1 and \(SearchableItem.largestIdentifier) bytes",
                item: String(item.uniqueIdentifier.prefix(100)), attribute: "id")
        }
        for (attribute, text) in [("id", item.uniqueIdentifier), ("domain", item.domainIdentifier ?? "")] {
            if let reason = text.storageProblem(SearchableItem.largestIdentifier) {
                throw ItemError(reason: reason, item: item.uniqueIdentifier, attribute: attribute)
            }
        }
        if let excess = set.excess {
            throw ItemError(reason: excess.reason, item: item.uniqueIdentifier, attribute: excess.attribute)
        }
        for entry in set.entries {
            if let failure = entry.attribute.failure(of: entry.values) {
                throw ItemError(reason: failure, item: item.uniqueIdentifier, attribute: entry.attribute.name)
            }
        }
        var custom: [String: AttributeType] = [:]
        for (key, values) in set.custom {
            guard CustomAttribute.isValid(key) else {
                throw ItemError(
                    reason:
                        "invalid attribute name; use a letter and up to 99 letters, digits, '_' or '-', not a standard attribute",
                    item: item.uniqueIdentifier, attribute: key)
            }
            let types = Set(values.map(CustomAttribute.type))
            guard let type = types.first, types.count == 1 else {
                throw ItemError(
                    reason: "the values have different types; use one type", item: item.uniqueIdentifier,
                    attribute: "custom.\(key)")
            }
            custom[key] = type
        }
        id = item.uniqueIdentifier
        domain = item.domainIdentifier
        contentType = set.contentType
        expiration = item.expiration
        rankingHint = set.rankingHint ?? ItemIndexSource.SortKey.defaultHint
        lastUsedDate = set.lastUsedDate
        text = set.textContent
        terms = set.textContent.map(BodyTerms.terms)
        attributes = AttributeCoder.encoded(set, without: .textContent)
        self.custom = custom
    }
}

extension Attribute {
    /// Returns the reason why values are invalid, or nil.
    fileprivate func failure(of values: [AttributeValue]) -> String? {
        guard isList || values.count <= 1 else { return "accepts only one value" }
        return values.lazy.compactMap { value in
            switch (kind, value) {
            case (.text, .text), (.date, .date), (.flag, .flag), (.data, .data), (.person, .person): nil
            case (.url, .text(let text)): AttributeValue.isURL(text) ? nil : AttributeValue.urlHint
            case (.number, .number(let number)): failure(of: number)
            default: "must be \(kind.article)"
            }
        }.first
    }
}
