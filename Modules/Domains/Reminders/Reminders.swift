public import Foundation
import GRDB
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

    /// Returns the reminders that are due and have not been acted on, longest due first.
    ///
    /// They stay overdue, whether delivered or not, until the subject is contacted or they are snoozed or cancelled.
    public func overdue() throws -> [Reminder] {
        try storage.read { db in try ReminderRows.overdue(at: clock(), in: db) }
    }

    /// Returns the pending reminder of a subject, if any.
    public func pending(of subject: String) throws -> Reminder? {
        try storage.read { db in try ReminderRows.pending(of: subject, in: db) }
    }
}
