import GRDB
import SwitchboardStorage

/// A birthday that is coming.
public struct ComingBirthday: Sendable {
    /// Whose.
    public let contact: Contact
    /// The day, `2026-12-01`: of someone born on 29 February the 28th where the year has no 29th.
    public let date: String
    /// How many days it is until then; 0 today.
    public let daysLeft: Int
    /// How old the contact becomes; nil if the year of birth is not known, or lies ahead.
    public let age: Int?
}

extension ContactBook {
    /// The birthdays of the coming days, the nearest first; those of one day by name.
    ///
    /// - Parameters:
    ///   - today: the day it is where the reader is.
    ///   - days: how many days ahead to look; 0 is today alone. More than a year is a year.
    /// - Complexity: O(*b* log *b*) for *b* contacts with a birthday; only those that are given back are read whole.
    public func birthdays(from today: CalendarDay, days: Int) throws -> [ComingBirthday] {
        try storage.read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT key, birthday, sortKey FROM contact WHERE birthday <> ''")
            var coming: [(key: Int64, sortKey: String, next: CalendarDay, left: Int, birthday: Birthday)] = []
            while let row = try rows.next() {
                guard let birthday = Birthday(try row.value(1)) else { continue }
                let next = birthday.next(from: today)
                let left = next.number - today.number
                if left <= min(max(days, 0), 366) {
                    try coming.append((row.value(0), row.value(2), next, left, birthday))
                }
            }
            coming.sort { ($0.left, $0.sortKey, $0.key) < ($1.left, $1.sortKey, $1.key) }
            let contacts = try ContactFetching.contacts(coming.map(\.key), withPhotos: false, in: db)
            return coming.compactMap { row in
                guard let contact = contacts[row.key] else { return nil }
                let age = row.birthday.year.map { row.next.year - $0 }
                return ComingBirthday(
                    contact: contact, date: row.next.text, daysLeft: row.left,
                    age: age.flatMap { $0 >= 0 ? $0 : nil })
            }
        }
    }
}

extension Birthday {
    /// The day of the next celebration, today included.
    fileprivate func next(from today: CalendarDay) -> CalendarDay {
        let thisYear = celebrated(in: today.year)
        return thisYear.number >= today.number ? thisYear : celebrated(in: today.year + 1)
    }

    private func celebrated(in year: Int) -> CalendarDay {
        CalendarDay(year: year, month: month, day: min(day, Birthday.days(of: month, year: year)))
    }
}
