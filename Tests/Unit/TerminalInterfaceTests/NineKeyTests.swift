import SwitchboardKeypad
import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Nine keys in forms")
struct NineKeyTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let switchboard = scratchSwitchboard()
    private var typing: KeypadTyping?
    private var run = 0

    init() {
        interface.go(to: "2", [])
        interface.press(.alt("a"))
    }

    /// Does what is asked of text entry, one after the other, as the program does.
    private mutating func work(_ requests: [Request]) throws {
        var requests = requests
        while !requests.isEmpty {
            guard case .type(let key, let number) = requests.removeFirst() else { continue }
            guard let key else {
                try typing?.finish()
                continue
            }
            if number != run { typing = try switchboard.typing() }
            run = number
            guard var typing else { continue }
            try typing.press(key)
            let typed = Typed(
                run: number, text: try typing.text(), keys: String(decoding: typing.entry.typedKeys, as: UTF8.self),
                candidates: try typing.candidates(), choice: typing.entry.choice)
            self.typing = typing
            requests += interface.handle(.typed(typed))
        }
    }

    private mutating func type(_ text: String) throws {
        for character in text { try work(interface.press(.character(character))) }
    }

    private func field(_ label: String) -> String? {
        guard case .form(let form)? = interface.layers.last else { return nil }
        return form.fields.first { $0.label == label }?.field.text
    }

    @Test("Without them digits are digits, and the foot names the key that turns them on")
    mutating func off() throws {
        #expect(interface.lines.last?.contains("F9 nine keys") ?? false)
        try type("843")
        #expect(field("Name") == "843")
        interface.press(.function(9))
        #expect(interface.isNineKeys)
        interface.press(.control("t"))
        #expect(!interface.isNineKeys)
    }

    /// What is typed into the field of the name, and what stands there then.
    static let texts: [(keys: String, text: String)] = [
        ("843", "the"), ("843*", "tie"), ("8430843", "the the"), ("843 843", "the the"), ("#843", "The"),
        ("##843", "THE"), ("8431", "the."), ("8431*", "the,"), ("/44*444", "hi"), ("843x", "thex"),
        ("843x843", "thexthe"),
        ("a843", "athe"),
    ]

    @Test("Keys type words, NEXT the next one, # the case, / letter by letter; a letter is itself", arguments: texts)
    mutating func words(keys: String, text: String) throws {
        interface.press(.function(9))
        try type(keys)
        #expect(field("Name") == text)
    }

    @Test("Backspace takes keys back, then what stood before")
    mutating func backspace() throws {
        try type("ab")
        interface.press(.function(9))
        try type("84")
        try work(interface.press(.backspace))
        #expect(field("Name")?.count == 3)
        try work(interface.press(.backspace))
        #expect(field("Name") == "ab")
        try work(interface.press(.backspace))
        #expect(field("Name") == "a")
    }

    @Test("Words are put where the cursor is")
    mutating func middle() throws {
        try type("ab")
        interface.press(.left, .function(9))
        try type("843")
        #expect(field("Name") == "atheb")
    }

    @Test("What is typed faster than words are looked up comes in order, also into the next field")
    mutating func fast() throws {
        interface.press(.function(9))
        let requests = interface.type("843*") + interface.press(.tab) + interface.type("266") + interface.press(.tab)
        #expect(requests.count == 1)
        try work(requests)
        #expect(field("Name") == "tie")
        #expect(field("Nickname") == "ann")
        guard case .form(let form)? = interface.layers.last else {
            Issue.record("no form")
            return
        }
        #expect(form.chosen == 2)
    }

    @Test("In numbers digits are digits, and no word is looked up")
    mutating func numbers() throws {
        interface.press(.function(9), .tab, .tab, .tab)
        try type("0190")
        #expect(field("Phone") == "0190")
        #expect(interface.screen().text.contains("in numbers digits are digits"))
    }

    @Test("A word that was chosen is learnt when the field is left or the form kept, and not if it is given up")
    mutating func learning() throws {
        func first() throws -> String? { try switchboard.words(for: "843", limit: 1).results.first?.word }
        interface.press(.function(9))
        try type("843*")
        interface.press(.escape)
        #expect(try first() == "the")
        interface.press(.alt("a"))
        try type("843*")
        try work(interface.press(.tab))
        #expect(try first() == "tie")
        try type("266*")
        try work(interface.press(.control("s")))
        #expect(try switchboard.words(for: "266", limit: 1).results.first?.word == "cnn")
    }

    @Test("Esc does not wait for a word, and its answer changes nothing any more")
    mutating func leaving() throws {
        interface.press(.function(9))
        _ = interface.type("8")
        interface.press(.escape)
        #expect(interface.layers.isEmpty)
        interface.press(.alt("a"))
        _ = interface.handle(.typed(Typed(run: 1, text: "t")))
        #expect(field("Name") == "")
    }

    @Test(
        "Candidates are shown, the one in the text stands out, also far behind",
        arguments: [(80, 24), (120, 40), (40, 12)])
    mutating func candidates(columns: Int, rows: Int) throws {
        _ = interface.handle(.resized(Size(columns: columns, rows: rows)))
        interface.press(.function(9))
        try type("843")
        let row = rows - 2
        #expect(interface.lines[row].hasPrefix("the  tie  "))
        #expect(interface.screen().text.contains("8 tuv") == (rows > 12))
        for _ in 0..<25 {
            try type("*")
            let screen = interface.screen()
            let marked = screen.rows[row].filter { $0.style.attributes.contains(.reverse) }.map(\.text).joined()
            #expect(marked == field("Name"))
        }
    }

    @Test("What went wrong is said, and the key stands nevertheless")
    mutating func failure() {
        interface.press(.function(9))
        _ = interface.type("8")
        _ = interface.handle(.typed(Typed(run: 1, text: "t", failure: "the database is in use")))
        #expect(field("Name") == "t")
        #expect(interface.lines.last == "the database is in use")
    }
}
