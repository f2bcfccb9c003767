import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage

// MARK: - Changing

extension Prospects {
    /// What became of somebody who was to be added.
    public struct Added: Sendable, Hashable {
        /// The prospect as stored.
        public var prospect: Prospect
        /// Whether they were in the list before.
        public var wasKnown: Bool
    }

    /// Adds somebody, or, if they are in the list already, what is new about them.
    ///
    /// The same e-mail address is the same person, and so is the same number, unless address and name both differ. Newer facts
    /// take the place of older ones, which the note keeps; the meeting is noted, once for what happens within twelve hours at
    /// one place. Being contacted stays as it was.
    ///
    /// - Throws: ``ProspectsError/nameless``, ``ProspectsError/notAnAddress(_:)``, ``ProspectsError/notANumber(_:)``.
    @discardableResult
    public func add(_ prospect: Prospect) throws -> Added {
        var (added, _) = try add([prospect])
        guard let first = added.popLast() else { throw ProspectsError.nameless }
        return first
    }

    /// Adds several people in one transaction, all of them or, if one cannot be added, none.
    ///
    /// - Returns: what became of each, in order, and how many are new.
    /// - Throws: as ``add(_:)-(Prospect)``.
    public func add(_ prospects: [Prospect]) throws -> (added: [Added], newOnes: Int) {
        let drafts = try prospects.map { prospect in
            let tidied = prospect.tidied
            try tidied.check(region: region)
            return PreparedProspect(tidied, region: region)
        }
        let now = clock()
        return try writing { db in
            var added: [Added] = []
            for draft in drafts {
                if let (key, old) = try ProspectRows.known(draft, in: db) {
                    var merged = ProspectMerging(old: old, new: draft.prospect, now: now).merged
                    if merged != old {
                        merged.modifiedAt = now
                        try ProspectRows.replace(key, by: PreparedProspect(merged, region: region), in: db)
                    }
                    added.append(Added(prospect: merged, wasKnown: true))
                } else {
                    var new = draft.prospect
                    new.id = Prospects.newID()
                    (new.createdAt, new.modifiedAt, new.contactedAt) = (now, now, nil)
                    new.meetings = [Prospect.Meeting(time: now, place: new.met)]
                    try ProspectRows.insert(PreparedProspect(new, region: region), in: db)
                    added.append(Added(prospect: new, wasKnown: false))
                }
            }
            return (added, added.count { !$0.wasKnown })
        }
    }

    /// Changes a prospect. The identifier, the times and the meetings cannot be changed.
    ///
    /// - Parameters:
    ///   - id: which prospect.
    ///   - change: what to change; if it throws, nothing is.
    /// - Returns: the prospect as stored.
    /// - Throws: ``ProspectsError/notFound(id:)``, and as ``add(_:)-(Prospect)``.
    @discardableResult
    public func edit(_ id: String, _ change: (inout Prospect) throws -> Void) throws -> Prospect {
        try writing { db in
            let (key, old) = try ProspectRows.prospect(id, in: db)
            var new = old
            try change(&new)
            new = new.tidied
            try new.check(region: region)
            if new.met != old.met, let last = new.meetings.indices.last { new.meetings[last].place = new.met }
            guard new != old else { return old }
            new.modifiedAt = clock()
            try ProspectRows.replace(key, by: PreparedProspect(new, region: region), in: db)
            return new
        }
    }

    /// Ticks people off as contacted, or takes that back: all of them or, if one is unknown, none.
    ///
    /// Who was contacted already keeps the time of that.
    ///
    /// - Returns: the prospects as stored, in the order of the identifiers.
    /// - Throws: ``ProspectsError/notFound(id:)``.
    @discardableResult
    public func setContacted(_ ids: [String], _ isContacted: Bool = true) throws -> [Prospect] {
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

    /// Writes, and tells the search index that texts have changed.
    func writing<T>(_ body: (Database) throws -> T) throws -> T {
        try storage.write(changing: Prospects.module) { db in
            let before = db.totalChangesCount
            let result = try body(db)
            if db.totalChangesCount != before {
                try Prospects.changes.compact(in: db)
                try Storage.bump(Prospects.texts, in: db)
            }
            return result
        }
    }

    /// A new identifier: twelve letters and digits, 60 random bits, of which no two lists make the same.
    static func newID() -> String {
        // Crockford's alphabet has no letters that are read for another one.
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        var bits = UInt64.random(in: .min ... .max)
        var letters: [UInt8] = []
        for _ in 0..<12 {
            letters.append(alphabet[Int(bits & 31)])
            bits >>= 5
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
