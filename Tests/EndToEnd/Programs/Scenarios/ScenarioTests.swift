import SwitchboardKit
import SwitchboardTestFixtures
import SwitchboardTesting
import Testing

/// Runs each shared scenario through each front end with the same expectations.
///
/// A new front end needs a driver and a test here.
@Suite("Scenarios") struct ScenarioTests {
    static let names = Scenario.shared.keys.sorted()

    private func scenario(_ name: String) throws -> Scenario {
        try Scenario(json: try #require(Scenario.shared[name]))
    }

    @Test("Every action is tested")
    func all() throws {
        let used = try Self.names.flatMap { try scenario($0).steps.map(\.action) }
        #expect(Set(used) == Set(Scenario.Action.allCases))
    }

    @Test("Through the modules", arguments: names)
    func modules(name: String) throws {
        let store = try TemporaryStore()
        let failures = try scenario(name).run(
            with: ModuleDriver(switchboard: Switchboard(Settings(database: store.database, region: "GB"))))
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("Through the command line", arguments: names)
    func commandLine(name: String) throws {
        let failures = try scenario(name).run(with: CommandDriver(bench: try Bench()))
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("Through the server", arguments: names)
    func server(name: String) throws {
        let server = try LiveServer()
        let failures = try scenario(name).run(with: ServerDriver(server: server, token: try server.token()))
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("Through the terminal interface", arguments: names)
    func terminal(name: String) throws {
        let scenario = try scenario(name)
        let failures = try scenario.run(with: TerminalDriver(try Bench(), for: scenario))
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("Reports steps that fail their expectation")
    func mismatches() throws {
        let store = try TemporaryStore()
        let scenario = Scenario(
            title: "",
            steps: [
                .init(.addContact, "Ada", expect: Expectation()),
                .init(.findContacts, "ada", expect: Expectation(titles: [])),
                .init(.findContacts, "ada", expect: Expectation(isRefused: true)),
                .init(.findContacts, "ada", expect: Expectation(first: ["Bo"])),
                .init(.findContacts, "ada", expect: Expectation(includes: ["Bo"])),
                .init(.findContacts, "ada", expect: Expectation(excludes: ["Ada"])),
                .init(.chooseAirport, "none", expect: Expectation()),
            ])
        let failures = try scenario.run(
            with: ModuleDriver(switchboard: Switchboard(Settings(database: store.database))))
        #expect(failures.map { Int($0.prefix(1)) } == [2, 3, 4, 5, 6, 7])
    }
}
