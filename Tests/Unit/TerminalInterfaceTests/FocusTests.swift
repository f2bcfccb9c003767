import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Focus and layers")
struct FocusTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    init() {
        interface.answer(interface.begin(), [contactRow("Ana", id: "a"), contactRow("Ben", id: "b")])
    }

    @Test("Letters go to the line until the list has the focus")
    mutating func letters() {
        interface.type("q")
        #expect(interface.line.text == "q")
        interface.press(.escape, .escape)
        #expect(interface.isInList)
        let outcome = interface.press(.character("q"))
        #expect(outcome.quits)
    }

    @Test("Esc leaves one level: detail, list, the text of the line, and ends on the list")
    mutating func escape() {
        interface.answer(interface.type("an"), [contactRow("Ana", id: "a")])
        interface.press(.enter)
        #expect(interface.screen().text.contains("+44 7700 900177"))
        #expect(interface.layers.count == 1)
        interface.press(.escape)
        #expect(interface.layers.isEmpty && interface.isInList && interface.line.text == "an")
        interface.press(.escape)
        #expect(!interface.isInList && interface.line.text == "an")
        interface.press(.escape)
        #expect(!interface.isInList && interface.line.isEmpty)
        interface.press(.escape)
        #expect(interface.isInList)
        interface.press(.escape)
        #expect(interface.isInList)
    }

    @Test("Moving works from the line, and does not take the focus away")
    mutating func moving() {
        interface.press(.down)
        #expect(interface.listing.row?.title == "Ben")
        #expect(!interface.isInList)
        interface.press(.control("p"))
        #expect(interface.listing.row?.title == "Ana")
        interface.press(.control("n"), .pageUp)
        #expect(interface.listing.chosen == 0)
    }

    @Test("The cursor is where one types, and on the chosen row while one chooses")
    mutating func cursor() {
        #expect(interface.screen().cursor.row == 0)
        interface.press(.down)
        let screen = interface.screen()
        #expect(screen.text(ofRow: screen.cursor.row).contains("Ben"))
        interface.type("x")
        #expect(interface.screen().cursor == Position(row: 0, column: 3))
    }

    @Test("Alt does from the line what the letter alone does on the list")
    mutating func alt() {
        let edits = interface.press(.alt("f")).edits
        guard case .some(.setFavourite(let id, let isFavourite)) = edits.first else {
            Issue.record("\(edits)")
            return
        }
        #expect(id == "a" && isFavourite)
    }

    @Test("? asks for help on the empty line and on the list, and is a letter otherwise")
    mutating func questionMark() {
        interface.press(.character("?"))
        #expect(interface.screen().text.contains("Keys"))
        interface.press(.escape)
        interface.type("a?")
        #expect(interface.line.text == "a?")
    }

    @Test("The names of all tabs are whole on 40 columns, whichever is chosen", arguments: 1...5)
    mutating func narrowTabs(number: Int) {
        interface = Interface(size: Size(columns: 40, rows: 12))
        interface.press(.alt(Character("\(number)")))
        for tab in Tab.allCases { #expect(interface.lines[1].contains(tab.title)) }
    }

    @Test("Tabs follow each other in both directions")
    mutating func tabs() {
        interface.press(.tab)
        #expect(interface.tab == .contacts)
        interface.press(.backTab, .backTab)
        #expect(interface.tab == .activity)
        interface.press(.alt("3"))
        #expect(interface.tab == .prospects)
    }

    @Test("A press chooses, a second one opens; tabs and the line can be pressed, the wheel moves")
    mutating func mouse() {
        let list = interface.layout.list.row
        _ = interface.handle(.mouse(Mouse(.press, row: list + 1, column: 4)))
        #expect(interface.listing.chosen == 1 && interface.isInList)
        _ = interface.handle(.mouse(Mouse(.press, row: list + 1, column: 4)))
        #expect(interface.layers.count == 1)
        interface.press(.escape)
        _ = interface.handle(.mouse(Mouse(.wheelUp, row: 5, column: 5)))
        #expect(interface.listing.chosen == 0)
        _ = interface.handle(.mouse(Mouse(.press, row: 0, column: 5)))
        #expect(!interface.isInList)
        let airports = interface.tabColumns[3].columns.lowerBound
        _ = interface.handle(.mouse(Mouse(.press, row: 1, column: airports)))
        #expect(interface.tab == .airports)
    }

    @Test("The palette has every command with its key, narrowed by words, and the reason why one cannot be done")
    mutating func palette() {
        interface = Interface(size: Size(columns: 120, rows: 60))
        interface.press(.escape, .character(":"))
        for entry in KeyTable.entries where entry.isInPalette {
            #expect(
                interface.lines.contains {
                    $0.contains(entry.title)
                        && $0.contains(entry.keyNames.count > 20 ? entry.firstKeyName : entry.keyNames)
                })
        }
        #expect(interface.screen().text.contains("there is nothing to undo"))
        interface.type("quit")
        let outcome2 = interface.press(.enter)
        #expect(outcome2.quits)
    }

    @Test("A command that cannot be done says why")
    mutating func reasons() {
        interface.press(.escape, .character(" "))
        #expect(interface.lines.last == "Ana is no prospect")
        interface.press(.character("u"))
        #expect(interface.lines.last == "there is nothing to undo")
    }
}
