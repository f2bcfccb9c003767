public import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Scheduling and cancelling

extension Reminders {
    /// The result of scheduling a reminder.
    public struct Scheduled: Sendable, Hashable {
        /// The reminder as stored.
        public var reminder: Reminder
        /// `true` if the requested local time is skipped by the clocks, so the reminder is due at another time.
        public var isMoved: Bool
    }

    /// Schedules a reminder. A pending one of the same subject is rescheduled and keeps its identifier; delivered ones
    /// are no longer overdue.
    ///
    /// - Parameters:
    ///   - subject: The identifier of the subject.
    ///   - name: The name of the subject.
    ///   - title: The first line shown.
    ///   - body: The text shown below the title.
    ///   - time: The time at which the reminder is due.
    /// - Throws: ``RemindersError/past(_:)``, ``RemindersError/noSuchTime(_:)``, or `StorageError.accessNotGranted` if
    ///   the user has not agreed to notifications. In that case, nothing is scheduled.
    @discardableResult
    public func schedule(
        _ subject: String, name: String, title: String, body: String, at time: ReminderTime
    ) throws -> Scheduled {
        try storage.requireAccess(.notifications)
        let now = clock()
        let (dueAt, isSkipped) = try time.moment(after: now, in: timeZone)
        guard dueAt > now else { throw RemindersError.past(dueAt) }
        let reminder = try storage.write(changing: Reminders.module) { db in
            try ReminderRows.handle(subject, now: now, in: db)
            if let old = try ReminderRows.pending(of: subject, in: db) {
                try ReminderRows.move(old.id, to: dueAt, zone: timeZone, now: now, in: db)
                try db.execute(
                    sql: "UPDATE reminder SET name = ?, title = ?, body = ? WHERE id = ?",
                    arguments: [name, title, body, old.id])
                return try ReminderRows.reminder(old.id, in: db)
            }
            let new = Reminder(
                id: Storage.newIdentifier(), subject: subject, name: name, title: title, body: body, dueAt: dueAt,
                timeZone: timeZone, state: .pending, isLate: false, modifiedAt: now, sequence: 0, failure: "")
            try ReminderRows.insert(new, in: db)
            return try ReminderRows.reminder(new.id, in: db)
        }
        return Scheduled(reminder: reminder, isMoved: isSkipped)
    }

    /// Reschedules a reminder, which may have been delivered already.
    ///
    /// If the subject has another pending reminder, that one is rescheduled instead.
    ///
    /// - Returns: The reminder as stored.
    /// - Throws: ``RemindersError``. In that case, nothing is changed.
    @discardableResult
    public func snooze(_ id: String, until time: ReminderTime) throws -> Reminder {
        let now = clock()
        let dueAt = try time.moment(after: now, in: timeZone).date
        guard dueAt > now else { throw RemindersError.past(dueAt) }
        return try storage.write(changing: Reminders.module) { db in
            let reminder = try ReminderRows.reminder(id, in: db)
            try ReminderRows.handle(reminder.subject, now: now, in: db)
            let pending = try ReminderRows.pending(of: reminder.subject, in: db)
            try ReminderRows.move(pending?.id ?? id, to: dueAt, zone: timeZone, now: now, in: db)
            return try ReminderRows.reminder(pending?.id ?? id, in: db)
        }
    }

    /// Cancels reminders, including delivered ones. If one is unknown, none is cancelled.
    ///
    /// - Returns: The reminders as stored.
    /// - Throws: ``RemindersError/notFound(id:)``.
    @discardableResult
    public func cancel(_ ids: [String]) throws -> [Reminder] {
        let now = clock().timeIntervalSince1970
        return try storage.write(changing: Reminders.module) { db in
            try ids.map { id in
                try db.execute(
                    sql: """
                        UPDATE reminder SET state = 'cancelled', modifiedAt = ?1, handledAt = coalesce(handledAt, ?1),
                            sequence = sequence + 1
                        WHERE id = ?2 AND state <> 'cancelled'
                        """,
                    arguments: [now, id])
                return try ReminderRows.reminder(id, in: db)
            }
        }
    }

    /// Cancels the pending reminders of some subjects, if any. Delivered ones are no longer overdue.
    public func cancel(of subjects: [String]) throws {
        let now = clock()
        try storage.write(changing: Reminders.module) { db in
            for subject in subjects {
                try ReminderRows.handle(subject, now: now, in: db)
                try db.execute(
                    sql: """
                        UPDATE reminder SET state = 'cancelled', modifiedAt = ?1, handledAt = ?1, sequence = sequence + 1
                        WHERE subject = ?2 AND state = 'pending'
                        """,
                    arguments: [now.timeIntervalSince1970, subject])
            }
        }
    }

    /// Makes the reminder of a subject pending again if it was cancelled at or after a time, such as the removal of the
    /// subject.
    public func restore(of subject: String, cancelledSince time: Date) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            guard try ReminderRows.pending(of: subject, in: db) == nil else { return }
            try db.execute(
                sql: """
                    UPDATE reminder SET state = 'pending', modifiedAt = ?1, sequence = sequence + 1
                    WHERE id = (SELECT id FROM reminder WHERE subject = ?2 AND state = 'cancelled' AND modifiedAt >= ?3
                        ORDER BY modifiedAt DESC LIMIT 1)
                    """,
                arguments: [now, subject, time.timeIntervalSince1970])
        }
    }

    /// Changes the texts of the pending reminder of a subject, if any.
    public func retitle(_ subject: String, name: String, title: String, body: String) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            try db.execute(
                sql: """
                    UPDATE reminder SET name = ?1, title = ?2, body = ?3, modifiedAt = ?4, sequence = sequence + 1
                    WHERE subject = ?5 AND state = 'pending' AND (name <> ?1 OR title <> ?2 OR body <> ?3)
                    """,
                arguments: [name, title, body, now, subject])
        }
    }
}
