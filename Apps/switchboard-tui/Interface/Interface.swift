import SwitchboardContacts
public import SwitchboardKit
import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardSearchableIndex

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
    /// The region of numbers without a country code, and of dates such as 3/4/1975; nil if unknown.
    public internal(set) var region: String?
    /// True if the region was asked for, which happens once.
    var hasAskedForRegion = false
    /// True if the terminal has colors, so a QR code can be black on white.
    public let hasColours: Bool

    /// The selected tab.
    public internal(set) var tab = Tab.find
    /// The search line.
    public internal(set) var searchLine = TextField()
    /// True while the next letter is a command instead of text.
    public internal(set) var isInCommandMode = false
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
    /// True if the cursor is on the selected row, as after moving the selection; letters go to the search line anyway.
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
    ///   - tab: the first tab; nil for the configured one.
    ///   - region: the region of numbers without a country code.
    ///   - configuration: the first tab and the keys.
    public init(
        size: Size, language: String = "en", hasColours: Bool = true, picker: Picker? = nil, query: String = "",
        tab: Tab? = nil, region: String? = nil, configuration: TerminalConfiguration = TerminalConfiguration()
    ) {
        keyTable = configuration.keys
        self.tab = tab ?? configuration.tab
        self.region = region
        self.size = size
        self.language = language
        self.hasColours = hasColours
        self.picker = picker
        searchLine = TextField(query)
        if let picker { self.tab = picker.tab }
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
            group: tab == .contacts ? group : nil, contactOrder: tab == .contacts ? contactOrder : nil,
            field: picker?.field)
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

    /// Returns the name of a command's key, or a word for the command if it has no key.
    func keyName(of command: Command) -> String { keyTable.keyName(of: command) ?? command.name }

    mutating func inform(_ text: String) { message = Message(text: text) }
    mutating func warn(_ text: String) { message = Message(text: text, isWarning: true) }
}

/// A tab of the interface.
public enum Tab: Int, CaseIterable, Hashable, Sendable {
    case find, contacts, prospects, airports, activity

    /// The label in the tab bar.
    public var title: String { ["Find", "Contacts", "Prospects", "Airports", "Activity"][rawValue] }

    /// True if digits in the search text are a keypad search.
    fileprivate var supportsKeypad: Bool { self != .activity }
}

/// A list with its selection and the state of the search that fills it.
public struct Listing: Sendable {
    /// The rows, best first.
    public internal(set) var rows: [Row] = []
    /// The index of the selected row; 0 if the list is empty.
    public internal(set) var selected = 0
    /// The first visible line, counting headings.
    var top = 0
    /// The maximum number of rows; 0 for all, nil before the first search.
    var limit: Int?
    /// True if there may be more rows than the limit.
    var hasMore = false
    /// The number of rows without a limit; nil if unknown.
    var total: Int?
    /// `true` if there are more rows than ``total``.
    var totalHasMore = false
    /// True if the last row is to be selected once all rows are listed.
    var goesToEnd = false
    /// The search text that produced the rows.
    var text = ""
    var isSearching = false
    /// The reason for a slow search; nil if it is not slow.
    var delay: String?
    /// The error of a failed search.
    var failure: String?
    /// The state of the server request as text; nil if no server is used.
    var remote: String?

    /// The number of the selected row and the number of rows, such as "7 of 342".
    var position: String {
        rows.isEmpty
            ? "no rows"
            : "\((selected + 1).grouped) of \(max(total ?? 0, rows.count).grouped)\(isCountedInPart ? "+" : "")"
    }

    private var isCountedInPart: Bool { hasMore && (total == nil || totalHasMore) }

    /// The selected row; nil if the list is empty.
    public var row: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    /// Replaces the rows.
    ///
    /// - Parameter isSame: keeps the selected row, for new results of the same search.
    mutating func replaceRows(_ rows: [Row], keepingSelection isSame: Bool) {
        let id = row?.id
        self.rows = rows
        if isSame, let id, let index = rows.firstIndex(where: { $0.id == id }) {
            selected = index
        } else if isSame {
            selected = min(selected, max(0, rows.count - 1))
        } else {
            (selected, top) = (0, 0)
        }
    }

    /// Moves the selection, clamped to the list.
    mutating func move(by distance: Int) {
        selected = min(max(0, selected + distance), max(0, rows.count - 1))
    }

    // MARK: - Lines

    /// The line of each row and the number of lines, counting headings.
    var lines: (ofRows: [Int], count: Int) {
        var places: [Int] = []
        places.reserveCapacity(rows.count)
        var line = 0
        var section: String?
        for row in rows {
            if let heading = row.section, heading != section { line += 1 }
            section = row.section
            places.append(line)
            line += 1
        }
        return (places, line)
    }

    /// Scrolls the selected row into view, in a view of `height` lines.
    mutating func scroll(height: Int) {
        let (places, count) = lines
        guard places.indices.contains(selected), height > 0 else {
            top = 0
            return
        }
        let line = places[selected]
        // The heading of a section is visible with its first row.
        let first = selected == 0 || rows[selected].section != rows[selected - 1].section ? max(0, line - 1) : line
        if first < top { top = first }
        if line >= top + height { top = line - height + 1 }
        top = max(0, min(top, count - height))
    }
}

/// A row of a list.
public struct Row: Sendable {
    /// The object that a row shows.
    public enum Content: Sendable {
        /// A contact, prospect, airport or item.
        case result(SearchResult)
        /// An activity.
        case activity(StoredActivity)
        /// A reminder.
        case reminder(Reminder)
    }

    /// The object.
    public var content: Content
    /// The section heading; rows of one section are adjacent.
    public var section: String?
    /// The pending reminder of a prospect.
    public var reminder: Reminder?

    /// Creates a row.
    public init(_ content: Content, section: String? = nil, reminder: Reminder? = nil) {
        self.content = content
        self.section = section
        self.reminder = reminder
    }

    /// The identity of the row in its list, stable across reloads.
    public var id: String {
        switch content {
        case .result(let result): result.link.url
        case .activity(let stored): "activity:" + stored.id
        case .reminder(let reminder): "reminder:" + reminder.id
        }
    }

    /// The search result, if the row shows one.
    var result: SearchResult? {
        if case .result(let result) = content { return result }
        return nil
    }

    var title: String {
        switch content {
        case .result(let result): result.title
        case .activity(let stored): stored.activity.title ?? stored.activity.activityType
        case .reminder(let reminder): reminder.title
        }
    }

    func details(language: String) -> [Detail] {
        switch content {
        case .result(let result):
            result.details(language: language)
                + (reminder.map { [Detail("reminder", "⏰ " + $0.localTime, .strong)] } ?? [])
        case .activity(let stored): stored.details
        case .reminder(let reminder):
            [
                Detail("reminder", reminder.title, .strong), Detail("text", reminder.body),
                Detail("due", reminder.localTime), Detail("state", reminder.stateInWords),
                Detail("failing", reminder.failure), Detail("id", reminder.id, .faint),
            ].filter { !$0.text.isEmpty }
        }
    }
}

extension Int {
    /// The number with separated thousands, such as 1,115.
    var grouped: String {
        let digits = Array(String(magnitude))
        let text = digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digits[index])
        }
        return (self < 0 ? "-" : "") + text
    }
}
