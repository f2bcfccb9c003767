import Foundation
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Key table")
struct KeyTableTests {
    @Test("No key has two commands, nor a letter in the command mode")
    func unambiguous() {
        let keys = KeyTable.standard.entries.flatMap(\.everywhere)
        #expect(Set(keys).count == keys.count)
        let letters =
            KeyTable.standard.entries.flatMap(\.inCommandMode)
            + keys.compactMap {
                if case .alt(let letter) = $0 { .character(letter) } else { nil }
            }
        #expect(Set(letters).count == letters.count)
    }

    static let requiredKeys: [(key: Key, command: Command)] = [
        (.tab, .nextTab), (.backTab, .previousTab), (.alt("1"), .tab(.find)), (.alt("2"), .tab(.contacts)),
        (.alt("3"), .tab(.prospects)), (.alt("4"), .tab(.airports)), (.alt("5"), .tab(.activity)), (.down, .down),
        (.up, .up), (.control("n"), .down), (.control("p"), .up), (.pageUp, .pageUp), (.pageDown, .pageDown),
        (.enter, .open), (.escape, .leave), (.function(1), .help), (.function(2), .commandMode), (.control("q"), .quit),
        (.control("c"), .quit), (.home, .first), (.end, .last), (.alt(" "), .contacted),
        (.alt("r"), .remind), (.alt("b"), .badge), (.alt("s"), .scan), (.alt("a"), .add), (.alt("e"), .edit),
        (.alt("d"), .remove), (.delete, .remove), (.alt("u"), .undo), (.alt("f"), .favourite), (.alt("c"), .call),
        (.alt(":"), .palette),
    ]

    @Test("The documented keys run their commands", arguments: requiredKeys)
    func means(key: Key, command: Command) {
        #expect(KeyTable.standard.command(of: key) == command)
    }

    @Test("No plain letter is a command outside the command mode")
    func letters() {
        for entry in KeyTable.standard.entries {
            for case .character(let letter) in entry.everywhere { Issue.record("\(letter) cannot be typed") }
        }
    }

    @Test("docs/tui.md contains the key table; SWITCHBOARD_RECORD=1 updates it")
    func documentation() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appendingPathComponent("docs/tui.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var table = "| keys | also after F2 | |\n| --- | --- | --- |\n"
        for entry in KeyTable.standard.entries {
            func names(_ keys: [Key]) -> String { keys.map { "`\($0.name)`" }.joined(separator: " ") }
            table += "| \(names(entry.everywhere)) | \(names(entry.inCommandMode)) | \(entry.title) |\n"
        }
        let begin = try #require(text.range(of: "<!-- keys -->\n"))
        let end = try #require(text.range(of: "<!-- keys end -->"))
        if ProcessInfo.processInfo.environment["SWITCHBOARD_RECORD"] == "1" {
            let written = text[..<begin.upperBound] + table + text[end.lowerBound...]
            try written.write(to: page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin.upperBound..<end.lowerBound] == table)
        }
    }

    @Test("Help lists each entry with its keys")
    func help() throws {
        var interface = Interface(size: Size(columns: 120, rows: 100))
        interface.press(.function(1))
        let lines = interface.lines
        for entry in KeyTable.standard.entries {
            let row = try #require(lines.firstIndex { $0.hasPrefix(entry.keyNames) }, "\(entry.title)")
            #expect(lines[row].contains(entry.title) || lines[row + 1].hasSuffix(entry.title), "\(entry.title)")
        }
    }

    @Test("Help on a small screen shows whole key names and scrolls to all of them")
    func smallHelp() {
        var interface = Interface(size: Size(columns: 40, rows: 12))
        interface.press(.function(1))
        var seen = Set(interface.lines)
        for _ in 0..<100 {
            interface.press(.down)
            seen.formUnion(interface.lines)
        }
        for entry in KeyTable.standard.entries {
            #expect(seen.contains { $0.hasPrefix(entry.keyNames) }, "\(entry.keyNames)")
        }
    }
}
