public import Foundation
import GRDB
import SwitchboardStorage

// How a reminder is delivered once, however many processes run on one database: whoever wants to deliver it claims it in a
// transaction, which only one can do. A claim ends by itself, so that what a killed process had claimed is not lost.

/// A reminder that this process alone may deliver now.
struct ReminderClaim: Sendable {
    let reminder: Reminder
    let token: String
}

extension Reminders {
    /// How long a claim holds, in seconds: longer than any delivery is allowed to take.
    static let claimLength: TimeInterval = 120
    /// The pauses between failed deliveries, in seconds; the last one goes on.
    static let pauses: [TimeInterval] = [5, 15, 60, 300, 900]

    /// Claims what is due; what another process has claimed is left out.
    func claimDue(limit: Int = 16) throws -> [ReminderClaim] {
        let now = clock().timeIntervalSince1970
        // Looking costs nothing; only what is due needs the lock for writing.
        guard try nextTry().map({ $0.timeIntervalSince1970 <= now }) ?? false else { return [] }
        let token = Reminders.newID()
        return try storage.write { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM reminder WHERE state = 'pending' AND nextTryAt <= ?
                    ORDER BY nextTryAt, dueAt, id LIMIT ?
                    """,
                arguments: [now, limit])
            return try ids.map { id in
                try db.execute(
                    sql: "UPDATE reminder SET claim = ?, nextTryAt = ? WHERE id = ?",
                    arguments: [token, now + Reminders.claimLength, id])
                return ReminderClaim(reminder: try ReminderRows.reminder(id, in: db), token: token)
            }
        }
    }

    /// When the next one is to be looked at; nil if nothing is pending. O(log n).
    ///
    /// - Throws: `StorageError`.
    public func nextTry() throws -> Date? {
        try storage.read { db in
            try Double.fetchOne(db, sql: "SELECT min(nextTryAt) FROM reminder WHERE state = 'pending'")
                .map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// Notes that a claimed reminder is on the screen.
    ///
    /// - Returns: the reminder as stored; nil if it was moved or taken back meanwhile.
    func finish(_ claim: ReminderClaim) throws -> Reminder? {
        let now = clock()
        let isLate = now.timeIntervalSince(claim.reminder.dueAt) > Reminder.lateness
        return try storage.write(changing: Reminders.module) { db in
            try db.execute(
                sql: """
                    UPDATE reminder SET state = 'delivered', deliveredAt = ?1, modifiedAt = ?1, isLate = ?2, failure = '',
                        claim = NULL WHERE id = ?3 AND claim = ?4 AND state = 'pending'
                    """,
                arguments: [now.timeIntervalSince1970, isLate, claim.reminder.id, claim.token])
            return db.changesCount > 0 ? try ReminderRows.reminder(claim.reminder.id, in: db) : nil
        }
    }

    /// Gives a claim back, so that the reminder is tried again: after a pause, or at once if it was not tried.
    ///
    /// - Parameter failure: why it could not be delivered; nil if it was not tried.
    func giveBack(_ claim: ReminderClaim, failure: String?) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            let attempts = try Int.fetchOne(
                db, sql: "SELECT attempts FROM reminder WHERE id = ?", arguments: [claim.reminder.id])
            let pause = Reminders.pauses[min(max(attempts ?? 0, 0), Reminders.pauses.count - 1)]
            try db.execute(
                sql: """
                    UPDATE reminder SET claim = NULL, nextTryAt = ?, attempts = attempts + ?,
                        failure = coalesce(?, failure) WHERE id = ? AND claim = ? AND state = 'pending'
                    """,
                arguments: [
                    failure == nil ? claim.reminder.dueAt.timeIntervalSince1970 : now + pause, failure == nil ? 0 : 1,
                    failure, claim.reminder.id, claim.token,
                ])
        }
    }
}
