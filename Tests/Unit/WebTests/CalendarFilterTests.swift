import Foundation
import SwitchboardVCard
import Testing

@testable import SwitchboardDAV

@Suite("Filters of calendar objects") struct CalendarFilterTests {
    private static func object(_ lines: String...) throws -> CalendarComponent {
        let all =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a"] + lines + ["END:VTODO", "END:VCALENDAR", ""]
        return try CalendarComponent(onlyOneIn: Array(all.joined(separator: "\r\n").utf8))
    }

    private static func filter(_ inner: String) throws -> CalendarFilter {
        let xml = "<filter xmlns='urn:ietf:params:xml:ns:caldav'>\(inner)</filter>"
        return try CalendarFilter(DAVElement(parsing: Array(xml.utf8)))
    }

    /// Returns the filter of tasks with some content.
    private static func tasks(_ inner: String) throws -> CalendarFilter {
        try filter("<comp-filter name='VCALENDAR'><comp-filter name='VTODO'>\(inner)</comp-filter></comp-filter>")
    }

    @Test(
        "Components are defined or not",
        arguments: [
            ("<comp-filter name='VCALENDAR'/>", true),
            ("<comp-filter name='VCALENDAR'><comp-filter name='VTODO'/></comp-filter>", true),
            ("<comp-filter name='vcalendar'><comp-filter name='vtodo'/></comp-filter>", true),
            ("<comp-filter name='VCALENDAR'><comp-filter name='VEVENT'/></comp-filter>", false),
            (
                "<comp-filter name='VCALENDAR'><comp-filter name='VEVENT'><is-not-defined/></comp-filter></comp-filter>",
                true
            ),
            (
                "<comp-filter name='VCALENDAR'><comp-filter name='VTODO'><is-not-defined/></comp-filter></comp-filter>",
                false
            ),
            (
                "<comp-filter name='VCALENDAR'><comp-filter name='VTODO'/><comp-filter name='VEVENT'/></comp-filter>",
                false
            ),
            (
                """
                <comp-filter name='VCALENDAR'><comp-filter name='VEVENT'>
                <time-range start='20200101T000000Z' end='20300101T000000Z'/></comp-filter></comp-filter>
                """, false
            ),
        ])
    func components(xml: String, isMatch: Bool) throws {
        #expect(try Self.filter(xml).matches(Self.object("SUMMARY:x")) == isMatch)
        #expect(CalendarFilter().matches(try Self.object()))
    }

    @Test(
        "Alarms within a task",
        arguments: [
            ("<comp-filter name='VALARM'/>", true),
            ("<comp-filter name='VALARM'><is-not-defined/></comp-filter>", false),
        ]
    )
    func alarms(xml: String, isMatch: Bool) throws {
        let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM"
        #expect(try Self.tasks(xml).matches(Self.object(alarm)) == isMatch)
        #expect(try Self.tasks(xml).matches(Self.object()) != isMatch)
    }

    @Test(
        "Properties match by text, parameter, time or absence",
        arguments: [
            ("<prop-filter name='SUMMARY'/>", true), ("<prop-filter name='COMPLETED'/>", false),
            ("<prop-filter name='COMPLETED'><is-not-defined/></prop-filter>", true),
            ("<prop-filter name='summary'><is-not-defined/></prop-filter>", false),
            ("<prop-filter name='SUMMARY'><text-match>CALL</text-match></prop-filter>", true),
            ("<prop-filter name='SUMMARY'><text-match>, Zo</text-match></prop-filter>", true),
            ("<prop-filter name='SUMMARY'><text-match>mail</text-match></prop-filter>", false),
            ("<prop-filter name='SUMMARY'><text-match negate-condition='yes'>mail</text-match></prop-filter>", true),
            ("<prop-filter name='SUMMARY'><text-match collation='i;octet'>call</text-match></prop-filter>", false),
            (
                "<prop-filter name='SUMMARY'><text-match collation='i;ascii-casemap'>ZOË</text-match></prop-filter>",
                false
            ),
            (
                "<prop-filter name='SUMMARY'><text-match collation='i;unicode-casemap'>ZOË</text-match></prop-filter>",
                true
            ),
            (
                "<prop-filter name='STATUS'><text-match negate-condition='yes'>COMPLETED</text-match></prop-filter>",
                true
            ),
            ("<prop-filter name='X-NONE'><text-match negate-condition='yes'>a</text-match></prop-filter>", false),
            ("<prop-filter name='SUMMARY'><param-filter name='LANGUAGE'/></prop-filter>", true),
            ("<prop-filter name='SUMMARY'><param-filter name='X-A'/></prop-filter>", false),
            (
                "<prop-filter name='SUMMARY'><param-filter name='X-A'><is-not-defined/></param-filter></prop-filter>",
                true
            ),
            (
                "<prop-filter name='SUMMARY'><param-filter name='LANGUAGE'><text-match>EN</text-match></param-filter></prop-filter>",
                true
            ),
            (
                "<prop-filter name='SUMMARY'><param-filter name='LANGUAGE'><text-match>de</text-match></param-filter></prop-filter>",
                false
            ),
            ("<prop-filter name='DUE'><time-range start='20261121T090000Z'/></prop-filter>", true),
            ("<prop-filter name='DUE'><time-range end='20261121T090000Z'/></prop-filter>", false),
            ("<prop-filter name='SUMMARY'><time-range end='20261121T090000Z'/></prop-filter>", false),
            ("<prop-filter name='SUMMARY'/><prop-filter name='COMPLETED'/>", false),
        ])
    func properties(xml: String, isMatch: Bool) throws {
        let task = try Self.object("SUMMARY;LANGUAGE=en:Call\\, Zoë", "STATUS:NEEDS-ACTION", "DUE:20261121T090000Z")
        #expect(try Self.tasks(xml).matches(task) == isMatch)
    }

