import SwitchboardAirports
public import SwitchboardContacts
public import SwitchboardProspects
public import SwitchboardReminders

/// An undoable edit.
///
/// A front end that offers undo stores ``EditResult/undo`` and performs it later.
public indirect enum EditCommand: Sendable {
    /// Adds a contact.
    case addContact(ContactChange)
    /// Changes a contact.
    case editContact(String, ContactChange)
    /// Restores the earlier state of a contact, even of a removed one.
    case restoreContact(Contact)
    /// Removes a contact.
    case removeContact(String)
    /// Marks or unmarks a contact as a favourite.
    case setFavourite(String, Bool)
    /// Records that a contact was called.
    case callContact(String)
    /// Adds a prospect.
    case addProspect(ProspectChange)
    /// Changes a prospect.
    case editProspect(String, ProspectChange)
    /// Restores the earlier fields of a prospect.
    case restoreProspect(Prospect)
    /// Removes a prospect and their reminder.
    case removeProspect(String)
    /// Restores a removed prospect with their reminder.
    case putBackProspect(String, Reminder?)
    /// Marks a prospect as contacted, or as uncontacted with their earlier reminder.
    case setContacted(String, Bool, Reminder?)
    /// Sets the reminder of a prospect.
    case remind(String, ReminderTime)
    /// Cancels the reminder of a prospect.
    case cancelReminder(String)
    /// Sets the details of the user's own badge.
    case setMe(MyDetails)
    /// Records the choice of an airport.
    case chooseAirport(String)
}

/// The result of an ``EditCommand``.
public struct EditResult: Sendable {
    /// The message for the user, one line.
    public var message: String
    /// The link to the edited object; nil if there is none or it was removed.
    public var link: DeepLink?
    /// The edit that undoes it; nil if nothing was lost.
    public var undo: EditCommand?
}

extension Switchboard {
    /// Performs an edit.
    ///
    /// - Throws: ``SwitchboardError`` or the error of a domain. On error nothing is changed.
    public func perform(_ edit: EditCommand) throws -> EditResult {
        switch edit {
        case .addContact, .editContact, .restoreContact, .removeContact, .setFavourite, .callContact:
            try performContactEdit(edit)
        case .chooseAirport(let code): try choose(code)
        default: try performProspectEdit(edit)
        }
    }

    private func choose(_ code: String) throws -> EditResult {
        let airport = try airports.choose(code)
        return EditResult(
            message: "\(airport.code) \(airport.title(in: settings.language)) chosen",
            link: DeepLink(kind: .airport, id: airport.code))
    }
}
