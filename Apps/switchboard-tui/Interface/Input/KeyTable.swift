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
        /// The keys that work while the list has the focus.
        public var inList: [Key]
        /// The tabs that have the command; nil for all.
        public var tabs: Set<Tab>?
        /// True if the palette lists the command; movement has keys only.
        public var isInPalette: Bool

        init(
            _ command: Command, _ title: String, everywhere: [Key] = [], inList: [Key] = [], tabs: Set<Tab>? = nil,
            isInPalette: Bool = true
        ) {
            self.command = command
            self.title = title
            self.everywhere = everywhere
            self.inList = inList
            self.tabs = tabs
            self.isInPalette = isInPalette
        }

        /// The names of all keys, as shown in help.
        public var keyNames: String { (everywhere + inList).map(\.name).joined(separator: ", ") }

        /// The name of the first key.
        var firstKeyName: String { (everywhere + inList).first?.name ?? "" }
    }

    /// The entries in the order of help.
    public static let entries: [Entry] = [
        Entry(.nextTab, "next tab", everywhere: [.tab], isInPalette: false),
        Entry(.previousTab, "previous tab", everywhere: [.backTab], isInPalette: false),
        Entry(.tab(.find), "Find: everything", everywhere: [.alt("1")]),
        Entry(.tab(.contacts), "Contacts", everywhere: [.alt("2")]),
        Entry(.tab(.prospects), "Prospects", everywhere: [.alt("3")]),
        Entry(.tab(.airports), "Airports", everywhere: [.alt("4")]),
        Entry(.tab(.activity), "Activity", everywhere: [.alt("5")]),
        Entry(
            .down, "next row", everywhere: [.down, .control("n")], inList: [.character("j")], isInPalette: false
        ),
        Entry(.up, "previous row", everywhere: [.up, .control("p")], inList: [.character("k")], isInPalette: false),
        Entry(.pageDown, "page down", everywhere: [.pageDown], isInPalette: false),
        Entry(.pageUp, "page up", everywhere: [.pageUp], isInPalette: false),
        Entry(.first, "first row", inList: [.home, .character("g")], isInPalette: false),
        Entry(.last, "last row", inList: [.end, .character("G")], isInPalette: false),
        Entry(.open, "open the selected row; in Activity, resume it", everywhere: [.enter]),
        Entry(
            .leave, "go back; on an empty search line, focus the list", everywhere: [.escape],
            isInPalette: false),
        Entry(
            .toList, "at the end of the search line, focus the list", everywhere: [.right], isInPalette: false),
        Entry(.searchLine, "focus the search line", inList: [.character("/"), .left]),
        Entry(.help, "this help", everywhere: [.function(1)], inList: [.character("?")]),
        Entry(.palette, "all commands", everywhere: [.alt(":")], inList: [.character(":")], isInPalette: false),
        Entry(.quit, "quit", everywhere: [.control("q"), .control("c")], inList: [.character("q")]),
        Entry(.suspend, "suspend; fg resumes", everywhere: [.control("z")]),
        Entry(.redraw, "redraw the screen", everywhere: [.control("l")]),
        Entry(
            .contacted, "toggle contacted", everywhere: [.alt(" ")], inList: [.character(" ")],
            tabs: [.prospects, .find]),
        Entry(
            .remind, "remind at the next nine o'clock", everywhere: [.alt("r")], inList: [.character("r")],
            tabs: [.prospects, .find]),
        Entry(
            .remindAt, "remind at another time", everywhere: [.alt("R")], inList: [.character("R")],
            tabs: [.prospects, .find]),
        Entry(.reminders, "all reminders", everywhere: [.alt("l")], inList: [.character("l")]),
        Entry(.badge, "my badge", everywhere: [.alt("b")], inList: [.character("b")]),
        Entry(.editBadge, "edit my badge", everywhere: [.alt("B")], inList: [.character("B")]),
        Entry(.scan, "scan a picture of badges", everywhere: [.alt("s")], inList: [.character("s")]),
        Entry(
            .add, "add a contact or prospect", everywhere: [.alt("a")], inList: [.character("a")],
            tabs: [.contacts, .prospects, .find]),
        Entry(
            .edit, "edit the selected row", everywhere: [.alt("e")], inList: [.character("e")],
            tabs: [.contacts, .prospects, .find]),
        Entry(
            .remove, "remove the selected row", everywhere: [.alt("d")], inList: [.character("d"), .delete],
            tabs: [.contacts, .prospects, .find]),
        Entry(.undo, "undo", everywhere: [.alt("u"), .control("_")], inList: [.character("u")]),
        Entry(
            .favourite, "toggle favourite", everywhere: [.alt("f")], inList: [.character("f")],
            tabs: [.contacts, .find]),
        Entry(
            .call, "record a call to a contact; choose an airport or item", everywhere: [.alt("c")],
            inList: [.character("c")]),
        Entry(
            .filter, "filter by contacted state", everywhere: [.alt("t")], inList: [.character("t")],
            tabs: [.prospects]),
        Entry(.order, "sort by name or time", everywhere: [.alt("o")], inList: [.character("o")], tabs: [.prospects]),
        Entry(
            .answerReminder, "answer the due reminder", everywhere: [.alt("!")], inList: [.character("!")]),
        Entry(.map, "map of matching airports", everywhere: [.alt("m")], inList: [.character("m")]),
        Entry(
            .setLocation, "set my location for the nearest airports", everywhere: [.alt("p")], inList: [.character("p")]
        ),
        Entry(.keypadTyping, "turn keypad typing in forms on or off", everywhere: [.function(9), .control("t")]),
    ]

    private static let everywhere = commands(\.everywhere)
    private static let inList = commands(\.inList)

    private static func commands(_ keys: KeyPath<Entry, [Key]>) -> [Key: Command] {
        var commands: [Key: Command] = [:]
        for entry in entries {
            for key in entry[keyPath: keys] { commands[key] = entry.command }
        }
        return commands
    }

    /// Returns the command of a key.
    public static func command(of key: Key, isListFocused: Bool) -> Command? {
        if isListFocused, let command = inList[key] { return command }
        return everywhere[key]
    }
}