    /// The table of RFC 4791, section 9.9, for the range from the 10th to the 20th of the month at midnight UTC.
    @Test(
        "Tasks match a range of time by the times that they have",
        arguments: [
            // DTSTART and DURATION: ends at the start, begins at the end.
            (["DTSTART:20261109T000000Z", "DURATION:P1D"], true),
            (["DTSTART:20261108T235959Z", "DURATION:P1D"], false),
            (["DTSTART:20261120T000000Z", "DURATION:P1D"], false),
            (["DTSTART:20261119T235959Z", "DURATION:P1D"], true),
            (["DTSTART:20261120T000000Z", "DURATION:PT0S"], true),
            // DTSTART and DUE.
            (["DTSTART:20261101T000000Z", "DUE:20261110T000000Z"], false),
            (["DTSTART:20261101T000000Z", "DUE:20261110T000001Z"], true),
            (["DTSTART:20261110T000000Z", "DUE:20261110T000000Z"], true),
            (["DTSTART:20261101T000000Z", "DUE:20261201T000000Z"], true),
            (["DTSTART:20261120T000000Z", "DUE:20261121T000000Z"], false),
            // DTSTART alone.
            (["DTSTART:20261110T000000Z"], true), (["DTSTART:20261109T235959Z"], false),
            (["DTSTART:20261120T000000Z"], false),
            // DUE alone.
            (["DUE:20261110T000000Z"], false), (["DUE:20261110T000001Z"], true), (["DUE:20261120T000000Z"], true),
            (["DUE:20261120T000001Z"], false), (["DUE:20261101T000000Z", "COMPLETED:20261115T000000Z"], false),
            // COMPLETED and CREATED.
            (["COMPLETED:20261110T000000Z"], true), (["COMPLETED:20261120T000001Z"], false),
            (["COMPLETED:20261130T000000Z", "CREATED:20261101T000000Z"], true),
            (["COMPLETED:20261109T000000Z", "CREATED:20261101T000000Z"], false),
            (["CREATED:20261101T000000Z"], true), (["CREATED:20261120T000000Z"], false), ([], true),
            // Zones: one hour and nine hours east of UTC.
            (["DUE;TZID=Europe/Berlin:20261110T010000"], false), (["DUE;TZID=Europe/Berlin:20261110T010001"], true),
            (["DUE;TZID=/x/y/Asia/Tokyo:20261120T090000"], true), (["DUE;TZID=Asia/Tokyo:20261120T090001"], false),
        ] as [([String], Bool)])
    func range(lines: [String], isMatch: Bool) throws {
        let filter = try Self.tasks("<time-range start='20261110T000000Z' end='20261120T000000Z'/>")
        let task = try Self.object(lines.joined(separator: "\r\n"))
        #expect(filter.matches(task) == isMatch, "\(lines)")
    }

    @Test("A range may be open, and floating times and dates are in the zone of the question")
    func openRange() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let task = try Self.object("DUE:20261110T000000")
        #expect(try Self.tasks("<time-range start='20261109T233000Z'/>").matches(task))
        #expect(try !Self.tasks("<time-range start='20261109T233000Z'/>").matches(task, timeZone: berlin))
        #expect(try Self.tasks("<time-range end='20261109T233000Z'/>").matches(task, timeZone: berlin))
        #expect(try !Self.tasks("<time-range end='20261109T233000Z'/>").matches(task))
        #expect(
            try Self.tasks("<time-range start='00010101T000000Z'/>").matches(Self.object("DUE;VALUE=DATE:20261110")))
    }

    @Test(
        "A filter that is not valid or not supported is refused",
        arguments: [
            ("", "valid-filter"), ("<comp-filter name='VTODO'/>", "valid-filter"), ("<comp-filter/>", "valid-filter"),
            ("<comp-filter name='VCALENDAR'><prop-filter/></comp-filter>", "valid-filter"),
            (
                "<comp-filter name='VCALENDAR'><comp-filter name='VTODO'><time-range/></comp-filter></comp-filter>",
                "valid-filter"
            ),
            (
                "<comp-filter name='VCALENDAR'><comp-filter name='VTODO'><time-range start='20261110'/></comp-filter></comp-filter>",
                "valid-filter"
            ),
            (
                """
                <comp-filter name='VCALENDAR'><comp-filter name='VTODO'>
                <time-range start='20261110T000000Z' end='20261110T000000Z'/></comp-filter></comp-filter>
                """, "valid-filter"
            ),
            (
                """
                <comp-filter name='VCALENDAR'><prop-filter name='VERSION'>
                <text-match collation='i;none'>2</text-match></prop-filter></comp-filter>
                """, "supported-collation"
            ),
            ("<comp-filter name='VCALENDAR'><time-range start='20261110T000000Z'/></comp-filter>", "supported-filter"),
            (
                """
                <comp-filter name='VCALENDAR'><comp-filter name='VTODO'><comp-filter name='VALARM'>
                <time-range start='20261110T000000Z'/></comp-filter></comp-filter></comp-filter>
                """, "supported-filter"
            ),
        ])
    func refused(xml: String, condition: String) {
        #expect(throws: DAVError.unmetPrecondition(.calendar(condition))) { try Self.filter(xml) }
    }
}
