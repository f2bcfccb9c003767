/// A tab of the interface.
public enum Tab: Int, CaseIterable, Hashable, Sendable {
    case find, contacts, prospects, airports, activity

    /// The label.
    public var title: String {
        switch self {
        case .find: "Find"
        case .contacts: "Contacts"
        case .prospects: "Prospects"
        case .airports: "Airports"
        case .activity: "Activity"
        }
    }

    /// True if a search text of digits is a keypad search.
    var supportsKeypad: Bool { self != .activity }
}
