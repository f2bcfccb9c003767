public import Foundation
import GRDB
@_exported public import SwitchboardErrors
public import SwitchboardStorage

#if !Reminders
    #error("enable the trait Reminders of the package switchboard: traits: [\"Reminders\"]")
#endif

/// Reminders that are stored until a given time and then delivered exactly once on each channel.
///
/// A reminder has a subject (any identifier), a title and a text. Reminders are stored in a `Storage` whose migrations
/// include ``migrations``. Several processes may use it at the same time.
///
/// For example:
///
/// ```swift
/// let reminders = Reminders(storage: storage)
/// try reminders.schedule("ana", name: "Ana", title: "Contact Ana", body: "ana@example.org", at: .nextNine)
/// let runner = ReminderRunner(reminders: reminders, delivery: .desktop())
/// try await runner.run { event in print(event) }
/// ```
///
/// Every change advances the storage's generation of ``module`` in the same transaction. Unless documented otherwise,
/// methods throw ``RemindersError`` for errors that the caller can correct, and `StorageError` for all others.
public struct Reminders: Sendable {
    /// The storage of the reminders.
    public let storage: Storage
    /// The time zone for times of day.
    public let timeZone: TimeZone

    let clock: @Sendable () -> Date

    /// Creates reminders on a storage.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with the migrations of this module.
    ///   - timeZone: The time zone for times of day.
    ///   - clock: Returns the current time.
    public init(storage: Storage, timeZone: TimeZone = .current, clock: @escaping @Sendable () -> Date = { Date() }) {
        storage.register(Self.migrations)
        self.storage = storage
        self.timeZone = timeZone
        self.clock = clock
    }
}

// MARK: - Reading

extension Reminders {
    /// Returns the reminder with an identifier.
    ///
    /// - Throws: ``RemindersError/notFound(id:)``.
    public func reminder(_ id: String) throws -> Reminder {
        try storage.read { db in try ReminderRows.reminder(id, in: db) }
    }

    /// Returns the reminders in the given states, next due first.
    public func list(_ states: Set<Reminder.State> = Set(Reminder.State.allCases)) throws -> [Reminder] {
        try storage.read { db in try ReminderRows.reminders(states, in: db) }
    }

    /// Returns the reminders that no one has acted on: the pending ones, and those that were delivered. Next due first.
    public func open() throws -> [Reminder] { try list([.pending, .delivered]).filter(\.isOpen) }

    /// Returns the reminders that are due and have not been acted on, longest due first.
    ///
    /// They stay overdue, whether delivered or not, until the subject is contacted or they are snoozed or canceled.
    public func overdue() throws -> [Reminder] {
        try storage.read { db in try ReminderRows.overdue(at: clock(), in: db) }
    }

