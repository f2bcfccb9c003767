public import Foundation
import SwitchboardAirports
import SwitchboardAlgorithms
public import SwitchboardContacts
public import SwitchboardProspects
public import SwitchboardReminders
import SwitchboardStorage

/// An undoable edit.
///
/// A front end that offers undo stores ``EditResult/undo`` and performs it later.
public indirect enum EditCommand: Sendable {
    /// Adds a contact.
    case addContact(ContactChange)
    /// Changes a contact that was read before. Changes made elsewhere since then are kept; ``EditConflict`` is thrown
    /// for a field that both changed.
    case editContact(String, ContactChange, since: Contact, EditConflictAnswer? = nil)
    /// Restores the earlier state of a contact after an edit that led to the state `since`, or a removed contact if
    /// that is nil.
    case restoreContact(Contact, since: Contact?, EditConflictAnswer? = nil)
    /// Removes a contact.
    case removeContact(String)
    /// Adds a contact to the favorites, or removes it from them.
    case setFavourite(String, to: Bool)
    /// Restores a removed contact.
    case putBackContact(String)
    /// Records that a contact was called.
    case callContact(String)
    /// Takes back the last recorded call of a contact; with the time of the call before.
    case undoCall(String, lastCalledAt: Date?)
    /// Adds a prospect.
    case addProspect(ProspectChange)
    /// Changes a prospect that was read before, like ``editContact(_:_:since:_:)``.
    case editProspect(String, ProspectChange, since: Prospect, EditConflictAnswer? = nil)
    /// Restores the earlier fields of a prospect after an edit that led to the state `since`.
    case restoreProspect(Prospect, since: Prospect, EditConflictAnswer? = nil)
    /// Removes a prospect and their reminder.
    case removeProspect(String)
    /// Restores a removed prospect with their reminder.
    case putBackProspect(String)
    /// Marks a prospect as contacted, or as uncontacted, which restores their earlier reminder.
    case setContacted(String, to: Bool, reminder: Reminder?)
    /// Sets the reminder of a prospect.
    case remind(String, ReminderTime)
    /// Cancels the reminder of a prospect.
    case cancelReminder(String)
    /// Changes the details of the user's own badge, which were read before, like ``editContact(_:_:since:_:)``.
    case setMe(MyDetails, since: MyDetails, EditConflictAnswer? = nil)
    /// Records the choice of an airport.
    case chooseAirport(String)
    /// Merges contacts into the first one.
    case mergeContacts([String])
    /// Undoes the last merge of a contact.
    case undoMerge(String)
    /// Remembers that contacts are not duplicates, or forgets it.
    case markAsDifferent([String], Bool)
    /// Undoes the last import of contacts.
    case undoImport
    /// Performs several edits in order, or none if one fails. They are undone together.
    case all([EditCommand])
}

/// The result of an ``EditCommand``.
public struct EditResult: Sendable {
    /// The message for the user, one line.
    public var message: String
    /// The link to the edited object; nil if there is none or it was removed.
    public var link: DeepLink?
    /// The edit that undoes this one; nil if nothing needs to be undone.
    public var undo: EditCommand?
}

