import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@testable import SwitchboardTerminalInterface

extension Request {
    /// True for a request that changes what the user has stored. The history of what was viewed and opened is not meant:
    /// Enter opens a row wherever it is pressed.
    fileprivate var changesData: Bool {
        switch self {
        case .perform, .grant, .scan, .setLocation, .importContacts, .exportContacts, .editNote, .recordChoice,
            .answer(_, .some):
            true
        default: false
        }
    }
}

@Suite("Typed text changes nothing that is stored")
struct TypedTextTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let prospect: Row
    let due: Reminder

    init() throws {
        let switchboard = scratchSwitchboard()
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        prospect = try prospectRow("Ana", in: switchboard)
        due = try switchboard.remind(of: try #require(prospect.result?.id), at: .nextNine).reminder
    }

    /// The states in which text may be typed, by the keys that lead to them.
    static let states: [(name: String, keys: [Key])] = [
        ("the search line", []), ("a search text", [.character("a"), .character("n")]), ("a row", [.down]),
        ("the last row", [.end]), ("marked rows", [.alt("V")]),
        ("a detail", [.enter]), ("a row of the detail", [.enter, .down]),
        ("the left form", [.alt("a"), .character("x"), .escape]),
        ("the line after a detail", [.character("a"), .enter, .escape]), ("the reminders", [.alt("l")]),
        ("the duplicates", [.alt("D")]), ("the map", [.alt("m")]), ("help", [.function(1)]), ("my badge", [.alt("b")]),
    ]

    static let questions: [(name: String, keys: [Key])] = [
        ("a removal", [.alt("d")]), ("a removal of a row", [.down, .delete]),
        ("a removal in a detail", [.enter, .alt("d")]), ("a bulk removal", [.escape, .alt("V"), .alt("d")]),
        ("a merge", [.escape, .alt("V"), .alt("M")]), ("a merge of duplicates", [.alt("D"), .alt("M")]),
        ("a due reminder", [.alt("!")]),
    ]

    /// Rows for a search in any tab.
    private func rows(_ tab: Tab) -> [Row] {
        switch tab {
        case .find, .contacts: [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")]
        case .prospects: [prospect]
        case .airports: [airportRow("BER", "Berlin")]
        case .activity: []
        }
    }

    /// Creates the state that some keys lead to in a tab.
    private mutating func prepare(_ tab: Tab, _ keys: [Key]) {
        interface = Interface(size: Size(columns: 80, rows: 24))
        interface.answer(interface.start(), rows(.find))
        interface.answer(interface.press(.alt(Character("\(tab.rawValue + 1)"))), rows(tab))
        _ = interface.handle(.due(due))
        for key in keys { respond(to: interface.press(key)) }
    }

    /// Responds to the searches and menus that a key requested.
    private mutating func respond(to requests: [Request]) {
        interface.answer(requests, rows(interface.tab))
        for case .menu(let kind) in requests {
            _ = interface.handle(.menuLoaded(kind, [MenuEntry(["Ana"], .merge(["a", "b"], into: "Ana"))]))
        }
    }

    @Test(
        "No sequence of letters, digits, Space, Enter, Esc, Tab, arrows and page keys changes anything",
        arguments: states.indices)
    mutating func law(state: Int) throws {
        let movement: [Key] = [
            .escape, .tab, .backTab, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end,
        ]
        try type(in: Self.states[state], movement, seed: UInt64(state) + 1)
    }

    /// In a question, an arrow selects another answer.
    @Test("No sequence of letters, digits, Space, Enter and Esc answers a question", arguments: questions.indices)
    mutating func questionLaw(state: Int) throws {
        try type(in: Self.questions[state], [.escape], seed: UInt64(state) + 100)
    }

    /// Types random texts, and expects that no request changes data.
    private mutating func type(in state: (name: String, keys: [Key]), _ others: [Key], seed: UInt64) throws {
        let (name, keys) = state
        var random = SplitMix(seed: seed)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789éß中").map(Key.character)
        for round in 0..<120 {
            let tab = try #require(Tab.allCases.randomElement(using: &random))
            prepare(tab, keys)
            var typed: [Key] = []
            for _ in 0..<30 {
                let key: Key =
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: .enter
                    case 1: .character(" ")
                    case 2, 3: try #require(others.randomElement(using: &random))
                    default: try #require(letters.randomElement(using: &random))
                    }
                // Slow and fast typing, and bursts that are read before the next screen is drawn.
                let pause = Duration.milliseconds(
                    try #require([0, 1, 40, 200, 310, 900].randomElement(using: &random)))
                if Bool.random(using: &random) { _ = interface.handle(.drawn, at: interface.time + pause / 2) }
                typed.append(key)
                let requests = interface.handle(.key(key), at: interface.time + pause)
                let changes = requests.contains { $0.changesData }
                #expect(
                    !changes,
                    "\(name) in \(tab), round \(round): \(typed.map(\.name).joined(separator: " "))")
                for overlay in interface.overlays {
                    if case .form = overlay { Issue.record("\(name) in \(tab): a form after \(typed.map(\.name))") }
                    if case .prompt = overlay { Issue.record("\(name) in \(tab): a prompt after \(typed.map(\.name))") }
                }
                if requests.quits { break }
                respond(to: requests)
            }
        }
    }

    @Test("A name that is typed while a question appears neither answers it nor runs a command")
    mutating func burst() throws {
        prepare(.contacts, [.character("a"), .enter])
        // Esc and d in one write are Alt-d.
        var requests = interface.handle(.key(.alt("d")), at: .seconds(100))
        for letter in "ylan" { requests += interface.handle(.key(.character(letter)), at: .seconds(100)) }
        requests += interface.handle(.key(.enter), at: .seconds(100))
        requests += interface.handle(.key(.alt("d")), at: .seconds(101))
        #expect(requests.edits.isEmpty && interface.screen().text.contains("Remove Ana?"))

        // Drawn, but keys that follow at once are still those of the typed name.
        requests = interface.handle(.drawn, at: .seconds(102))
        requests += interface.handle(.key(.alt("d")), at: .milliseconds(102_299))
        #expect(requests.edits.isEmpty && interface.screen().text.contains("Remove Ana?"))
        // A letter shows that typing goes on.
        requests = interface.handle(.key(.character("y")), at: .milliseconds(102_400))
        requests += interface.handle(.key(.delete), at: .milliseconds(102_699))
        #expect(requests.edits.isEmpty && interface.screen().text.contains("Remove Ana?"))
        requests = interface.handle(.key(.delete), at: .milliseconds(102_700))
        guard case .removeContact("a")? = requests.edits.first else {
            Issue.record("\(requests)")
            return
        }
    }

    @Test(
        "A removal is confirmed by its keys or by its button; Enter and Esc keep the row",
        arguments: [
            ([.enter], false), ([.escape], false), ([.character("y")], false), ([.character("y"), .enter], false),
            ([.delete], true), ([.alt("d")], true), ([.down, .enter], true), ([.tab, .enter], true),
            ([.right, .enter], true), ([.down, .up, .enter], false), ([.down, .character("n"), .escape], false),
        ] as [([Key], Bool)])
    mutating func answers(keys: [Key], removes: Bool) throws {
        prepare(.contacts, [.escape, .alt("d")])
        #expect(keys.flatMap { interface.press($0) }.edits.isEmpty != removes)
    }

    @Test("A name typed after Enter and Esc is a new search; other keys edit the old text")
    mutating func afterDetail() throws {
        prepare(.contacts, [.character("a"), .enter, .escape])
        #expect(interface.overlays.isEmpty)
        #expect(interface.screen().rows[0][2].style.attributes.contains(.reverse))
        #expect(interface.type("dylan").searches.map(\.text) == ["d", "dy", "dyl", "dyla", "dylan"])
        interface.answer(interface.press(.backspace), [contactRow("Dylan", id: "d")])
        interface.press(.enter, .escape)
        #expect(interface.press(.backspace).searches.last?.text == "dyl")
        #expect(interface.type("a").searches.last?.text == "dyla")
        interface.press(.enter, .escape)
        #expect(interface.handle(.paste("ben")).searches.last?.text == "ben")
    }
}
