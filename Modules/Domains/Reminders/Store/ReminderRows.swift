import Foundation
import GRDB
import SwitchboardStorage

enum ReminderRows {
    private static let columns = """
        id, subject, name, title, body, dueAt, timeZone, state, isLate, deliveredAt, modifiedAt, sequence, failure
        """

    static func reminder(_ id: String, in db: Database) throws -> Reminder {
        guard let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM reminder WHERE id = ?", arguments: [id])
        else {
            throw RemindersError.notFound(id: id)
        }
        return try reminder(of: row)
    }

    static func reminders(_ states: Set<Reminder.State>, in db: Database) throws -> [Reminder] {
        let list = states.map { "'\($0.rawValue)'" }.joined(separator: ",")
        let sql = "SELECT \(columns) FROM reminder WHERE state IN (\(list)) ORDER BY dueAt, id"
        return try Row.fetchAll(db, sql: sql).map(reminder)
    }

    static func pending(of subject: String, in db: Database) throws -> Reminder? {
        let sql = "SELECT \(columns) FROM reminder WHERE subject = ? AND state = 'pending'"
        return try Row.fetchOne(db, sql: sql, arguments: [subject]).map(reminder)
    }

    private static func reminder(of row: Row) throws -> Reminder {
        let zone: String = try row.value(6)
        let state: String = try row.value(7)
        return try Reminder(
            id: row.value(0), subject: row.value(1), name: row.value(2), title: row.value(3), body: row.value(4),
            dueAt: row.value(5), timeZone: TimeZone(identifier: zone) ?? .gmt,
            state: Reminder.State(rawValue: state) ?? .cancelled, isLate: row.value(8),
            deliveredAt: row.value(9), modifiedAt: row.value(10), sequence: row.value(11), failure: row.value(12))
    }

    static func insert(_ reminder: Reminder, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO reminder (\(columns), attempts, nextTryAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
                """,
            arguments: [
                reminder.id, reminder.subject, reminder.name, reminder.title, reminder.body,
                reminder.dueAt.timeIntervalSince1970, reminder.timeZone.identifier, reminder.state.rawValue,
                reminder.isLate, reminder.deliveredAt?.timeIntervalSince1970,
                reminder.modifiedAt.timeIntervalSince1970, reminder.sequence, reminder.failure,
                reminder.dueAt.timeIntervalSince1970,
            ])
    }

    /// Reschedules a reminder and makes it pending again.
    static func move(_ id: String, to dueAt: Date, zone: TimeZone, now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE reminder SET dueAt = ?1, nextTryAt = ?1, timeZone = ?2, state = 'pending', isLate = 0,
                    deliveredAt = NULL, modifiedAt = ?3, sequence = sequence + 1, failure = '', attempts = 0, claim = NULL
                WHERE id = ?4
                """,
            arguments: [dueAt.timeIntervalSince1970, zone.identifier, now.timeIntervalSince1970, id])
    }
}