extension Switchboard {
    /// Performs an edit.
    ///
    /// - Throws: ``SwitchboardError`` or the error of a domain. On error nothing is changed.
    public func perform(_ edit: EditCommand) throws -> EditResult {
        switch edit {
        case .addContact(let change):
            let contact = try addContact(change)
            return edited("\(contact.displayName) added", contact, undo: .removeContact(contact.id))
        case .editContact(let id, let change, let base, let answer):
            let old: Contact
            do {
                old = try contacts.contact(id)
            } catch ContactBookError.notFound {
                throw SwitchboardError(
                    code: "notFound",
                    message: "\(base.displayName) was removed meanwhile; restore the contact, then save",
                    status: .nothingFound)
            }
            let contact = try editContact(id, change, since: base, answer)
            return edited("\(contact.displayName) changed", contact, undo: .restoreContact(old, since: contact))
        case .restoreContact(let contact, let base, let answer): return try restore(contact, since: base, answer)
        case .removeContact(let id):
            let contact = try contacts.contact(id)
            try contacts.remove([id])
            return EditResult(message: "\(contact.displayName) removed", undo: .restoreContact(contact, since: nil))
        case .setFavourite(let id, let isFavourite):
            let contact = try contacts.setFavourite(id, to: isFavourite)
            return edited(
                contact.displayName + (isFavourite ? " is a favourite" : " is no longer a favourite"), contact,
                undo: .setFavourite(id, to: !isFavourite))
        case .callContact(let id):
            let before = try contacts.contact(id).lastCalledAt
            let contact = try contacts.recordCall(id)
            return edited(
                "call of \(contact.displayName) recorded", contact, undo: .undoCall(id, lastCalledAt: before))
        case .undoCall(let id, let before):
            let contact = try contacts.undoCall(id, lastCalledAt: before)
            return edited("call of \(contact.displayName) is no longer recorded", contact, undo: .callContact(id))
        case .putBackContact(let id):
            guard let contact = try contacts.restore([id]).first else { return EditResult(message: "") }
            return edited("\(contact.displayName) restored", contact, undo: .removeContact(id))
        case .addProspect(let change):
            // Look up known prospects first: undoing must not remove them.
            let before = try prospects.list()
            let added = try addProspect(change)
            let old = before.first { $0.id == added.prospect.id }
            return edited(
                added.prospect.displayName + (added.wasKnown ? " was met before and is updated" : " added"),
                added.prospect,
                undo: old.map { .restoreProspect($0, since: added.prospect) } ?? .removeProspect(added.prospect.id))
        case .editProspect(let id, let change, let base, let answer):
            var mine = base
            change.apply(to: &mine)
            return try replace(id, by: mine, since: base, answer, "changed")
        case .restoreProspect(let old, let base, let answer):
            return try replace(old.id, by: old, since: base, answer, "reverted")
        case .removeProspect(let id):
            let prospect = try prospects.prospect(id)
            try removeProspects([id])
            return EditResult(message: "\(prospect.displayName) removed", undo: .putBackProspect(id))
        case .putBackProspect(let id):
            guard let prospect = try restoreProspects([id]).first else { return EditResult(message: "") }
            return edited("\(prospect.displayName) restored", prospect, undo: .removeProspect(id))
        case .setContacted(let id, let isContacted, let reminder):
            let pending = try reminders.pending(of: id)
            guard let prospect = try setContacted([id], to: isContacted).first else { return EditResult(message: "") }
            if !isContacted { try restoreReminder(reminder) }
            return edited(
                prospect.displayName + (isContacted ? " was contacted" : " is uncontacted"), prospect,
                undo: .setContacted(id, to: !isContacted, reminder: pending))
        case .remind(let id, let time): return try remind(id, time)
        case .cancelReminder(let id):
            let (prospect, pending) = (try prospects.prospect(id), try reminders.pending(of: id))
            try reminders.cancel(subjects: [id])
            return edited(
                pending == nil ? "there is no reminder" : "reminder of \(prospect.displayName) cancelled", prospect,
                undo: pending.map { .remind(id, .moment($0.dueAt)) })
        case .setMe(let mine, let base, let answer):
            let prospects = try prospects
            return try storage.write { _ in
                let old = try prospects.me() ?? MyDetails()
                var me = old
                try me.merge(mine, since: base, answer)
                return EditResult(message: "badge saved", undo: .setMe(old, since: try prospects.setMe(me)))
            }
        case .chooseAirport(let code):
            let airport = try airports.choose(code)
            return EditResult(
                message: "\(airport.code) \(airport.title(in: settings.language)) chosen",
                link: DeepLink(kind: .airport, id: airport.code))
        case .mergeContacts(let ids):
            let merged = try contacts.merge(ids)
            return edited(
                "\(ids.count) contacts merged into \(merged.displayName)", merged, undo: .undoMerge(merged.id))
        case .undoMerge(let id):
            let restored = try contacts.undoMerge(id)
            return EditResult(
                message: "\(restored.count) contacts restored", link: DeepLink(kind: .contact, id: id),
                undo: .mergeContacts(restored.map(\.id)))
        case .markAsDifferent(let ids, let isDifferent):
            try contacts.markAsDifferent(ids, isDifferent)
            return EditResult(
                message: isDifferent ? "they are different people" : "they may be duplicates",
                link: ids.first.map { DeepLink(kind: .contact, id: $0) }, undo: .markAsDifferent(ids, !isDifferent))
        case .undoImport:
            let undone = try contacts.undoImport()
            var message = "import undone: \(undone.removed) removed, \(undone.restored) restored"
            if !undone.kept.isEmpty {
                message += "; changed since and kept: " + undone.kept.map(\.name).joined(separator: ", ")
            }
            return EditResult(message: message)
        case .all(let edits): return try performAll(edits)
        }
    }

