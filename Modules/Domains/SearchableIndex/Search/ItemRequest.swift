import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage

/// What a search looks for: the readings of what was typed, and the conditions that hits must meet.
struct ItemRequest {
    /// A text or digits to search for, and the phrases that must be in a text of each hit.
    struct Reading {
        let input: SearchInput
        var phrases: [Phrase] = []
    }

    /// What was typed.
    let input: SearchInput
    /// The operators of the text; nil if it has none.
    let operators: TypedQuery?
    /// The readings, one of which a hit must match: the alternatives of `OR`, then those with synonyms.
    let readings: [Reading]
    /// The number of readings without synonyms.
    let typedReadings: Int
    let filter: ItemFilter
    /// The bits to add to the likelihood of fields.
    let boosts: [ItemField: Int]
    let isCancelled: (@Sendable () -> Bool)?

    /// The maximum number of readings.
    private static let maximumReadings = 32

    init(
        _ input: SearchInput, filter: ItemFilter, boosts: [Attribute: Int], index: Int64,
        isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws {
        self.input = input
        operators = input.keys == nil ? TypedQuery(input.text) : nil
        var readings =
            operators?.alternatives.map { Reading(input: SearchInput($0.text), phrases: $0.phrases) }
            ?? [Reading(input: input)]
        typedReadings = readings.count
        if input.keys == nil {
            let synonyms = try Synonyms(index: index, in: db)
            for reading in readings {
                readings += try synonyms.alternatives(of: reading, in: db)
            }
        }
        self.readings = Array(readings.prefix(Self.maximumReadings))
        self.filter = filter
        self.isCancelled = isCancelled
        self.boosts = Dictionary(
            boosts.compactMap { attribute, bits in
                ItemField.allCases.first { $0.attributes.contains(attribute) }.map { ($0, bits) }
            }, uniquingKeysWith: max)
    }
}

/// The conditions of a request, prepared for many items.
struct ItemCondition {
    let filter: ItemFilter
    private let predicate: QueryPredicate?
    private let now: Date
    private let excluded: [Phrase]
    private let searchable: [String]
    /// The number of matches that may be checked in vain before only the items that pass the filter are searched. Finding
    /// these takes long if no SQL index selects them.
    let maximumRejected: Int

    init(
        _ request: ItemRequest, index: Int64, at now: Date, searchable: [String], in db: Database
    ) throws {
        filter = request.filter
        self.now = now
        predicate = filter.query?.predicate(at: now, in: .current)
        excluded = request.operators?.excluded ?? []
        self.searchable = searchable
        let isIndexed = try filter.query.map { try ItemRows.isIndexed($0, in: index, at: now, db) } ?? false
        maximumRejected = isIndexed || filter.domain != nil ? 1_000 : 10_000
    }

    /// Returns `true` if an item passes the filter.
    func passes(_ source: ItemAttributeSource) -> Bool {
        if let domain = filter.domain, !source.isIn(domain: domain) { return false }
        if let type = filter.contentType, !source.conforms(to: type) { return false }
        if let circle = filter.circle {
            guard let location = ItemLocation(source), location.distance(to: circle.center) <= circle.radius else {
                return false
            }
        }
        return predicate?.matches(source) ?? true
    }

    /// Returns the keys of the items that pass the filter.
    ///
    /// - Complexity: O(*n*) in the items that SQL indexes select, at a few microseconds each.
    func keys(in index: Int64, isCancelled: (@Sendable () -> Bool)?, _ db: Database) throws -> [Int64] {
        // SQLite compares bytes, filters compare canonical forms; they agree on ASCII only.
        let domain = filter.domain.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0 : nil }
        if let domain, filter.isDomain {
            return try Int64.fetchAll(
                db, sql: "SELECT key FROM item WHERE \(ItemDomain.condition)",
                arguments: ItemDomain.arguments(index, domain))
        }
        var keys: [Int64] = []
        try ItemRows.forEach(
            in: index, domain: domain, query: filter.query, at: now, isCancelled: isCancelled, db
        ) { row, source in
            if passes(source) { keys.append(try row.value(0)) }
            return true
        }
        return keys
    }

    /// Returns `true` if items must have phrases, or must not have what is excluded.
    func needs(_ reading: ItemRequest.Reading) -> Bool { !reading.phrases.isEmpty || !excluded.isEmpty }