    /// Returns the pending reminder of a subject, if any.
    public func pending(of subject: String) throws -> Reminder? {
        try storage.read { db in try ReminderRows.pending(of: subject, in: db) }
    }
}

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

    /// Cancels reminders, including delivered ones. If one is unknown, none is canceled.
    ///
    /// - Returns: The reminders as stored.
    /// - Throws: ``RemindersError/notFound(id:)``.
    @discardableResult
    public func cancel(ids: [String]) throws -> [Reminder] {
        let now = clock().timeIntervalSince1970
        return try storage.write(changing: Reminders.module) { db in
            try ids.map { id in
                try db.execute(
                    sql: """
                        UPDATE reminder SET state = 'cancelled', modifiedAt = ?1, handledAt = coalesce(handledAt, ?1),
                            completedAt = NULL, sequence = sequence + 1
                        WHERE id = ?2 AND (state <> 'cancelled' OR completedAt IS NOT NULL)
                        """,
                    arguments: [now, id])
                return try ReminderRows.reminder(id, in: db)
            }
        }
    }

    /// Cancels the pending reminders of some subjects, if any. Delivered ones are no longer overdue.
    public func cancel(subjects: [String]) throws {
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

    /// Closes the reminders of some subjects, if any, because they were contacted. Pending ones are canceled; delivered
    /// ones are no longer overdue.
    public func complete(subjects: [String]) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            for subject in subjects {
                try db.execute(
                    sql: """
                        UPDATE reminder SET state = iif(state = 'pending', 'cancelled', state), modifiedAt = ?1,
                            handledAt = ?1, completedAt = ?1, sequence = sequence + 1
                        WHERE subject = ?2 AND handledAt IS NULL AND state <> 'cancelled'
                        """,
                    arguments: [now, subject])
            }
        }
    }

    /// Reopens the latest reminder of some subjects that was closed by ``complete(subjects:)``, unless the subject has an open
    /// one. It is pending if it is due in the future, and otherwise overdue.
    public func reopen(of subjects: [String]) throws {
        let now = clock()
        try storage.write(changing: Reminders.module) { db in
            for subject in subjects {
                let id = try String.fetchOne(
                    db,
                    sql: """
                        SELECT id FROM reminder WHERE subject = ?1 AND completedAt IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM reminder WHERE subject = ?1 AND handledAt IS NULL AND state <> 'cancelled')
                        ORDER BY completedAt DESC, dueAt DESC LIMIT 1
                        """,
                    arguments: [subject])
                if let id { try ReminderRows.reopen(id, now: now, in: db) }
            }
        }
    }

    /// Makes the reminder of a subject pending again if it was canceled at or after a time, such as the removal of the
    /// subject.
    public func restore(of subject: String, cancelledSince time: Date) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            guard try ReminderRows.pending(of: subject, in: db) == nil else { return }
            try db.execute(
                sql: """
                    UPDATE reminder SET state = 'pending', handledAt = NULL, modifiedAt = ?1, sequence = sequence + 1
                    WHERE id = (SELECT id FROM reminder WHERE subject = ?2 AND state = 'cancelled'
                        AND completedAt IS NULL AND modifiedAt >= ?3 ORDER BY modifiedAt DESC LIMIT 1)
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

// MARK: - Reminder

/// A reminder of a subject at a given time.
public struct Reminder: Hashable, Sendable {
    /// The state of a reminder.
    public enum State: String, Sendable, CaseIterable {
        /// The reminder is waiting to be delivered.
        case pending
        /// The reminder was delivered on at least one channel.
        case delivered
        /// The reminder was canceled.
        case cancelled
    }

    /// The identifier, which does not change when the reminder is rescheduled.
    public internal(set) var id: String
    /// The identifier of the subject, chosen by the caller.
    public internal(set) var subject: String
    /// The name of the subject.
    public internal(set) var name: String
    /// The first line shown, such as "Contact Ana".
    public internal(set) var title: String
    /// The text shown below the title.
    public internal(set) var body: String
    /// The time when the reminder is due.
    public internal(set) var dueAt: Date
    /// The time zone in which that time was given.
    public internal(set) var timeZone: TimeZone
    /// The state.
    public internal(set) var state: State
    /// `true` if it was delivered more than a minute late, because no runner was active.
    public internal(set) var isLate: Bool
    /// The time of delivery.
    public internal(set) var deliveredAt: Date?
    /// The time of the last change other than delivery, which happens just when people mark the task as done.
    public internal(set) var modifiedAt: Date
    /// The time when the delivered or canceled reminder was acted on; nil before.
    public internal(set) var handledAt: Date?
    /// The number of changes, which is the sequence number in calendars.
    public internal(set) var sequence: Int
    /// The error of the last failed delivery; empty if none failed.
    public internal(set) var failure: String
    /// The time when the reminder was closed because its subject was contacted; nil otherwise.
    public internal(set) var completedAt: Date?

    /// The delay after which a reminder counts as late, in seconds.
    public static let lateness: TimeInterval = 60

    /// `true` if no one has acted on the reminder, that is, contacted the subject, asked to be reminded later, or canceled
    /// it.
    public var isOpen: Bool { handledAt == nil && state != .cancelled }

    /// Returns `true` if the reminder is due and no one has acted on it.
    public func isOverdue(at date: Date) -> Bool { isOpen && dueAt <= date }
}

// MARK: - Errors

/// An error of the reminders. Errors of the storage, including missing access, are thrown as `StorageError`.
public enum RemindersError: CodedError, Equatable {
    /// No reminder has this identifier.
    case notFound(id: String)
    /// The time is in the past.
    case past(Date)
    /// A text cannot be parsed as a time.
    case unreadableTime(String)
    /// The date or time does not exist.
    case noSuchTime(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id): .init("notFound", .notFound, "there is no reminder \(id)")
        case .past(let date):
            .init("past", .usage, "\(date.formatted(RemindersError.localTime)) is in the past; use a future time")
        case .unreadableTime(let text):
            .init(
                "unreadableTime", .usage,
                "cannot read the time “\(text)”; use 14:30, tomorrow at nine, fri, 2026-11-21 14:30 or in 2 hours"
            )
        case .noSuchTime(let text):
            .init("noSuchTime", .usage, "the time \(text) does not exist; check the date")
        }
    }
}

extension RemindersError {
    private static var localTime: Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current).year().month().day().dateSeparator(.dash)
            .time(includingFractionalSeconds: false)
    }
}

extension Reminders {
    /// The former name of ``cancel(ids:)``.
    @available(*, deprecated, renamed: "cancel(ids:)")
    @discardableResult
    public func cancel(_ ids: [String]) throws -> [Reminder] { try cancel(ids: ids) }

    /// The former name of ``cancel(subjects:)``.
    @available(*, deprecated, renamed: "cancel(subjects:)")
    public func cancel(of subjects: [String]) throws { try cancel(subjects: subjects) }

    /// The former name of ``complete(subjects:)``.
    @available(*, deprecated, renamed: "complete(subjects:)")
    public func complete(of subjects: [String]) throws { try complete(subjects: subjects) }
}
