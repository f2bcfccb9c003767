public import Foundation
import GRDB
public import SwitchboardStorage

/// Reminders of people to get in touch with: set for a time, kept, and delivered exactly once.
///
/// The module knows nothing of who is reminded of: a reminder has a subject, which is any identifier, a title and a text. It
/// stands on a `Storage` whose migrations include ``migrations``, in which several processes may work at once.
///
/// For example, set for the next morning, and delivered by whatever wordSuffixes then:
///
/// ```swift
/// let reminders = Reminders(storage: storage)
/// try reminders.schedule("ana", name: "Ana", title: "Contact Ana", body: "ana@example.org", at: .nextNine)
/// let runner = ReminderRunner(reminders: reminders, delivery: .desktop())
/// try await runner.run { event in print(event) }
/// ```
///
/// Every change moves the storage's generation of ``module`` on, in the same transaction. Unless said otherwise the methods
/// throw ``RemindersError`` for what the caller can mend, and `StorageError` for the rest.
public struct Reminders: Sendable {
    /// Where the reminders are kept.
    public let storage: Storage
    /// The zone in which nine o'clock is meant.
    public let timeZone: TimeZone

    let clock: @Sendable () -> Date

    /// Reminders on a storage that has the tables of this module.
    ///
    /// - Parameters:
    ///   - storage: opened with the migrations of this module.
    ///   - timeZone: the zone in which times of the day are meant.
    ///   - clock: what tells the time.
    public init(
        storage: Storage, timeZone: TimeZone = .current, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.timeZone = timeZone
        self.clock = clock
    }
}

// MARK: - Reading

extension Reminders {
    /// The reminder of an identifier.
    ///
    /// - Throws: ``RemindersError/notFound(id:)``.
    public func reminder(_ id: String) throws -> Reminder {
        try storage.read { db in try ReminderRows.reminder(id, in: db) }
    }

    /// The reminders in some states, those due first first.
    public func list(_ states: Set<Reminder.State> = Set(Reminder.State.allCases)) throws -> [Reminder] {
        try storage.read { db in try ReminderRows.reminders(states, in: db) }
    }

    /// The pending reminder of a subject; nil if there is none.
    public func pending(of subject: String) throws -> Reminder? {
        try storage.read { db in try ReminderRows.pending(of: subject, in: db) }
    }
}
