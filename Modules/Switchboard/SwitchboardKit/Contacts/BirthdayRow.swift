public import SwitchboardContacts

/// The row of a contact with an upcoming birthday.
public struct BirthdayRow: Encodable, Sendable {
    /// The row of the contact.
    public let row: SearchResult
    /// The upcoming birthday.
    public let birthday: UpcomingBirthday

    /// Creates the row of a birthday.
    public init(_ birthday: UpcomingBirthday) {
        row = SearchResult(birthday.contact)
        self.birthday = birthday
    }

    /// The time left: "today", "tomorrow" or "in 12 days".
    public var distance: String {
        switch birthday.daysLeft {
        case 0: "today"
        case 1: "tomorrow"
        default: "in \(birthday.daysLeft) days"
        }
    }

    private struct Day: Encodable {
        let date: String
        let daysLeft: Int
        let age: Int?
    }

    /// Encodes the row of the contact and `"birthday": {"date", "daysLeft", "age"}`, with the age only if the year of
    /// birth is known.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SearchResult.CodingKeys.self)
        try row.encode(to: &container)
        try container.encode(
            Day(date: birthday.date, daysLeft: birthday.daysLeft, age: birthday.age), forKey: .birthday)
    }
}
