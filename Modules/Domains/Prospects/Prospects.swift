public import Foundation
import GRDB
@_exported public import SwitchboardErrors
import SwitchboardIncrementalIndex
public import SwitchboardStorage
import SwitchboardVCard

/// The list of people whom the user has met and wants to contact.
///
/// The list is stored in a `Storage` whose migrations include ``migrations``. ``add(_:)-(Prospect)`` recognizes people
/// who are already in the list. Every change is saved before the call returns.
///
/// For example:
///
/// ```swift
/// let storage = try Storage(at: "people.sqlite", migrations: [Prospects.migrations])
/// let prospects = Prospects(storage: storage)
/// let added = try prospects.add(Prospect(name: "Łukasz Nowak", email: "lukasz@example.org", met: "FOSDEM"))
/// try prospects.setContacted([added.prospect.id])
/// let left = try prospects.list(.uncontacted, sortedBy: .recent)
/// ```
///
/// Every change advances the storage's generation of ``module`` in the same transaction. Unless documented otherwise,
/// methods throw ``ProspectsError`` for errors that the caller can correct, and `StorageError` for all others.
public struct Prospects: Sendable {
    /// The storage of the prospects.
    public let storage: Storage
    /// The region of phone numbers without a country code, an ISO 3166 code; nil if unknown.
    public let region: String?

    let clock: @Sendable () -> Date

    /// Creates a list on a storage.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with the migrations of this module.
    ///   - region: The region of phone numbers without a country code ("TR"); nil leaves such numbers as typed.
    ///   - clock: Returns the current time.
    public init(storage: Storage, region: String? = nil, clock: @escaping @Sendable () -> Date = { Date() }) {
        storage.register(Self.migrations)
        self.storage = storage
        self.region = region
        self.clock = clock
    }
}

// MARK: - Reading

extension Prospects {
    /// Returns the prospect with an identifier.
    ///
    /// - Throws: ``ProspectsError/notFound(id:)``.
    public func prospect(_ id: String) throws -> Prospect {
        try storage.read { db in try ProspectRows.prospect(id, in: db).prospect }
    }

    /// Returns the number of prospects.
    public func count(_ filter: ProspectFilter = .everyone) throws -> Int {
        try storage.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM prospect WHERE \(filter.condition)") ?? 0
        }
    }

    /// Returns the first letters of the normalized names with their prospect counts, in name order.
    package func letters(_ filter: ProspectFilter = .everyone) throws -> [(letter: String, count: Int)] {
        try storage.read { db in try db.letters(of: "prospect WHERE \(filter.condition)") }
    }

    /// Returns the prospects that match a filter, sorted.
    ///
    /// - Parameters:
    ///   - filter: The prospects to include.
    ///   - order: The sort order.
    ///   - limit: The maximum number of prospects; nil for all.
    ///   - offset: The number of prospects to skip.
    public func list(
        _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name, limit: Int? = nil, offset: Int = 0
    ) throws -> [Prospect] {
        try storage.read { db in
            let keys = try ProspectRows.keys(filter, order, limit: limit, offset: offset, in: db)
            let prospects = try ProspectRows.prospects(keys, in: db)
            return keys.compactMap { prospects[$0] }
        }
    }

    /// Returns the prospects whose identifiers begin with an ASCII text, by name.
    package func prospects(identifiedFrom start: String) throws -> [Prospect] {
        try storage.read { db in
            let keys = try db.keys(of: "prospect", identifiedFrom: start)
            let prospects = try ProspectRows.prospects(keys, in: db)
            return keys.compactMap { prospects[$0] }
        }
    }

    /// Returns a page of the prospects that match a filter, sorted.
    package func page(
        _ filter: ProspectFilter, sortedBy order: ProspectOrder, at cursor: ListCursor, limit: Int
    ) throws -> ListPage<Prospect> {
        try storage.read { db in
            let page = try db.page(
                of: "prospect", where: filter.condition, sortedBy: order == .name ? "sortKey" : "metAt",
                isDescending: order == .recent, at: cursor, limit: limit)
            let prospects = try ProspectRows.prospects(page.rows, in: db)
            return page.compactMap { prospects[$0] }
        }
    }

    /// Calls `body` with each prospect that matches a filter, sorted. Keeps about 500 prospects in memory at a time.
    public func forEach(
        _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name, _ body: (Prospect) throws -> Void
    ) throws {
        try storage.read { db in
            let keys = try ProspectRows.keys(filter, order, limit: nil, offset: 0, in: db)
            try keys.forEachBatch(of: 500) { batch in
                let prospects = try ProspectRows.prospects(Array(batch), in: db)
                for key in batch { try prospects[key].map(body) }
            }
        }
    }
}

