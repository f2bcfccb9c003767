import SwitchboardContacts
import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("All rows are those of the search, not those that are loaded")
struct AllRowsTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let people = (0..<60).map { contactRow("Person \($0)", id: "\($0)") }

    init() {
        interface.answer(interface.press(.alt("2")), Array(people.prefix(24)), hasMore: true)
        interface.press(.escape)
    }

    private func marks(_ rows: [Row]) -> [Mark] { rows.compactMap { $0.result.flatMap(Mark.init) } }

    /// Returns the search whose rows are to be marked.
    private func marked(_ requests: [Request]) -> Search? {
        requests.lazy.compactMap { if case .markAll(let search) = $0 { search } else { nil } }.first
    }

    @Test("Alt-V marks the rows beyond the loaded ones, and one edit applies to all of them")
    mutating func favourites() throws {
        let search = try #require(marked(interface.press(.alt("V"))))
        #expect(search.limit == 0 && search.tab == .contacts && interface.marked.isEmpty)
        #expect(interface.handle(.allMarked(search.ticket, marks(people))).isEmpty)
        #expect(interface.lines[2].hasSuffix("60 marked"))
        guard case .all(let edits)? = interface.press(.alt("f")).edits.first else {
            Issue.record("no edit")
            return
        }
        #expect(edits.count == 60)
    }

    @Test("Export and removal right after Alt-V wait for the marks", arguments: [Key.alt("X"), .alt("d"), .alt("M")])
    mutating func typedAhead(key: Key) throws {
        let search = try #require(marked(interface.press(.alt("V"))))
        #expect(interface.press(key).isEmpty && interface.overlays.isEmpty)
        // A change elsewhere repeats the search; the marks of the first one still apply.
        interface.answer(interface.handle(.changed([])), Array(people.prefix(24)), hasMore: true)
        #expect(interface.overlays.isEmpty)
        _ = interface.handle(.allMarked(search.ticket, marks(people)))
        #expect(interface.screen().text.contains("60 "), "\(interface.screen().text)")
        #expect(interface.overlays.count == 1)
    }

    @Test(
        "Another text or tab cancels marking, with the commands that waited",
        arguments: [[.character("x")], [.alt("3")]] as [[Key]])
    mutating func cancelled(keys: [Key]) throws {
        let search = try #require(marked(interface.press(.alt("V"))))
        interface.press(.alt("d"))
        for key in keys { interface.answer(interface.press(key), [contactRow("Xenia", id: "x")]) }
        _ = interface.handle(.allMarked(search.ticket, marks(people)))
        #expect(interface.marks.isEmpty && interface.overlays.isEmpty)
    }

    @Test("A failure to mark all rows is shown, and nothing that waited is performed")
    mutating func failure() throws {
        let search = try #require(marked(interface.press(.alt("V"))))
        interface.press(.alt("d"))
        #expect(interface.handle(.failed("the file is in use", of: .markAll(search))).isEmpty)
        #expect(interface.lines[23] == "the file is in use" && interface.overlays.isEmpty)
        #expect(marked(interface.press(.alt("V"))) != nil)
    }

    @Test("The heading shows the number of all rows as soon as they are counted, also while more are loaded")
    mutating func count() {
        let requests = interface.type("p")
        interface.answer(requests, Array(people.prefix(24)), hasMore: true)
        #expect(interface.lines[2].hasPrefix("contacts: 1 of 24+"))
        _ = interface.handle(.counted(requests.searches.last?.ticket ?? 0, 60))
        #expect(interface.lines[2].hasPrefix("contacts: 1 of 60"))
        var more: [Request] = []
        for _ in 0..<20 { more += interface.press(.down) }
        interface.answer(more, Array(people.prefix(40)), hasMore: true)
        #expect(interface.lines[2].hasPrefix("contacts: 21 of 60"))
        #expect(!interface.lines[2].contains("60+"))
        // Only some of very many rows are counted.
        _ = interface.handle(.counted(more.searches.last?.ticket ?? 0, 10_000, hasMore: true))
        #expect(interface.lines[2].hasPrefix("contacts: 21 of 10,000+"))
        // The number of an earlier text is not that of the next one.
        let next = interface.type("e")
        _ = interface.handle(.counted(requests.searches.last?.ticket ?? 0, 60))
        interface.answer(next, Array(people.prefix(24)), hasMore: true)
        #expect(interface.lines[2].hasPrefix("contacts: 1 of 24+"))
    }

    @Test("End that is pressed before the list is there goes to its last row")
    mutating func last() {
        interface = Interface(size: Size(columns: 80, rows: 24))
        let first = interface.press(.alt("2"), .escape, .end)
        let more = interface.answer(first, Array(people.prefix(24)), hasMore: true)
        #expect(more.searches.last?.limit == 0)
        interface.answer(more, people)
        #expect(interface.listing.row?.title == "Person 59")
    }

    @Test("100,000 rows can be marked, drawn and unmarked")
    mutating func many() throws {
        let search = try #require(marked(interface.press(.alt("V"))))
        let marks = (0..<100_000).compactMap { Mark(SearchResult(Contact(id: "\($0)", name: PersonName(given: "P")))) }
        _ = interface.handle(.allMarked(search.ticket, marks))
        #expect(interface.lines[2].hasSuffix("100,000 marked"))
        interface.press(.alt("v"))
        #expect(interface.lines[2].hasSuffix("99,999 marked") && interface.lines[3].hasPrefix("  "))
        interface.press(.alt("V"))
        #expect(interface.marked.isEmpty)
    }
}
