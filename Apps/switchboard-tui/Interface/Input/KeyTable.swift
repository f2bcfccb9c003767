/// Which key does what: help, the palette and the handling of keys all read this one table.
public struct KeyTable: Sendable {
    /// A line of the table.
    public struct Entry: Sendable {
        /// What it does.
        public var command: Command
        /// What it does, in words.
        public var title: String
        /// The keys that do it wherever the focus is.
        public var everywhere: [Key]
        /// The keys that do it while the list has the focus.
        public var inList: [Key]
        /// The tabs it is for; nil for all.
        public var tabs: Set<Tab>?
        /// Whether the palette lists it: moving about is done by keys alone.
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

        /// The keys as help shows them.
        public var keyNames: String { (everywhere + inList).map(\.name).joined(separator: ", ") }

        /// The first of its keys.
        var firstKeyName: String { (everywhere + inList).first?.name ?? "" }
    }

    /// The lines in the order of help.
    public static let entries: [Entry] = [
        Entry(.nextTab, "next tab", everywhere: [.tab], isInPalette: false),
        Entry(.previousTab, "previous tab", everywhere: [.backTab], isInPalette: false),
        Entry(.tab(.find), "Find: everything", everywhere: [.alt("1")]),
        Entry(.tab(.contacts), "Contacts", everywhere: [.alt("2")]),
        Entry(.tab(.prospects), "Prospects", everywhere: [.alt("3")]),
        Entry(.tab(.airports), "Airports", everywhere: [.alt("4")]),
        Entry(.tab(.activity), "Activity", everywhere: [.alt("5")]),
        Entry(
            .down, "down in the list", everywhere: [.down, .control("n")], inList: [.character("j")], isInPalette: false
        ),
        Entry(.up, "up in the list", everywhere: [.up, .control("p")], inList: [.character("k")], isInPalette: false),
        Entry(.pageDown, "a page down", everywhere: [.pageDown], isInPalette: false),
        Entry(.pageUp, "a page up", everywhere: [.pageUp], isInPalette: false),
        Entry(.first, "to the first row", inList: [.home, .character("g")], isInPalette: false),
        Entry(.last, "to the last row", inList: [.end, .character("G")], isInPalette: false),
        Entry(.open, "open the chosen row; in Activity, go on with it", everywhere: [.enter]),
        Entry(
            .leave, "leave: detail, then list, then clear the search line, then focus on the list",
            everywhere: [.escape], isInPalette: false),
        Entry(
            .toList, "from the end of the search line to the list; Left goes back", everywhere: [.right],
            isInPalette: false),
        Entry(.searchLine, "to the search line", inList: [.character("/"), .left]),
        Entry(.help, "this help", everywhere: [.function(1)], inList: [.character("?")]),
        Entry(.palette, "all commands", everywhere: [.alt(":")], inList: [.character(":")], isInPalette: false),
        Entry(.quit, "quit", everywhere: [.control("q"), .control("c")], inList: [.character("q")]),
        Entry(.suspend, "suspend; fg comes back", everywhere: [.control("z")]),
        Entry(.redraw, "draw the screen anew", everywhere: [.control("l")]),
        Entry(
            .contacted, "contacted, or not any more", everywhere: [.alt(" ")], inList: [.character(" ")],
            tabs: [.prospects, .find]),
        Entry(
            .remind, "remind at the next nine o'clock", everywhere: [.alt("r")], inList: [.character("r")],
            tabs: [.prospects, .find]),
        Entry(
            .remindAt, "remind at another time", everywhere: [.alt("R")], inList: [.character("R")],
            tabs: [.prospects, .find]),
        Entry(.reminders, "all reminders", everywhere: [.alt("l")], inList: [.character("l")]),
        Entry(.badge, "my badge", everywhere: [.alt("b")], inList: [.character("b")]),
        Entry(.editBadge, "change my badge", everywhere: [.alt("B")], inList: [.character("B")]),
        Entry(.scan, "scan a picture of badges", everywhere: [.alt("s")], inList: [.character("s")]),
        Entry(
            .add, "add a contact or prospect", everywhere: [.alt("a")], inList: [.character("a")],
            tabs: [.contacts, .prospects, .find]),
        Entry(
            .edit, "edit the chosen one", everywhere: [.alt("e")], inList: [.character("e")],
            tabs: [.contacts, .prospects, .find]),
        Entry(
            .remove, "remove the chosen one", everywhere: [.alt("d")], inList: [.character("d"), .delete],
            tabs: [.contacts, .prospects, .find]),
        Entry(.undo, "undo", everywhere: [.alt("u"), .control("_")], inList: [.character("u")]),
        Entry(
            .favourite, "favourite, or not any more", everywhere: [.alt("f")], inList: [.character("f")],
            tabs: [.contacts, .find]),
        Entry(
            .call, "record a call of a contact; choose an airport or item", everywhere: [.alt("c")],
            inList: [.character("c")]),
        Entry(
            .filter, "everyone, contacted, uncontacted", everywhere: [.alt("t")], inList: [.character("t")],
            tabs: [.prospects]),
        Entry(.order, "by name, by time", everywhere: [.alt("o")], inList: [.character("o")], tabs: [.prospects]),
        Entry(
            .answerReminder, "answer the reminder that is due", everywhere: [.alt("!")], inList: [.character("!")]),
        Entry(.map, "map of the airports found", everywhere: [.alt("m")], inList: [.character("m")]),
        Entry(.usePlace, "set my place for the nearest airports", everywhere: [.alt("p")], inList: [.character("p")]),
        Entry(.nineKeys, "nine keys: in forms digits type words, or not", everywhere: [.function(9), .control("t")]),
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

    /// The command of a key.
    ///
    /// - Parameter isInList: whether the list has the focus.
    public static func command(of key: Key, isInList: Bool) -> Command? {
        if isInList, let command = inList[key] { return command }
        return everywhere[key]
    }
}
