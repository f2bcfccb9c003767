import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Picker")
struct PickerTests {
    private func picker(_ kind: Picker.Kind, takesSeveral: Bool = false, query: String = "") -> Interface {
        var interface = Interface(
            size: Size(columns: 80, rows: 24), picker: Picker(kind, takesSeveral: takesSeveral), query: query)
        let rows = ["Ana", "Ben", "Cleo"].map { contactRow($0, id: $0.lowercased()) }
        interface.answer(interface.start(), rows)
        return interface
    }

    private func picked(_ requests: [Request]) -> [String]? {
        for case .pick(let links) in requests { return links.map(\.id) }
        return nil
    }

    @Test("Enter returns the selected row; letters of every kind search")
    func choosing() {
        var interface = picker(.contact)
        #expect(interface.tab == .contacts)
        #expect(interface.type("qdu?:/ ").searches.count == 7)
        #expect(interface.searchLine.text == "qdu?:/ " && interface.overlays.isEmpty)
        interface.answer(interface.press(.control("u")), [contactRow("Ana", id: "ana"), contactRow("Ben", id: "ben")])
        #expect(picked(interface.press(.down, .enter)) == ["ben"])
    }

    @Test("Enter after typing waits for the results; without one it returns none")
    func typingAhead() {
        var interface = picker(.any, query: "b")
        let requests = interface.type("en")
        #expect(picked(interface.press(.enter)) == nil)
        let search = requests.searches.last?.ticket ?? 0
        #expect(picked(interface.handle(.searchUpdated(SearchUpdate(ticket: search, rows: [])))) == [])
    }

    @Test("Tab marks several rows in their order, and marks survive another search")
    func several() {
        var interface = picker(.contact, takesSeveral: true)
        interface.press(.down, .tab)
        interface.press(.up, .up, .tab)
        #expect(interface.screen().text.contains("2 marked"))
        #expect(interface.lines.filter { $0.hasPrefix("●") }.count == 2)
        interface.answer(interface.type("x"), [contactRow("Xenia", id: "xenia")])
        #expect(picked(interface.press(.enter)) == ["ben", "ana"])
        var single = picker(.contact)
        single.press(.tab)
        #expect(picked(single.press(.enter)) == ["ana"])
    }

    @Test("Esc, Ctrl-C and Ctrl-G cancel", arguments: [.escape, .control("c"), .control("g")] as [Key])
    func cancelling(key: Key) {
        var interface = picker(.item)
        guard case .cancelPicking? = interface.press(key).first else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test("An item picker searches items only")
    func items() {
        var interface = picker(.item)
        #expect(interface.type("a").searches.last?.kinds == [.item])
    }
}
