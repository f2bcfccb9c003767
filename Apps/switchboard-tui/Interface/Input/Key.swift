/// What was pressed.
public enum Key: Hashable, Sendable {
    /// A letter, digit, sign or space.
    case character(Character)
    /// A letter with Ctrl, in small.
    case control(Character)
    /// A letter, digit or sign with Alt.
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)

    /// What is written on it, as help shows it.
    public var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "Ctrl-" + character.uppercased()
        case .alt(" "): "Alt-Space"
        case .alt(let character): "Alt-" + String(character)
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        }
    }
}

/// What was done with the mouse, and where.
public struct Mouse: Hashable, Sendable {
    /// What was done.
    public enum Action: Hashable, Sendable {
        case press, doublePress, wheelUp, wheelDown
    }

    /// What was done.
    public var action: Action
    /// The row from the top, from 0.
    public var row: Int
    /// The column from the left, from 0.
    public var column: Int

    /// An action at a place.
    public init(_ action: Action, row: Int, column: Int) {
        self.action = action
        self.row = row
        self.column = column
    }
}
