import Foundation
import SwitchboardProspects
public import SwitchboardReminders

extension Switchboard {
    /// The edits of prospects, their reminders and one's own badge; others do nothing.
    func performOnProspect(_ edit: Edit) throws -> Edited {
        switch edit {
        case .addProspect(let change):
            // What is known of somebody met before: else undoing would remove a person who was there.
            let before = try prospects.list()
            let added = try addProspect(change)
            let old = before.first { $0.id == added.prospect.id }
            return edited(
                added.prospect.displayName + (added.wasKnown ? " was met before: updated" : " added"), added.prospect,
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
            return edited("\(prospect.displayName) is as before", prospect, undo: .restoreProspect(present))
        case .removeProspect(let id):
            let (prospect, reminder) = (try prospects.prospect(id), try reminders.pending(of: id))
            try removeProspects([id])
            return Edited(message: "\(prospect.displayName) removed", undo: .putBackProspect(id, reminder))
        case .putBackProspect(let id, let reminder):
            guard let prospect = try prospects.restore([id]).first else { return Edited(message: "") }
            try setAgain(reminder)
            return edited("\(prospect.displayName) is back", prospect, undo: .removeProspect(id))
        case .setContacted(let id, let isContacted, let reminder):
            let pending = try reminders.pending(of: id)
            guard let prospect = try setContacted([id], isContacted).first else { return Edited(message: "") }
            if !isContacted { try setAgain(reminder) }
            return edited(
                prospect.displayName + (isContacted ? " was contacted" : " is still to be contacted"), prospect,
                undo: .setContacted(id, !isContacted, pending))
        case .remind(let id, let time): return try remind(id, time)
        case .cancelReminder(let id):
            let (prospect, pending) = (try prospects.prospect(id), try reminders.pending(of: id))
            try reminders.cancel(of: [id])
            return edited(
                pending == nil ? "there is no reminder" : "reminder of \(prospect.displayName) taken back", prospect,
                undo: pending.map { .remind(id, .moment($0.dueAt)) })
        case .setMe(let me):
            let old = try prospects.me()
            try prospects.setMe(me)
            return Edited(message: "badge kept", undo: .setMe(old ?? MyDetails()))
        default: return Edited(message: "")
        }
    }

    private func remind(_ id: String, _ time: ReminderTime) throws -> Edited {
        let (prospect, before) = (try prospects.prospect(id), try reminders.pending(of: id))
        let scheduled = try remind(of: id, at: time)
        let moved = scheduled.isMoved ? " (the clocks skip the time asked for)" : ""
        return edited(
            "\(scheduled.reminder.title): \(scheduled.reminder.localTime)\(moved)", prospect,
            undo: before.map { .remind(id, .moment($0.dueAt)) } ?? .cancelReminder(id))
    }

    /// Sets a reminder that was taken back; one whose time has come meanwhile stays away.
    private func setAgain(_ reminder: Reminder?) throws {
        guard let reminder, reminder.dueAt > Date() else { return }
        _ = try remind(of: reminder.subject, at: .moment(reminder.dueAt))
    }

    private func edited(_ message: String, _ prospect: Prospect, undo: Edit?) -> Edited {
        Edited(message: message, place: DeepLink(kind: .prospect, id: prospect.id), undo: undo)
    }
}

extension Reminder {
    /// When it is due, as the clocks of its zone show it: `2026-11-21 09:00:00`.
    public var localTime: String {
        var style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
        style = style.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
        return dueAt.formatted(style)
    }
}
