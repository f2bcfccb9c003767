import Foundation
import SwitchboardSearchableIndex
import Testing

@Suite("Number, date, flag and list comparisons")
struct QueryValueTests {
    static let cases: [(query: String, matches: Bool)] = [
        ("rating == 4", true),
        ("rating = 4.0", true),
        ("rating != 4", false),
        ("rating > 3", true),
        ("rating > 4", false),
        ("rating >= 4", true),
        ("rating < 4", false),
        ("rating <= 4", true),
        ("rating > -1e3", true),
        (#"rating == "4""#, true),
        ("InRange(rating, 4, 5)", true),
        ("InRange(rating,1,4)", true),
        ("InRange(rating, 5, 9)", false),
        ("InRange(rating, 5, 1)", false),
        ("playCount > 0", false),
        ("playCount != 3", true),
        ("!InRange(playCount, 0, 9)", true),
        ("rating == *", true),
        ("allDay == true", true),
        ("allDay == 1", true),
        ("allDay != false", true),
        ("allDay == false", false),
        ("userOwned == false", false),
        ("userOwned != true", true),
        (#"keywords == "drama""#, true),
        (#"keywords == "DRAMA"c"#, true),
        (#"keywords == "comedy""#, true),
        (#"keywords != "drama""#, false),
        (#"keywords == "dra""#, false),
        (#"keywords == "drama" && keywords == "comedy""#, true),
        (#"keywords == "drama"c && InRange(startDate, $time.today(-10), $time.today)"#, true),
        (#"startDate == $time.iso("2026-11-17T09:00:00Z")"#, true),
        ("startDate == $time.iso(2026-11-17T09:00:00Z)", true),
        ("startDate == $time.iso(2026-11-17T10:00+01:00)", true),
        ("startDate == $time.iso(2026-11-17T09:00)", true),
        ("startDate > $time.iso(2026-11-17)", true),
        ("startDate < $time.now", true),
        ("startDate > $time.now(-86400)", false),
        ("startDate > $time.now(-345600)", true),
        ("startDate >= $time.yesterday", false),
        ("startDate >= $time.this_week", true),
        ("startDate >= $time.this_week(1)", false),
        ("startDate < $time.this_week && startDate >= $time.last_week", false),
        ("startDate >= $time.this_month", true),
        ("startDate < $time.this_month(+1)", true),
        ("startDate >= $time.this_year", true),
        ("startDate < $time.this_year(-1)", false),
        ("startDate > 800000000", true),
        ("startDate > 900000000", false),
        ("endDate < $time.now", false),
        ("endDate != *", true),
        ("InRange(importantDates, $time.today, $time.today(1))", true),
    ]

    /// Friday, 20 November 2026, 12:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_795_176_000)
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    @Test("Value comparisons match items", arguments: cases)
    func item(query: String, matches: Bool) throws {
        // Tuesday of the same week, 09:00 UTC.
        let start = Date(timeIntervalSince1970: 1_794_906_000)
        let item = SampleItem(attributes: [
            "rating": [.number(4)], "allDay": [.flag(true)], "keywords": [.text("drama"), .text("comedy")],
            "startDate": [.date(start)], "importantDates": [.date(start), .date(now)],
        ])
        #expect(try AttributeQuery(query).predicate(at: now, in: calendar).matches(item) == matches)
    }

    @Test("Dates without an offset and days use the time zone of the calendar")
    func zone() throws {
        var calendar = calendar
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let item = SampleItem(attributes: ["startDate": [.date(Date(timeIntervalSince1970: 1_795_100_400))]])
        for query in ["startDate == $time.iso(2026-11-20)", "startDate == $time.today"] {
            #expect(try AttributeQuery(query).predicate(at: now, in: calendar).matches(item), "\(query)")
        }
    }

    @Test("Custom attributes are known once declared")
    func custom() throws {
        let types = AttributeTypes.standard.adding("shoeSize", .number)
        let query = try AttributeQuery("shoeSize > 40", attributes: types)
        let item = SampleItem(attributes: ["shoeSize": [.number(42)]])
        #expect(query.predicate(at: now, in: calendar).matches(item))
        #expect(throws: QueryError.unknownAttribute("shoeSize", column: 1)) { try AttributeQuery("shoeSize > 40") }
    }
}
