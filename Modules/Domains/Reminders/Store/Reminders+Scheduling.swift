import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Setting and taking back

extension Reminders {
    /// A reminder that was set.
    public struct Scheduled: Sendable, Hashable {
        /// The reminder.
        public var reminder: Reminder
        /// Whether it is at another time than was asked for, because the clocks skip that.
        public var isMoved: Bool
    }

    /// Sets a reminder; a pending one of the same subject is moved, and keeps its identifier.
    ///
    /// - Parameters:
    ///   - subject: whom or what it is about, any identifier.
    ///   - name: what that is called.
    ///   - title: what is shown first.
    ///   - body: what is shown below.
    ///   - time: when.
    /// - Throws: ``RemindersError/past(_:)``, ``RemindersError/noSuchTime(_:)``, and
    ///   `StorageError.accessNotGranted` if the person has not agreed to notifications; nothing is set then.
    @discardableResult
    public func schedule(
        _ subject: String, name: String, title: String, body: String, at time: ReminderTime
    ) throws -> Scheduled {
        try storage.requireAccess(.notifications)
        let now = clock()
        let (dueAt, isSkipped) = try time.moment(after: now, in: timeZone)
        guard dueAt > now else { throw RemindersError.past(dueAt) }
        let reminder = try storage.write(changing: Reminders.module) { db in
            if let old = try ReminderRows.pending(of: subject, in: db) {
                try ReminderRows.move(old.id, to: dueAt, zone: timeZone, now: now, in: db)
                try db.execute(
                    sql: "UPDATE reminder SET name = ?, title = ?, body = ? WHERE id = ?",
                    arguments: [name, title, body, old.id])
                return try ReminderRows.reminder(old.id, in: db)
            }
            let new = Reminder(
                id: Reminders.newID(), subject: subject, name: name, title: title, body: body, dueAt: dueAt,
                timeZone: timeZone, state: .pending, isLate: false, modifiedAt: now, sequence: 0, failure: "")
            try ReminderRows.insert(new, in: db)
            return try ReminderRows.reminder(new.id, in: db)
        }
        return Scheduled(reminder: reminder, isMoved: isSkipped)
    }

    /// Sets a reminder for another time, also one that was delivered.
    ///
    /// If the subject has another pending one by now, that one is moved instead.
    ///
    /// - Returns: the reminder as stored.
    /// - Throws: ``RemindersError``; nothing is changed then.
    @discardableResult
    public func snooze(_ id: String, until time: ReminderTime) throws -> Reminder {
        let now = clock()
        let dueAt = try time.moment(after: now, in: timeZone).date
        guard dueAt > now else { throw RemindersError.past(dueAt) }
        return try storage.write(changing: Reminders.module) { db in
            let reminder = try ReminderRows.reminder(id, in: db)
            let pending = try ReminderRows.pending(of: reminder.subject, in: db)
            try ReminderRows.move(pending?.id ?? id, to: dueAt, zone: timeZone, now: now, in: db)
            return try ReminderRows.reminder(pending?.id ?? id, in: db)
        }
    }

    /// Takes reminders back, also those that were delivered: all of them or none.
    ///
    /// - Returns: the reminders as stored.
    /// - Throws: ``RemindersError/notFound(id:)``.
    @discardableResult
    public func cancel(_ ids: [String]) throws -> [Reminder] {
        let now = clock().timeIntervalSince1970
        return try storage.write(changing: Reminders.module) { db in
            try ids.map { id in
                try db.execute(
                    sql: """
                        UPDATE reminder SET state = 'cancelled', modifiedAt = ?, sequence = sequence + 1
                        WHERE id = ? AND state <> 'cancelled'
                        """,
                    arguments: [now, id])
                return try ReminderRows.reminder(id, in: db)
            }
        }
    }

    /// Takes the pending reminders of some subjects back, if they have any.
    public func cancel(of subjects: [String]) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            for subject in subjects {
                try db.execute(
                    sql: """
                        UPDATE reminder SET state = 'cancelled', modifiedAt = ?, sequence = sequence + 1
                        WHERE subject = ? AND state = 'pending'
                        """,
                    arguments: [now, subject])
            }
        }
    }

    /// Changes the texts of the pending reminder of a subject, if it has one.
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

    /// A new identifier: twelve letters and digits, 60 random bits.
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
