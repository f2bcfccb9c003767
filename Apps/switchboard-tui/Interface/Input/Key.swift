/// A key press.
public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Character)
    /// A lower-case letter with Ctrl.
    case control(Character)
    /// A printable character with Alt.
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)

    /// The name shown in help.
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

    /// The number of rows by which the key moves a selection; nil for other keys.
    ///
    /// - Parameters:
    ///   - page: the distance of a page key; nil if these keys do not move.
    ///   - tab: whether Tab moves.
    ///   - letters: whether j and k move.
    func distance(page: Int? = nil, tab: Bool = false, letters: Bool = false) -> Int? {
        switch self {
        case .down, .control("n"): 1
        case .up, .control("p"): -1
        case .tab where tab: 1
        case .backTab where tab: -1
        case .character("j") where letters: 1
        case .character("k") where letters: -1
        case .pageDown: page
        case .pageUp: page.map { -$0 }
        default: nil
        }
    }
}

/// A mouse event.
public struct Mouse: Hashable, Sendable {
    /// The kind of a mouse event.
    public enum Action: Hashable, Sendable {
        case press, doublePress, wheelUp, wheelDown
    }

    /// The kind of event.
    public var action: Action
    /// The row on the screen, from 0.
    public var row: Int
    /// The column on the screen, from 0.
    public var column: Int

    /// Creates a mouse event.
    public init(_ action: Action, row: Int, column: Int) {
        self.action = action
        self.row = row
        self.column = column
    }
}
