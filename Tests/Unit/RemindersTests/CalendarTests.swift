import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardReminders

@Suite("Exporting reminders as iCalendar")
struct CalendarTests {
    private func calendar() throws -> (text: String, reminders: [Reminder]) {
        let clock = TestClock("2026-03-20T08:00:00Z")
        let reminders = try emptyReminders(clock: clock)
        try reminders.schedule(
            "ana", name: "Ana", title: "Contact Đặng, the \"one\"; " + String(repeating: "王伟", count: 30),
            body: "a\nb@example.org",
            at: .nextNine)
        // After the end of daylight saving time.
        try reminders.schedule("bo", name: "Bo", title: "Contact Bo", body: "", at: .after(ReminderDelay(days: 30)))
        for (subject, zone) in [
            ("cy", "America/St_Johns"), ("di", "Asia/Kathmandu"), ("ed", "UTC"), ("fy", "Africa/Casablanca"),
        ] {
            let other = Reminders(
                storage: reminders.storage, timeZone: try #require(TimeZone(identifier: zone)), clock: { clock.now })
            try other.schedule(subject, name: subject, title: "Contact \(subject)", body: subject, at: .nextNine)
        }
        let list = try reminders.list()
        return (ReminderCalendar.text(of: list, now: clock.now), list)
    }

    @Test("Lines are folded at 75 octets and end in CR LF, and all required properties are present")
    func form() throws {
        let (text, reminders) = try calendar()
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:") && text.hasSuffix("END:VCALENDAR\r\n"))
        for line in text.components(separatedBy: "\r\n") {
            #expect(line.utf8.count <= 75)
            #expect(!line.utf8.contains(0x0A))
        }
        for reminder in reminders { #expect(text.contains("UID:\(reminder.id)@switchboard\r\n")) }
        #expect(text.contains("DTSTART;TZID=Europe/Berlin:20260321T090000\r\n"))
        #expect(text.contains("DTSTART;TZID=America/St_Johns:20260320T090000\r\n"))
        #expect(text.contains("DTSTART:20260320T090000Z\r\n"))
        #expect(text.contains("TZID:Europe/Berlin\r\n") && !text.contains("TZID:UTC\r\n"))
        #expect(text.components(separatedBy: "BEGIN:VALARM\r\nACTION:DISPLAY\r\n").count == reminders.count + 1)
    }

    /// A Python interpreter with icalendar, an independent implementation of the standard.
    private static let python: String? = ["python3", "/usr/bin/python3"].first { name in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name, "-c", "import icalendar"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test("icalendar reads the same reminders with the same times", .enabled(if: python != nil))
    func readBack() throws {
        let (text, reminders) = try calendar()
        let script = """
            import sys, icalendar, json
            calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
            zones = {str(z["TZID"]): z.to_tz() for z in calendar.walk("VTIMEZONE")}
            rows = []
            for event in calendar.walk("VEVENT"):
                start = event["DTSTART"]
                # Use the rules in the calendar, not those of Python.
                zone = zones.get(start.params.get("TZID"))
                moment = start.dt
                if zone:
                    # Older versions create pytz zones, which need localize().
                    local = moment.replace(tzinfo=None)
                    moment = zone.localize(local) if hasattr(zone, "localize") else local.replace(tzinfo=zone)
                alarm = event.walk("VALARM")[0]
                rows.append([str(event["UID"]), int(moment.timestamp()), str(event["SUMMARY"]),
                             str(event.get("DESCRIPTION", "")), str(alarm["ACTION"])])
            print(json.dumps(rows))
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [Self.python ?? "python3", "-c", script]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let rows = try #require(JSONSerialization.jsonObject(with: data) as? [[Any]])
        #expect(rows.count == reminders.count)
        for (row, reminder) in zip(rows, reminders) {
            #expect(row[0] as? String == "\(reminder.id)@switchboard")
            #expect(
                (row[1] as? NSNumber)?.doubleValue == reminder.dueAt.timeIntervalSince1970.rounded(.down),
                "\(reminder.timeZone)")
            #expect(row[2] as? String == reminder.title)
            #expect(row[3] as? String == reminder.body)
            #expect(row[4] as? String == "DISPLAY")
        }
    }
}
