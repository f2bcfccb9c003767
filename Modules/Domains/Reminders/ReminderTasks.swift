import Foundation
import GRDB
public import SwitchboardStorage
import SwitchboardVCard

/// The reminders as iCalendar files with one VTODO each, for clients that synchronize with a server.
///
/// A task is a reminder that is open, or that was closed because its subject was contacted. The bytes that a client wrote
/// are kept. A change made elsewhere changes only the properties that it touches. The task of a reminder that no client
/// has written follows from the reminder, and delivering it does not change it.
///
/// For example:
///
/// ```swift
/// let tasks = ReminderTasks(reminders: reminders)
/// for resource in try tasks.list() { print(resource.name, resource.tag) }
/// let changes = try tasks.changes(since: token)
/// ```
public struct ReminderTasks: Sendable {
    /// The maximum size of a task in bytes.
    public static let largestTask = 1 << 20

    private let reminders: Reminders

    /// Creates the tasks of some reminders.
    public init(reminders: Reminders) {
        self.reminders = reminders
    }
}

// MARK: - Reading

extension ReminderTasks {
    /// Returns the token of the present state.
    public func token() throws -> ChangeToken {
        try reminders.storage.read { db in try Reminders.journal.token(in: db) }
    }

    /// Returns all tasks.
    public func list() throws -> [StoredResource] {
        try reminders.storage.read { db in try TaskRow.all(in: db).map(\.resource) }
    }

    /// Returns the tasks that changed after a token, or all tasks without one.
    ///
    /// - Parameters:
    ///   - token: A token of an earlier call.
    ///   - limit: The maximum number of tasks and removals.
    /// - Returns: nil if the token is unknown or too old.
    public func changes(since token: ChangeToken?, limit: Int = .max) throws -> ResourceChanges? {
        try reminders.storage.read { db in
            guard let token, token.listedTo == nil else { return try firstListing(token, limit: limit, in: db) }
            guard let found = try Reminders.journal.changes(since: token, limit: limit, in: db) else { return nil }
            var changes = ResourceChanges(token: found.token)
            changes.isComplete = found.isComplete
            for entry in found.entries {
                if let row = try TaskRow.find(entry.object, in: db) {
                    changes.changed.append(row.resource)
                } else {
                    changes.removed.append(TaskRow.name(of: entry.object))
                }
            }
            return changes
        }
    }

    /// Lists all tasks in the order of their identifiers. The token has the number of rows that were listed: rows stay
    /// when their reminders are canceled, so new ones cannot move a task to before that place.
    private func firstListing(_ token: ChangeToken?, limit: Int, in db: Database) throws -> ResourceChanges? {
        try Reminders.journal.listing(continuing: token, limit: limit, in: db) { start, limit in
            try String.fetchAll(
                db, sql: "SELECT id FROM reminder ORDER BY id LIMIT ? OFFSET ?", arguments: [limit, start]
            ).enumerated().map { (start + Int64($0.offset) + 1, try TaskRow.find($0.element, in: db)?.resource) }
        }.map { ResourceChanges(listing: ($0.objects.compactMap { $0 }, $0.token, $0.isComplete)) }
    }

    /// Returns a task with its bytes; nil if there is none.
    public func task(_ name: String) throws -> (resource: StoredResource, bytes: [UInt8])? {
        try reminders.storage.read { db in
            try TaskRow.find(named: name, in: db).map { ($0.resource, $0.bytes) }
        }
    }
}

// MARK: - Writing

/// An error of ``ReminderTasks``.
public enum ReminderTasksError: CodedError, Equatable {
    /// No task has this name. New tasks come from reminders only.
    case noSuchReminder(name: String)
    /// The task is not valid.
    case invalidTask(reason: String)
    /// Another task has the same UID, or the task had another one.
    case uidConflict(name: String)
    /// The task was changed since the client read it.
    case taskChanged(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .noSuchReminder(let name):
            .init("noSuchReminder", .notFound, "there is no reminder for the task “\(name)”; set a reminder instead")
        case .invalidTask(let reason): .init("invalidTask", .malformed, "the task is not valid: \(reason)")
        case .uidConflict(let name):
            .init("uidConflict", .usage, "the UID belongs to the task “\(name)”; change that one")
        case .taskChanged(let name):
            .init("taskChanged", .usage, "the task “\(name)” has changed; read it and try again")
        }
    }
}

