import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders

/// The state of the terminal interface: events go in, requests come out, and ``screen()`` draws the result.
///
/// It is a plain value that uses no terminal, database or clock. For example:
///
/// ```swift
/// var interface = Interface(size: Size(columns: 80, rows: 24))
/// var requests = interface.start()
/// requests += interface.handle(.key(.character("5")), at: .seconds(1))
/// print(interface.screen().text)
/// ```
///
/// The caller executes the requests on other threads and passes the responses to ``handle(_:at:)`` as events. Only
/// updates of the latest search are shown.
///
/// ## Topics
///
/// - Input: ``Event``, ``Key``, ``Mouse``
/// - Output: ``Request``, ``Screen``
/// - Key bindings: ``KeyTable``
public struct Interface: Sendable {
    /// The size of the terminal.
    public internal(set) var size: Size
    /// The language of airport names.
    public let language: String
    /// True if the terminal has colors, so a QR code can be black on white.
    public let hasColours: Bool

    /// The selected tab.
    public internal(set) var tab = Tab.find
    /// The search line.
    public internal(set) var searchLine = TextField()
    /// True if the list has the focus, false if the search line has it.
    public internal(set) var isListFocused = false
    /// The stack of overlays; the last one is visible.
    var overlays: [Overlay] = []
    var listings: [Tab: Listing] = [:]
    var filter = ProspectFilter.everyone
    var order = ProspectOrder.name
    /// The order of contacts if the search text is empty; nil lists favorites and the most used contacts first.
    var contactOrder: ContactSortOrder?
    /// The group whose contacts are listed; nil for all.
    var group: String?
    /// The first visible line of the preview of a row.
    var preview: (id: String, top: Int)?
    var marks: [Tab: Marks] = [:]
    /// The ticket of the search whose rows are about to be marked; nil if there is none.
    var markingTicket: Int?

    /// The picker; nil if rows are opened.
    var picker: Picker?

    /// The undo steps, oldest first.
    var undoStack: [UndoStep] = []
    /// The edits that were undone, oldest first; empty after another edit.
    var redoStack: [[EditCommand]] = []
    /// The search texts that opened a row or were cleared, oldest first.
    var history: [String] = []
    /// The position in the history of the search text; nil if it was typed.
    var recalled: Int?
    /// True if the next letter starts a new search text, as after closing the detail of a row.
    var replacesQuery = false
    /// The time of the latest event.
    var time = Duration.zero
    static let longestHistory = 100
    let keyTable: KeyTable
    /// The message in the status line.
    var message: Message?
    /// The unanswered due reminders, latest last.
    var dueReminders: [Reminder] = []
    /// The reason that due reminders are not shown.
    var dueNotice: String?
    /// True if the cursor is on the selected row although the search line has the focus, as after moving the selection.
    var isCursorOnRow = false
    var lastTicket = 0
    /// The identifier of the row to select once it is listed, such as a new contact.
    var idToSelect: String?
    /// The commands that wait for search results or marks: Enter after typing means the first result, not the old
    /// selection.
    var deferredCommands: [Command] = []
    /// True while an undone edit is being redone.
    var isRedoing = false
    /// The number of edits whose response has not arrived.
    var pendingEdits = 0
    /// The number of times that undo was pressed while edits were pending.
    var deferredUndos = 0
    /// True if the badge is requested in order to edit it.
    var editsBadge = false
    /// True if digits type words in forms.
    var isKeypadTyping = false
    /// The keypad session in the selected field; nil until a key is pressed.
    var keypadSession: KeypadSession?
    /// The number of the latest keypad session.
    var lastKeypadSession = 0
    /// The keys that wait for the response to an earlier key: the lookup of a word, the completion of a path, or the
    /// row that Enter opens.
    var heldKeys: [Key] = []

    enum UndoStep: Sendable {
        case edits([EditCommand])
        case form(Form)
    }

    /// The text of the status line.
    struct Message: Sendable {
        var text: String
        var isWarning = false
    }

    /// Creates an interface without rows.
    ///
    /// - Parameters:
    ///   - picker: returns the chosen rows instead of opening them; nil for the complete interface.
    ///   - query: the first search text.
    ///   - configuration: the first tab and the keys.
    public init(
        size: Size, language: String = "en", hasColours: Bool = true, picker: Picker? = nil, query: String = "",
        configuration: TerminalConfiguration = TerminalConfiguration()
    ) {
        keyTable = configuration.keys
        tab = configuration.tab
        self.size = size
        self.language = language
        self.hasColours = hasColours
        self.picker = picker
        searchLine = TextField(query)
        if let picker { tab = picker.tab }
    }

    /// Returns the initial requests: a search with an empty text.
    public mutating func start() -> [Request] { [search()] }

    // MARK: - Current list

    /// The list of the selected tab.
    public internal(set) var listing: Listing {
        get { listings[tab] ?? Listing() }
        set { listings[tab] = newValue }
    }

    /// True if the search text is a sequence of keypad keys.
    public var isKeypad: Bool {
        let text = searchLine.text
        return tab.supportsKeypad && !text.isEmpty && text.allSatisfy { $0.wholeNumberValue.map { $0 < 10 } ?? false }
    }

    /// Starts a search for the text of the search line.
    ///
    /// - Parameter isSame: repeats the current search, with at least as many rows as are listed.
    mutating func search(isSame: Bool = false) -> Request {
        lastTicket += 1
        var listing = listing
        if !isSame {
            if !deferredCommands.isEmpty { heldKeys = [] }
            (deferredCommands, listing.remote, listing.goesToEnd) = ([], nil, false)
            (markingTicket, listing.total) = (nil, nil)
        }
        (listing.isSearching, listing.delay) = (true, nil)
        let screenful = max(20, size.rows)
        var limit = isSame ? listing.limit ?? screenful : screenful
        if limit > 0 { limit = max(limit, screenful) }
        listing.limit = limit
        self.listing = listing
        return .search(search(limit: limit))
    }

    /// Returns the search for the current list, with the latest ticket.
    func search(limit: Int) -> Search {
        Search(
            ticket: lastTicket, tab: tab, text: searchLine.text, isKeypad: isKeypad, limit: limit,
            filter: filter, order: order, kinds: picker?.kinds ?? Set(ResultKind.allCases),
            group: tab == .contacts ? group : nil, contactOrder: tab == .contacts ? contactOrder : nil)
    }

    /// True if the listed rows belong to an earlier search text.
    var isStale: Bool {
        let listing = listing
        return listing.isSearching && (listing.text != searchLine.text || listing.rows.isEmpty)
    }

    /// The row that commands apply to: the row of the topmost overlay, else the selected row.
    var subject: Row? {
        for overlay in overlays.reversed() {
            switch overlay {
            case .detail(let row, _, _): return row
            case .reminders(let listing): return listing.row
            default: continue
            }
        }
        return listing.row
    }

    /// Returns the name of a command's key with the current focus, or a word for the command if it has no key.
    func keyName(of command: Command) -> String {
        keyTable.keyName(of: command, isListFocused: isListFocused) ?? command.name
    }

    mutating func inform(_ text: String) { message = Message(text: text) }
    mutating func warn(_ text: String) { message = Message(text: text, isWarning: true) }
}