// MARK: - Changing

extension Prospects {
    /// The result of adding a prospect.
    public struct Added: Sendable, Hashable {
        /// The prospect as stored.
        public var prospect: Prospect
        /// `true` if the prospect was already in the list.
        public var wasKnown: Bool
    }

    /// Adds a prospect, or merges it with the same person in the list.
    ///
    /// People with the same e-mail address are the same person. So are people with the same number, unless both address
    /// and name differ. Newer values replace older ones, which are added to the note. A meeting at the same place
    /// within twelve hours is recorded once. The contacted state does not change.
    ///
    /// - Throws: ``ProspectsError/nameless``, ``ProspectsError/notAnAddress(_:)``, ``ProspectsError/notANumber(_:)``,
    ///   ``ProspectsError/tooLong(field:limit:)`` also if the note would become too long, ``ProspectsError/nulText(field:)``.
    @discardableResult
    public func add(_ prospect: Prospect) throws -> Added {
        guard let added = try add([prospect]).first else { throw ProspectsError.nameless }
        return added
    }

    /// Adds several prospects in one transaction. If one cannot be added, none is.
    ///
    /// - Returns: The result for each prospect, in order.
    /// - Throws: The errors of ``add(_:)-(Prospect)``.
    public func add(_ prospects: [Prospect]) throws -> [Added] {
        try add(prospects) { throw $0 }.map { try $0.get() }
    }

    /// Adds several prospects in one transaction, except for those that cannot be added.
    ///
    /// - Returns: The result for each prospect, in order: the stored prospect, or the error of ``add(_:)-(Prospect)``.
    /// - Throws: `StorageError`. On error none is added.
    public func addEach(_ prospects: [Prospect]) throws -> [Result<Added, ProspectsError>] {
        try add(prospects) { .failure($0) }
    }

    private func add(
        _ prospects: [Prospect], otherwise refuse: (ProspectsError) throws -> Result<Added, ProspectsError>
    ) throws -> [Result<Added, ProspectsError>] {
        let drafts = prospects.map { prospect in
            Result { () throws(ProspectsError) in
                let normalized = prospect.normalized
                try normalized.check(region: region)
                return PreparedProspect(normalized, region: region)
            }
        }
        let now = clock()
        return try writing { db in
            try drafts.map { draft in
                do {
                    return .success(try add(draft.get(), at: now, in: db))
                } catch let error as ProspectsError {
                    return try refuse(error)
                }
            }
        }
    }

    private func add(_ draft: PreparedProspect, at now: Date, in db: Database) throws -> Added {
        if let (key, old) = try ProspectRows.existing(draft, in: db) {
            var merged = ProspectMerging(old: old, new: draft.prospect, now: now).merged
            if merged != old {
                try merged.checkSizes()
                merged.modifiedAt = now
                try ProspectRows.replace(key, by: PreparedProspect(merged, region: region), in: db)
            }
            return Added(prospect: merged, wasKnown: true)
        }
        var new = draft.prospect
        new.id = Storage.newIdentifier()
        (new.createdAt, new.modifiedAt, new.contactedAt) = (now, now, nil)
        new.meetings = [Prospect.Meeting(time: now, place: new.met)]
        try ProspectRows.insert(PreparedProspect(new, region: region), in: db)
        return Added(prospect: new, wasKnown: false)
    }

    /// Changes a prospect, except for the identifier, the times and the meetings.
    ///
    /// - Parameters:
    ///   - id: The identifier of the prospect.
    ///   - change: The change. If it throws, nothing is changed.
    /// - Returns: The prospect as stored.
    /// - Throws: ``ProspectsError/notFound(id:)``, and the errors of ``add(_:)-(Prospect)``.
    @discardableResult
    public func edit(_ id: String, _ change: (inout Prospect) throws -> Void) throws -> Prospect {
        try writing { db in
            let (key, old) = try ProspectRows.prospect(id, in: db)
            var new = old
            try change(&new)
            new = new.normalized
            try new.check(region: region)
            if new.met != old.met, let last = new.meetings.indices.last { new.meetings[last].place = new.met }
            guard new != old else { return old }
            new.modifiedAt = clock()
            try ProspectRows.replace(key, by: PreparedProspect(new, region: region), in: db)
            return new
        }
    }

