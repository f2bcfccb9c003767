import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Mouse in overlays")
struct MouseTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    /// Presses the screen row that contains a text.
    private mutating func press(on text: String) throws -> [Request] {
        let row = try #require(
            interface.lines.indices.dropFirst(2).first { interface.lines[$0].contains(text) },
            "\(interface.screen().text)")
        return interface.handle(.mouse(Mouse(.press, row: row, column: 3)))
    }

    @Test("Pressing a command of the palette runs it")
    mutating func palette() throws {
        interface.press(.alt(":"))
        _ = try press(on: "Airports")
        #expect(interface.tab == .airports && interface.overlays.isEmpty)
    }

    @Test("Pressing a field of a form selects it, also in a scrolled form", arguments: [24, 8])
    mutating func form(rows: Int) throws {
        interface = Interface(size: Size(columns: 80, rows: rows))
        interface.go(to: "2", [])
        interface.press(.alt("a"))
        for _ in 0..<5 { interface.press(.tab) }
        _ = try press(on: "E-mail")
        interface.type("x")
        #expect(interface.lines.contains { $0.hasPrefix("E-mail        x") })
        _ = try press(on: "Organisation")
        interface.type("y")
        #expect(interface.lines.contains { $0.hasPrefix("Organisation  y") })
    }

    @Test("Pressing an answer to a reminder gives it")
    mutating func choices() throws {
        let switchboard = scratchSwitchboard()
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        let row = try prospectRow("Ana", in: switchboard)
        let reminder = try switchboard.remind(of: try #require(row.result?.id), at: .nextNine).reminder
        _ = interface.handle(.due(reminder))
        interface.press(.alt("!"))
        let requests = try press(on: "Tomorrow at nine")
        guard case .answer(_, let choice)? = requests.first else {
            Issue.record("\(requests)")
            return
        }
        #expect(choice?.label == "Tomorrow at nine")
    }
}
