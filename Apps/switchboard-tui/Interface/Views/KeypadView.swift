import SwitchboardKeypad

/// The drawing of a phone keypad.
enum KeypadView {
    /// The width in columns.
    static let width = 23

    /// Returns the letters on a key in the alphabet of a language.
    static func letters(on key: Character, language: String) -> String {
        let layout: KeypadLayout =
            switch language.prefix(2) {
            case "ru", "kk", "tt", "tg", "be": .russian
            case "uk": .ukrainian
            case "bg": .bulgarian
            case "sr": .serbian
            case "el": .greek
            case "he": .hebrew
            case "ar": .arabic
            case "ka": .georgian
            default: .latin
            }
        switch key {
        case "0": return "space"
        case "1": return ".,'"
        default:
            let own = layout.keys.filter { $0.value == key.asciiValue }.keys.sorted()
            return String(String(decoding: own, as: UTF16.self).prefix(5))
        }
    }
}

extension Interface {
    /// Draws the keypad with the pressed keys highlighted, the last one most prominently.
    func drawKeypad(on screen: inout Screen, _ area: Area, keys text: String) {
        let rows: [[Character]] = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["*", "0", "#"]]
        for (index, keys) in rows.enumerated() where index < area.height {
            for (place, key) in keys.enumerated() {
                let column = area.column + place * 8
                let isPressed = text.contains(key)
                var style: Style = isPressed ? .match : .plain
                if text.last == key { style = Style(.match, [.bold, .reverse]) }
                screen.write(String(key), row: area.row + index, column: column, style: style)
                guard key != "*", key != "#" else { continue }
                let letters = KeypadView.letters(on: key, language: language)
                style = isPressed ? .strong : .faint
                screen.write(letters, row: area.row + index, column: column + 2, width: 5, style: style)
            }
        }
    }
}
