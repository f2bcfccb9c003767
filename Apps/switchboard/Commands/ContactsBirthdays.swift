import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKit

struct ContactsBirthdays: Command {
    static let configuration = CommandConfiguration(
        commandName: "birthdays",
        abstract: "List upcoming birthdays, nearest first.",
        discussion: """
            Includes birthdays without a year. In years without 29 February, such a birthday is shown on the 28th.
            """)

    @Option(help: ArgumentHelp("The number of days ahead; 0 means today only.", valueName: "number"))
    var days = 30
    @Option("The first day, such as 2026-12-24. (default: today)", "date", parsing: .next)
    var from: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        guard days >= 0 else { throw SwitchboardError.usage("--days \(days) is negative; use 0 for today only") }
        let day = from.map { CalendarDay($0) } ?? CalendarDay(Date())
        guard let day else { throw SwitchboardError.usage("cannot read the date “\(from ?? "")”; use 2026-12-24") }
        let birthdays = try session.switchboard().contacts.birthdays(from: day, days: days)
        let rows = session.limited(birthdays).map(BirthdayRow.init)
        try session.respond(rows) { row in
            [
                Cell(row.birthday.date), Cell(row.distance), Cell(row.row.title, .strong),
                Cell(row.birthday.age.map { "turns \($0)" } ?? ""), Cell(row.row.id, .faint),
            ]
        }
        if rows.isEmpty { session.diagnostics.note("no birthdays in this period") }
        return .done
    }
}
