public import Foundation
import GRDB
import SwitchboardStorage

// To deliver a reminder exactly once on a channel, a process first claims it in a transaction, which only one process
// can do. A claim expires, so reminders claimed by a killed process are not lost.

/// A reminder that only this process may deliver on a channel.
struct ReminderClaim: Sendable {
    let reminder: Reminder
    let channel: String
    let token: String
}

extension Reminders {
    /// The lifetime of a claim in seconds, longer than any delivery may take.
    static let claimDuration: TimeInterval = 120
    /// The delays after failed deliveries, in seconds. The last one repeats.
    static let retryDelays: [TimeInterval] = [5, 15, 60, 300, 900]
    /// The time in seconds for which a channel still delivers reminders that another one has delivered, so a new
    /// channel does not repeat old ones.
    static let channelDelay: TimeInterval = 86_400

    /// The reminders to deliver on the channel `?1`. Those that another channel has delivered count only if they were
    /// due at or after `?2`.
    private static let open = """
        FROM reminder LEFT JOIN reminder_delivery ON reminder = id AND channel = ?1
        WHERE handledAt IS NULL AND state <> 'cancelled' AND reminder_delivery.deliveredAt IS NULL
            AND (state = 'pending' OR dueAt >= ?2)
        """

    /// Claims due reminders that no other process has claimed on a channel.
    func claimDue(on channel: String, limit: Int = 16) throws -> [ReminderClaim] {
        let now = clock().timeIntervalSince1970
        // Reading is cheap; only due reminders need the write lock.
        guard try nextTry(on: channel).map({ $0.timeIntervalSince1970 <= now }) ?? false else { return [] }
        let token = Storage.newIdentifier()
        return try storage.write { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id \(Reminders.open) AND coalesce(nextTryAt, dueAt) <= ?3
                    ORDER BY coalesce(nextTryAt, dueAt), dueAt, id LIMIT ?4
                    """,
                arguments: [channel, now - Reminders.channelDelay, now, limit])
            return try ids.map { id in
                try db.execute(
                    sql: """
                        INSERT INTO reminder_delivery (reminder, channel, attempts, nextTryAt, claim)
                        VALUES (?1, ?2, 0, ?3, ?4)
                        ON CONFLICT DO UPDATE SET nextTryAt = ?3, claim = ?4
                        """,
                    arguments: [id, channel, now + Reminders.claimDuration, token])
                var reminder = try ReminderRows.reminder(id, in: db)
                // An earlier failure, perhaps of another delivery, says nothing about this one.
                reminder.failure = ""
                return ReminderClaim(reminder: reminder, channel: channel, token: token)
            }
        }
    }

    /// Returns the time of the next delivery attempt on a channel, or nil if it has nothing to deliver.
    public func nextTry(on channel: String) throws -> Date? {
        let now = clock().timeIntervalSince1970
        return try storage.read { db in
            try Double.fetchOne(
                db, sql: "SELECT min(coalesce(nextTryAt, dueAt)) \(Reminders.open)",
                arguments: [channel, now - Reminders.channelDelay]
            ).map { Date(timeIntervalSince1970: $0) }
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
                    UPDATE reminder_delivery SET deliveredAt = ?, claim = NULL
                    WHERE reminder = ? AND channel = ? AND claim = ?
                    """,
                arguments: [now.timeIntervalSince1970, claim.reminder.id, claim.channel, claim.token])
            guard db.changesCount > 0 else { return nil }
            try db.execute(
                sql: """
                    UPDATE reminder SET state = 'delivered', deliveredAt = ?1, modifiedAt = ?1, isLate = ?2
                    WHERE id = ?3 AND state = 'pending'
                    """,
                arguments: [now.timeIntervalSince1970, isLate, claim.reminder.id])
            try db.execute(sql: "UPDATE reminder SET failure = '' WHERE id = ?", arguments: [claim.reminder.id])
            let reminder = try ReminderRows.reminder(claim.reminder.id, in: db)
            return reminder.state == .delivered ? reminder : nil
        }
    }

    /// Releases a claim so the delivery is repeated: after a delay, or at once if it was not attempted.
    ///
    /// - Parameter failure: The error of the delivery, or nil if it was not attempted.
    func release(_ claim: ReminderClaim, failure: String?) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            let attempts = try Int.fetchOne(
                db, sql: "SELECT attempts FROM reminder_delivery WHERE reminder = ? AND channel = ?",
                arguments: [claim.reminder.id, claim.channel])
            let pause = Reminders.retryDelays[min(max(attempts ?? 0, 0), Reminders.retryDelays.count - 1)]
            try db.execute(
                sql: """
                    UPDATE reminder_delivery SET claim = NULL, nextTryAt = ?, attempts = attempts + ?
                    WHERE reminder = ? AND channel = ? AND claim = ?
                    """,
                arguments: [
                    failure == nil ? claim.reminder.dueAt.timeIntervalSince1970 : now + pause, failure == nil ? 0 : 1,
                    claim.reminder.id, claim.channel, claim.token,
                ])
            guard let failure, db.changesCount > 0 else { return }
            try db.execute(
                sql: "UPDATE reminder SET failure = ? WHERE id = ?", arguments: [failure, claim.reminder.id])
        }
    }
}
