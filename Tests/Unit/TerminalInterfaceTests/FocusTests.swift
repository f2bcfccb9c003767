import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Focus and overlays")
struct FocusTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    init() {
        interface.answer(interface.start(), [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")])
    }

    @Test(
        "Letters and digits search from every view, and close it",
        arguments: [
            [], [.escape], [.down], [.end], [.enter], [.alt("v")], [.function(1)], [.alt("z")], [.alt("l")],
            [.alt("b")], [.alt("g")], [.alt("h")], [.alt("D")], [.function(1), .function(2), .escape],
        ] as [[Key]], ["q", "5"])
    mutating func letters(keys: [Key], letter: String) {
        for key in keys { interface.press(key) }
        let requests = interface.type(letter)
        #expect(!requests.quits && requests.searches.last?.text == letter)
        #expect(interface.searchLine.text == letter && interface.overlays.isEmpty)
        #expect(interface.isKeypad == (letter == "5"))
    }

    @Test(
        "After F2, one letter is a command, and the next one searches", arguments: [[], [.enter], [.down]] as [[Key]])
    mutating func commandMode(keys: [Key]) {
        for key in keys { interface.press(key) }
        interface.press(.function(2))
        #expect(interface.isInCommandMode && interface.lines[23].hasPrefix("COMMAND  a add  e edit"))
        #expect(interface.screen().rows[23][0].style.attributes.contains(.reverse))
        #expect(interface.press(.character("d")).isEmpty && interface.screen().text.contains("Remove "))
        #expect(!interface.isInCommandMode)
        interface.press(.escape)
        #expect(interface.type("d").searches.last?.text == "d")
    }

    @Test("Esc and F2 leave the command mode, and other keys do what they always do")
    mutating func leavingCommandMode() {
        interface.press(.function(2), .escape)
        #expect(!interface.isInCommandMode && interface.overlays.isEmpty)
        interface.press(.function(2), .function(2))
        #expect(interface.isInCommandMode)
        interface.press(.down)
        #expect(!interface.isInCommandMode && interface.listing.selected == 1)
        interface.press(.function(2))
        interface.press(.character("y"))
        #expect(interface.lines[23] == "y has no command; F1 shows the keys" && interface.searchLine.isEmpty)
        #expect(interface.press(.function(2), .character("q")).quits)
        interface.press(.function(2))
        _ = interface.handle(.paste("ben"))
        #expect(!interface.isInCommandMode && interface.searchLine.text == "ben")
    }

    @Test(
        "In forms, prompts and questions, F2 opens no command mode",
        arguments: [.alt("a"), .alt("s"), .alt("d")] as [Key])
    mutating func noCommandMode(key: Key) {
        interface.press(key, .function(2), .character("q"))
        #expect(!interface.isInCommandMode && interface.overlays.count == 1)
    }

    @Test("Esc goes back from the detail to the search text, and to an empty line")
    mutating func escape() {
        interface.answer(interface.type("an"), [contactRow("Ana", id: "a")])
        interface.press(.enter)
        #expect(interface.screen().text.contains("+44 7700 900177"))
        #expect(interface.overlays.count == 1)
        interface.press(.escape)
        #expect(interface.overlays.isEmpty && interface.searchLine.text == "an")
        interface.press(.escape)
        #expect(interface.searchLine.isEmpty)
        #expect(interface.press(.escape).isEmpty)
    }

    @Test("Keys that move the selection work at once, and Home and End go to the first and last row")
    mutating func moving() {
        interface.press(.down)
        #expect(interface.listing.row?.title == "Ben")
        interface.press(.control("p"))
        #expect(interface.listing.row?.title == "Ana")
        interface.press(.control("n"), .pageUp)
        #expect(interface.listing.selected == 0)
        interface.press(.end)
        #expect(interface.listing.selected == 1)
        interface.press(.home)
        #expect(interface.listing.selected == 0)
    }

    @Test("The cursor is in the search line while typing and on the selected row while moving")
    mutating func cursor() {
        #expect(interface.screen().cursor.row == 0)
        interface.press(.down)
        let screen = interface.screen()
        #expect(screen.text(ofRow: screen.cursor.row).contains("Ben"))
        interface.type("x")
        #expect(interface.screen().cursor == Position(row: 0, column: 3))
    }

    @Test("Alt with a letter has the same command in the search line, on a row and in the detail")
    mutating func alt() {
        for keys in [[], [.down, .up], [.enter], [.escape, .escape, .enter]] as [[Key]] {
            for key in keys { interface.press(key) }
            let edits = interface.press(.alt("c"), .alt("f")).edits
            guard case .callContact("a")? = edits.first, case .setFavourite("a", to: true)? = edits.last else {
                Issue.record("\(edits)")
                return
            }
            interface.press(.alt("d"))
            #expect(interface.screen().text.contains("Remove Ana?"))
            interface.press(.escape)
        }
    }

    @Test("Ctrl-Left, Ctrl-Right and Alt-Backspace edit words of the search line; Delete removes after its end")
    mutating func wordKeys() {
        interface.answer(interface.type("ana maria sol"), [contactRow("Ana Maria Sol", id: "a")])
        interface.press(.wordLeft, .wordLeft, .delete)
        #expect(interface.searchLine.text == "ana aria sol" && interface.searchLine.before == "ana ")
        interface.press(.wordRight, .alt("\u{7F}"))
        #expect(interface.searchLine.text == "ana  sol" && interface.overlays.isEmpty)
        interface.answer(interface.press(.control("e"), .control("w")), [contactRow("Ana Maria Sol", id: "a")])
        interface.press(.delete)
        #expect(interface.screen().text.contains("Remove Ana Maria Sol?"))
    }

    @Test("A name typed after Enter is a new search, not commands")
    mutating func nameAfterEnter() {
        interface.answer(interface.type("an"), [contactRow("Ana", id: "a")])
        interface.press(.enter)
        #expect(interface.overlays.count == 1)
        #expect(interface.screen().cursor == Position(row: 0, column: 4))
        let requests = interface.type("dylan")
        #expect(requests.edits.isEmpty && interface.overlays.isEmpty)
        #expect(interface.searchLine.text == "dylan" && requests.searches.last?.text == "dylan")
        interface.answer(requests, [contactRow("Dylan", id: "d")])
        interface.press(.enter)
        let pasted = interface.handle(.paste("ben"))
        #expect(pasted.searches.last?.text == "ben")
        interface.answer(pasted, [contactRow("Ben", id: "b")])
        interface.press(.enter)
        let edits = interface.press(.alt("f")).edits
        guard case .some(.setFavourite("b", true)) = edits.first else {
            Issue.record("\(edits)")
            return
        }
    }

    @Test(
        "Esc closes each view that covers the list",
        arguments: [.character("?"), .alt("z"), .alt("l"), .alt("b")] as [Key])
    mutating func closing(key: Key) {
        interface.press(key)
        #expect(interface.overlays.count == 1)
        interface.press(.escape)
        #expect(interface.overlays.isEmpty)
    }

    @Test("Help scrolls to its end and back as in less")
    mutating func scrollingHelp() {
        interface.press(.function(1))
        let first = interface.lines[3]
        interface.press(.end)
        #expect(interface.screen().text.contains("turn keypad typing"))
        interface.press(.control("u"))
        #expect(!interface.lines.contains(first))
        interface.press(.home)
        #expect(interface.lines[3] == first)
        interface.press(.end, .up, .control("d"), .down)
        #expect(interface.screen().text.contains("turn keypad typing"))
    }

    @Test("? opens help on an empty search line, and is typed otherwise")
    mutating func questionMark() {
        interface.press(.character("?"))
        #expect(interface.screen().text.contains("Keys"))
        interface.press(.escape)
        interface.type("a?")
        #expect(interface.searchLine.text == "a?")
    }

    @Test("All tab labels fit and are apart, whichever is selected", arguments: 1...5, [40, 41, 48, 50, 51, 80])
    mutating func narrowTabs(number: Int, columns: Int) {
        interface = Interface(size: Size(columns: columns, rows: 12))
        interface.press(.alt(Character("\(number)")))
        let labels = interface.lines[1].split(separator: " ").map(String.init)
        #expect(labels == ["Find", "Contacts", columns < 41 ? "Prospect" : "Prospects", "Airports", "Activity"])
    }

    @Test("Tab and Shift-Tab cycle through the tabs")
    mutating func tabs() {
        interface.press(.tab)
        #expect(interface.tab == .contacts)
        interface.press(.backTab, .backTab)
        #expect(interface.tab == .activity)
        interface.press(.alt("3"))
        #expect(interface.tab == .prospects)
    }

    @Test("A press selects, a second one opens; tabs and the search line can be pressed, the wheel moves")
    mutating func mouse() {
        let list = interface.layout.list.row
        _ = interface.handle(.mouse(Mouse(.press, row: list + 1, column: 4)))
        #expect(interface.listing.selected == 1 && interface.isCursorOnRow)
        _ = interface.handle(.mouse(Mouse(.press, row: list + 1, column: 4)))
        #expect(interface.overlays.count == 1)
        interface.press(.escape)
        _ = interface.handle(.mouse(Mouse(.wheelUp, row: 5, column: 5)))
        #expect(interface.listing.selected == 0)
        _ = interface.handle(.mouse(Mouse(.press, row: 0, column: 5)))
        #expect(!interface.isCursorOnRow)
        let airports = interface.tabColumns[3].columns.lowerBound
        _ = interface.handle(.mouse(Mouse(.press, row: 1, column: airports)))
        #expect(interface.tab == .airports)
    }

    @Test("The help leads to the commands by a slash, and the map is zoomed by signs; letters search from both")
    mutating func signs() {
        interface.press(.function(1), .character("/"))
        interface.type("undo")
        #expect(interface.screen().text.contains("Alt-u") && interface.lines[2].contains("Commands"))
        interface.press(.escape, .escape)
        interface.go(
            to: "4", [airportRow("FRA", "Frankfurt"), airportRow("LHR", "London", latitude: 51, longitude: 0)])
        interface.press(.alt("m"))
        let whole = interface.screen().text
        interface.press(.character("+"), .character("+"), .down)
        #expect(interface.listing.selected == 1 && interface.lines[2].contains("Map"))
        #expect(interface.screen().text != whole)
        interface.press(.character("-"), .character("-"), .up)
        #expect(interface.screen().text == whole)
        #expect(interface.type("p").searches.last?.text == "p")
    }

    @Test("The palette lists every command with its key, filters by words, and shows why a command is unavailable")
    mutating func palette() {
        interface = Interface(size: Size(columns: 120, rows: 60))
        interface.press(.alt(":"))
        for entry in KeyTable.standard.entries where entry.isInPalette {
            #expect(
                interface.lines.contains {
                    $0.contains(entry.title)
                        && $0.contains(entry.keyNames.count > 20 ? entry.firstKeyName : entry.keyNames)
                })
        }
        #expect(interface.screen().text.contains("nothing to undo"))
        interface.type("quit")
        let outcome2 = interface.press(.enter)
        #expect(outcome2.quits)
    }

