import Foundation
import SwitchboardProspects
public import SwitchboardReminders

extension Switchboard {
    /// Performs an edit of prospects, their reminders or the user's badge; ignores others.
    func performProspectEdit(_ edit: EditCommand) throws -> EditResult {
        switch edit {
        case .addProspect(let change):
            // Look up prospects met before: undoing must not remove them.
            let before = try prospects.list()
            let added = try addProspect(change)
            let old = before.first { $0.id == added.prospect.id }
            return edited(
                added.prospect.displayName + (added.wasKnown ? " was met before and is updated" : " added"),
                added.prospect,
                undo: old.map { .restoreProspect($0) } ?? .removeProspect(added.prospect.id))
        case .editProspect(let id, let change):
            let old = try prospects.prospect(id)
            let prospect = try editProspect(id, change)
            return edited("\(prospect.displayName) changed", prospect, undo: .restoreProspect(old))
        case .restoreProspect(let old):
            let present = try prospects.prospect(old.id)
            var change = ProspectChange()
            (change.name, change.email, change.phone) = (old.name, old.email, old.phone)
            (change.organization, change.note, change.met) = (old.organization, old.note, old.met)
            let prospect = try editProspect(old.id, change)
            return edited("\(prospect.displayName) reverted", prospect, undo: .restoreProspect(present))
        case .removeProspect(let id):
            let (prospect, reminder) = (try prospects.prospect(id), try reminders.pending(of: id))
            try removeProspects([id])
            return EditResult(message: "\(prospect.displayName) removed", undo: .putBackProspect(id, reminder))
        case .putBackProspect(let id, let reminder):
            guard let prospect = try prospects.restore([id]).first else { return EditResult(message: "") }
            try restoreReminder(reminder)
            return edited("\(prospect.displayName) restored", prospect, undo: .removeProspect(id))
        case .setContacted(let id, let isContacted, let reminder):
            let pending = try reminders.pending(of: id)
            guard let prospect = try setContacted([id], isContacted).first else { return EditResult(message: "") }
            if !isContacted { try restoreReminder(reminder) }
            return edited(
                prospect.displayName + (isContacted ? " was contacted" : " is uncontacted"), prospect,
                undo: .setContacted(id, !isContacted, pending))
        case .remind(let id, let time): return try remind(id, time)
        case .cancelReminder(let id):
            let (prospect, pending) = (try prospects.prospect(id), try reminders.pending(of: id))
            try reminders.cancel(of: [id])
            return edited(
                pending == nil ? "there is no reminder" : "reminder of \(prospect.displayName) cancelled", prospect,
                undo: pending.map { .remind(id, .moment($0.dueAt)) })
        case .setMe(let me):
            let old = try prospects.me()
            try prospects.setMe(me)
            return EditResult(message: "badge saved", undo: .setMe(old ?? MyDetails()))
        default: return EditResult(message: "")
        }
    }

    private func remind(_ id: String, _ time: ReminderTime) throws -> EditResult {
        let (prospect, before) = (try prospects.prospect(id), try reminders.pending(of: id))
        let scheduled = try remind(of: id, at: time)
        let moved = scheduled.isMoved ? " (the clocks skip the requested time)" : ""
        return edited(
            "\(scheduled.reminder.title): \(scheduled.reminder.localTime)\(moved)", prospect,
            undo: before.map { .remind(id, .moment($0.dueAt)) } ?? .cancelReminder(id))
    }

    /// Restores a cancelled reminder unless its time has passed.
    private func restoreReminder(_ reminder: Reminder?) throws {
        guard let reminder, reminder.dueAt > Date() else { return }
        _ = try remind(of: reminder.subject, at: .moment(reminder.dueAt))
    }

    private func edited(_ message: String, _ prospect: Prospect, undo: EditCommand?) -> EditResult {
        EditResult(message: message, link: DeepLink(kind: .prospect, id: prospect.id), undo: undo)
    }
}

extension Reminder {
    /// The due time in the reminder's time zone: `2026-11-21 09:00:00`.
    public var localTime: String {
        var style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
        style = style.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
        return dueAt.formatted(style)
    }
}