    /// Performs all edits in one transaction, or none if one fails.
    private func performAll(_ edits: [EditCommand]) throws -> EditResult {
        let results = try storage.write { _ in try edits.map(perform) }
        guard var result = results.first else { return EditResult(message: "") }
        let undos = results.reversed().compactMap(\.undo)
        if results.count > 1 { result.message += ", and \(results.count - 1) more" }
        result.undo = undos.isEmpty ? nil : .all(undos)
        return result
    }

    private func restore(
        _ contact: Contact, since base: Contact?, _ answer: EditConflictAnswer?
    ) throws -> EditResult {
        do {
            let present = try contacts.contact(contact.id)
            let restored = try contacts.edit(contact.id) { try $0.merge(contact, since: base ?? $0, answer) }
            return edited(
                "\(restored.displayName) reverted", restored, undo: .restoreContact(present, since: restored))
        } catch ContactBookError.notFound {
            // Restore the removed contact exactly, or add it again if the removal is too old.
            let restored = try (try? contacts.restore([contact.id]))?.first ?? contacts.add(contact)
            return edited("\(restored.displayName) restored", restored, undo: .removeContact(restored.id))
        }
    }

    /// Changes the fields of a prospect to the values of another version, unless they were changed since `base`.
    private func replace(
        _ id: String, by mine: Prospect, since base: Prospect, _ answer: EditConflictAnswer?, _ verb: String
    ) throws -> EditResult {
        let old = try prospects.prospect(id)
        let prospect = try editProspect(id) { try $0.merge(mine, since: base, answer) }
        return edited("\(prospect.displayName) \(verb)", prospect, undo: .restoreProspect(old, since: prospect))
    }

    private func edited(_ message: String, _ contact: Contact, undo: EditCommand? = nil) -> EditResult {
        EditResult(message: message, link: DeepLink(kind: .contact, id: contact.id), undo: undo)
    }

    private func remind(_ id: String, _ time: ReminderTime) throws -> EditResult {
        let (prospect, before) = (try prospects.prospect(id), try reminders.pending(of: id))
        let scheduled = try remind(of: id, at: time)
        let moved = scheduled.isMoved ? " (the clocks skip the requested time)" : ""
        return edited(
            "\(scheduled.reminder.announcement)\(moved)", prospect,
            undo: before.map { .remind(id, .moment($0.dueAt)) } ?? .cancelReminder(id))
    }

    /// Restores a canceled reminder unless its time has passed.
    private func restoreReminder(_ reminder: Reminder?) throws {
        guard let reminder, reminder.dueAt > Date() else { return }
        _ = try remind(of: reminder.subject, at: .moment(reminder.dueAt))
    }

    private func edited(_ message: String, _ prospect: Prospect, undo: EditCommand?) -> EditResult {
        EditResult(message: message, link: DeepLink(kind: .prospect, id: prospect.id), undo: undo)
    }
}

extension Reminder {
    /// The answer to a request for the reminder: `Reminder for Ana: tomorrow, 09:00`.
    public var announcement: String {
        "Reminder for \(name): " + TypedTime.text(of: dueAt, after: Date(), in: timeZone)
    }

    /// The state in words; empty while the reminder is pending.
    public var stateInWords: String {
        switch state {
        case .pending: ""
        case .delivered where handledAt != nil: "done"
        case .delivered: isLate ? "delivered late" : "delivered"
        case .cancelled: "canceled"
        }
    }

    /// The due time in the reminder's time zone, `2026-11-21 09:00:00`, followed by the zone if the local time of this
    /// machine differs.
    public var localTime: String {
        let time = dueAt.formatted(.local(in: timeZone))
        let isLocal = timeZone.secondsFromGMT(for: dueAt) == TimeZone.current.secondsFromGMT(for: dueAt)
        return isLocal ? time : time + " " + timeZone.identifier
    }
}
