import SwitchboardContacts
import SwitchboardKit
import SwitchboardSearchableIndex
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Details")
struct DetailTests {
    var interface = Interface(size: Size(columns: 80, rows: 24))

    private func zoe() -> Row {
        var contact = Contact(id: "zoe1", name: PersonName(prefix: "Dr.", given: "Zoë", family: "Quill"))
        contact.title = "Captain"
        contact.phones = [
            Phone(label: "work", number: PhoneNumber("+44 7700 900177")), Phone(number: PhoneNumber("+44 7700 900178")),
        ]
        contact.emails = [Email(address: "zoe+a@example.org")]
        contact.urls = [WebAddress(url: "https://example.org/zoe"), WebAddress(url: "example.org")]
        contact.sourceUID = "urn-1"
        contact.otherProperties = ["X-ODD:1"]
        return contactRow(contact)
    }

    private func links(_ requests: [Request]) -> [String] {
        requests.compactMap { if case .open(let link) = $0 { link } else { nil } }
    }

    private func copies(_ requests: [Request]) -> [String] {
        requests.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    }

    @Test("Name, numbers and addresses come before the parts of the name and the identifiers")
    func order() throws {
        let names = zoe().details(language: "en").map(\.name)
        #expect(names.prefix(5) == ["name", "phone (work)", "phone", "e-mail", "title"])
        #expect(names.suffix(3) == ["other", "uid", "id"])
        let prefix = try #require(names.firstIndex(of: "prefix"))
        #expect(prefix > names.lastIndex(of: "page") ?? .max)
    }

    @Test("A cursor on a detail opens its address and copies its text")
    mutating func cursor() throws {
        interface.answer(interface.start(), [zoe()])
        interface.press(.escape, .enter)
        #expect(links(interface.press(.enter)).isEmpty)
        #expect(copies(interface.press(.alt("y"))).isEmpty)
        interface.press(.down)
        #expect(links(interface.press(.enter)).isEmpty)
        #expect(copies(interface.press(.alt("y"))) == ["Dr. Zoë Quill"])
        #expect(interface.lines[23].contains("name copied"))
        interface.press(.down)
        #expect(interface.screen().rows[interface.screen().cursor.row][0].style.attributes.contains(.reverse))
        #expect(interface.lines[interface.screen().cursor.row].hasPrefix("phone (work)"))
        #expect(links(interface.press(.enter)) == ["tel:+447700900177"])
        #expect(copies(interface.press(.alt("y"))) == ["+44 7700 900177"])
        interface.press(.down, .down)
        #expect(links(interface.press(.enter)) == ["mailto:zoe+a@example.org"])
        interface.press(.down, .down)
        #expect(links(interface.press(.enter)) == ["https://example.org/zoe"])
        interface.press(.down)
        #expect(links(interface.press(.enter)).isEmpty)
        #expect(interface.lines[23].contains("y copies it"))
        interface.press(.escape)
        #expect(interface.overlays.isEmpty)
    }

    @Test("y is a search; Alt-y and y in the command mode copy")
    mutating func focus() {
        interface.answer(interface.start(), [zoe()])
        interface.press(.enter, .down)
        #expect(copies(interface.press(.alt("y"))) == ["Dr. Zoë Quill"])
        #expect(copies(interface.press(.function(2), .character("y"))) == ["Dr. Zoë Quill"])
        #expect(interface.press(.character("y")).searches.last?.text == "y")
    }

    @Test("The selected detail stays visible", arguments: [(80, 24), (40, 12), (20, 6)])
    mutating func scrolling(columns: Int, rows: Int) {
        interface = Interface(size: Size(columns: columns, rows: rows))
        interface.answer(interface.start(), [zoe()])
        interface.press(.escape, .enter)
        let count = zoe().details(language: "en").count
        for keys in [Array(repeating: Key.down, count: count + 3), Array(repeating: .up, count: count + 3)] {
            for key in keys {
                interface.press(key)
                let screen = interface.screen()
                #expect((3..<rows - 1).contains(screen.cursor.row))
                #expect(screen.rows[screen.cursor.row][0].style.attributes.contains(.reverse))
            }
        }
    }