    @Test("An empty address book is welcomed with the keys that fill it")
    mutating func welcome() {
        interface = Interface(size: Size(columns: 80, rows: 24))
        interface.answer(interface.start(), [])
        #expect(interface.lines[3] == "Welcome. Alt-I imports your contacts from a file.")
        #expect(interface.lines[4] == "Alt-a adds a contact by hand, Alt-s scans a badge.")
        interface.go(to: "2", [])
        #expect(interface.lines[3] == "No contacts yet; Alt-I imports a file, Alt-a adds one")
    }

    @Test("The palette lists available commands first")
    mutating func availableFirst() {
        interface.press(.alt(":"))
        interface.type("remi")
        // Ana is not a prospect, so the commands that set a reminder come later.
        #expect(interface.lines[4].contains("all reminders"))
        #expect(interface.press(.enter).contains { if case .reminders = $0 { true } else { false } })
    }

    @Test("A text and a tab may be given at the start")
    mutating func start() {
        interface = Interface(size: Size(columns: 80, rows: 24), query: "jogo", tab: .contacts)
        #expect(interface.start().searches.first?.text == "jogo")
        #expect(interface.tab == .contacts && interface.lines[0] == "> jogo")
    }

    @Test("The map needs an airport")
    mutating func map() {
        interface.press(.alt("m"))
        #expect(interface.overlays.isEmpty && interface.lines[23] == "no airport is listed")
    }

    @Test("An unavailable command shows the reason")
    mutating func reasons() {
        interface.press(.escape, .alt(" "))
        #expect(interface.lines.last == "Ana is not a prospect")
        interface.press(.alt("u"))
        #expect(interface.lines.last == "nothing to undo")
    }
}