extension ReminderTasks {
    /// The effect of writing a task.
    public enum Effect: Hashable, Sendable {
        /// Nothing but the bytes has changed.
        case unchanged
        /// The reminder is due at another time.
        case moved
        /// The subject was contacted. All its reminders are closed.
        case completed(subject: String)
        /// The subject is to be contacted after all.
        case reopened(subject: String)
    }

    /// Stores a task as it is, and completes, reopens or moves its reminder.
    ///
    /// A task is done if it has `STATUS:COMPLETED`, `COMPLETED` or `PERCENT-COMPLETE:100`. A due date without a time
    /// means nine o'clock. A due time in the past is allowed: the reminder is overdue at once.
    ///
    /// - Parameters:
    ///   - bytes: An iCalendar object with one VTODO.
    ///   - name: The name of a task.
    ///   - permits: Returns `true` if the task with a tag may be replaced; nil if there is none.
    /// - Throws: ``ReminderTasksError``.
    public func write(
        _ bytes: [UInt8], as name: String, if permits: (_ tag: String?) -> Bool
    ) throws -> (resource: StoredResource, effect: Effect) {
        let task = try WrittenTask(bytes)
        return try reminders.storage.write(changing: Reminders.module) { db in
            let old = try TaskRow.find(named: name, in: db)
            guard permits(old?.resource.tag) else { throw ReminderTasksError.taskChanged(name) }
            guard let old else {
                if let other = try TaskRow.find(uid: task.uid, in: db) {
                    throw ReminderTasksError.uidConflict(name: other.name)
                }
                throw ReminderTasksError.noSuchReminder(name: name)
            }
            guard task.uid == old.uid else { throw ReminderTasksError.uidConflict(name: name) }
            let effect = try apply(task, to: old.reminder, in: db)
            try TaskRow.save(bytes, of: old.reminder.id, at: reminders.clock(), in: db)
            guard let row = try TaskRow.find(old.reminder.id, in: db) else {
                throw ReminderTasksError.noSuchReminder(name: name)
            }
            return (row.resource, effect)
        }
    }

    private func apply(_ task: WrittenTask, to reminder: Reminder, in db: Database) throws -> Effect {
        // Tasks have whole seconds.
        let dueAt = task.dueAt(in: reminder.timeZone).flatMap {
            abs($0.timeIntervalSince(reminder.dueAt)) < 1 ? nil : $0
        }
        let wasDone = reminder.completedAt != nil
        if task.isDone {
            if let dueAt {
                try db.execute(
                    sql: "UPDATE reminder SET dueAt = ? WHERE id = ?",
                    arguments: [dueAt.timeIntervalSince1970, reminder.id])
            }
            if !wasDone { try reminders.complete(subjects: [reminder.subject]) }
            return wasDone ? (dueAt == nil ? .unchanged : .moved) : .completed(subject: reminder.subject)
        }
        if wasDone || dueAt != nil {
            let now = reminders.clock()
            try ReminderRows.cancelPending(of: reminder.subject, except: reminder.id, now: now, in: db)
            if wasDone { try ReminderRows.reopen(reminder.id, now: now, in: db) }
            if let dueAt { try ReminderRows.move(reminder.id, to: dueAt, zone: reminder.timeZone, now: now, in: db) }
        }
        return wasDone ? .reopened(subject: reminder.subject) : dueAt == nil ? .unchanged : .moved
    }

    /// Removes a task and cancels its reminder.
    ///
    /// - Parameters:
    ///   - name: The name of the task.
    ///   - permits: Returns `true` if the task with a tag may be removed.
    /// - Throws: ``ReminderTasksError``.
    public func remove(_ name: String, if permits: (_ tag: String) -> Bool) throws {
        try reminders.storage.write(changing: Reminders.module) { db in
            guard let row = try TaskRow.find(named: name, in: db) else {
                throw ReminderTasksError.noSuchReminder(name: name)
            }
            guard permits(row.resource.tag) else { throw ReminderTasksError.taskChanged(name) }
            try reminders.cancel(ids: [row.reminder.id])
        }
    }
}

/// The meaning of a task that a client wrote.
private struct WrittenTask {
    let uid: String
    private let calendar: CalendarComponent
    private let task: CalendarComponent

