import Testing

@testable import SwitchboardKit

@Suite("Process environment")
struct ProcessEnvironmentTests {
    @Test(
        "The path of the database follows the precedence of the variables",
        arguments: [
            (["SWITCHBOARD_DATABASE": "a.sqlite", "XDG_DATA_HOME": "/data", "HOME": "/home/ana"], "a.sqlite"),
            (["XDG_DATA_HOME": "/data", "HOME": "/home/ana"], "/data/switchboard/switchboard.sqlite"),
            (["XDG_DATA_HOME": "data", "HOME": "/home/ana"], "/home/ana/.local/share/switchboard/switchboard.sqlite"),
            (
                ["SWITCHBOARD_DATABASE": "", "HOME": "/home/ana"],
                "/home/ana/.local/share/switchboard/switchboard.sqlite"
            ),
        ])
    func database(variables: [String: String], path: String) throws {
        #expect(try ProcessEnvironment(variables).database() == path)
    }

    @Test("Without a home folder the database must be set")
    func noHome() {
        #expect(throws: SwitchboardError.self) { try ProcessEnvironment([:]).database() }
    }

    @Test(
        "Region and language follow the locale of their category",
        arguments: [
            ([:], nil, nil),
            (["LANG": "C"], nil, nil), (["LANG": "C.UTF-8"], nil, nil), (["LANG": "POSIX"], nil, nil),
            (["LANG": "tr_TR.UTF-8"], "TR", "tr"), (["LANG": "de_DE@euro"], "DE", "de"), (["LANG": "ru"], nil, "ru"),
            (["LANG": "en_US.UTF-8", "LC_TELEPHONE": "tr_TR.UTF-8"], "TR", "en"),
            (["LANG": "en_US.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"], "US", "de"),
            (["LANG": "en_US.UTF-8", "LC_TELEPHONE": "tr_TR", "LC_ALL": "ru_RU.UTF-8"], "RU", "ru"),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], nil, nil), (["LANG": "en_US.UTF-8", "LC_ALL": ""], "US", "en"),
            (["LANG": "en_US.UTF-8", "SWITCHBOARD_REGION": "gb"], "GB", "en"),
            (["LANG": "eo_001"], nil, "eo"), (["LANG": "en_UK.UTF-8"], nil, "en"),
        ] as [([String: String], String?, String?)])
    func locale(variables: [String: String], region: String?, language: String?) throws {
        let environment = ProcessEnvironment(variables)
        #expect(try environment.region() == region)
        #expect(environment.language == language)
    }

    @Test("An invalid region is rejected", arguments: ["", "T", "TUR", "T1", "türkiye", "土", "ZZ", "D ", "E A"])
    func badRegion(text: String) {
        #expect(throws: SwitchboardError.self) { try ProcessEnvironment.region(text, from: "--region") }
    }

    @Test("A code that is used instead of the standard one is named with it", arguments: [("uk", "GB"), ("EL", "GR")])
    func otherCode(text: String, code: String) {
        let error = #expect(throws: SwitchboardError.self) { try ProcessEnvironment.region(text, from: "--region") }
        #expect(error?.message == "cannot read the region “\(text)” of --region; use \(code)")
    }
}
