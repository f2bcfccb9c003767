public import SwitchboardKit

/// A user command, given by key, palette or mouse.
public enum Command: Hashable, Sendable {
    case tab(Tab)
    case nextTab, previousTab
    case down, up, pageDown, pageUp, first, last
    case open, leave
    case help, commandMode, palette, quit, suspend, redraw
    case earlierQuery, previewDown, previewUp
    case contacted, remind, remindAt, badge, editBadge, scan, reminders
    case add, edit, editNote, remove, undo, redo, favourite, call
    case mark, markAll, merge
    case filter, order
    case groups, birthdays, duplicates, removed, importContacts, exportContacts
    case answerReminder, setLocation, map, keypadTyping

    /// The name in the configuration file.
    public var name: String {
        if case .tab(let tab) = self { return "\(tab)" }
        return "\(self)"
    }

    /// True if the command changes stored data, at once or after a form, a prompt or a question.
    var changesData: Bool {
        switch self {
        case .contacted, .remind, .remindAt, .badge, .editBadge, .scan, .add, .edit, .editNote, .remove, .undo, .redo,
            .favourite, .call, .merge, .importContacts, .exportContacts, .answerReminder, .setLocation:
            true
        default: false
        }
    }
}

/// A key press.
public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Character)
    /// A lowercase letter with Ctrl.
    case control(Character)
    /// A printable character with Alt.
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// Left and Right with Ctrl.
    case wordLeft, wordRight
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
        case .wordLeft: "Ctrl-Left"
        case .wordRight: "Ctrl-Right"
        case .function(let number): "F\(number)"
        }
    }

    /// True if the key types or edits in the search line, and is a command only in the command mode.
    var isTextKey: Bool {
        switch self {
        // At the end of the line, Delete is a command. Home and End move in the list.
        case .delete, .alt, .home, .end: return false
        default:
            var field = TextField("ab")
            return field.edit(self)
        }
    }

    /// Creates the key with a ``name``; nil for an unknown one.
    init?(named name: String) {
        func single(_ prefix: String) -> Character? {
            guard name.hasPrefix(prefix), name.count == prefix.count + 1 else { return nil }
            return name.last
        }
        if let key = Key.named[name] {
            self = key
        } else if let letter = single("Ctrl-")?.lowercased().first, letter.isASCII, letter != "i", letter != "m" {
            self = .control(letter)
        } else if let letter = single("Alt-") {
            self = .alt(letter)
        } else if name.hasPrefix("F"), let number = Int(name.dropFirst()), (1...12).contains(number),
            number.description == name.dropFirst()
        {
            self = .function(number)
        } else if let character = single(""), !character.isWhitespace {
            self = .character(character)
        } else {
            return nil
        }
    }

    private static let named: [String: Key] = {
        let keys: [Key] = [
            .character(" "), .alt(" "), .enter, .escape, .tab, .backTab, .delete, .up, .down, .left, .right, .home,
            .end, .pageUp, .pageDown, .wordLeft, .wordRight,
        ]
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
    }()

    /// The number of rows by which the key moves a selection; nil for other keys.
    ///
    /// - Parameters:
    ///   - page: the distance of a page key; nil if these keys do not move.
    ///   - tab: true if Tab moves.
    func distance(page: Int? = nil, tab: Bool = false) -> Int? {
        switch self {
        case .down, .control("n"): 1
        case .up, .control("p"): -1
        case .tab where tab: 1
        case .backTab where tab: -1
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

/// The key bindings, shared by help, the palette and key handling.
public struct KeyTable: Sendable {
    /// A command with its title and keys.
    public struct Entry: Sendable {
        /// The command.
        public var command: Command
        /// The title shown in help and the palette.
        public var title: String
        /// The keys that work with any focus.
        public var everywhere: [Key]
        /// Further keys that work in the command mode, in which a letter also does what it does with Alt.
        public var inCommandMode: [Key]
        /// True if the palette lists the command; movement has keys only.
        public var isInPalette: Bool

        init(
            _ command: Command, _ title: String, everywhere: [Key], inCommandMode: [Key] = [], isInPalette: Bool = true
        ) {
            (self.command, self.title, self.isInPalette) = (command, title, isInPalette)
            (self.everywhere, self.inCommandMode) = (everywhere, inCommandMode)
        }

        private var names: [String] {
            everywhere.map(\.name) + inCommandMode.map { KeyTable.commandModeKey.name + " " + $0.name }
        }

        /// The names of all keys, as shown in help.
        public var keyNames: String { names.joined(separator: ", ") }

        var firstKeyName: String { names.first ?? "" }
    }

    /// The key that opens the command mode, in which one plain letter is a command.
    static let commandModeKey = Key.function(2)

    /// The default key bindings.
    public static let standard = KeyTable(standardEntries)

    /// The entries in the order of help.
    public private(set) var entries: [Entry]
    private var everywhere: [Key: Command]
    private var inCommandMode: [Key: Command]

    private init(_ entries: [Entry]) {
        self.entries = entries
        func commands(_ keys: (Entry) -> [Key]) -> [Key: Command] {
            let pairs = entries.flatMap { entry in keys(entry).map { ($0, entry.command) } }
            return Dictionary(pairs) { $1 }
        }
        (everywhere, inCommandMode) = (commands(\.everywhere), commands(\.inCommandMode))
    }

    /// Returns the table with other keys for some commands. These keys lose their previous commands.
    fileprivate func binding(_ bindings: [Command: [Key]]) -> KeyTable {
        let taken = Set(bindings.values.joined())
        return KeyTable(
            entries.map { entry in
                var entry = entry
                if let keys = bindings[entry.command] {
                    entry.everywhere = keys.filter { !$0.isTextKey }
                    entry.inCommandMode = keys.filter(\.isTextKey)
                } else {
                    entry.everywhere.removeAll { taken.contains($0) }
                    entry.inCommandMode.removeAll { taken.contains($0) }
                }
                return entry
            })
    }

    private static let standardEntries: [Entry] = [
        Entry(.nextTab, "next tab", everywhere: [.tab], isInPalette: false),
        Entry(.previousTab, "previous tab", everywhere: [.backTab], isInPalette: false),
        Entry(.tab(.find), "Find: everything", everywhere: [.alt("1")]),
        Entry(.tab(.contacts), "Contacts", everywhere: [.alt("2")]),
        Entry(.tab(.prospects), "Prospects", everywhere: [.alt("3")]),
        Entry(.tab(.airports), "Airports", everywhere: [.alt("4")]),
        Entry(.tab(.activity), "Activity", everywhere: [.alt("5")]),
        Entry(.down, "next row", everywhere: [.down, .control("n")], isInPalette: false),
        Entry(.up, "previous row", everywhere: [.up, .control("p")], isInPalette: false),
        Entry(.pageDown, "page down", everywhere: [.pageDown], isInPalette: false),
        Entry(.pageUp, "page up", everywhere: [.pageUp], isInPalette: false),
        Entry(.first, "first row", everywhere: [.home], isInPalette: false),
        Entry(.last, "last row", everywhere: [.end], inCommandMode: [.character("G")], isInPalette: false),
        Entry(.previewDown, "scroll the preview down", everywhere: [.alt("J")]),
        Entry(.previewUp, "scroll the preview up", everywhere: [.alt("K")]),
        Entry(.open, "open the selected row; in Activity, resume it", everywhere: [.enter]),
        Entry(.leave, "go back; clear the search line", everywhere: [.escape], isInPalette: false),
        Entry(.earlierQuery, "earlier search text", everywhere: [.control("r")]),
        Entry(.help, "this help", everywhere: [.function(1)], inCommandMode: [.character("?")]),
        Entry(
            .commandMode, "one command by its letter, without Alt", everywhere: [KeyTable.commandModeKey],
            isInPalette: false),
        Entry(.palette, "all commands", everywhere: [.alt(":")], isInPalette: false),
        Entry(.quit, "quit", everywhere: [.control("q"), .control("c")], inCommandMode: [.character("q")]),
        Entry(.suspend, "suspend; fg resumes", everywhere: [.control("z")]),
        Entry(.redraw, "redraw the screen", everywhere: [.control("l")]),
        // Plain letters always search: a typed name must not edit people.
        Entry(.contacted, "toggle contacted", everywhere: [.alt(" ")]),
        Entry(.remind, "remind at the next nine o'clock", everywhere: [.alt("r")]),
        Entry(.remindAt, "remind at another time", everywhere: [.alt("R")]),
        Entry(.reminders, "all reminders", everywhere: [.alt("l")]),
        Entry(.badge, "my badge", everywhere: [.alt("b")]),
        Entry(.editBadge, "edit my badge", everywhere: [.alt("B")]),
        Entry(.scan, "scan a picture of badges", everywhere: [.alt("s")]),
        Entry(.add, "add a contact or prospect", everywhere: [.alt("a")]),
        Entry(.edit, "edit the selected row", everywhere: [.alt("e")]),
        Entry(.editNote, "edit the note in $EDITOR", everywhere: [.alt("n")]),
        Entry(.remove, "remove the selected row, after a question", everywhere: [.alt("d"), .delete]),
        Entry(.undo, "undo", everywhere: [.alt("u"), .control("_")]),
        Entry(.redo, "redo", everywhere: [.alt("U")]),
        Entry(.favourite, "toggle favourite", everywhere: [.alt("f")]),
        Entry(.call, "record a call of a contact; choose an airport or item", everywhere: [.alt("c")]),
        Entry(.mark, "mark the row and go to the next; actions then apply to all marked rows", everywhere: [.alt("v")]),
        Entry(.markAll, "mark all rows of the list, or none", everywhere: [.alt("V")]),
        Entry(.merge, "merge the marked contacts into the first one", everywhere: [.alt("M")]),
        Entry(.filter, "filter by contacted state", everywhere: [.alt("t")]),
        Entry(.order, "sort contacts or prospects", everywhere: [.alt("o")]),
        Entry(.groups, "groups of contacts", everywhere: [.alt("g")]),
        Entry(.birthdays, "upcoming birthdays", everywhere: [.alt("h")]),
        Entry(.duplicates, "probable duplicates, to merge", everywhere: [.alt("D")]),
        Entry(.removed, "recently removed contacts, to restore", everywhere: [.alt("z")]),
        Entry(.importContacts, "import contacts from a file", everywhere: [.alt("I")]),
        Entry(.exportContacts, "export contacts to a file", everywhere: [.alt("X")]),
        Entry(.answerReminder, "answer the due reminder", everywhere: [.alt("!")]),
        Entry(.map, "map of matching airports", everywhere: [.alt("m")]),
        Entry(.setLocation, "set my location for the nearest airports", everywhere: [.alt("p")]),
        Entry(.keypadTyping, "turn keypad typing in forms on or off", everywhere: [.function(9), .control("t")]),
    ]

    /// Returns the command for a key.
    public func command(of key: Key) -> Command? { everywhere[key] }

    /// Returns the command for a key in the command mode: its own, or the command of the letter with Alt.
    public func command(inCommandMode key: Key) -> Command? {
        if let command = inCommandMode[key] { return command }
        if case .character(let letter) = key { return everywhere[.alt(letter)] }
        return everywhere[key]
    }

    /// Returns the letter of a command in the command mode; nil if it has none.
    func letter(of command: Command) -> String? {
        guard let entry = entries.first(where: { $0.command == command }) else { return nil }
        for case .alt(let letter) in entry.everywhere where letter != " " { return String(letter) }
        return entry.inCommandMode.first?.name
    }

    /// Returns a key that runs a command everywhere; nil if there is none.
    func key(of command: Command) -> Key? { entries.first { $0.command == command }?.everywhere.first }

    /// Returns the name of a command's key for a hint; nil if the command has no key.
    func keyName(of command: Command) -> String? {
        entries.first { $0.command == command }.flatMap { $0.firstKeyName.isEmpty ? nil : $0.firstKeyName }
    }
}

/// The configuration of the terminal interface: the first tab, the theme and the keys.
///
/// The file has one setting per line, and comments that begin with `#`:
///
/// ```text
/// tab = contacts
/// theme = light
/// key.undo = u, Alt-u
/// ```
public struct TerminalConfiguration: Sendable {
    /// The colors of the interface.
    public enum Theme: String, CaseIterable, Sendable {
        /// Colors for a dark background.
        case dark
        /// Colors for a light background.
        case light
        /// No colors; bold and reverse only.
        case mono
    }

    /// The initial tab.
    public private(set) var tab = Tab.find
    /// The color theme.
    public private(set) var theme = Theme.dark
    /// The region of numbers without a country code, such as GB; nil to use the environment's.
    public private(set) var region: String?
    /// The colors that override the theme, as numbers in the 256-color palette.
    public private(set) var colours: [Style.Tone: Int] = [:]
    /// The key bindings.
    public private(set) var keys = KeyTable.standard

    /// Creates the default configuration.
    public init() {}

    /// Parses the text of a configuration file.
    ///
    /// - Parameter file: the path, for errors.
    /// - Throws: ``SwitchboardError`` with the line of the first mistake.
    public init(parsing text: String, file: String) throws(SwitchboardError) {
        var lines: [String: Int] = [:]
        var bindings: [Command: [Key]] = [:]
        var owners: [Key: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            func mistake(_ message: String) -> SwitchboardError {
                SwitchboardError(
                    code: "malformedInput", message: message, file: file, line: index + 1, status: .malformed)
            }
            guard let equals = line.firstIndex(of: "=") else { throw mistake("a setting has the form name = value") }
            let name = Self.trimmed(line[..<equals])
            let value = Self.trimmed(line[line.index(after: equals)...])
            if let earlier = lines.updateValue(index + 1, forKey: name) {
                throw mistake("\(name) is set in line \(earlier), too; remove one of the lines")
            }
            switch name {
            case "tab":
                guard let tab = Tab.allCases.first(where: { "\($0)" == value }) else {
                    throw mistake("there is no tab “\(value)”; use \(Self.list(Tab.allCases.map { "\($0)" }))")
                }
                self.tab = tab
            case "region":
                if value == "locale" { break }
                do {
                    region = try ProcessEnvironment.region(value, from: name)
                } catch {
                    throw mistake(error.message)
                }
            case "theme":
                guard let theme = Theme(rawValue: value) else {
                    throw mistake("there is no theme “\(value)”; use \(Self.list(Theme.allCases.map(\.rawValue)))")
                }
                self.theme = theme
            case let name where name.hasPrefix("colour."):
                guard let tone = Style.Tone.configurable.first(where: { "colour.\($0)" == name }) else {
                    let tones = Self.list(Style.Tone.configurable.map { "\($0)" })
                    throw mistake("there is no colour “\(name.dropFirst(7))”; use \(tones)")
                }
                if value == "theme" { break }
                guard let number = Int(value), (0...255).contains(number) else {
                    throw mistake("the colour “\(value)” is not a number from 0 to 255; see the palette of 256 colours")
                }
                colours[tone] = number
            default:
                if Self.retired.contains(name) { break }
                guard name.hasPrefix("key."),
                    let command = KeyTable.standard.entries.first(where: { "key." + $0.command.name == name })?.command
                else {
                    throw mistake("there is no setting “\(name)”; switchboard-tui --print-config lists all")
                }
                bindings[command] = []
                for word in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
                    guard let key = Key(named: String(word == "Comma" ? "," : word)) else {
                        throw mistake("there is no key “\(word)”; use names such as u, Alt-u, Ctrl-U, F5 or PgDn")
                    }
                    if Self.fixed.contains(key), KeyTable.standard.command(of: key) != command {
                        throw mistake("\(key.name) always has the same command; use another key")
                    }
                    if case .character = key, command.changesData {
                        throw mistake("\(key.name) types text and \(name) changes data; use a key with Alt or Ctrl")
                    }
                    if let owner = owners.updateValue(name, forKey: key) {
                        throw mistake("\(key.name) is a key of \(owner), too; remove one of them")
                    }
                    bindings[command]?.append(key)
                }
            }
        }
        keys = KeyTable.standard.binding(bindings)
    }

    /// Keys with a meaning in forms and questions, or that work in any state.
    private static let fixed: Set<Key> = [
        .enter, .escape, .control("c"), .control("q"), .control("z"), .control("l"),
    ]

    /// Settings of earlier versions whose commands no longer exist, because the search line always has the focus.
    private static let retired: Set<String> = ["key.halfPageDown", "key.halfPageUp", "key.toList", "key.searchLine"]

    /// The configuration as a file with all settings.
    public var text: String {
        var lines = [
            "# The first tab: " + Self.list(Tab.allCases.map { "\($0)" }), "tab = \(tab)",
            "# The colours: " + Self.list(Theme.allCases.map(\.rawValue)), "theme = \(theme)",
            "# The region of numbers without a country code, such as GB, or locale", "region = \(region ?? "locale")",
            "# Colours instead of those of the theme: a number of the palette of 256 colours, or theme",
        ]
        lines += Style.Tone.configurable.map { "colour.\($0) = \(colours[$0].map { "\($0)" } ?? "theme")" }
        lines += [
            "# The keys of each command. A key that types or edits text is a command after F2 only."
        ]
        for entry in keys.entries {
            let names = (entry.inCommandMode + entry.everywhere).map { $0 == .character(",") ? "Comma" : $0.name }
            lines += ["# " + entry.title, "key.\(entry.command.name) = " + names.joined(separator: ", ")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
