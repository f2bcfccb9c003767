import SwitchboardAirports
public import SwitchboardContacts
public import SwitchboardProspects
public import SwitchboardReminders

/// Something a person does to what they have, and what takes it back.
///
/// A front end that offers to undo keeps ``Edited/undo`` and performs that one later.
public indirect enum Edit: Sendable {
    /// Stores a new contact.
    case addContact(ContactChange)
    /// Changes a contact.
    case editContact(String, ContactChange)
    /// Makes a contact what it was, also one that was removed.
    case restoreContact(Contact)
    /// Removes a contact.
    case removeContact(String)
    /// Makes a contact a favourite, or no longer one.
    case setFavourite(String, Bool)
    /// Remembers that a contact was chosen.
    case callContact(String)
    /// Adds somebody who was met.
    case addProspect(ProspectChange)
    /// Changes a prospect.
    case editProspect(String, ProspectChange)
    /// Makes a prospect say what they said.
    case restoreProspect(Prospect)
    /// Removes a prospect with their reminder.
    case removeProspect(String)
    /// Brings a removed prospect back with the reminder they had.
    case putBackProspect(String, Reminder?)
    /// Ticks a prospect off, or takes that back with the reminder they had.
    case setContacted(String, Bool, Reminder?)
    /// Sets a reminder of a prospect.
    case remind(String, ReminderTime)
    /// Takes the reminder of a prospect back.
    case cancelReminder(String)
    /// Says what stands on one's own badge.
    case setMe(MyDetails)
    /// Remembers that an airport was chosen.
    case chooseAirport(String)
}

/// What an ``Edit`` has done.
public struct Edited: Sendable {
    /// One line for the person.
    public var message: String
    /// What it was done to; nil where there is nothing (any more).
    public var place: DeepLink?
    /// What takes it back; nil if it takes nothing away.
    public var undo: Edit?
}

extension Switchboard {
    /// Does it.
    ///
    /// - Throws: a ``Fault`` or the error of a domain; nothing has happened then.
    public func perform(_ edit: Edit) throws -> Edited {
        switch edit {
        case .addContact, .editContact, .restoreContact, .removeContact, .setFavourite, .callContact:
            try performOnContact(edit)
        case .chooseAirport(let code): try choose(code)
        default: try performOnProspect(edit)
        }
    }

    private func choose(_ code: String) throws -> Edited {
        let airport = try airports.choose(code)
        return Edited(
            message: "\(airport.code) \(airport.title(in: settings.language)) chosen",
            place: DeepLink(kind: .airport, id: airport.code))
    }
}
