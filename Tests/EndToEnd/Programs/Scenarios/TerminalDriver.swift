import Foundation
import SwitchboardBadges
import SwitchboardTestSupport
import SwitchboardTesting
import Testing

/// The terminal interface in tmux as a front end for scenarios.
///
/// Steps without a command in the interface (importing, adding items, beginning an activity) use the command line on the
/// same database, and the interface shows the changes.
final class TerminalDriver: ScenarioDriver {
    private let bench: Bench
    private let terminal: TmuxTerminal
    private let commands: CommandDriver
    /// The titles that the scenario mentions, longest first.
    private let known: [String]

    init(_ bench: Bench, for scenario: Scenario) throws {
        self.bench = bench
        commands = CommandDriver(bench: bench)
        let mentioned = scenario.steps.map(\.expect).flatMap { expected in
            [expected.titles, expected.first, expected.includes, expected.excludes].flatMap { $0 ?? [] }
        }
        known = Set(mentioned).sorted { $0.count > $1.count }
        terminal = try TmuxTerminal(bench, columns: 160, rows: 50)
        try terminal.start()
    }

    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation {
        switch step.action {
        case .find: try search("M-1", step.text, isExpected)
        case .findContacts, .dialContacts: try search("M-2", step.text, isExpected)
        case .listProspects: try prospects(step.options["filter"] ?? "everyone", isExpected)
        case .searchAirports: try search("M-4", step.text, isExpected)
        case .chooseAirport: try chooseAirport(step.text)
        case .recentAirports: try search("M-4", "", isExpected, below: "Recent", above: "Popular")
        case .addContact: try add(step)
        case .removeContact: try remove(step.text)
        case .scanBadge: try scan(step.document(SampleData.badge))
        case .markContacted: try mark(step.text)
        case .remind: try remind(step.text)
        case .listReminders: try reminders(isExpected)
        default: try commands.perform(step, until: isExpected)
        }
    }

    // MARK: - Reading

    private func search(
        _ tab: String, _ text: String, _ isExpected: (Observation) -> Bool, below: String? = nil, above: String? = nil
    ) throws -> Observation {
        try go(to: tab, typing: text)
        return look(isExpected, below: below, above: above)
    }

    /// Closes all overlays, opens a tab and types into its search line.
    private func go(to tab: String, typing text: String = "") throws {
        while !terminal.screen().contains("> type to search") || heading().hasPrefix("──") {
            let before = terminal.screen()
            try terminal.press("Escape")
            _ = becomesTrue(within: .milliseconds(400)) { terminal.screen() != before }
        }
        try terminal.press(tab)
        guard !text.isEmpty else { return }
        try terminal.type(text)
        terminal.awaitNo("> type to search")
    }

    /// Reads the list until it is as expected.
    private func look(_ isExpected: (Observation) -> Bool, below: String? = nil, above: String? = nil) -> Observation {
        var seen = Observation()
        _ = becomesTrue(within: .seconds(30)) {
            seen = list(below: below, above: above)
            return isExpected(seen)
        }
        return seen
    }

    /// Returns the known titles in the list, without the pane beside it.
    private func list(below: String? = nil, above: String? = nil) -> Observation {
        var rows = terminal.rows.dropFirst(3).map { row in String(row.prefix { $0 != "│" }) }
        if let below { rows = Array(rows.drop { !$0.hasPrefix(below) }.dropFirst()) }
        if let above { rows = Array(rows.prefix { !$0.hasPrefix(above) }) }
        return Observation(titles: rows.compactMap { row in known.first { row.contains($0) } })
    }

    /// Selects the row of a title by typing it.
    private func choose(_ title: String, in tab: String) throws {
        try go(to: tab, typing: title)
        terminal.wait(for: "the row of \(title)") { _ in terminal.rows.dropFirst(3).first?.contains(title) ?? false }
    }

    // MARK: - Actions

    private func add(_ step: Scenario.Step) throws -> Observation {
        try go(to: "M-2")
        try terminal.press("M-a", until: "New contact")
        try terminal.type(step.text)
        for _ in 0..<3 { try terminal.press("Tab") }
        try terminal.type(step.options["phone"] ?? "")
        for _ in 0..<3 { try terminal.press("Tab") }
        try terminal.type(step.options["email"] ?? "")
        try terminal.press("C-s")
        var isRefused = false
        terminal.wait(for: "the form to be saved or rejected") { screen in
            isRefused = screen.contains("the phone number “") || screen.contains("the e-mail address “")
            return isRefused || screen.contains("\(step.text) added")
        }
        return isRefused ? Observation(refusal: "the form stays open") : Observation(titles: [step.text])
    }

    private func remove(_ name: String) throws -> Observation {
        try choose(name, in: "M-2")
        try terminal.press("Enter", until: "Esc back  type")
        try terminal.press("M-d", until: "Remove ")
        try terminal.answer("Remove", until: "removed")
        return Observation()
    }

    private func chooseAirport(_ code: String) throws -> Observation {
        try choose(code, in: "M-4")
        try terminal.press("M-c", until: "chosen")
        return Observation()
    }

    private func prospects(_ filter: String, _ isExpected: (Observation) -> Bool) throws -> Observation {
        try go(to: "M-3")
        for _ in 0..<3 where !heading().hasPrefix("\(filter), ") {
            let before = heading()
            try terminal.press("M-t")
            terminal.wait(for: "another filter") { _ in heading() != before }
        }
        return look(isExpected)
    }

    private func heading() -> String { terminal.rows.dropFirst(2).first ?? "" }

    private func scan(_ text: String) throws -> Observation {
        _ = try bench.file("badge.png", Data(try QRCode(text).png()))
        try go(to: "M-3")
        try terminal.press("M-s", until: "Picture")
        try terminal.type("badge.png")
        try terminal.press("Enter")
        var seen = Observation()
        terminal.wait(for: "a scanned badge") { screen in
            seen = Observation(titles: known.filter { screen.contains($0) })
            return screen.contains("scanned: ")
        }
        return seen
    }

    private func mark(_ name: String) throws -> Observation {
        try choose(name, in: "M-3")
        try terminal.press("M-Space", until: "was contacted")
        return Observation(titles: [name])
    }

    private func remind(_ name: String) throws -> Observation {
        try choose(name, in: "M-3")
        try terminal.press("M-r")
        var isAsked = false
        terminal.wait(for: "the reminder, or a question") { screen in
            isAsked = screen.contains("Allow notifications?")
            return isAsked || screen.contains("Reminder for \(name): ")
        }
        if isAsked { try terminal.answer("Allow", until: "Reminder for \(name): ") }
        return Observation(titles: ["Contact \(name)"])
    }

    private func reminders(_ isExpected: (Observation) -> Bool) throws -> Observation {
        try go(to: "M-3")
        try terminal.press("M-l", until: "Reminders")
        return look { isExpected(Observation(titles: $0.titles)) }
    }
}
