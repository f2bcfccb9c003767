import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Focus and overlays")
struct FocusTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    init() {
        interface.answer(interface.start(), [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")])
    }

    @Test("Letters are typed into the search line unless the list has the focus")
    mutating func letters() {
        interface.type("q")
        #expect(interface.searchLine.text == "q")
        interface.press(.escape, .escape)
        #expect(interface.isListFocused)
        let outcome = interface.press(.character("q"))
        #expect(outcome.quits)
    }

    @Test("Esc goes back from the detail to the search line, to an empty line, and ends on the list")
    mutating func escape() {
        interface.answer(interface.type("an"), [contactRow("Ana", id: "a")])
        interface.press(.enter)
        #expect(interface.screen().text.contains("+44 7700 900177"))
        #expect(interface.overlays.count == 1)
        interface.press(.escape)
        #expect(interface.overlays.isEmpty && !interface.isListFocused && interface.searchLine.text == "an")
        interface.press(.escape)
        #expect(!interface.isListFocused && interface.searchLine.isEmpty)
        interface.press(.escape)
        #expect(interface.isListFocused)
        interface.press(.escape)
        #expect(interface.isListFocused)
    }

    @Test("Moving the selection keeps the focus on the search line")
    mutating func moving() {
        interface.press(.down)
        #expect(interface.listing.row?.title == "Ben")
        #expect(!interface.isListFocused)
        interface.press(.control("p"))
        #expect(interface.listing.row?.title == "Ana")
        interface.press(.control("n"), .pageUp)
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

    @Test("Alt with a letter has the same command in the search line, the list and the detail")
    mutating func alt() {
        for keys in [[], [.escape], [.enter], [.escape, .escape, .escape, .enter]] as [[Key]] {
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
        interface.answer(interface.press(.end, .control("w")), [contactRow("Ana Maria Sol", id: "a")])
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

    @Test("After Enter in the list, letters are commands, and q goes back")
    mutating func commandsInDetail() {
        interface.press(.escape, .enter)
        #expect(interface.overlays.count == 1)
        #expect(!interface.press(.character("q")).quits)
        #expect(interface.overlays.isEmpty)
        interface.press(.enter, .alt("e"))
        #expect(interface.screen().text.contains("Nickname"))
    }

    @Test(
        "q closes each view that covers the list",
        arguments: [.character("?"), .character("m"), .character("l"), .alt("b")] as [Key])
    mutating func closing(key: Key) {
        interface.press(.escape, key)
        #expect(interface.overlays.count == 1)
        #expect(!interface.press(.character("q")).quits)
        #expect(interface.overlays.isEmpty)
        #expect(interface.press(.character("q")).quits)
    }

    @Test("Help scrolls to its end and back as in less")
    mutating func scrollingHelp() {
        interface.press(.function(1))
        let first = interface.lines[3]
        interface.press(.character("G"))
        #expect(interface.screen().text.contains("turn keypad typing"))
        interface.press(.control("u"))
        #expect(!interface.lines.contains(first))
        interface.press(.character("g"))
        #expect(interface.lines[3] == first)
        interface.press(.end, .up, .control("d"), .down)
        #expect(interface.screen().text.contains("turn keypad typing"))
    }

    @Test("? opens help on an empty search line and in the list, and is typed otherwise")
    mutating func questionMark() {
        interface.press(.character("?"))
        #expect(interface.screen().text.contains("Keys"))
        interface.press(.escape)
        interface.type("a?")
        #expect(interface.searchLine.text == "a?")
    }

    @Test("All tab labels fit into 40 columns, whichever is selected", arguments: 1...5)
    mutating func narrowTabs(number: Int) {
        interface = Interface(size: Size(columns: 40, rows: 12))
        interface.press(.alt(Character("\(number)")))
        for tab in Tab.allCases { #expect(interface.lines[1].contains(tab.title)) }
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
        #expect(interface.listing.selected == 1 && interface.isListFocused)
        _ = interface.handle(.mouse(Mouse(.press, row: list + 1, column: 4)))
        #expect(interface.overlays.count == 1)
        interface.press(.escape)
        _ = interface.handle(.mouse(Mouse(.wheelUp, row: 5, column: 5)))
        #expect(interface.listing.selected == 0)
        _ = interface.handle(.mouse(Mouse(.press, row: 0, column: 5)))
        #expect(!interface.isListFocused)
        let airports = interface.tabColumns[3].columns.lowerBound
        _ = interface.handle(.mouse(Mouse(.press, row: 1, column: airports)))
        #expect(interface.tab == .airports)
    }

    @Test("The palette lists every command with its key, filters by words, and shows why a command is unavailable")
    mutating func palette() {
        interface = Interface(size: Size(columns: 120, rows: 60))
        interface.press(.escape, .character(":"))
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

    @Test("An unavailable command shows the reason")
    mutating func reasons() {
        interface.press(.escape, .alt(" "))
        #expect(interface.lines.last == "Ana is not a prospect")
        interface.press(.alt("u"))
        #expect(interface.lines.last == "nothing to undo")
    }
}
