import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage

/// An upcoming birthday of a contact.
public struct UpcomingBirthday: Sendable, Encodable {
    /// The contact whose birthday it is.
    public let contact: Contact
    /// The date, `2026-12-01`. A February 29 birthday falls on February 28 in other years.
    public let date: String
    /// The number of days until the birthday; 0 for today.
    public let daysLeft: Int
    /// The age on that day; nil if the year of birth is unknown or in the future.
    public let age: Int?

    private enum CodingKeys: String, CodingKey { case date, daysLeft, age }
}

extension ContactBook {
    /// Returns upcoming birthdays, sorted by date and name.
    ///
    /// - Parameters:
    ///   - today: The current day in the user's time zone.
    ///   - days: The number of days to look ahead; 0 for today only, at most a year.
    /// - Complexity: O(*b* log *b*) for *b* contacts with a birthday.
    public func birthdays(from today: CalendarDay, days: Int) throws -> [UpcomingBirthday] {
        try storage.read { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT key, birthday, sortKey FROM contact WHERE birthday <> ''")
            var upcoming: [(key: Int64, sortKey: String, next: CalendarDay, left: Int, birthday: Birthday)] = []
            while let row = try rows.next() {
                guard let birthday = Birthday(try row.value(1)) else { continue }
                let next = birthday.next(from: today)
                let left = next.number - today.number
                if left <= min(max(days, 0), 366) {
                    try upcoming.append((row.value(0), row.value(2), next, left, birthday))
                }
            }
            upcoming.sort { ($0.left, $0.sortKey, $0.key) < ($1.left, $1.sortKey, $1.key) }
            let contacts = try ContactFetching.contacts(upcoming.map(\.key), withPhotos: false, in: db)
            return upcoming.compactMap { row in
                guard let contact = contacts[row.key] else { return nil }
                let age = row.birthday.year.map { row.next.year - $0 }
                return UpcomingBirthday(
                    contact: contact, date: row.next.text, daysLeft: row.left,
                    age: age.flatMap { $0 >= 0 ? $0 : nil })
            }
        }
    }
}

extension Birthday {
    /// Returns the next anniversary, on or after today.
    fileprivate func next(from today: CalendarDay) -> CalendarDay {
        let thisYear = anniversary(in: today.year)
        return thisYear.number >= today.number ? thisYear : anniversary(in: today.year + 1)
    }

    private func anniversary(in year: Int) -> CalendarDay {
        CalendarDay(year: year, month: month, day: min(day, CivilDate.days(in: month, of: year)))
    }
}