    /// Returns `true` if an item has the phrases of a reading, and nothing that is excluded.
    func holds(
        _ item: @autoclosure () throws -> StoredItem, _ reading: ItemRequest.Reading, in db: Database
    ) throws -> Bool {
        for phrase in reading.phrases where try !contains(item(), in: db, phrase.isIn) { return false }
        for phrase in excluded where try contains(item(), in: db, phrase.isIn) { return false }
        return true
    }

    /// Returns `true` if a text satisfies a condition: a searched text of an item, or its full text, which is read last.
    func contains(_ item: StoredItem, in db: Database, _ holds: (String) -> Bool) throws -> Bool {
        let entries = ItemTexts(item.attributeSet, searchable: searchable).entries
        if entries.contains(where: { holds($0.text) }) { return true }
        return try ItemRows.text(of: item.key, in: db).map(holds) ?? false
    }
}

/// Checks the items that a search finds, which goes on as if there were no others.
final class ItemCheck {
    /// Thrown when it takes less time to search only the items that pass the filter.
    struct TooManyRejected: Error {}

    private let condition: ItemCondition
    /// The reading whose phrases the items must have; nil to check only the filter.
    private let reading: ItemRequest.Reading?
    private let isFiltering: Bool
    private let db: Database
    private var known: [Int64: Bool] = [:]
    private var rejected = 0
    private var error: (any Error)?

    /// Creates a check; nil if there is nothing to check.
    ///
    /// - Parameters:
    ///   - condition: The conditions.
    ///   - reading: The reading of which the phrases are checked; nil for none.
    ///   - keys: Items that pass the filter, if only these are searched.
    init?(_ condition: ItemCondition, _ reading: ItemRequest.Reading?, among keys: [Int64]?, in db: Database) {
        isFiltering = keys == nil && !condition.filter.isEmpty
        self.reading = reading.flatMap { condition.needs($0) ? $0 : nil }
        (self.condition, self.db) = (condition, db)
        if !isFiltering, self.reading == nil { return nil }
    }

    /// Returns `true` if an item meets the conditions, and for all items when ``verify()`` throws.
    func accepts(_ key: Int64) -> Bool {
        if error != nil { return true }
        if let known = known[key] { return known }
        var isAccepted = false
        do {
            try ItemRows.forEach(of: [key], in: db) { row in
                if isFiltering, try !condition.passes(ItemAttributeSource(row, in: db)) {
                    rejected += 1
                } else {
                    isAccepted = try reading.map { try condition.holds(ItemRows.item(row), $0, in: db) } ?? true
                }
            }
            if rejected > condition.maximumRejected { throw TooManyRejected() }
        } catch {
            self.error = error
        }
        known[key] = isAccepted
        return isAccepted
    }

    /// - Throws: ``TooManyRejected``, and the error of an item that could not be read.
    func verify() throws { if let error { throw error } }
}

extension ItemHit {
    /// Returns the hits of several lists without repetitions, the more likely first; each list keeps its order.
    ///
    /// - Parameters:
    ///   - preferred: The number of lists whose hits come before those of other lists with the same kind of match.
    ///   - first: Hits that come before all others.
    static func merged(_ lists: [[ItemHit]], preferring preferred: Int, after first: [ItemHit]) -> [ItemHit] {
        if lists.count == 1, first.isEmpty { return lists[0] }
        var merged = first
        var seen = Set(first.map(\.item.key))
        var heads = lists.map { $0[...] }
        while true {
            var best: (position: Int, hit: ItemHit)?
            for (position, list) in heads.enumerated() {
                guard let hit = list.first else { continue }
                if let best {
                    let quality = hit.match.quality - best.hit.match.quality
                    if quality > 0 || quality == 0 && best.position < preferred && position >= preferred { continue }
                    if quality == 0, hit.weighed?.bits ?? 0 <= best.hit.weighed?.bits ?? 0 { continue }
                }
                best = (position, hit)
            }
            guard let best else { return merged }
            heads[best.position].removeFirst()
            if seen.insert(best.hit.item.key).inserted { merged.append(best.hit) }
        }
    }
}

// MARK: - Synonyms

/// The synonyms of an index.
struct Synonyms {
    private let index: Int64
    private let isEmpty: Bool

    /// The maximum number of words of a synonym.
    static let maximumWords = 4