    /// Marks prospects as contacted, or as not contacted. If one is unknown, none is changed.
    ///
    /// A prospect who was already contacted keeps the original time.
    ///
    /// - Returns: The prospects as stored, in the order of the identifiers.
    /// - Throws: ``ProspectsError/notFound(id:)``.
    @discardableResult
    public func setContacted(_ ids: [String], to isContacted: Bool = true) throws -> [Prospect] {
        let now = clock().timeIntervalSince1970
        return try storage.write(changing: Prospects.module) { db in
            try ids.map { id in
                let (key, old) = try ProspectRows.prospect(id, in: db)
                guard old.isContacted != isContacted else { return old }
                try db.execute(
                    sql: "UPDATE prospect SET contactedAt = ?, modifiedAt = ? WHERE key = ?",
                    arguments: [isContacted ? now : nil, now, key])
                return try ProspectRows.prospect(id, in: db).prospect
            }
        }
    }

    /// Writes, and advances the generation of the indexed texts.
    private func writing<T>(_ body: (Database) throws -> T) throws -> T {
        try storage.write(changing: Prospects.module) { db in
            let before = db.totalChangesCount
            let result = try body(db)
            if db.totalChangesCount != before {
                try Prospects.changes.trim(in: db)
                try Storage.bump(Prospects.texts, in: db)
            }
            return result
        }
    }
}

// MARK: - Removing

extension Prospects {
    /// The number of days for which a removed prospect can be restored. Later, the next removal deletes it permanently.
    public static let daysToRestore = 30

    /// Removes prospects. If one is unknown, none is removed. ``restore(_:)`` undoes the removal.
    ///
    /// - Throws: ``ProspectsError/notFound(id:)``.
    public func remove(_ ids: [String]) throws {
        let now = clock().timeIntervalSince1970
        try writing { db in
            var removed: Set<String> = []
            for id in ids where removed.insert(id).inserted {
                let key = try ProspectRows.prospect(id, in: db).key
                try db.execute(sql: "UPDATE prospect SET removedAt = ? WHERE key = ?", arguments: [now, key])
            }
            try db.execute(
                sql: "DELETE FROM prospect WHERE removedAt < ?",
                arguments: [now - Double(Prospects.daysToRestore) * 86_400])
        }
    }

    /// Returns the removed prospects that can be restored, the last removed first.
    public func removed() throws -> [Prospect] {
        let oldest = clock().timeIntervalSince1970 - Double(Prospects.daysToRestore) * 86_400
        return try storage.read { db in
            let keys = try Int64.fetchAll(
                db, sql: "SELECT key FROM prospect WHERE removedAt >= ? ORDER BY removedAt DESC, key",
                arguments: [oldest])
            let prospects = try ProspectRows.prospects(keys, in: db)
            return keys.compactMap { prospects[$0] }
        }
    }

    /// Returns the time when a prospect was removed.
    ///
    /// - Throws: ``ProspectsError/notRemoved(id:)``.
    public func removalTime(of id: String) throws -> Date {
        try storage.read { db in
            let key = try ProspectRows.prospect(id, removed: true, in: db).key
            let time = try Double.fetchOne(db, sql: "SELECT removedAt FROM prospect WHERE key = ?", arguments: [key])
            guard let time else { throw ProspectsError.notRemoved(id: id) }
            return Date(timeIntervalSince1970: time)
        }
    }

    /// Restores removed prospects. If one cannot be restored, none is.
    ///
    /// - Returns: The prospects in the order of the identifiers.
    /// - Throws: ``ProspectsError/notRemoved(id:)``, ``ProspectsError/metAgain(id:as:)``.
    @discardableResult
    public func restore(_ ids: [String]) throws -> [Prospect] {
        try writing { db in
            try ids.map { id in
                let (key, prospect) = try ProspectRows.prospect(id, removed: true, in: db)
                if let (_, other) = try ProspectRows.existing(PreparedProspect(prospect, region: region), in: db) {
                    throw ProspectsError.metAgain(id: id, as: other.id)
                }
                try db.execute(sql: "UPDATE prospect SET removedAt = NULL WHERE key = ?", arguments: [key])
                return prospect
            }
        }
    }
}

// MARK: - Exporting

/// The export formats besides JSON.
public enum ProspectFormat: String, CaseIterable, Sendable {
    /// vCard 3.0, which all address books read.
    case vcard3
    /// vCard 4.0.
    case vcard4
    /// CSV in UTF-8 with a header (RFC 4180).
    case csv
}

extension Prospects {
    /// Exports the prospects that match a filter, from one snapshot.
    ///
    /// - Parameters:
    ///   - format: The file format.
    ///   - filter: The prospects to include.
    ///   - order: The sort order.
    ///   - write: Receives the text in chunks, the header of a table first. An error that it throws ends the export.
    public func export(
        _ format: ProspectFormat, _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name,
        to write: (String) throws -> Void
    ) throws {
        if format == .csv { try write(ProspectTable.header) }
        try forEach(filter, sortedBy: order) { prospect in
            switch format {
            case .vcard3: try write(prospect.card(version: "3.0"))
            case .vcard4: try write(prospect.card(version: "4.0"))
            case .csv: try write(ProspectTable.row(of: prospect))
            }
        }
    }
}

