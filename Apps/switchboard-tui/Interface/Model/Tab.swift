/// A view of the program.
public enum Tab: Int, CaseIterable, Hashable, Sendable {
    case find, contacts, prospects, airports, activity

    /// What is written on it.
    public var title: String {
        switch self {
        case .find: "Find"
        case .contacts: "Contacts"
        case .prospects: "Prospects"
        case .airports: "Airports"
        case .activity: "Activity"
        }
    }

    /// Whether digits alone are the keys of a telephone here.
    var readsKeys: Bool { self != .activity }
}
