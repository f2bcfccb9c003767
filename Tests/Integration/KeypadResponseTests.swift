import Foundation
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import Testing

@Suite("Keypad responses")
struct KeypadResponseTests {
    @Test("Keys return their text and the candidates of the last word")
    func answer() throws {
        let answer = try Switchboard.keypadResponse(keys: "#843 0 3673", limit: 2)
        #expect(answer.text == "The ford")
        #expect(answer.results.map(\.text) == ["ford", "dose"])
        let json = """
            {"keys": "#843 0 3673", "language": "en", "text": "The ford", "keystrokes": 9, "candidates": ["ford", "dose"], \
            "results": [{"word": "ford", "frequency": 3.16e-05, "learned": false}, \
            {"word": "dose", "frequency": 1.58e-05, "learned": false}]}
            """
        #expect(try OrderedJSON.text(answer) == json)
        #expect(try Switchboard.keypadResponse(keys: "").results.isEmpty)
        #expect(try Switchboard.keypadResponse(keys: "564236", language: "ru").text == "привет")
        #expect(try Switchboard.keypadResponse(keys: "2", limit: 0).results.count > 100)
    }

    @Test("Invalid requests are usage errors")
    func usageErrors() {
        #expect(throws: SwitchboardError.self) { try Switchboard.keypadResponse(keys: "843", language: "xx") }
        #expect(throws: SwitchboardError.self) { try Switchboard.keypadResponse(keys: "843", limit: -1) }
        #expect(throws: EntryKeyError.self) { try Switchboard.keypadResponse(keys: "84x") }
        #expect(SwitchboardError(EntryKeyError.notAKey("x", position: 3)).status == .usage)
    }
}
