import ArgumentParser
import SwitchboardContacts
import Foundation
import SwitchboardKit

struct ContactsBirthdays: Command {
    static let configuration = CommandConfiguration(
        commandName: "birthdays",
        abstract: "Whose birthday is coming, the nearest first.",
        discussion: """
            Also of those whose year of birth is not known. Where the year has no 29 February, such a birthday is on the 28th.
            """)

    @Option(help: ArgumentHelp("How many days ahead; 0 is today.", valueName: "number"))
    var days = 30
    @Option(help: ArgumentHelp("From another day than today, such as 2026-12-24.", valueName: "date"))
    var from: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        guard days >= 0 else { throw Fault.usage("--days \(days): give 0 for today, or how many days ahead to look") }
        let day = from.map { CalendarDay($0) } ?? CalendarDay(Date())
        guard let day else { throw Fault.usage("“\(from ?? "")” is no day; give one as 2026-12-24") }
        var birthdays = try session.switchboard().contacts.birthdays(from: day, days: days)
        if session.listLimit > 0 { birthdays = Array(birthdays.prefix(session.listLimit)) }
        let rows = birthdays.map(BirthdayRow.init)
        try session.answer(ResultList(rows)) {
            var table = Table()
            for row in rows {
                table.add([
                    Cell(row.birthday.date), Cell(row.distance), Cell(row.row.title, .strong),
                    Cell(row.birthday.age.map { "turns \($0)" } ?? ""), Cell(row.row.id, .faint),
                ])
            }
            table.write(to: session.output, style: session.style)
        }
        if rows.isEmpty { session.diagnostics.note("no birthday in these days") }
        return .done
    }
}