    init(_ bytes: [UInt8]) throws {
        do {
            calendar = try CalendarComponent(onlyOneIn: bytes)
        } catch {
            throw ReminderTasksError.invalidTask(reason: error.message)
        }
        let tasks = calendar.components.filter { $0.name == "VTODO" }
        guard let task = tasks.first, tasks.count == 1 else {
            throw ReminderTasksError.invalidTask(reason: "it has \(tasks.count) VTODO components; use one")
        }
        self.task = task
        uid = task.property("UID")?.text.trimmingWhitespace ?? ""
        guard !uid.isEmpty else { throw ReminderTasksError.invalidTask(reason: "it has no UID") }
        for name in ["DUE", "DTSTART"] {
            guard let property = task.property(name) else { continue }
            guard let time = CalendarDateTime(property)?.moment(inFloating: .gmt), time.timeIntervalSince1970 >= 0
            else {
                throw ReminderTasksError.invalidTask(reason: "\(name) is not a date between 1970 and 9999")
            }
        }
    }

    var isDone: Bool {
        func value(_ name: String) -> String? { task.property(name)?.value.trimmingWhitespace.uppercased() }
        return value("STATUS") == "COMPLETED" || value("COMPLETED") != nil || value("PERCENT-COMPLETE") == "100"
    }

    /// Returns the due time; nil if the task has none.
    func dueAt(in timeZone: TimeZone) -> Date? {
        func time(_ name: String) -> Date? {
            task.property(name).flatMap { CalendarDateTime($0, in: calendar) }?.moment(inFloating: timeZone, hour: 9)
        }
        if let due = time("DUE") { return due }
        guard let start = time("DTSTART"), let duration = task.property("DURATION"),
            let seconds = CalendarDuration.seconds(of: duration.value)
        else { return nil }
        return start + seconds
    }
}

// MARK: - Rows

/// A reminder that is a task, with its row of `reminder_task` if a client has written it.
private struct TaskRow {
    let reminder: Reminder
    let bytes: [UInt8]

    var name: String { TaskRow.name(of: reminder.id) }
    var uid: String { reminder.id + TaskRow.uidSuffix }
    var resource: StoredResource { StoredResource(name: name, bytes: bytes, modifiedAt: reminder.modifiedAt) }

    private static let uidSuffix = "@switchboard"
    private static let nameSuffix = ".ics"

    static func name(of id: String) -> String { id + nameSuffix }

    static func all(in db: Database) throws -> [TaskRow] {
        try Row.fetchAll(db.cachedStatement(sql: select + " ORDER BY id")).map { try TaskRow($0) }
    }

    static func find(_ id: String, in db: Database) throws -> TaskRow? {
        try Row.fetchOne(db.cachedStatement(sql: select + " AND id = ?"), arguments: [id]).map { try TaskRow($0) }
    }

    static func find(named name: String, in db: Database) throws -> TaskRow? {
        name.hasSuffix(nameSuffix) ? try find(String(name.dropLast(nameSuffix.count)), in: db) : nil
    }

    static func find(uid: String, in db: Database) throws -> TaskRow? {
        uid.hasSuffix(uidSuffix) ? try find(String(uid.dropLast(uidSuffix.count)), in: db) : nil
    }

    private static let select = """
        SELECT \(ReminderRows.columns.replacing(/\w+/) { "reminder.\($0.output)" }),
            task.reminder, task.title, task.body, task.dueAt, task.completedAt, task.sequence, task.bytes
        FROM reminder LEFT JOIN reminder_task AS task ON task.reminder = reminder.id
        WHERE \(ReminderRows.isTask(of: "reminder"))
        """

    private init(_ row: Row) throws {
        reminder = try ReminderRows.reminder(of: row)
        guard (try row.value(15) as String?) != nil else {
            bytes = ReminderTask(reminder).bytes
            return
        }
        var base = reminder
        base.title = try row.value(16)
        base.body = try row.value(17)
        base.dueAt = try row.value(18)
        base.completedAt = try row.value(19)
        base.sequence = try row.value(20)
        let written: Data = try row.value(21)
        bytes = ReminderTask(reminder).bytes(updating: [UInt8](written), since: base)
    }

