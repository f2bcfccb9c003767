/// What a person may be asked to let the program use.
public enum AccessSubject: String, Sendable, CaseIterable {
    /// Address books that stay outside, such as a folder of vCards.
    case contacts
    /// Reminders on the desktop.
    case notifications
    /// The place of this machine.
    case location

    /// The sentence that is shown when nobody gives a better one: what it is good for.
    public var defaultPurpose: String {
        switch self {
        case .contacts: "Switchboard follows your address book to find people by name and number."
        case .notifications: "Switchboard reminds you of the people you want to contact."
        case .location: "Switchboard uses the place of this machine to show the airports near you."
        }
    }
}

/// What a person has said about an ``AccessSubject``.
public enum AccessStatus: String, Sendable, CaseIterable {
    /// Nobody has asked yet.
    case notDetermined
    /// No.
    case denied
    /// Yes, until revoked.
    case authorized
}