    @Test(
        "Alt-J and Alt-K scroll the preview; another row starts with its first line", arguments: [(80, 24), (120, 20)])
    mutating func preview(columns: Int, rows: Int) throws {
        interface = Interface(size: Size(columns: columns, rows: rows))
        var contact = Contact(id: "long", name: PersonName(given: "Zoë"))
        contact.note = (1...40).map { "line \($0)" }.joined(separator: "\n")
        interface.answer(interface.start(), [contactRow(contact), contactRow("Ana", id: "ana")])
        #expect(!interface.screen().text.contains("line 40"))
        interface.press(.escape)
        for _ in 0..<60 { interface.press(.alt("J")) }
        #expect(interface.screen().text.contains("Zoë"))
        let end = interface.screen().text
        interface.press(.alt("K"))
        #expect(interface.screen().text != end)
        interface.press(.down, .up)
        interface.press(.alt("K"))
        for _ in 0..<60 { interface.press(.alt("K")) }
        #expect(interface.screen().text.contains("line 1\n") || interface.screen().text.contains("line 1 "))
        _ = interface.handle(.resized(Size(columns: 40, rows: 12)))
        interface.press(.alt("J"))
        #expect(interface.lines[11].contains("no room for a preview"))
    }

    @Test("A detail names the actions of its lines, and shows more than the preview", arguments: [80, 120])
    mutating func actions(columns: Int) {
        interface = Interface(size: Size(columns: columns, rows: 40))
        interface.answer(interface.start(), [zoe()])
        let preview = interface.screen().text
        #expect(preview.contains("+44 7700 900177") && !preview.contains("urn-1") && !preview.contains("Enter calls"))
        interface.press(.enter)
        let lines = interface.lines
        #expect(lines.contains { $0.hasPrefix("phone (work)") && $0.hasSuffix("Enter calls") })
        #expect(lines.contains { $0.hasPrefix("e-mail") && $0.hasSuffix("Enter writes") })
        #expect(lines.contains { $0.contains("urn-1") } && lines.contains { $0.hasPrefix("other") })
    }

    @Test("A form shows what it understood of birthdays and numbers")
    func echo() {
        var form = Form(.newContact)
        func echo(_ label: String, _ text: String, region: String?) -> String? {
            guard let index = form.fields.firstIndex(where: { $0.label == label }) else { return nil }
            form.fields[index].field.text = text
            return form.echo(of: form.fields[index], region: region)
        }
        #expect(echo("Birthday", "3/4/1975", region: "GB") == "3 April 1975")
        #expect(echo("Birthday", "3/4/1975", region: "US") == "4 March 1975")
        #expect(echo("Birthday", "4 march", region: nil) == "4 March")
        #expect(echo("Birthday", "4 m", region: nil) == "not a date yet")
        #expect(echo("Phone", "07700 900199", region: nil) == "no country code")
        #expect(echo("Phone", "07700 900199", region: "GB") == nil)
        #expect(echo("Name", "Ada", region: nil) == nil)
    }

    @Test("Numbers are not cut as long as a word can be cut instead", arguments: [40, 60, 80, 120])
    func numbers(columns: Int) {
        var interface = Interface(size: Size(columns: columns, rows: 40))
        var contact = Contact(id: "a", name: PersonName(given: "Maximiliane", family: "Schwarzenbacher-Wolkenstein"))
        contact.phones = ["+1 305 555 0167", "+91 98605 90000"].map { Phone(label: "", number: PhoneNumber($0)) }
        contact.emails = [Email(typed: "maximiliane.schwarzenbacher-wolkenstein@example.org")]
        interface.go(to: "2", [contactRow(contact), contactRow("Ana", id: "b")])
        #expect(interface.lines[3].contains("+1 305 555 0167 +1"), "\(interface.lines[3])")
    }

    @Test("The number of further numbers is not cut off with a long number")
    func suffix() {
        let cell = RowCell("+44 7700 900177 900177", suffix: " and 1 more")
        #expect(cell.glyphs(in: 20).map(\.text).joined() == "+44 7700… and 1 more")
        #expect(cell.glyphs(in: 40).map(\.text).joined() == "+44 7700 900177 900177 and 1 more")
        #expect(cell.glyphs(in: 9).count == 9)
        #expect(zoe().result?.columns.detail.suffix == " and 1 more")
    }

    @Test("Prompts, questions and answers are boxes over the list", arguments: [(80, 24), (40, 12), (20, 6)])
    mutating func boxes(columns: Int, rows: Int) {
        interface = Interface(size: Size(columns: columns, rows: rows))
        interface.answer(interface.start(), (0..<30).map { contactRow("Person \($0)", id: "\($0)") })
        interface.press(.escape, .alt("d"))
        var text = interface.screen().text
        #expect(text.contains("╭") && text.contains("Remove"))
        #expect(rows < 12 || text.contains("Person"))
        interface.press(.escape, .alt("s"))
        interface.type("pictures")
        text = interface.screen().text
        #expect(text.contains("╭") && text.contains("> pictures"))
        #expect(rows < 12 || text.contains("Person"))
        // The box does not hide a detail below it either.
        interface.press(.escape, .enter, .alt("d"))
        #expect(rows < 24 || interface.screen().text.contains("+44 7700 900177"))
    }
}
