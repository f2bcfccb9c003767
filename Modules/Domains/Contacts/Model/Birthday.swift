public import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage
import SwitchboardVCard

/// A date of birth with or without the year.
struct Birthday: Hashable, Sendable {
    let year: Int?
    let month: Int
    let day: Int

    /// Parses `1980-04-15` or `--04-15`; nil for any other text or an invalid date.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard [[4, 2, 2], [0, 0, 2, 2]].contains(parts.map(\.utf8.count)),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }),
            let month = Int(parts[parts.count - 2]), let day = Int(parts[parts.count - 1])
        else { return nil }
        year = Int(parts[0])
        guard (1...12).contains(month), day >= 1, day <= CivilDate.days(in: month, of: year ?? 2000) else { return nil }
        (self.month, self.day) = (month, day)
    }

    /// Returns a spreadsheet date in the model's format.
    ///
    /// Also accepts Outlook's date formats: `14.03.1975`, `14-3-1975`, `1975/3/14`, and `3/14/1975` or `14/3/1975`. If
    /// both numbers before the year can be months, the month comes first in the United States and without a region, and
    /// the day elsewhere. Two-digit years fall in 1930 to 2029. Outlook's "0/0/00" means "no date".
    static func fromSpreadsheet(_ text: String, region: String?) -> String {
        let parts = text.split(omittingEmptySubsequences: false) { "/.-".contains($0) }
            .map { String($0).trimmingWhitespace }
        let numbers = parts.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        guard parts.count == 3, numbers.count == 3 else { return normalized(text) }
        if numbers.allSatisfy({ $0 == 0 }) { return "" }
        if parts[0].utf8.count == 4 {
            return self.text(year: numbers[0], month: numbers[1], day: numbers[2]) ?? normalized(text)
        }
        var (day, month) = (numbers[0], numbers[1])
        if text.contains("/"), day <= 12, month > 12 || ["US", nil].contains(region) { (day, month) = (month, day) }
        var year = numbers[2]
        if parts[2].utf8.count == 2 { year += year < 30 ? 2000 : 1900 }
        return self.text(year: year, month: month, day: day) ?? normalized(text)
    }

    /// Returns a typed date in the model's format; nil for any other text. See ``Contact/setBirthday(typed:region:)``.
    static func typed(_ text: String, region: String?) -> String? {
        let date = fromSpreadsheet(text, region: region)
        if Birthday(date) != nil { return date }
        return TypedTime.date(text).flatMap { self.text(year: $0.year, month: $0.month, day: $0.day) }
    }

    /// Returns a date in the model's format; nil if it is invalid.
    static func text(year: Int?, month: Int, day: Int) -> String? {
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let known = year.flatMap { placeholderYears.contains(digits($0, 4)) ? nil : $0 }
        let text = (known.map { digits($0, 4) } ?? "-") + "-" + digits(month, 2) + "-" + digits(day, 2)
        return Birthday(text) == nil ? nil : text
    }

    /// The years that stand for an unknown year: Apple's, and that of MySQL.
    private static let placeholderYears: Set = ["1604", "0000"]

    /// Returns a birthday from a card or CSV file in the model's format.
    ///
    /// `19800415` and `1980-04-15T00:00:00Z` become `1980-04-15`, `--0415` and `1604-04-15` become `--04-15`. Other
    /// texts stay unchanged.
    ///
    /// - Parameter year: A further year that stands for an unknown one.
    static func normalized(_ text: String, omitting year: String? = nil) -> String {
        let text = text.trimmingWhitespace
        // Some programs write it as a list of components: "1990-01-01;".
        let date = text.utf8.contains(UInt8(ascii: ";")) ? String(text.prefix { $0 != ";" }) : text
        let rest = text.dropFirst(date.count)
        guard rest.allSatisfy({ $0 == ";" }) else { return text }
        let day = date.split(separator: "T", maxSplits: 1).first.map(String.init) ?? date
        let digits = day.filter { $0 != "-" }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return text }
        if day.hasPrefix("--"), digits.count == 4 { return "--" + digits.prefix(2) + "-" + digits.suffix(2) }
        guard digits.count == 8, !day.hasPrefix("-") else { return text }
        let isOmitted = placeholderYears.contains(String(digits.prefix(4))) || digits.prefix(4) == year ?? ""
        return (isOmitted ? "-" : String(digits.prefix(4))) + "-" + digits.dropFirst(4).prefix(2) + "-"
            + digits.suffix(2)
    }
}

