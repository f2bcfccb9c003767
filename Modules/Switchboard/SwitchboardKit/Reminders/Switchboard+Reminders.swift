public import Foundation
import SwitchboardProspects
public import SwitchboardReminders

// Reminders know nothing of prospects, nor these of reminders; what the two have to do with each other is here.

extension Switchboard {
    /// Sets a reminder to contact a prospect; a pending one is moved.
    ///
    /// - Parameters:
    ///   - id: the prospect.
    ///   - time: when.
    ///   - timeZone: the zone in which times of the day are meant; that of this machine if nil.
    /// - Throws: a ``Fault`` if they were contacted, `ProspectsError`, `RemindersError`, and `StorageError`, also if the person has
    ///   not agreed to notifications; nothing is set then.
    public func remind(
        of id: String, at time: ReminderTime = .nextNine, in timeZone: TimeZone? = nil
    ) throws -> Reminders.Scheduled {
        let prospect = try prospects.prospect(id)
        guard !prospect.isContacted else {
            throw Fault(
                code: "contacted",
                message: "\(prospect.displayName) was contacted; 'prospects contacted --undo \(id)' takes that back",
                status: .usage)
        }
        let text = ReminderText(of: prospect)
        let reminders = Reminders(storage: try storage, timeZone: timeZone ?? .current)
        return try reminders.schedule(id, name: text.name, title: text.title, body: text.body, at: time)
    }

    /// A runner whose answer "contacted" ticks the prospect off.
    ///
    /// - Throws: `StorageError`.
    public func reminderRunner(delivery: ReminderDelivery) throws -> ReminderRunner {
        ReminderRunner(reminders: try reminders, delivery: delivery) { reminder in
            try self.setContacted([reminder.subject])
        }
    }

    /// Makes the pending reminder of a prospect say what is known of them now.
    func retitleReminder(of prospect: Prospect) throws {
        let text = ReminderText(of: prospect)
        try reminders.retitle(prospect.id, name: text.name, title: text.title, body: text.body)
    }
}

/// What a reminder of a prospect says.
private struct ReminderText {
    let name: String
    let title: String
    let body: String

    init(of prospect: Prospect) {
        name = prospect.displayName
        title = "Contact \(prospect.displayName)"
        body = prospect.email.isEmpty ? prospect.phone : prospect.email
    }
}