    /// Stores the bytes of a client, and what the reminder says at that time.
    static func save(_ bytes: [UInt8], of id: String, at now: Date, in db: Database) throws {
        // Also records the change.
        try db.execute(
            sql: "UPDATE reminder SET modifiedAt = ? WHERE id = ?", arguments: [now.timeIntervalSince1970, id])
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO reminder_task
                SELECT id, title, body, dueAt, completedAt, sequence, ? FROM reminder WHERE id = ?
                """, arguments: [Data(bytes), id])
    }
}

// MARK: - Bytes

/// The iCalendar object of a reminder.
private struct ReminderTask {
    private let reminder: Reminder

    init(_ reminder: Reminder) { self.reminder = reminder }

    /// The encoded values of the properties that follow from the reminder; nil for a missing one.
    private var values: KeyValuePairs<String, String?> {
        [
            "LAST-MODIFIED": reminder.modifiedAt.basicISO8601, "SEQUENCE": "\(reminder.sequence)",
            "SUMMARY": VCardText.escaped(reminder.title),
            "DESCRIPTION": reminder.body.isEmpty ? nil : VCardText.escaped(reminder.body),
            "DUE": reminder.dueAt.basicISO8601,
            "STATUS": reminder.completedAt == nil ? "NEEDS-ACTION" : "COMPLETED",
            "COMPLETED": reminder.completedAt?.basicISO8601,
            "PERCENT-COMPLETE": reminder.completedAt == nil ? nil : "100",
        ]
    }

    /// The object of a reminder that no client has written.
    var bytes: [UInt8] {
        var lines = VCardLines()
        for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Switchboard//Reminders//EN", "BEGIN:VTODO"] {
            lines.add(line)
        }
        lines.add("UID:\(reminder.id)@switchboard")
        lines.add("DTSTAMP:" + reminder.modifiedAt.basicISO8601)
        for case (let name, let value?) in values { lines.add(name + ":" + value) }
        // Without DTSTART, an alarm is relative to the end, which is DUE.
        lines.add("BEGIN:VALARM")
        lines.add("ACTION:DISPLAY")
        lines.add("DESCRIPTION:" + VCardText.escaped(reminder.title))
        lines.add("TRIGGER;RELATED=END:PT0S")
        for line in ["END:VALARM", "END:VTODO", "END:VCALENDAR"] { lines.add(line) }
        return Array(lines.text.utf8)
    }

    /// Returns the bytes of a client with the changes of the reminder since it wrote them.
    func bytes(updating bytes: [UInt8], since base: Reminder) -> [UInt8] {
        var names: Set<String> = []
        if reminder.title != base.title { names.insert("SUMMARY") }
        if reminder.body != base.body { names.insert("DESCRIPTION") }
        if reminder.dueAt != base.dueAt { names.insert("DUE") }
        if reminder.completedAt != base.completedAt { names.formUnion(["STATUS", "COMPLETED", "PERCENT-COMPLETE"]) }
        guard !names.isEmpty, var lines = try? CalendarLines(bytes), let calendar = try? lines.object(),
            let task = calendar.components.first(where: { $0.name == "VTODO" })
        else { return bytes }
        let path = ["VCALENDAR", "VTODO"]
        for (name, value) in values where names.contains(name) || name == "LAST-MODIFIED" {
            lines.set(name, to: value, in: path)
        }
        // Every change counts, beginning with the number of the client, which is a 32-bit integer.
        let written = task.property("SEQUENCE").flatMap { Int32($0.value.trimmingWhitespace) } ?? 0
        let changes = max(1, reminder.sequence.subtractingReportingOverflow(base.sequence).partialValue)
        let sequence = Int32(clamping: Int(written) + Int(Int32(clamping: changes)))
        lines.set("SEQUENCE", to: "\(sequence)", in: path)
        if names.contains("DUE") {
            // A task has either a due time or a duration, and begins before it is due.
            lines.set("DURATION", to: nil, in: path)
            if let start = task.property("DTSTART").flatMap({ CalendarDateTime($0, in: calendar) }),
                start.isDate || start.moment(inFloating: reminder.timeZone) > reminder.dueAt
            {
                lines.set("DTSTART", to: reminder.dueAt.basicISO8601, in: path)
            }
        }
        return lines.bytes
    }
}
