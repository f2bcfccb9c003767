import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage

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
        let drafts = try prospects.map { prospect in
            let normalized = prospect.normalized
            try normalized.check(region: region)
            return PreparedProspect(normalized, region: region)
        }
        let now = clock()
        return try writing { db in
            try drafts.map { draft in
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
        }
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
    func writing<T>(_ body: (Database) throws -> T) throws -> T {
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
