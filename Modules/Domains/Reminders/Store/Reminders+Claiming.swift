public import Foundation
import GRDB
import SwitchboardStorage

// To deliver a reminder exactly once, a process first claims it in a transaction, which only one process can do. A
// claim expires, so reminders claimed by a killed process are not lost.

/// A reminder that only this process may deliver.
struct ReminderClaim: Sendable {
    let reminder: Reminder
    let token: String
}

extension Reminders {
    /// The lifetime of a claim in seconds, longer than any delivery may take.
    static let claimDuration: TimeInterval = 120
    /// The delays after failed deliveries, in seconds. The last one repeats.
    static let retryDelays: [TimeInterval] = [5, 15, 60, 300, 900]

    /// Claims due reminders that no other process has claimed.
    func claimDue(limit: Int = 16) throws -> [ReminderClaim] {
        let now = clock().timeIntervalSince1970
        // Reading is cheap; only due reminders need the write lock.
        guard try nextTry().map({ $0.timeIntervalSince1970 <= now }) ?? false else { return [] }
        let token = Storage.newIdentifier()
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
                    arguments: [token, now + Reminders.claimDuration, id])
                var reminder = try ReminderRows.reminder(id, in: db)
                // An earlier failure, perhaps of another delivery, says nothing about this one.
                reminder.failure = ""
                return ReminderClaim(reminder: reminder, token: token)
            }
        }
    }

    /// Returns the time of the next delivery attempt, or nil if no reminder is pending. O(log n).
    public func nextTry() throws -> Date? {
        try storage.read { db in
            try Double.fetchOne(db, sql: "SELECT min(nextTryAt) FROM reminder WHERE state = 'pending'")
                .map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// Records that a claimed reminder was shown.
    ///
    /// - Returns: The reminder as stored, or nil if it was rescheduled or cancelled in the meantime.
    func markDelivered(_ claim: ReminderClaim) throws -> Reminder? {
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

    /// Releases a claim, so that the delivery is repeated: after a delay, or at once if it was not attempted.
    ///
    /// - Parameter failure: The error of the delivery, or nil if it was not attempted.
    func release(_ claim: ReminderClaim, failure: String?) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            let attempts = try Int.fetchOne(
                db, sql: "SELECT attempts FROM reminder WHERE id = ?", arguments: [claim.reminder.id])
            let pause = Reminders.retryDelays[min(max(attempts ?? 0, 0), Reminders.retryDelays.count - 1)]
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
