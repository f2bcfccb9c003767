import Testing

@testable import SwitchboardTerminalInterface

@Suite("Text field")
struct TextFieldTests {
    @Test("Letters, combining marks and editing keys")
    func editing() {
        var field = TextField()
        for letter in "Eva" { _ = field.edit(.character(letter)) }
        _ = field.edit(.home)
        _ = field.edit(.right)
        // A combining mark joins the letter before it.
        _ = field.edit(.character("\u{301}"))
        #expect(field.text == "E\u{301}va")
        _ = field.edit(.backspace)
        #expect(field.text == "va")
        _ = field.edit(.delete)
        #expect(field.text == "a")
        _ = field.edit(.end)
        _ = field.edit(.backspace)
        _ = field.edit(.backspace)
        #expect(field.isEmpty)
        let outcome = field.edit(.function(5))
        #expect(!outcome)
    }

    @Test("Ctrl-W, Ctrl-U and Ctrl-K delete words and ends")
    func cutting() {
        var field = TextField("Carmen Luz Diaz")
        _ = field.edit(.control("w"))
        #expect(field.text == "Carmen Luz ")
        _ = field.edit(.control("u"))
        #expect(field.isEmpty)
        field = TextField("abc")
        _ = field.edit(.left)
        _ = field.edit(.control("k"))
        #expect(field.text == "ab")
    }

    @Test("Ctrl-Y inserts what was last deleted at once")
    func yanking() {
        var field = TextField("Carmen Luz")
        #expect(field.edit(.control("y")) && field.text == "Carmen Luz")
        for key in [Key.control("w"), .control("a"), .control("y")] { _ = field.edit(key) }
        #expect(field.text == "LuzCarmen ")
        _ = field.edit(.control("u"))
        #expect(field.text == "Carmen ")
        // Deleting nothing, or a letter, keeps it.
        for key in [Key.control("u"), .delete, .end, .control("k"), .control("y")] { _ = field.edit(key) }
        #expect(field.text == "armen Luz")
    }

    @Test("Control characters cannot be typed or pasted")
    func controls() {
        var field = TextField()
        field.insert("a\u{1B}[2J\nb\tc\u{9B}")
        #expect(field.text == "a[2J b c")
    }

    @Test("A long pasted text is drawn around the cursor, and keys still work")
    func book() {
        var interface = Interface(size: Size(columns: 40, rows: 12))
        _ = interface.handle(.paste(String(repeating: "עברית and more ", count: 100_000)))
        interface.press(.character("x"))
        #expect(interface.screen().text(ofRow: 0).contains("and more x"))
        interface.press(.control("a"))
        #expect(interface.screen().cursor == Position(row: 0, column: 2))
    }
}