extension Contact {
    /// Sets the birthday to a typed date, or removes it if the text is empty.
    ///
    /// - Parameters:
    ///   - text: `1980-04-15`, `--04-15` without the year, a date in words such as `4 March 1975`, or in an Outlook
    ///     format, such as `14.03.1975`.
    ///   - region: The ISO 3166 code that determines the order of `3/4/1975`.
    /// - Returns: `false` if the text is not a date; the contact is then unchanged.
    public mutating func setBirthday(typed text: String, region: String?) -> Bool {
        guard let date = text.trimmingWhitespace.isEmpty ? "" : Birthday.typed(text, region: region) else {
            return false
        }
        birthday = date
        return true
    }

    /// The birthday in words, such as `4 March 1975`; nil without one that can be read.
    public var birthdayInWords: String? {
        Birthday(birthday).map { TypedTime.text(year: $0.year, month: $0.month, day: $0.day) }
    }
}

/// A day of the Gregorian calendar without a time zone.
public struct CalendarDay: Hashable, Sendable {
    /// The year, 0 to 9999.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Parses `2026-11-21`; nil for any other text or an invalid date.
    public init?(_ text: String) {
        guard let date = Birthday(text), let year = date.year else { return nil }
        self.init(year: year, month: date.month, day: date.day)
    }

    /// Parses a day as people type it, such as `tomorrow`, `next week` or `24 December`; nil for any other text.
    public init?(typed text: String, today: Date = Date(), in timeZone: TimeZone = .current) {
        guard let typed = TypedTime(text), typed.minutes == nil else { return nil }
        if let delay = typed.delay {
            guard delay.seconds == 0, delay.days <= 36_500 else { return nil }
            let (year, month, day) = CivilDate.date(
                daysSince1970: CalendarDay(today, in: timeZone).number + delay.days)
            self.init(year: year, month: month, day: day)
        } else if let moment = typed.moment(after: today, in: timeZone) {
            self.init(year: moment.year, month: moment.month, day: moment.day)
        } else {
            return nil
        }
    }

    /// Creates the day of a point in time in a time zone.
    public init(_ moment: Date, in timeZone: TimeZone = .current) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day], from: moment)
        self.init(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    /// The number of days since a fixed day.
    var number: Int { CivilDate.daysSince1970(year, month, day) }

    /// The day as `2026-11-21`.
    public var text: String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2)
    }
}

// MARK: - Finding birthdays

extension ContactBook {
    /// Returns the contacts that were born on a typed day, sorted by name; none if the text is anything else.
    ///
    /// Digits alone are part of a number rather than a date. A day without a year also finds the birthdays of that day in
    /// all years, after those without a year.
    ///
    /// - Parameters:
    ///   - text: A date as in ``Contact/setBirthday(typed:region:)``.
    ///   - region: The ISO 3166 code that determines the order of `3/4/1975`.
    ///   - group: The group whose members are returned; nil for all contacts.
    ///   - limit: The maximum number of contacts; 0 for all.
    /// - Throws: `StorageError`.
    /// - Complexity: O(log *n*) for a day with a year, else O(*b*) for *b* contacts with a birthday.
    public func contacts(
        bornOn text: String, region: String?, group: String? = nil, limit: Int = 0
    ) throws -> [Contact] {
        // Most queries are names.
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }), !text.allSatisfy(\.isNumber),
            let date = Birthday.typed(text, region: region)
        else { return [] }
        let birthday = date.hasPrefix("-") ? "substr(birthday, -5) = substr(?, -5)" : "birthday = ?"
        return try storage.read { db in
            let members = try group.map { " AND key IN (\(try ContactBook.keys(ofGroup: $0, in: db)))" } ?? ""
            let keys = try Int64.fetchAll(
                db,
                sql: """
                    SELECT key FROM contact WHERE birthday <> '' AND \(birthday)\(members)
                    ORDER BY birthday NOT LIKE '-%', sortKey, key LIMIT ?
                    """, arguments: [date, limit == 0 ? -1 : limit])
            let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
            return keys.compactMap { contacts[$0] }
        }
    }
}

// MARK: - Upcoming birthdays

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