    init(index: Int64, in db: Database) throws {
        self.index = index
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM item_synonym WHERE indexKey = ?)"
        isEmpty = try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [index]) ?? true
    }

    /// Returns a reading with some of its words replaced by their synonyms: one replacement in each. The words of a
    /// synonym are a phrase.
    func alternatives(of reading: ItemRequest.Reading, in db: Database) throws -> [ItemRequest.Reading] {
        if isEmpty { return [] }
        let words = reading.input.text.split(whereSeparator: \.isWhitespace).map(String.init)
        let statement = try db.cachedStatement(
            sql: """
                SELECT other.term FROM item_synonym AS one JOIN item_synonym AS other USING (indexKey, number)
                WHERE indexKey = ? AND one.folded = ? AND other.folded <> one.folded ORDER BY other.key
                """)
        var alternatives: [ItemRequest.Reading] = []
        for start in words.indices {
            for end in start + 1...min(start + Self.maximumWords, words.count) {
                let folded = ItemQueryPlan(words[start..<end].joined(separator: " ")).key
                if folded.isEmpty { continue }
                for row in try Row.fetchAll(statement, arguments: [index, folded]) {
                    let term: String = try row.value(0)
                    let text = (words[..<start] + [term] + words[end...]).joined(separator: " ")
                    let phrase = term.contains(where: \.isWhitespace) ? Phrase(term) : nil
                    alternatives.append(
                        ItemRequest.Reading(
                            input: SearchInput(text), phrases: reading.phrases + [phrase].compactMap(\.self)))
                }
            }
        }
        return alternatives
    }
}

extension SearchableIndex {
    /// The maximum number of groups of synonyms, and of terms of a group.
    public static let maximumSynonyms = (groups: 10_000, terms: 100)

    /// Returns the groups of words or phrases that searches treat as equal.
    public func synonyms() throws -> [[String]] {
        try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return [] }
            let rows = try Row.fetchAll(
                db, sql: "SELECT number, term FROM item_synonym WHERE indexKey = ? ORDER BY number, key",
                arguments: [index])
            var groups: [(number: Int, terms: [String])] = []
            for row in rows {
                let (number, term): (Int, String) = try (row.value(0), row.value(1))
                if groups.last?.number != number { groups.append((number, [])) }
                groups[groups.count - 1].terms.append(term)
            }
            return groups.map(\.terms)
        }
    }

    /// Replaces the groups of words or phrases that searches treat as equal, such as `["tv", "television"]`.
    ///
    /// A search for one of them finds the items with another one, too. Items are not indexed anew.
    ///
    /// - Throws: ``SearchableIndexError/invalidSynonyms(reason:)``; then nothing is changed.
    public func setSynonyms(_ groups: [[String]]) throws {
        let most = Self.maximumSynonyms
        if groups.count > most.groups {
            throw SearchableIndexError.invalidSynonyms(
                reason: "more than \(most.groups) groups of synonyms; remove some")
        }
        var folded: [[(term: String, folded: String)]] = []
        for group in groups {
            let terms = group.map { (term: $0, folded: ItemQueryPlan($0).key) }
            for (term, key) in terms {
                let count = term.split(whereSeparator: \.isWhitespace).count
                if key.isEmpty || count > Synonyms.maximumWords
                    || term.storageProblem(SearchableItem.largestText) != nil
                {
                    throw SearchableIndexError.invalidSynonyms(
                        reason:
                            "cannot use “\(term.prefix(100))” as a synonym; use one to \(Synonyms.maximumWords) words")
                }
            }
            if !(2...most.terms).contains(Set(terms.map(\.folded)).count) {
                throw SearchableIndexError.invalidSynonyms(
                    reason:
                        "a group of synonyms has 2 to \(most.terms) different terms, not “\(group.joined(separator: ", "))”"
                )
            }
            folded.append(terms)
        }
        try writing { db, index, _ in
            try db.execute(sql: "DELETE FROM item_synonym WHERE indexKey = ?", arguments: [index])
            let insert = try db.cachedStatement(sql: "INSERT INTO item_synonym VALUES (NULL, ?, ?, ?, ?)")
            for (number, terms) in folded.enumerated() {
                for (term, key) in terms { try insert.execute(arguments: [index, number, term, key]) }
            }
        }
    }
}
