import SwitchboardErrors
import SwitchboardKit
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Terminal configuration")
struct TerminalConfigurationTests {
    private func parse(_ text: String) throws(SwitchboardError) -> TerminalConfiguration {
        try TerminalConfiguration(parsing: text, file: "tui.conf")
    }

    @Test("Sets the first tab, the theme and keys; other commands lose these keys")
    func settings() throws {
        let configuration = try parse(
            """
            # my settings
            tab = airports
              theme=light
            region = PT
            colour.match = 30
            colour.star=theme
            key.undo = Alt-z Ctrl-G
            key.help = z
            key.favourite = Alt-u
            key.map =
            """)
        #expect(configuration.tab == .airports && configuration.theme == .light)
        #expect(configuration.region == "PT" && configuration.text.contains("region = PT\n"))
        #expect(configuration.colours == [.match: 30])
        #expect(configuration.text.contains("colour.match = 30\ncolour.star = theme\n"))
        let keys = configuration.keys
        for key in [Key.alt("z"), .control("g")] {
            #expect(keys.command(of: key) == .undo)
        }
        #expect(keys.command(inCommandMode: .character("z")) == .help)
        #expect(keys.command(of: .character("z")) == nil)
        #expect(keys.command(of: .alt("z")) == .undo)
        #expect(keys.command(of: .alt("u")) == .favourite)
        #expect(keys.command(inCommandMode: .character("m")) == nil)
        #expect(keys.command(of: .alt("r")) == .remind)
        var interface = Interface(size: Size(columns: 120, rows: 24), configuration: configuration)
        #expect(interface.tab == .airports)
        interface.answer(interface.start(), [airportRow("BER", "Berlin"), airportRow("FRA", "Frankfurt")])
        interface.press(.down)
        #expect(!interface.lines[23].contains("map") && interface.lines[23].contains("Ctrl-Q quit"))
        _ = interface.handle(.resized(Size(columns: 120, rows: 100)))
        interface.press(.function(2), .character("z"))
        #expect(interface.screen().text.contains("Alt-z, Ctrl-G") && interface.screen().text.contains("F2 z    "))
    }

    @Test("The printed configuration is read as the same one")
    func print() throws {
        let text = TerminalConfiguration().text
        #expect(text.contains("tab = find\n") && text.contains("theme = dark\n"))
        #expect(text.contains("# undo\nkey.undo = Alt-u, Ctrl-_\n"))
        let again = try parse(text)
        #expect(again.text == text)
        for entry in KeyTable.standard.entries {
            for key in entry.everywhere + entry.inCommandMode {
                #expect(again.keys.command(of: key) == KeyTable.standard.command(of: key), "\(key.name)")
                #expect(
                    again.keys.command(inCommandMode: key) == KeyTable.standard.command(inCommandMode: key),
                    "\(key.name)")
            }
        }
        #expect(try parse("key.map = Comma, #, =").text.contains("key.map = Comma, #, =\n"))
    }

    @Test(
        "A mistake names its line and the remedy",
        arguments: [
            ("tab = find\nhello", 2, "name = value"), ("tab = home", 1, "use find, contacts"),
            ("theme = pink", 1, "dark, light or mono"), ("region = UK", 1, "use GB"),
            ("colour = red", 1, "--print-config"),
            ("colour.match = pink", 1, "0 to 255"), ("colour.match = 256", 1, "0 to 255"),
            ("colour.sky = 1", 1, "use faint, match"), ("key.fly = x", 1, "--print-config"),
            ("key.undo = Hyper-x", 1, "there is no key “Hyper-x”"),
            ("key.undo = F13", 1, "F5"), ("key.undo = Ctrl-I", 1, "Ctrl-I"), ("tab = find\n\ntab = find", 3, "line 1"),
            ("key.help = z\nkey.map = z", 2, "z is a key of key.help, too"), ("key.help = z, z", 1, "key.help, too"),
            ("key.remove = d", 1, "use a key with Alt"), ("key.contacted = Alt-Space, Space", 1, "use a key with Alt"),
            ("key.map = Ctrl-C", 1, "always"), ("key.map = Enter", 1, "always"), ("=", 1, "--print-config"),
        ])
    func mistakes(text: String, line: Int, hint: String) throws {
        let error = #expect(throws: SwitchboardError.self) { try parse(text) }
        #expect(error?.line == line && error?.status == .malformed && error?.file == "tui.conf")
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test("Keys of commands that no longer exist are ignored")
    func retired() throws {
        let text = "key.halfPageDown = Ctrl-D\nkey.halfPageUp = Ctrl-U\nkey.toList = Right\nkey.searchLine = /, Left\n"
        #expect(try parse(text).text == TerminalConfiguration().text)
    }

    @Test("Each key has a name that is read as the same key, and each command a name of its own")
    func names() {
        let entries = KeyTable.standard.entries
        for key in entries.flatMap({ $0.everywhere + $0.inCommandMode }) {
            #expect(Key(named: key.name) == key, "\(key.name)")
        }
        #expect(Set(entries.map(\.command.name)).count == entries.count)
        #expect(Command.tab(.find).name == "find" && Command.pageUp.name == "pageUp")
        for name in ["", "Ctrl-", "Ctrl-ab", "Alt-", "F0", "F01", "F+1", "ab", "ctrl-x", "\t"] {
            #expect(Key(named: name) == nil, "\(name)")
        }
    }
}
