import Foundation
import Testing

@testable import SwitchboardReminders

@Suite("The next nine o'clock")
struct NextNineTests {
    /// The time zones of the system.
    static let zones: [String] = {
        let list = (try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)) ?? ""
        let named = list.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            if words.count > 1, words[0] == "Z" { return String(words[1]) }
            return words.count > 2 && words[0] == "L" ? String(words[2]) : nil
        }
        return named.isEmpty ? TimeZone.knownTimeZoneIdentifiers : named
    }()

    @Test("The next 9:00 is correct around every transition from 2020 to 2030 in every time zone")
    func everyZone() throws {
        var checked = 0
        for identifier in Self.zones {
            guard let file = ZoneFile(identifier), let zone = TimeZone(identifier: identifier) else { continue }
            let range = 1_577_836_800..<1_924_992_000
            let moments = file.changes.map(\.moment).filter { range.contains($0) } + [1_700_000_000]
            for change in moments {
                // From two days before to two days after the transition.
                for step in [
                    -172_801, -86_400, -50_000, -32_400, -10_801, -3_600, -1, 0, 1, 3_599, 7_201, 40_000, 90_000,
                ] {
                    let now = change + step
                    guard let expected = Self.expected(after: now, file) else { continue }
                    let nine = ReminderTime.nextNine(after: Date(timeIntervalSince1970: Double(now)), in: zone)
                    checked += 1
                    if Int(nine.timeIntervalSince1970) != expected {
                        Issue.record("\(identifier) after \(now): \(nine), expected \(expected)")
                        return
                    }
                }
            }
        }
        #expect(checked > 50_000)
    }

    /// Returns the first 9:00 after `now` by checking all possible offsets.
    private static func expected(after now: Int, _ file: ZoneFile) -> Int? {
        let offsets = Set(file.changes.filter { abs($0.moment - now) < 8 * 86_400 }.map(\.offset))
            .union([file.offset(at: now) ?? 0, file.offset(at: now + 4 * 86_400) ?? 0])
        var candidates: [Int] = []
        for day in (now / 86_400 - 2)...(now / 86_400 + 4) {
            for offset in offsets {
                let moment = day * 86_400 + 9 * 3600 - offset
                if moment > now, file.offset(at: moment) == offset { candidates.append(moment) }
            }
        }
        return candidates.min()
    }

    @Test(
        "The next 9:00 is correct in special cases",
        arguments: [
            ("Europe/Berlin", "2026-11-21T07:59:59Z", "2026-11-21T08:00:00Z"),
            ("Europe/Berlin", "2026-11-21T08:00:00Z", "2026-11-22T08:00:00Z"),
            // Nights of 23 and 25 hours.
            ("Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T07:00:00Z"),
            ("Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T08:00:00Z"),
            // A transition of half an hour.
            ("Australia/Lord_Howe", "2026-04-04T00:00:00Z", "2026-04-04T22:30:00Z"),
            // Samoa had no 30 December 2011.
            ("Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-30T19:00:00Z"),
            ("Asia/Kathmandu", "2026-01-01T03:15:00Z", "2026-01-02T03:15:00Z"),
            ("UTC", "2026-12-31T09:00:00Z", "2027-01-01T09:00:00Z"),
        ])
    func singleCases(_ zone: String, _ now: String, _ expected: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let nine = ReminderTime.nextNine(after: try Date(now, strategy: .iso8601), in: zone)
        #expect(nine == (try Date(expected, strategy: .iso8601)))
    }

    @Test("Tomorrow at nine is never today")
    func tomorrow() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        for (now, expected) in [
            ("2026-11-21T05:00:00Z", "2026-11-22T08:00:00Z"), ("2026-11-21T22:59:00Z", "2026-11-22T08:00:00Z"),
            ("2026-11-21T23:01:00Z", "2026-11-23T08:00:00Z"),
        ] {
            let moment = try ReminderTime.tomorrowAtNine.moment(after: Date(now, strategy: .iso8601), in: zone)
            #expect(moment.date == (try Date(expected, strategy: .iso8601)))
        }
    }
}
