import Testing

@testable import SwitchboardKit
@testable import SwitchboardTerminalInterface

@Suite("Search while typing")
struct SearchTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    @Test("Each key starts a search with a ticket of its own")
    mutating func everyKey() {
        let requests = interface.type("jo")
        #expect(requests.searches.map(\.text) == ["j", "jo"])
        #expect(requests.searches[0].ticket < requests.searches[1].ticket)
    }

    @Test("The response to an earlier search is ignored")
    mutating func stale() {
        let first = interface.type("j")
        let second = interface.type("o")
        interface.answer(second, [contactRow("Jogo", id: "1")])
        interface.answer(first, [contactRow("Juan", id: "2")])
        #expect(interface.listing.rows.map(\.title) == ["Jogo"])
    }

    static let readings: [(tab: Character, text: String, isKeypad: Bool)] = [
        ("1", "5646", true), ("2", "5646", true), ("3", "5646", true), ("4", "5646", true), ("5", "5646", false),
        ("2", "56a", false),
        ("2", "+44", false), ("2", "٥٦", true), ("2", "5½", false), ("2", "", false),
    ]

    @Test("A text of digits is a keypad search, except in Activity", arguments: readings)
    mutating func keypad(tab: Character, text: String, isKeypad: Bool) {
        interface.press(.alt(tab))
        let requests = interface.type(text)
        #expect(interface.isKeypad == isKeypad)
        #expect(requests.searches.last.map(\.isKeypad) ?? false == isKeypad)
    }

    @Test("A keypad search draws the keypad, also on a small screen")
    mutating func keypadView() {
        for size in [Size(columns: 40, rows: 12), Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)] {
            interface = Interface(size: size)
            interface.answer(interface.type("5646"), [contactRow("Jogo", id: "1")])
            #expect(interface.screen().text.contains("5 jkl"), "\(size)")
            #expect(interface.screen().text.contains("Jogo"), "\(size)")
            interface.press(.backspace, .backspace, .backspace, .backspace)
            #expect(!interface.screen().text.contains("5 jkl"), "\(size)")
        }
    }

    @Test("Near the end of the list more rows are requested, and the selection stays")
    mutating func more() {
        let rows = (0..<24).map { contactRow("Person \($0)", id: "\($0)") }
        interface.answer(interface.start(), rows, hasMore: true)
        var asked: [Search] = []
        for _ in 0..<23 { asked += interface.press(.down).searches }
        #expect(asked.first.map { $0.limit > 24 } ?? false)
        let selected = interface.listing.selected
        #expect(selected == 23)
        _ = interface.handle(
            .searchUpdated(
                SearchUpdate(
                    ticket: interface.lastTicket, rows: (0..<60).map { contactRow("Person \($0)", id: "\($0)") })))
        #expect(interface.listing.selected == selected)
        #expect(interface.lines.contains { $0.contains("Person 23") })
    }

    @Test("End requests all rows and then selects the last one; the heading shows the total")
    mutating func lastRow() {
        let rows = (0..<60).map { contactRow("Person \($0)", id: "\($0)") }
        let start = interface.press(.alt("2"))
        _ = interface.handle(
            .searchUpdated(
                SearchUpdate(
                    ticket: start.searches.last?.ticket ?? 0, rows: Array(rows.prefix(24)), hasMore: true, total: 60)))
        #expect(interface.lines[2].hasPrefix("contacts: 1 of 60"))
        let requests = interface.press(.escape, .end)
        #expect(requests.searches.last?.limit == 0)
        interface.answer(requests, rows)
        #expect(interface.listing.selected == 59)
        #expect(interface.lines[2].hasPrefix("contacts: 60 of 60"))
    }

    @Test("PgDn and PgUp move by pages, and Ctrl with a letter edits the search line on every row")
    mutating func pages() {
        interface.answer(interface.start(), (0..<60).map { contactRow("Person \($0)", id: "\($0)") })
        interface.press(.pageDown)
        #expect(interface.listing.selected > 3)
        interface.press(.pageUp)
        #expect(interface.listing.selected == 0)
        interface.press(.down)
        interface.type("ab")
        interface.press(.control("b"), .control("d"))
        #expect(interface.searchLine.text == "a")
    }

    @Test("Ctrl-R, and Up on an empty line, bring back earlier search texts")
    mutating func history() {
        interface.press(.control("r"))
        #expect(interface.lines.last?.contains("no earlier search text") == true)
        for text in ["ana", "ben", "ana"] {
            interface.answer(interface.type(text), [contactRow("Ana", id: "a")])
            interface.press(.escape)
        }
        #expect(interface.searchLine.isEmpty)
        #expect(interface.press(.up).searches.last?.text == "ana")
        #expect(interface.press(.up).searches.last?.text == "ben")
        #expect(interface.press(.control("r")).searches.last?.text == "ana")
        interface.type("x")
        interface.answer(interface.press(.character("y")), [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")])
        #expect(interface.press(.up).searches.isEmpty)
        interface.press(.enter)
        #expect(interface.history == ["ben", "ana", "anaxy"])
        for number in 0..<200 {
            interface.answer(interface.type("q\(number)"), [])
            interface.press(.escape)
        }
        #expect(interface.history.count == Interface.longestHistory && interface.history.last == "q199")
        // A text that is deleted or replaced counts, too.
        interface.answer(interface.type("cem"), [contactRow("Cem", id: "c")])
        interface.press(.control("u"))
        #expect(interface.history.last == "cem")
    }

    @Test("A search that waits for its index says so, until its rows arrive")
    mutating func indexing() {
        let requests = interface.start()
        let ticket = requests.searches.last?.ticket ?? 0
        #expect(!interface.screen().text.contains("index"))
        _ = interface.handle(.searchDelayed(ticket: ticket, "⠋ indexing 10000 contacts…"))
        #expect(interface.lines[2].hasSuffix("⠋ indexing 10000 contacts…"))
        #expect(interface.lines[3] == "Building the search index; later searches will be fast")
        interface.answer(requests, [contactRow("Ana", id: "a")])
        _ = interface.handle(.searchDelayed(ticket: ticket, "⠙ indexing 10000 contacts…"))
        #expect(!interface.screen().text.contains("index"))
        #expect(interface.lines[2].hasPrefix("1 of 1"))
    }

    @Test("A new contact beyond the listed rows is selected")
    mutating func newRow() {
        let rows = (0..<60).map { contactRow("Person \($0)", id: "\($0)") }
        interface.answer(interface.press(.alt("2")), Array(rows.prefix(24)), hasMore: true)
        var result = EditResult(message: "added", link: DeepLink(kind: .contact, id: "42"))
        result.undo = .removeContact("42")
        let refreshed = interface.handle(.edited(result, isUndo: false))
        let ticket = refreshed.searches.last?.ticket ?? 0
        let more = interface.handle(
            .searchUpdated(SearchUpdate(ticket: ticket, rows: Array(rows.prefix(24)), hasMore: true)))
        #expect(more.searches.last?.limit == 0)
        interface.answer(more, rows)
        #expect(interface.listing.row?.title == "Person 42")
    }

    @Test("New results of the same search keep the selected row, wherever it moved")
    mutating func sameRow() {
        interface.answer(interface.start(), [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")])
        interface.press(.down)
        let requests = interface.handle(.changed(["ContactBook"]))
        interface.answer(requests, ["z", "a", "b"].map { contactRow($0, id: $0) })
        #expect(interface.listing.row?.title == "b")
        interface.answer(interface.type("x"), ["z", "b"].map { contactRow($0, id: $0) })
        #expect(interface.listing.selected == 0)
    }

    @Test("Enter right after typing opens the new result, not the old selection")
    mutating func typedAhead() {
        interface.answer(interface.start(), [contactRow("Ana", id: "a")])
        let requests = interface.type("jo") + interface.press(.down, .enter)
        #expect(interface.overlays.isEmpty)
        interface.answer(requests, [contactRow("Joana", id: "b"), contactRow("Jogo", id: "c")])
        #expect(interface.overlays.count == 1)
        #expect(interface.lines[2].contains("Jogo"))
    }

    @Test("A command of the row that Enter is about to open waits for it, unless the text changes")
    mutating func commandAhead() {
        interface.answer(interface.start(), [contactRow("Ana", id: "a")])
        let first = interface.type("jo") + interface.press(.enter, .alt("f"))
        let edits = interface.answer(first, [contactRow("Joana", id: "b")]).edits
        #expect(edits.contains { if case .setFavourite("b", to: true) = $0 { true } else { false } })
        interface.press(.escape, .escape)
        let second = interface.type("x") + interface.press(.enter, .alt("f")) + interface.type("y")
        #expect(interface.answer(second, [contactRow("Xyla", id: "c")]).edits.isEmpty)
        #expect(interface.overlays.isEmpty)
    }

    @Test("A failed search shows its error")
    mutating func failure() {
        let ticket = interface.type("x").searches.last?.ticket ?? 0
        _ = interface.handle(.searchUpdated(SearchUpdate(ticket: ticket, rows: [], failure: "the file is in use")))
        #expect(interface.screen().text.contains("the file is in use"))
    }

    @Test("Pasted text is searched, and its newlines act as spaces")
    mutating func paste() {
        let requests = interface.handle(.paste("Jogo\nq"))
        #expect(requests.searches.last?.text == "Jogo q")
        #expect(!requests.quits)
    }

    @Test("The heading shows the server request and its outcome while the local rows stay")
    mutating func server() throws {
        interface.press(.alt("4"))
        let ticket = try #require(interface.type("kef").searches.last?.ticket)
        let own = [airportRow("KEF", "Keflavik")]
        _ = interface.handle(
            .searchUpdated(SearchUpdate(ticket: ticket, rows: own, isFinal: false, remote: "searching the server…")))
        #expect(interface.lines[2].hasSuffix("searching the server…"))
        #expect(interface.screen().text.contains("Keflavik"))
        let reason = "server: " + String(repeating: "no answer in time ", count: 20)
        _ = interface.handle(
            .searchUpdated(SearchUpdate(ticket: ticket, rows: own, remote: reason)))
        #expect(interface.lines[2].hasPrefix("airports: "))
        #expect(interface.lines[2].contains("server: no answer"))
        _ = interface.type("l")
        #expect(!interface.lines[2].contains("no answer"))
    }
}
