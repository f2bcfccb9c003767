import Testing

@testable import SwitchboardTerminalInterface

@Suite("Searching as one types")
struct SearchingTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    @Test("Each key asks anew, with a ticket of its own")
    mutating func everyKey() {
        let requests = interface.type("jo")
        #expect(requests.searches.map(\.text) == ["j", "jo"])
        #expect(requests.searches[0].ticket < requests.searches[1].ticket)
    }

    @Test("The answer to a former question is left out")
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

    @Test("Digits alone are keys, but among activities", arguments: readings)
    mutating func keypad(tab: Character, text: String, isKeypad: Bool) {
        interface.press(.alt(tab))
        let requests = interface.type(text)
        #expect(interface.isKeypad == isKeypad)
        #expect(requests.searches.last.map(\.isKeypad) ?? false == isKeypad)
    }

    @Test("The pad is drawn while keys are typed, also on a small screen")
    mutating func pad() {
        for size in [Size(columns: 40, rows: 12), Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)] {
            interface = Interface(size: size)
            interface.answer(interface.type("5646"), [contactRow("Jogo", id: "1")])
            #expect(interface.screen().text.contains("5 jkl"), "\(size)")
            #expect(interface.screen().text.contains("Jogo"), "\(size)")
            interface.press(.backspace, .backspace, .backspace, .backspace)
            #expect(!interface.screen().text.contains("5 jkl"), "\(size)")
        }
    }

    @Test("Near the end of the rows more are asked for, and the choice stays")
    mutating func more() {
        let rows = (0..<24).map { contactRow("Person \($0)", id: "\($0)") }
        interface.answer(interface.begin(), rows, hasMore: true)
        var asked: [Search] = []
        for _ in 0..<23 { asked += interface.press(.down).searches }
        #expect(asked.first.map { $0.limit > 24 } ?? false)
        let chosen = interface.listing.chosen
        #expect(chosen == 23)
        _ = interface.handle(
            .found(
                Found(
                    ticket: interface.lastTicket, rows: (0..<60).map { contactRow("Person \($0)", id: "\($0)") })))
        #expect(interface.listing.chosen == chosen)
        #expect(interface.lines.contains { $0.contains("Person 23") })
    }

    @Test("A new answer to the same question keeps the chosen row, wherever it is by now")
    mutating func sameRow() {
        interface.answer(interface.begin(), [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")])
        interface.press(.down)
        let requests = interface.handle(.changed(["ContactBook"]))
        interface.answer(requests, ["z", "a", "b"].map { contactRow($0, id: $0) })
        #expect(interface.listing.row?.title == "b")
        interface.answer(interface.type("x"), ["z", "b"].map { contactRow($0, id: $0) })
        #expect(interface.listing.chosen == 0)
    }

    @Test("Enter right after the text opens the row that comes, not the one that was there")
    mutating func typedAhead() {
        interface.answer(interface.begin(), [contactRow("Ana", id: "a")])
        let requests = interface.type("jo") + interface.press(.down, .enter)
        #expect(interface.layers.isEmpty)
        interface.answer(requests, [contactRow("Joana", id: "b"), contactRow("Jogo", id: "c")])
        #expect(interface.layers.count == 1)
        #expect(interface.lines[2].contains("Jogo"))
    }

    @Test("A search that fails says why")
    mutating func failure() {
        let ticket = interface.type("x").searches.last?.ticket ?? 0
        _ = interface.handle(.found(Found(ticket: ticket, rows: [], failure: "the file is in use")))
        #expect(interface.screen().text.contains("the file is in use"))
    }

    @Test("Pasted text is searched, and its line ends press nothing")
    mutating func paste() {
        let requests = interface.handle(.paste("Jogo\nq"))
        #expect(requests.searches.last?.text == "Jogo q")
        #expect(!requests.quits)
    }

    @Test("What the server has to add is said")
    mutating func remote() {
        interface.press(.alt("4"))
        let ticket = interface.type("xyz").searches.last?.ticket ?? 0
        _ = interface.handle(
            .found(Found(ticket: ticket, rows: [], isFinal: false, remote: "searching the server…")))
        #expect(interface.screen().text.contains("searching the server…"))
    }

    @Test("That a server is asked is said, and what came of it; the rows that are there do not wait")
    mutating func server() throws {
        interface.press(.alt("4"))
        let ticket = try #require(interface.type("kef").searches.last?.ticket)
        let own = [airportRow("KEF", "Keflavik")]
        _ = interface.handle(
            .found(Found(ticket: ticket, rows: own, isFinal: false, remote: "searching the server…")))
        #expect(interface.lines[2].hasSuffix("searching the server…"))
        #expect(interface.screen().text.contains("Keflavik"))
        let reason = "server: " + String(repeating: "nobody answers ", count: 20)
        _ = interface.handle(.found(Found(ticket: ticket, rows: own, elapsed: .milliseconds(2), remote: reason)))
        #expect(interface.lines[2].hasPrefix("stages: "))
        #expect(interface.lines[2].contains("server: nobody answers"))
        _ = interface.type("l")
        #expect(!interface.lines[2].contains("nobody"))
    }
}
