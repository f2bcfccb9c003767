import CSwitchboardNcurses
import SwitchboardTerminalInterface

/// A reader that turns terminal input into events without blocking.
struct KeyReader {
    /// The text of an unfinished paste.
    private var pasted: String?
    /// A key that was read ahead.
    private var lookahead: sb_key?

    /// Returns the next event; nil if no input is pending.
    mutating func next() -> Event? {
        while true {
            let key = lookahead ?? sb_terminal_key()
            lookahead = nil
            switch key.kind {
            case SB_KEY_NONE: return nil
            case SB_KEY_PASTE_BEGIN: pasted = ""
            case SB_KEY_PASTE_END:
                defer { pasted = nil }
                if let pasted { return .paste(pasted) }
            default:
                if pasted != nil {
                    // Pasted characters are not key presses.
                    if key.kind == SB_KEY_SCALAR, let scalar = Unicode.Scalar(key.value) {
                        pasted?.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
                    }
                } else if let event = event(of: key) {
                    return event
                }
            }
        }
    }

    private mutating func event(of key: sb_key) -> Event? {
        switch key.kind {
        case SB_KEY_SCALAR:
            guard let scalar = Unicode.Scalar(key.value), let pressed = self.key(of: scalar) else { return nil }
            return .key(pressed)
        case SB_KEY_MOUSE: return mouse(of: key).map { .mouse($0) }
        case SB_KEY_FUNCTION: return .key(.function(Int(key.value)))
        default: return KeyReader.named[key.kind.rawValue].map { .key($0) }
        }
    }

    private static let named: [UInt32: Key] = [
        SB_KEY_UP.rawValue: .up, SB_KEY_DOWN.rawValue: .down, SB_KEY_LEFT.rawValue: .left,
        SB_KEY_RIGHT.rawValue: .right, SB_KEY_HOME.rawValue: .home, SB_KEY_END.rawValue: .end,
        SB_KEY_PAGE_UP.rawValue: .pageUp, SB_KEY_PAGE_DOWN.rawValue: .pageDown, SB_KEY_BACK_TAB.rawValue: .backTab,
        SB_KEY_BACKSPACE.rawValue: .backspace, SB_KEY_DELETE.rawValue: .delete, SB_KEY_ENTER.rawValue: .enter,
    ]

    private mutating func key(of scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x1B:
            // A character that directly follows ESC was pressed with Alt.
            let next = sb_terminal_key()
            guard next.kind == SB_KEY_SCALAR, let letter = Unicode.Scalar(next.value), letter.value >= 0x20 else {
                lookahead = next
                return .escape
            }
            return .alt(Character(letter))
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x7F, 0x08: return .backspace
        case 0: return .control(" ")
        case 1..<0x1B: return Unicode.Scalar(scalar.value + 0x60).map { .control(Character($0)) }
        case 0x1C..<0x20: return Unicode.Scalar(scalar.value + 0x40).map { .control(Character($0)) }
        default: return .character(Character(scalar))
        }
    }

    private func mouse(of key: sb_key) -> Mouse? {
        let action: Mouse.Action
        switch Int(key.value) {
        case Int(SB_MOUSE_PRESS): action = .press
        case Int(SB_MOUSE_DOUBLE): action = .doublePress
        case Int(SB_MOUSE_WHEEL_UP): action = .wheelUp
        case Int(SB_MOUSE_WHEEL_DOWN): action = .wheelDown
        default: return nil
        }
        return Mouse(action, row: Int(key.row), column: Int(key.column))
    }
}
