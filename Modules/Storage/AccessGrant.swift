/// A resource outside the database that the program uses only with the user's consent.
public enum AccessSubject: String, Sendable, CaseIterable {
    /// Address books outside the database, such as a folder of vCards.
    case contacts
    /// Reminders on the desktop.
    case notifications
    /// The location of this machine.
    case location

    /// The sentence shown to the user if the caller gives no other purpose.
    public var defaultPurpose: String {
        switch self {
        case .contacts: "Switchboard follows your address book to find people by name and number."
        case .notifications: "Switchboard reminds you of the people you want to contact."
        case .location: "Switchboard uses this machine's location to show the airports near you."
        }
    }
}

/// The user's answer to a request for access to an ``AccessSubject``.
public enum AccessStatus: String, Sendable, CaseIterable {
    /// The user has not been asked yet.
    case notDetermined
    /// The user has refused access.
    case denied
    /// The user has granted access, until they revoke it.
    case authorized
}