extension Prospect {
    /// Returns the prospect as a vCard with folded lines that end in CR LF.
    ///
    /// - Parameter version: "3.0" (RFC 2426) or "4.0" (RFC 6350).
    func card(version: String) -> String {
        var lines = VCardLines()
        func add(_ name: String, _ text: String) {
            if !text.isEmpty { lines.add(name + ":" + VCardText.escaped(text)) }
        }
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:" + version)
        add("FN", displayName)
        // The last word is treated as the family name; FN has the name as entered.
        let words = name.split(separator: " ").map(String.init)
        let family = words.count > 1 ? words.last ?? "" : ""
        let given = (words.count > 1 ? words.dropLast() : words[...]).joined(separator: " ")
        lines.add("N:" + VCardText.structured([family, given, "", "", ""]))
        add("ORG", organization)
        add(version == "3.0" ? "EMAIL;TYPE=INTERNET" : "EMAIL", email)
        add(version == "3.0" ? "TEL;TYPE=VOICE" : "TEL;TYPE=voice", phone)
        let places = met.isEmpty ? "" : "Met: " + met
        add("NOTE", [note, places].filter { !$0.isEmpty }.joined(separator: "\n"))
        add("UID", id)
        if let modifiedAt {
            lines.add("REV:" + modifiedAt.basicISO8601)
        }
        lines.add("END:VCARD")
        return lines.text
    }
}

private enum ProspectTable {
    static let header = "id,name,email,phone,organization,note,met,contacted,contactedAt,createdAt,modifiedAt\r\n"

    static func row(of prospect: Prospect) -> String {
        let times = [prospect.contactedAt, prospect.createdAt, prospect.modifiedAt].map { time in
            time.map { $0.formatted(.iso8601) } ?? ""
        }
        let fields =
            [
                prospect.id, prospect.name, prospect.email, prospect.phone, prospect.organization, prospect.note,
                prospect.met, prospect.isContacted ? "yes" : "no",
            ] + times
        return CSVLine.text(fields)
    }
}

// MARK: - Lists

/// The prospects included in a list.
public enum ProspectFilter: String, Sendable, CaseIterable {
    /// All prospects.
    case everyone
    /// The prospects who were contacted.
    case contacted
    /// The prospects who were not contacted.
    case uncontacted
}

/// The order of a list of prospects.
public enum ProspectOrder: String, Sendable, CaseIterable {
    /// By the normalized name.
    case name
    /// By the last meeting, latest first.
    case recent
}

// MARK: - Errors

/// An error of the list of prospects. Errors of the storage are thrown as `StorageError`.
public enum ProspectsError: CodedError, Equatable {
    /// No prospect has this identifier.
    case notFound(id: String)

    /// No removed prospect has this identifier, or it was removed too long ago.
    case notRemoved(id: String)

    /// A removed prospect cannot be restored, because the same person was added again.
    case metAgain(id: String, as: String)

    /// A prospect needs a name, a company, an e-mail address or a number.
    case nameless

    /// A field is too long.
    case tooLong(field: String, limit: Int)

    /// A field contains U+0000, at which the stored text would end.
    case nulText(field: String)

    /// A text cannot be an e-mail address.
    case notAnAddress(String)

    /// A text cannot be a phone number, because it has no digits.
    case notANumber(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id): .init("notFound", .notFound, "there is no prospect \(id)")
        case .notRemoved(let id):
            .init(
                "notRemoved", .notFound,
                "no prospect \(id) was removed in the last \(Prospects.daysToRestore) days; add them again")
        case .metAgain(let id, let other):
            .init("metAgain", .usage, "prospect \(id) was added again as \(other); remove that one first, or keep it")
        case .nameless:
            .init(
                "nameless", .usage,
                "a prospect needs a name, an organisation, an e-mail address or a number; give one of them",
                field: "name")
        case .tooLong(let field, let limit):
            .tooLong(field, limit: limit, field: field)
        case .nulText(let field): .nulText(field, field: field)
        case .notAnAddress(let text):
            .init(
                "notAnAddress", .usage, "cannot read the e-mail address “\(text)”; use the form ana@example.org",
                field: "email")
        case .notANumber(let text):
            .init(
                "notANumber", .usage, "cannot read the phone number “\(text)”; use a number with digits",
                field: "phone")
        }
    }
}
