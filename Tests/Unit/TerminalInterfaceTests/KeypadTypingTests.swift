import SwitchboardKeypad
import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Keypad typing in forms")
struct KeypadTypingTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))
    let switchboard = scratchSwitchboard()
    private var typing: KeypadTyping?
    private var session = 0

    init() {
        interface.go(to: "2", [])
        interface.press(.alt("a"))
    }

    /// Executes keypad requests in order, as the program does.
    private mutating func execute(_ requests: [Request]) throws {
        var requests = requests
        while !requests.isEmpty {
            guard case .pressKeypad(let key, let number) = requests.removeFirst() else { continue }
            guard let key else {
                try typing?.finish()
                continue
            }
            if number != session { typing = try switchboard.typing() }
            session = number
            guard var typing else { continue }
            try typing.press(key)
            let update = KeypadUpdate(
                session: number, text: try typing.text(), keys: String(decoding: typing.entry.typedKeys, as: UTF8.self),
                candidates: try typing.candidates(), choice: typing.entry.choice)
            self.typing = typing
            requests += interface.handle(.keypadUpdated(update))
        }
    }

    private mutating func type(_ text: String) throws {
        for character in text { try execute(interface.press(.character(character))) }
    }

    private func field(_ label: String) -> String? {
        guard case .form(let form)? = interface.overlays.last else { return nil }
        return form.fields.first { $0.label == label }?.field.text
    }

    @Test("Keypad typing is off at first, and the status line names its key")
    mutating func off() throws {
        #expect(interface.lines.last?.contains("F9 keypad") ?? false)
        try type("843")
        #expect(field("Name") == "843")
        interface.press(.function(9))
        #expect(interface.isKeypadTyping)
        interface.press(.control("t"))
        #expect(!interface.isKeypadTyping)
    }

    /// The keys typed into the name field and the resulting text.
    static let texts: [(keys: String, text: String)] = [
        ("843", "the"), ("843*", "tie"), ("8430843", "the the"), ("843 843", "the the"), ("#843", "The"),
        ("##843", "THE"), ("8431", "the."), ("8431*", "the,"), ("/44*444", "hi"), ("843x", "thex"),
        ("843x843", "thexthe"),
        ("a843", "athe"),
    ]

    @Test(
        "Keys type words: * the next word, # the case, / single letters; letters are typed as they are",
        arguments: texts)
    mutating func words(keys: String, text: String) throws {
        interface.press(.function(9))
        try type(keys)
        #expect(field("Name") == text)
    }

    @Test("Backspace removes keys, then the text before them")
    mutating func backspace() throws {
        try type("ab")
        interface.press(.function(9))
        try type("84")
        try execute(interface.press(.backspace))
        #expect(field("Name")?.count == 3)
        try execute(interface.press(.backspace))
        #expect(field("Name") == "ab")
        try execute(interface.press(.backspace))
        #expect(field("Name") == "a")
    }

    @Test("Words are inserted at the cursor")
    mutating func middle() throws {
        try type("ab")
        interface.press(.left, .function(9))
        try type("843")
        #expect(field("Name") == "atheb")
    }

    @Test("Keys typed faster than the word lookup keep their order, across fields too")
    mutating func fast() throws {
        interface.press(.function(9))
        let requests = interface.type("843*") + interface.press(.tab) + interface.type("266") + interface.press(.tab)
        #expect(requests.count == 1)
        try execute(requests)
        #expect(field("Name") == "tie")
        #expect(field("Nickname") == "Ann")
        guard case .form(let form)? = interface.overlays.last else {
            Issue.record("no form")
            return
        }
        #expect(form.selected == 2)
    }

    @Test("Digits stay digits in phone numbers")
    mutating func numbers() throws {
        interface.press(.function(9), .tab, .tab, .tab)
        try type("0190")
        #expect(field("Phone") == "0190")
        #expect(interface.screen().text.contains("digits stay digits in phone numbers"))
    }

    @Test("A selected word is learnt when its field is left or the form saved, not when the form is cancelled")
    mutating func learning() throws {
        func first() throws -> String? { try switchboard.words(for: "843", limit: 1).results.first?.text }
        interface.press(.function(9))
        try type("843*")
        interface.press(.escape)
        #expect(try first() == "the")
        interface.press(.alt("a"))
        try type("843*")
        try execute(interface.press(.tab))
        #expect(try first() == "tie")
        try type("266*")
        try execute(interface.press(.control("s")))
        #expect(try switchboard.words(for: "266", limit: 1).results.first?.text == "CNN")
    }

    @Test("Esc does not wait for the word lookup, whose response is ignored")
    mutating func leaving() throws {
        interface.press(.function(9))
        _ = interface.type("8")
        interface.press(.escape)
        #expect(interface.overlays.isEmpty)
        interface.press(.alt("a"))
        _ = interface.handle(.keypadUpdated(KeypadUpdate(session: 1, text: "t")))
        #expect(field("Name") == "")
    }

    @Test(
        "Candidates are shown with the current one highlighted, also far down the list",
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

    @Test("An error is shown, and the key is typed nevertheless")
    mutating func failure() {
        interface.press(.function(9))
        _ = interface.type("8")
        _ = interface.handle(.keypadUpdated(KeypadUpdate(session: 1, text: "t", failure: "the database is in use")))
        #expect(field("Name") == "t")
        #expect(interface.lines.last == "the database is in use")
    }
}
